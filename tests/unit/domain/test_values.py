"""What is possible and what is not, value by value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldapi.domain import values
from fieldapi.domain.values import Text, ValueType, Whole, parse_instant
from sync.strict import JSON


class Words:
    known_kinds = frozenset({"cow", "buffalo"})


def faults(kind: ValueType, value: JSON) -> list[str]:
    return [fault.text for fault in kind.faults(value, Words())]


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
EVERY_TYPE = [one for one in vars(values).values() if callable(getattr(one, "faults", None))]


@given(ANY_JSON)
def test_no_value_makes_a_check_raise(value: JSON) -> None:
    for kind in EVERY_TYPE:
        if not isinstance(kind, type):
            faults(kind, value)


@pytest.mark.parametrize("text", ["રમેશ", "ക്‍ഷ", "क्‌ष", "née", "O'Brien (2)"])
def test_names_in_any_script_pass(text: str) -> None:
    assert faults(values.LINE, text) == []


@pytest.mark.parametrize(
    "text",
    [
        *(
            "a\x00b",
            "a\u202eb",
            "a\u2066b",
            "a\u200fb",
            "\ud800",
            "a\x85b",
            "two\nlines",
            "a\u2028b",
        ),
        *("a\u200bb", "a\xadb", "a\u2060b", "a\u180eb", "a\U000e0041b"),
    ],
)
def test_characters_that_hide_or_reorder_text_are_refused(text: str) -> None:
    assert faults(values.LINE, text)


def test_long_text_may_have_lines_but_no_controls() -> None:
    assert faults(values.FREE, "one\r\ntwo\n\tthree") == []
    assert faults(values.FREE, "one\x07") != []
    assert faults(values.FREE, "copied\u200b from elsewhere") == []


def test_length_is_counted_in_nfc() -> None:
    assert faults(Text(1), "e\u0301") == []
    assert faults(Text(1), "ee") == ["This text is longer than 1 characters."]


@pytest.mark.parametrize("text", ["", "   ", 5, None, ["a"]])
def test_a_name_is_text_that_is_not_empty(text: JSON) -> None:
    assert faults(values.NAME, text)


@pytest.mark.parametrize("count", [1, 500, 9.0])
def test_head_of_a_lot_is_1_to_500(count: JSON) -> None:
    assert faults(values.HEAD, count) == []


@pytest.mark.parametrize("count", [0, -5, 501, 2.5, True, "5", None, 10**400, float("inf")])
def test_other_heads_are_impossible(count: JSON) -> None:
    assert len(faults(values.HEAD, count)) == 1


def test_a_keeper_may_count_none() -> None:
    assert faults(values.HEAD_COUNTED, 0) == []


@given(st.integers(), st.integers(-10, 10), st.integers(0, 10))
def test_whole_numbers_are_judged_alike_as_int_and_float(n: int, least: int, span: int) -> None:
    number = Whole(least, least + span)
    if abs(n) < 2**53:
        assert faults(number, n) == faults(number, float(n))


@pytest.mark.parametrize(
    "text,utc",
    [
        ("2026-12-01T14:30:00Z", "2026-12-01T14:30:00+00:00"),
        ("2026-12-01T14:30:00.123456789+05:30", "2026-12-01T09:00:00.123456+00:00"),
        ("2026-12-01t14:30:00.5z", "2026-12-01T14:30:00.500000+00:00"),
        ("2024-02-29T23:59:59-00:00", "2024-02-29T23:59:59+00:00"),
    ],
)
def test_instants_become_utc(text: str, utc: str) -> None:
    assert parse_instant(text).isoformat() == utc


@pytest.mark.parametrize(
    "text",
    [
        "2026-12-01T14:30:00",
        "2026-12-01 14:30:00Z",
        "2026-12-01",
        "2026-02-30T00:00:00Z",
        "2026-12-01T24:00:00Z",
        "2026-12-01T14:30:00+24:00",
        "9999-12-31T23:59:59-01:00",
        "1970-01-01T00:00:00Z",
        "2026-12-01T14:30:00Z\n",
        "２０２６-12-01T14:30:00Z",
        "",
        1764493923120,
        None,
    ],
)
def test_what_is_no_instant_is_refused(text: JSON) -> None:
    assert len(faults(values.INSTANT, text)) == 1


@pytest.mark.parametrize("mobile", ["9876543210", "+919876543210", "+97798412345678", "6000000000"])
def test_mobile_numbers_pass(mobile: str) -> None:
    assert faults(values.MOBILE, mobile) == []


@pytest.mark.parametrize(
    "mobile", ["5876543210", "987654321", "+915876543210", "९८७६५४३२१०", "98 765"]
)
def test_other_numbers_are_no_mobile_numbers(mobile: str) -> None:
    assert faults(values.MOBILE, mobile)


def test_an_ear_tag_is_twelve_digits_whatever_they_are() -> None:
    assert faults(values.EAR_TAG, "000000000000") == []
    assert faults(values.EAR_TAG, "34012345678") != []
    assert faults(values.EAR_TAG, 340123456789) != []


def test_unknown_kinds_of_animal_are_impossible() -> None:
    assert faults(values.ANIMAL_KIND, "cow") == []
    assert faults(values.ANIMAL_KIND, "unicorn") == ["This kind of animal is not known."]


@pytest.mark.parametrize(
    "kind,good,bad",
    [
        (
            values.UUID,
            "0193a5c0-0000-7000-8000-000000000001",
            "0193A5C0-0000-7000-8000-000000000001",
        ),
        (values.SHA256, "ab" * 32, "AB" * 32),
        (values.MEDIA_TYPE, "image/jpeg", "image/jpeg; x=1"),
        (values.CODE, "no_signal", "No signal"),
        (values.TOKEN, "w-1", "-w"),
        (values.PAISE, 250050, -1),
        (values.TRUTH, False, 0),
    ],
)
def test_each_type_takes_its_own_and_refuses_the_rest(
    kind: ValueType, good: JSON, bad: JSON
) -> None:
    assert faults(kind, good) == []
    assert len(faults(kind, bad)) == 1


def test_every_type_describes_itself() -> None:
    for kind in EVERY_TYPE:
        if not isinstance(kind, type):
            assert kind.schema()["type"] in {"string", "integer", "number", "boolean"}


def test_one_of_several_sums_of_an_act_can_be_named() -> None:
    id = "01a22da4-ead9-70d1-aaf1-84e16650bd61"

    assert [faults(values.HOLDING, one) for one in (id, f"{id}/-", f"{id}/{id}")] == [[], [], []]
    assert all(faults(values.HOLDING, one) for one in (f"{id}/", f"{id}/x", f"/{id}", "x"))
