"""Files encrypted for somebody's key, in the format of age (age-encryption.org/v1, X25519): what is
written here opens with `age --decrypt`, and the other way round. Keys are age's own, in bech32.

By the primitives of `cryptography`; called by `sealing`. Knows nothing of backups.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from typing import IO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from fieldapi.backup.bech32 import decode, encode

_INTRO = b"age-encryption.org/v1\n"
_LABEL = b"age-encryption.org/v1/X25519"
_STANZA = b"-> X25519 "
_PUBLIC, _SECRET = "age", "age-secret-key-"
_CHUNK, _TAG = 64 * 1024, 16
_FILE_KEY, _NONCE = 16, 12
_LONGEST_LINE = 200
_MOST_STANZAS = 64


class AgeError(Exception):
    """A key or a file that cannot be used."""


def new_identity() -> tuple[str, str]:
    """Return a new secret key and its public one, as age writes them."""
    secret = X25519PrivateKey.generate()
    return encode(_SECRET, secret.private_bytes_raw()).upper(), _public_of(secret)


def public_of(identity: str) -> str:
    """Return the public key of a secret one. Raises `AgeError`."""
    return _public_of(_secret(identity))


class Sealer:
    """Writes a stream that the holders of `recipients` (public keys) can read. Close it to end."""

    def __init__(self, target: IO[bytes], recipients: Sequence[str]) -> None:
        """Write the header. Raises `AgeError` for a key that is none."""
        file_key, nonce = os.urandom(_FILE_KEY), os.urandom(16)
        keys = [_public(one) for one in recipients]
        head = _INTRO + b"".join(_wrap(file_key, one) for one in keys) + b"---"
        target.write(head + b" " + _b64(_mac(file_key, head)) + b"\n" + nonce)
        self._target = target
        self._chunks = _Chunks(_payload_key(file_key, nonce))
        self._waiting = bytearray()

    def write(self, piece: bytes) -> int:
        """Take the next bytes."""
        self._waiting += piece
        while len(self._waiting) > _CHUNK:
            self._target.write(self._chunks.seal(bytes(self._waiting[:_CHUNK]), is_last=False))
            del self._waiting[:_CHUNK]
        return len(piece)

    def close(self) -> None:
        """Write the last chunk, by which a reader knows that nothing was cut off."""
        self._target.write(self._chunks.seal(bytes(self._waiting), is_last=True))


def opened(source: IO[bytes], identity: str) -> Iterator[bytes]:
    """Yield what the stream holds, chunk by chunk.

    Nothing that was changed or cut off gets through: raises `AgeError` at the first chunk that
    does not fit; what was yielded before is sound.
    """
    chunks = _Chunks(_payload_key(_file_key(source, _secret(identity)), source.read(16)))
    piece = source.read(_CHUNK + _TAG)
    while piece:
        following = source.read(_CHUNK + _TAG)
        yield chunks.open(piece, is_last=not following)
        piece = following
    if chunks.count == 0:
        raise AgeError("the file was cut off")


class _Chunks:
    """The STREAM construction: each chunk under a nonce that counts, and says if it is the last."""

    def __init__(self, key: bytes) -> None:
        self._cipher = ChaCha20Poly1305(key)
        self.count = 0

    def seal(self, piece: bytes, *, is_last: bool) -> bytes:
        return self._cipher.encrypt(self._next(is_last=is_last), piece, None)

    def open(self, piece: bytes, *, is_last: bool) -> bytes:
        try:
            return self._cipher.decrypt(self._next(is_last=is_last), piece, None)
        except InvalidTag as exc:
            raise AgeError("the file was changed, or cut off") from exc

    def _next(self, *, is_last: bool) -> bytes:
        nonce = self.count.to_bytes(11, "big") + bytes([is_last])
        self.count += 1
        return nonce


def _wrap(file_key: bytes, recipient: X25519PublicKey) -> bytes:
    """Return the stanza from which the recipient gets the file key."""
    passing = X25519PrivateKey.generate()
    share = passing.public_key().public_bytes_raw()
    key = _wrapping_key(passing.exchange(recipient), share, recipient.public_bytes_raw())
    body = ChaCha20Poly1305(key).encrypt(bytes(_NONCE), file_key, None)
    return _STANZA + _b64(share) + b"\n" + _b64(body) + b"\n"


def _file_key(source: IO[bytes], identity: X25519PrivateKey) -> bytes:
    """Read the header and return the file key. Raises `AgeError` if it is for others."""
    head = source.readline(_LONGEST_LINE)
    if head != _INTRO:
        raise AgeError("this is no file that age wrote")
    found: bytes | None = None
    for _ in range(_MOST_STANZAS):
        line = source.readline(_LONGEST_LINE)
        if line.startswith(b"---"):
            break
        head += line
        if line.startswith(_STANZA):
            body = source.readline(_LONGEST_LINE)
            head += body
            found = found or _unwrap(line.removeprefix(_STANZA), body, identity)
    if found is None:
        raise AgeError("this key does not open the file")
    if not hmac.compare_digest(_mac(found, head + b"---"), _unb64(line[4:])):
        raise AgeError("the head of the file was changed")
    return found


def _unwrap(share: bytes, body: bytes, identity: X25519PrivateKey) -> bytes | None:
    theirs = _unb64(share)
    ours = identity.public_key().public_bytes_raw()
    try:
        shared = identity.exchange(X25519PublicKey.from_public_bytes(theirs))
        key = _wrapping_key(shared, theirs, ours)
        return ChaCha20Poly1305(key).decrypt(bytes(_NONCE), _unb64(body), None)
    except (InvalidTag, ValueError):
        return None


def _wrapping_key(shared: bytes, share: bytes, recipient: bytes) -> bytes:
    return HKDF(SHA256(), 32, salt=share + recipient, info=_LABEL).derive(shared)


def _payload_key(file_key: bytes, nonce: bytes) -> bytes:
    return HKDF(SHA256(), 32, salt=nonce, info=b"payload").derive(file_key)


def _mac(file_key: bytes, head: bytes) -> bytes:
    key = HKDF(SHA256(), 32, salt=None, info=b"header").derive(file_key)
    return hmac.new(key, head, hashlib.sha256).digest()


def _public_of(secret: X25519PrivateKey) -> str:
    return encode(_PUBLIC, secret.public_key().public_bytes_raw())


def _public(text: str) -> X25519PublicKey:
    try:
        return X25519PublicKey.from_public_bytes(decode(_PUBLIC, text))
    except ValueError as exc:
        raise AgeError(f"{text[:12]}… is no public key: it begins with age1") from exc


def _secret(text: str) -> X25519PrivateKey:
    lines = [line.strip() for line in text.splitlines() if line.strip() and line[0] != "#"]
    try:
        return X25519PrivateKey.from_private_bytes(decode(_SECRET, lines[0].lower()))
    except (ValueError, IndexError) as exc:
        raise AgeError("this is no secret key: it begins with AGE-SECRET-KEY-1") from exc


def _b64(data: bytes) -> bytes:
    return b64encode(data).rstrip(b"=")


def _unb64(text: bytes) -> bytes:
    plain = text.strip()
    try:
        return b64decode(plain + b"=" * (-len(plain) % 4), validate=True)
    except ValueError as exc:
        raise AgeError("the head of the file cannot be read") from exc
