"""The server's own keys, kept in files outside the database: the HMAC secret, and the Ed25519 key
that signs tree heads. Imports settings and ids only.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from fieldapi.ids import keyed_digest, server_op_id
from fieldapi.settings import Settings, SettingsError

LEDGER_KEY = "ledger.pem"


class Keyring:
    """The keys of one installation. Two app hosts of one database share them."""

    def __init__(self, secret: bytes, ledger_key: Ed25519PrivateKey) -> None:
        """Take the keys as they are; `open_keyring` reads them from their files."""
        self._secret = secret
        self._ledger_key = ledger_key

    def digest(self, text: bytes) -> bytes:
        """Return the HMAC by which equal content is known again without being kept."""
        return keyed_digest(self._secret, text)

    def op_id(self, text: str) -> str:
        """Return the id of an op that the server builds from `text`."""
        return server_op_id(self._secret, text)

    def sign(self, message: bytes) -> bytes:
        """Return the Ed25519 signature (64 bytes) over a tree head."""
        return self._ledger_key.sign(message)

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """Say whether `signature` over `message` was made by this installation."""
        try:
            self._ledger_key.public_key().verify(signature, message)
        except InvalidSignature:
            return False
        return True

    @property
    def public_key(self) -> bytes:
        """Return the 32 bytes by which anybody checks a tree head."""
        return public_bytes(self._ledger_key.public_key())


def public_bytes(key: Ed25519PublicKey) -> bytes:
    """Return the raw form of a public key."""
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def open_keyring(settings: Settings) -> Keyring:
    """Return the keys of this installation, made on first use. Raises `SettingsError`."""
    path = settings.keys / LEDGER_KEY
    if not path.exists():
        _make_ledger_key(path)
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except ValueError as exc:
        raise _unreadable(path) from exc
    if not isinstance(key, Ed25519PrivateKey):
        raise _unreadable(path)
    return Keyring(settings.secret_key, key)


def _make_ledger_key(path: Path) -> None:
    """Write a fresh key aside and link it into place: of two processes, one key wins."""
    pem = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    aside = path.with_name(f".{secrets.token_hex(8)}")
    with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())
    try:
        path.hardlink_to(aside)
    except FileExistsError:
        return
    finally:
        aside.unlink()


def _unreadable(path: Path) -> SettingsError:
    return SettingsError(
        "FIELDAPI_DATA",
        f"{path.name} in the keys folder is not an Ed25519 key",
        "put the original file back: without it no old tree head can be continued",
    )
