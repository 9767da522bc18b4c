"""Public keys of phones: reading a JWK, and what a signature by one of them covers.

ES256 (P-256) or EdDSA (Ed25519), by the key and never by what a message says of itself. Called by
`devices` for the proof of a key, and by `ops.signing` for every signed op.
"""

from __future__ import annotations

import json
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePublicKey,
    EllipticCurvePublicNumbers,
)
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from fieldapi.services.fields import refuse
from sync.wire import JSON, WireError, canonical, loads

PublicKey = EllipticCurvePublicKey | Ed25519PublicKey

_BYTES = 32
_LONGEST_HEADER = 512
_P = 2**255 - 19
_Y_BITS = 2**255 - 1
_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
# The y of the eight points whose multiple by eight is the neutral one.
_SMALL_ORDER = frozenset({0, 1, _P - 1, _ORDER_8, _P - _ORDER_8})
_MEMBERS: Mapping[tuple[JSON, JSON], tuple[str, ...]] = {
    ("EC", "P-256"): ("crv", "kty", "x", "y"),
    ("OKP", "Ed25519"): ("crv", "kty", "x"),
}
# RFC 9864 calls the second of them Ed25519; phones in use say EdDSA.
_ALGORITHMS = {"EC": ("ES256",), "OKP": ("EdDSA", "Ed25519")}
ALGORITHMS = frozenset(name for names in _ALGORITHMS.values() for name in names)


class BadSignature(Exception):
    """The text is no JWS by this key."""


def public_jwk(given: JSON) -> str:
    """Return the bare public JWK as canonical text. Raises `InvalidBody` for any other key."""
    if not isinstance(given, dict):
        raise refuse("public_key", "This must be a JWK.")
    if "d" in given:
        raise refuse("public_key", "This is a private key: it must never leave the phone.")
    kind, curve = given.get("kty"), given.get("crv")
    names = (
        _MEMBERS.get((kind, curve)) if isinstance(kind, str) and isinstance(curve, str) else None
    )
    if names is None:
        raise refuse("public_key", "Only P-256 (EC) and Ed25519 (OKP) keys are taken.")
    text = canonical({name: given.get(name) for name in names}).decode()
    try:
        read_key(text)
    except ValueError as exc:
        raise refuse("public_key", "The key is not a point of its curve.") from exc
    return text


def read_key(jwk: str) -> PublicKey:
    """Return the key in a text that `public_jwk` returned. Raises `ValueError`."""
    members = json.loads(jwk)
    x = _coordinate(members["x"])
    if members["kty"] == "OKP":
        _require_proper(x)
        return Ed25519PublicKey.from_public_bytes(x)
    y = _coordinate(members["y"])
    numbers = EllipticCurvePublicNumbers(int.from_bytes(x), int.from_bytes(y), SECP256R1())
    return numbers.public_key()


def _require_proper(key: bytes) -> None:
    """Raise `ValueError` for an Ed25519 key that another program may read otherwise (y not below
    p: RFC 8032, 5.1.3), or under which one signature holds for every message (a point of order 8
    or less).
    """
    y = int.from_bytes(key, "little") & _Y_BITS
    if y >= _P or y in _SMALL_ORDER:
        raise ValueError("no proper key")


def check_proof(jwk: str, proof: JSON, *, code: str) -> None:
    """Raise `InvalidBody` unless `proof` is a compact JWS over `{"code"}` by this key."""
    try:
        said = loads(signed_payload(jwk, str(proof)))
    except (BadSignature, WireError) as exc:
        raise refuse("proof", "This is no signature by the public key.") from exc
    if not isinstance(said, dict) or said.get("code") != code:
        raise refuse("proof", "The signature does not cover this code.")


@dataclass(frozen=True, slots=True)
class Jws:
    """A compact JWS taken apart. Nothing of it is believed before `verify`."""

    head: bytes
    header: Mapping[str, JSON]
    payload: bytes
    signature: bytes

    @property
    def detached(self) -> str:
        """Return it without its payload: `header..signature` (RFC 7515, appendix F)."""
        return b"..".join((self.head, _wrap(self.signature))).decode()


def read_jws(token: str) -> Jws:
    """Return the parts of a compact JWS (RFC 7515). Raises `BadSignature` for any other text."""
    try:
        head, payload, signature = token.encode("ascii").split(b".")
        if len(head) > _LONGEST_HEADER:
            raise BadSignature
        parts = Jws(head, _header(head), _unwrap(payload), _unwrap(signature))
    except ValueError as exc:
        raise BadSignature from exc
    # One spelling only: what is kept of it has to give the signed bytes back.
    if _wrap(parts.payload) != payload or _wrap(parts.signature) != signature:
        raise BadSignature
    return parts


def rejoin(detached: str, payload: bytes) -> Jws:
    """Return a JWS whose parts were kept apart. Raises `BadSignature`."""
    head, _, signature = detached.partition("..")
    return read_jws(f"{head}.{_wrap(payload).decode()}.{signature}")


def verify(jwk: str, jws: Jws) -> None:
    """Raise `BadSignature` unless the key made this signature, by its own algorithm.

    A header that names another algorithm, or anything critical, is refused.
    """
    key, algorithms = _key_of(jwk)
    if jws.header.get("alg") not in algorithms or "crit" in jws.header:
        raise BadSignature
    try:
        _verify(key, jws.signature, jws.head + b"." + _wrap(jws.payload))
    except InvalidSignature as exc:
        raise BadSignature from exc


def signed_payload(jwk: str, token: str) -> bytes:
    """Return the payload of a compact JWS by the key. Raises `BadSignature`."""
    jws = read_jws(token)
    verify(jwk, jws)
    return jws.payload


@lru_cache(maxsize=4096)
def _header(head: bytes) -> Mapping[str, JSON]:
    """Return the protected header; phones send the same one with every op. Raises `ValueError`."""
    try:
        header = loads(_unwrap(head))
    except WireError as exc:
        raise ValueError("the header is no JSON") from exc
    if not isinstance(header, dict):
        raise ValueError("the header is no object")  # noqa: TRY004 - what the caller catches
    return header


@lru_cache(maxsize=4096)
def _key_of(jwk: str) -> tuple[PublicKey, tuple[str, ...]]:
    return read_key(jwk), _ALGORITHMS[json.loads(jwk)["kty"]]


def _verify(key: PublicKey, signature: bytes, message: bytes) -> None:
    if isinstance(key, Ed25519PublicKey):
        key.verify(signature, message)
        return
    if len(signature) != 2 * _BYTES:
        raise InvalidSignature
    r, s = int.from_bytes(signature[:_BYTES]), int.from_bytes(signature[_BYTES:])
    key.verify(encode_dss_signature(r, s), message, ECDSA(SHA256()))


def _wrap(raw: bytes) -> bytes:
    return urlsafe_b64encode(raw).rstrip(b"=")


def _coordinate(text: JSON) -> bytes:
    raw = _unwrap(text.encode()) if isinstance(text, str) else b""
    if len(raw) != _BYTES:
        raise ValueError("a coordinate has 32 bytes")
    return raw


def _unwrap(text: bytes) -> bytes:
    """Return the bytes behind base64url without padding. Raises `ValueError`."""
    if not set(b"=+/").isdisjoint(text):
        raise ValueError("not base64url")
    return b64decode(text + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
