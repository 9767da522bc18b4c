"""One spelling per value (RFC 8785) and equality of values, by the vectors and by drawn values."""

from __future__ import annotations

import json
import math
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sync.wire import JSON, MAX_INTEGER, WireError, are_equal, canonical, equal, equality_key, loads
from tests.unit.sync.vectors import read

VECTORS = read("canonical.json")


def values(texts: st.SearchStrategy[str]) -> st.SearchStrategy[JSON]:
    """Draw any JSON value with such texts."""
    return st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-MAX_INTEGER, MAX_INTEGER)
        | st.floats(allow_nan=False, allow_infinity=False)
        | texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=8,
    )


VALUES = values(st.text(max_size=6))
ASCII = values(st.text(st.characters(max_codepoint=0x7F), max_size=6))


@pytest.mark.parametrize("case", VECTORS["values"], ids=lambda case: case["name"])
def test_a_value_has_the_spelling_of_its_vector(case: dict[str, str]) -> None:
    assert canonical(loads(case["json"])).decode() == case["canonical"]


@pytest.mark.parametrize("case", VECTORS["numbers"], ids=lambda case: case["canonical"])
def test_a_double_is_spelled_as_ecmascript_does(case: dict[str, str]) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(case["double"]))
    assert canonical(number).decode() == case["canonical"]


@pytest.mark.parametrize("case", VECTORS["equal"], ids=lambda case: f"{case['a']} {case['b']}")
def test_values_are_equal_as_the_vectors_say(case: dict[str, Any]) -> None:
    one, other = loads(case["a"]), loads(case["b"])
    assert equal(one, other) is case["equal"]
    assert equal(other, one) is case["equal"]
    assert (equality_key(one) == equality_key(other)) is case["equal"]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 2**53, -(2**60), ["\ud800"]])
def test_what_json_cannot_say_has_no_spelling(value: JSON) -> None:
    with pytest.raises(WireError):
        canonical(value)


@given(VALUES)
def test_a_spelling_reads_back_as_the_same_value(value: JSON) -> None:
    again = json.loads(canonical(value), parse_int=float)
    assert canonical(again) == canonical(value)
    assert equal(value, again)


@given(ASCII)
def test_ascii_texts_have_one_spelling_for_both_uses(value: JSON) -> None:
    assert canonical(value).decode() == equality_key(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_double_survives_its_spelling(number: float) -> None:
    assert float(canonical(number)) == number


def test_none_or_one_value_is_one_value() -> None:
    assert are_equal([])
    assert are_equal(["x"])
    assert are_equal([1, 1.0, 1])
    assert not are_equal([1, 1, 2])


def test_two_members_that_are_one_in_nfc_are_both_compared() -> None:
    assert not equal({"\u00e9": 1, "e\u0301": 2}, {"\u00e9": 1})
