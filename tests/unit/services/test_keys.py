"""Keys of phones that are refused: whoever checks a signature later must come to the same end."""

from __future__ import annotations

from base64 import urlsafe_b64encode

import pytest
from joserfc.jwk import OKPKey

from fieldapi.bundle.alone.signatures import NEUTRAL, P, ed_add, ed_decode, ed_double, ed_encode
from fieldapi.problems import InvalidBody
from fieldapi.services.keys import public_jwk
from sync.wire import JSON

ORDER_8 = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")


def jwk(key: bytes) -> JSON:
    return {"kty": "OKP", "crv": "Ed25519", "x": urlsafe_b64encode(key).decode().rstrip("=")}


def small_order() -> list[bytes]:
    """Return the eight points whose multiple by eight is the neutral one."""
    base = ed_decode(ORDER_8)
    found, point = [], NEUTRAL
    for _ in range(8):
        point = ed_add(point, base)
        found.append(ed_encode(point))
    return found


def test_eight_points_are_the_small_ones() -> None:
    assert len(set(small_order())) == 8
    assert ed_encode(ed_double(ed_double(ed_double(ed_decode(ORDER_8))))) == ed_encode(NEUTRAL)


@pytest.mark.parametrize("at", range(8))
def test_key_under_which_one_signature_fits_everything_is_refused(at: int) -> None:
    with pytest.raises(InvalidBody):
        public_jwk(jwk(small_order()[at]))


@pytest.mark.parametrize("y", [P, P + 1, P + 18, 2**255 - 1])
@pytest.mark.parametrize("sign", [0, 1])
def test_key_with_a_second_spelling_is_refused(y: int, sign: int) -> None:
    with pytest.raises(InvalidBody):
        public_jwk(jwk((y | sign << 255).to_bytes(32, "little")))


def test_neutral_with_a_sign_is_refused() -> None:
    with pytest.raises(InvalidBody):
        public_jwk(jwk((1 | 1 << 255).to_bytes(32, "little")))


def test_ordinary_key_is_taken() -> None:
    key = OKPKey.generate_key("Ed25519").as_dict(private=False)

    assert '"Ed25519"' in public_jwk({name: str(key[name]) for name in ("kty", "crv", "x")})
