"""Public keys of phones: reading a JWK, and the proof that the phone holds it.

ES256 (P-256) or EdDSA (Ed25519), by the key and never by what a message says of itself. Called by
`enrolments`.
"""

from __future__ import annotations

import json

from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, OKPKey

from fieldapi.services.fields import refuse
from sync.wire import JSON, WireError, canonical, loads

_MEMBERS = {"EC": ("crv", "kty", "x", "y"), "OKP": ("crv", "kty", "x")}
_CURVES = {"EC": "P-256", "OKP": "Ed25519"}
_ALGORITHMS = {"EC": "ES256", "OKP": "EdDSA"}


def public_jwk(given: JSON) -> str:
    """Return the bare public JWK as canonical text. Raises `InvalidBody` for any other key."""
    if not isinstance(given, dict):
        raise refuse("public_key", "This must be a JWK.")
    kind = given.get("kty")
    if not isinstance(kind, str) or given.get("crv") != _CURVES.get(kind, ""):
        raise refuse("public_key", "Only P-256 (EC) and Ed25519 (OKP) keys are taken.")
    if "d" in given:
        raise refuse("public_key", "This is a private key: it must never leave the phone.")
    bare: dict[str, JSON] = {name: given.get(name) for name in _MEMBERS[kind]}
    text = canonical(bare).decode()
    try:
        _key(text)
    except (JoseError, ValueError, TypeError) as exc:
        raise refuse("public_key", "The key is not a point of its curve.") from exc
    return text


def check_proof(jwk: str, proof: JSON, *, code: str) -> None:
    """Raise `InvalidBody` unless `proof` is a compact JWS over `{"code"}` by this key."""
    algorithm = _ALGORITHMS[json.loads(jwk)["kty"]]
    try:
        signed = jws.deserialize_compact(str(proof), _key(jwk), algorithms=[algorithm])
        said = loads(signed.payload)
    except (JoseError, WireError, ValueError) as exc:
        raise refuse("proof", "This is no signature by the public key.") from exc
    if not isinstance(said, dict) or said.get("code") != code:
        raise refuse("proof", "The signature does not cover this code.")


def _key(text: str) -> ECKey | OKPKey:
    members = json.loads(text)
    key_type = ECKey if members["kty"] == "EC" else OKPKey
    key = key_type.import_key(members)
    _ = key.public_key  # the point is checked when it is built
    return key
