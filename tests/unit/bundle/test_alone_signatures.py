"""The stand-alone verifier and the server come to the same end about keys and signatures."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fieldapi.bundle.alone.signatures import P, ed25519, is_signed, key_of
from fieldapi.keyring import public_bytes

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
ORDER_8 = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
NEUTRAL = (1).to_bytes(32, "little")
NO_KEYS = [
    NEUTRAL,
    bytes(32),
    bytes.fromhex(ORDER_8),
    (P - 1).to_bytes(32, "little"),
    (P + 1).to_bytes(32, "little"),
    (1 | 1 << 255).to_bytes(32, "little"),
]


def _wrapped(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _devices() -> dict[str, object]:
    x = _wrapped(public_bytes(KEY.public_key()))
    return {"d": key_of(json.dumps({"kty": "OKP", "crv": "Ed25519", "x": x}))}


def _signed(header: dict[str, object], payload: bytes) -> str:
    head = _wrapped(json.dumps(header).encode())
    message = f"{head}.{_wrapped(payload)}".encode()
    return f"{head}..{_wrapped(KEY.sign(message))}"


@pytest.mark.parametrize("key", NO_KEYS)
def test_key_that_signs_everything_or_has_another_spelling_signs_nothing(key: bytes) -> None:
    assert not ed25519(key, b"any message", NEUTRAL + bytes(32))


@pytest.mark.parametrize("alg", ["EdDSA", "Ed25519"])
def test_both_names_of_the_algorithm_are_known(alg: str) -> None:
    kept = _signed({"alg": alg, "kid": "d"}, b"{}")

    assert is_signed(kept, b"{}", _devices())
    assert not is_signed(kept, b"[]", _devices())


@pytest.mark.parametrize("more", [{"alg": "ES256"}, {"alg": "none"}, {"crit": ["b64"]}])
def test_other_algorithm_and_what_is_critical_are_refused(more: dict[str, object]) -> None:
    kept = _signed({"alg": "EdDSA", "kid": "d"} | more, b"{}")

    assert not is_signed(kept, b"{}", _devices())


def test_key_of_an_unknown_device_signs_nothing() -> None:
    assert not is_signed(_signed({"alg": "EdDSA", "kid": "x"}, b"{}"), b"{}", _devices())


def test_second_spelling_of_base64_is_no_fault_of_a_key() -> None:
    """The server takes a key whose last character has spare bits; its ledger has the text."""
    text = _wrapped(bytes(32))
    spare = {"kty": "OKP", "crv": "Ed25519", "x": text[:-1] + "B"}

    assert key_of(json.dumps(spare)) == key_of(json.dumps(spare | {"x": text}))
