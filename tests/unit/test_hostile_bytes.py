"""What comes from strangers is read or refused by name, whatever bytes it is made of."""

from __future__ import annotations

import json
import math
from base64 import urlsafe_b64encode
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fieldapi.imaging.exif import read_exif, xmp_orientation
from fieldapi.services import keys
from fieldapi.services.keys import BadSignature, read_jws
from sync.wire import WireError, canonical, loads
from tests.support.signing import new_key, sign

NOW = datetime(2026, 11, 30, tzinfo=UTC)
MANY = settings(max_examples=150)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)


@MANY
@given(st.binary(max_size=200))
@example(b"[" * 100_000)
@example(b'{"a":1,"a":2}')
@example(b"1e999")
@example(b'"\\ud800"')
@example(b"9" * 5000)
def test_json_of_strangers_is_read_or_refused(raw: bytes) -> None:
    with suppress(WireError):
        value = loads(raw)
        assert loads(canonical(value)) == value


@MANY
@given(PLAIN)
def test_json_that_is_taken_means_the_same_to_others(value: object) -> None:
    text = json.dumps(value)
    with suppress(WireError):
        assert loads(text) == json.loads(text) == value


@MANY
@given(st.floats())
def test_no_number_comes_in_that_others_cannot_write(number: float) -> None:
    text = json.dumps(number)
    if math.isfinite(number):
        assert loads(text) == number
    else:
        with pytest.raises(WireError):
            loads(text)


@MANY
@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: raw.decode("latin-1")))
@example("..")
@example("a.b.c")
@example("." * 10_000)
def test_jws_of_strangers_is_read_or_refused(text: str) -> None:
    with suppress(BadSignature):
        assert read_jws(text).header is not None


KEY = new_key()
JWK = keys.public_jwk(json.loads(json.dumps(KEY.as_dict(private=False))))
TOKEN = sign({"op": "1"}, KEY, {"alg": "ES256", "kid": "phone"})


@MANY
@given(at=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_every_changed_bit_of_a_signed_op_is_noticed(at: int, bit: int) -> None:
    raw = bytearray(TOKEN.encode())
    raw[at % len(raw)] ^= 1 << bit
    with pytest.raises(BadSignature):
        keys.signed_payload(JWK, raw.decode("latin-1"))


@pytest.mark.parametrize(
    "header", [{"alg": "none"}, {"alg": "HS256"}, {"alg": "ES256", "crit": []}]
)
def test_header_never_chooses_how_it_is_checked(header: dict[str, object]) -> None:
    other = urlsafe_b64encode(json.dumps({**header, "kid": "phone"}).encode()).rstrip(b"=").decode()
    with pytest.raises(BadSignature):
        keys.signed_payload(JWK, ".".join([other, *TOKEN.split(".")[1:]]))


@MANY
@given(st.binary(max_size=300), st.sampled_from([b"", b"Exif\0\0", b"II*\0\x08\0\0\0", b"MM\0*"]))
def test_exif_of_strangers_never_fails(raw: bytes, head: bytes) -> None:
    assert read_exif(head + raw, now=NOW) is not None
    assert xmp_orientation(raw) in {None, *range(1, 9)}
