"""Strict JSON: what two readers could take differently is refused, always with one error."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sync.wire import MAX_INTEGER, WireError, loads

BAD: dict[str, list[bytes | str]] = {
    "not-json": [
        b"",
        b"{",
        b"[1,]",
        b"{'a':1}",
        b"tru",
        b"1 2",
        b"{} x",
        b"01",
        b"+1",
        b"\x00",
        b'"\n"',
    ],
    "bad-utf8": [b'"\xff"', b'{"\xc3": 1}', b"\xfe\xff"],
    "bom": [b"\xef\xbb\xbf{}", "\ufeff{}"],
    "nul": [rb'"\u0000"', rb'{"\u0000": 1}', rb'{"a": {"b": ["x\u0000y"]}}'],
    "lone-surrogate": [rb'"\ud800"', rb'{"\uDFFF": 1}', rb'["\udc00\ud800"]', '"\ud800"'],
    "duplicate-key": [b'{"a": 1, "a": 1}', b'[{"b": {"c": 1, "c": 2}}]', rb'{"a": 1, "\u0061": 2}'],
    "not-finite": [b"NaN", b"[Infinity]", b'{"a": -Infinity}'],
    "number-range": [b"9007199254740992", b"-9007199254740992", b"1e999", b"-1e400", b"9" * 4000],
    "too-deep": [b"[" * 21 + b"]" * 21, b'{"a":' * 21 + b"1" + b"}" * 21, b"[" * 100_000],
}
CASES = [
    pytest.param(code, data, id=f"{code}-{at}") for code in BAD for at, data in enumerate(BAD[code])
]


@pytest.mark.parametrize("code,data", CASES)
def test_it_is_refused_with_its_code(code: str, data: bytes | str) -> None:
    with pytest.raises(WireError) as refused:
        loads(data)
    assert refused.value.code == code
    assert refused.value.detail


@pytest.mark.parametrize("text", ["[" * 20 + "]" * 20, '{"a":' * 20 + "1" + "}" * 20, "1", '"[[["'])
def test_twenty_levels_are_taken(text: str) -> None:
    assert loads(text) == json.loads(text)


def test_many_brackets_side_by_side_are_not_deep() -> None:
    assert loads("[" + ",".join(["[]"] * 500) + "]") == [[]] * 500


def test_a_reader_may_ask_for_less_depth() -> None:
    with pytest.raises(WireError, match="too-deep"):
        loads("[[1]]", max_depth=1)


def test_escapes_that_make_whole_characters_are_taken() -> None:
    assert loads(rb'"\ud83d\ude00 \\u0000 \u00e9"') == "\U0001f600 \\u0000 é"


@pytest.mark.parametrize("number", [MAX_INTEGER, -MAX_INTEGER, 0, 9.5, 1e300, 5e-324])
def test_numbers_within_range_are_taken(number: float) -> None:
    assert loads(json.dumps(number)) == number


def test_a_number_of_four_thousand_digits_behind_the_point_is_a_double() -> None:
    assert loads("0." + "3" * 4000) == float("0." + "3" * 4000)


@given(st.binary(max_size=60) | st.text(max_size=60))
def test_nothing_raises_anything_else(data: bytes | str) -> None:
    try:
        value = loads(data)
    except WireError:
        return
    assert value == json.loads(data)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=8,
    ).filter(lambda value: "\\u0000" not in json.dumps(value))
)
def test_what_json_writes_is_read_back(value: object) -> None:
    assert loads(json.dumps(value)) == value
    assert loads(json.dumps(value, ensure_ascii=False).encode()) == value
