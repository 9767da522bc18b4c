"""Signed ops (docs/protocol/sync.md section 2): `{"jws": compact}`, the payload one op object.

Opens the envelope and checks it by the key of the device that it names. Called by `arrival`.
"""

from __future__ import annotations

from dataclasses import dataclass

from fieldapi.services import keys
from fieldapi.services.keys import BadSignature, Jws
from sync.wire import JSON, Slice, WireError, loads

_MEMBER = "jws"
_HEADER = {"alg", "kid"}


@dataclass(frozen=True, slots=True)
class Content:
    """One op as it is to be stored: its bytes, and what they say (None if they say nothing).

    `signer`: the device whose signature it bears, None for an unsigned op; `jws`: how it came.
    """

    raw: bytes
    value: JSON
    signer: str | None = None
    jws: Jws | None = None

    def verify(self, key: str) -> None:
        """Raise `BadSignature` unless this key made the signature."""
        if self.jws is None:
            raise BadSignature
        keys.verify(key, self.jws)

    @property
    def signature(self) -> str | None:
        """Return the JWS without its payload, None for an unsigned op."""
        return None if self.jws is None else self.jws.detached


def is_signed(value: JSON) -> bool:
    """Say whether an element of a push claims to be a signed op."""
    return isinstance(value, dict) and _MEMBER in value


def open_op(part: Slice) -> Content:
    """Return the op in an element of a push. Raises `BadSignature` for a JWS of another form."""
    if not is_signed(part.value):
        return Content(part.raw, part.value)
    jws, signer = _read(part.value)
    try:
        value = loads(jws.payload)
    except WireError:
        value = None
    return Content(jws.payload, value, signer, jws)


def key_id(value: JSON) -> str | None:
    """Return the device that an element says it was signed by, None if it says none."""
    try:
        return _read(value)[1] if is_signed(value) else None
    except BadSignature:
        return None


def _read(value: JSON) -> tuple[Jws, str]:
    token = value.get(_MEMBER) if isinstance(value, dict) and len(value) == 1 else None
    if not isinstance(token, str):
        raise BadSignature
    jws = keys.read_jws(token)
    signer, algorithm = jws.header.get("kid"), jws.header.get("alg")
    is_known = isinstance(algorithm, str) and algorithm in keys.ALGORITHMS
    if jws.header.keys() != _HEADER or not isinstance(signer, str) or not is_known:
        raise BadSignature
    return jws, signer
