"""One answer for sync and REST: which field, which code, where, and why."""

import pytest

from fieldapi.domain.checks import check_key, check_value, wrong_verb
from sync.strict import JSON


class Words:
    known_kinds = frozenset({"cow", "buffalo"})


WORDS = Words()


@pytest.mark.parametrize(
    "kind,name,value",
    [
        ("animal", "count", 5),
        ("animal", "count", None),
        ("animal", "kind", "cow"),
        ("animal", "ear_tags", "340123456789"),
        ("seizure", "capacity", "a_capacity_of_tomorrow"),
        ("seizure", "location", {"lat": 22.3, "lon": 70.8}),
        ("seizure", "owner.mobile", None),
        ("intake", "counts", [{"kind": "cow", "count": 0}]),
    ],
)
def test_possible_values_have_no_fault(kind: str, name: str, value: JSON) -> None:
    assert check_value(kind, name, value, profile=WORDS) is None


@pytest.mark.parametrize(
    "kind,name,value,path",
    [
        ("animal", "count", -5, "count"),
        ("animal", "kind", "unicorn", "kind"),
        ("animal", "ear_tags", None, "ear_tags"),
        ("seizure", "location", {"lat": 999, "lon": 1}, "location.lat"),
        ("seizure", "seized_at", "9999-01-01T00:00:00Z", "seized_at"),
        ("seizure", "reference", "RJK-07-2611-0042-A", "reference"),
        ("intake", "counts", [{"kind": "cow", "count": -1}], "counts.0.count"),
    ],
)
def test_impossible_values_are_named_by_path(kind: str, name: str, value: JSON, path: str) -> None:
    fault = check_value(kind, name, value, profile=WORDS)
    assert fault is not None
    assert (fault.name, fault.code, fault.path) == (name, "invalid-value", path)
    assert fault.text


@pytest.mark.parametrize(
    "name,schema,code",
    [
        ("state", 1, "not-yours"),
        ("flags", 2, "not-yours"),
        ("withdrawn", 1, "invalid-value"),
        ("invented", 1, "unknown-field"),
        ("invented", 2, "deferred"),
    ],
)
def test_what_is_no_field_says_what_it_is(name: str, schema: int, code: str) -> None:
    fault = check_value("seizure", name, "x", profile=WORDS, schema=schema)
    assert fault is not None
    assert fault.code == code


def test_an_unknown_kind_is_a_fault_of_the_whole_op() -> None:
    with pytest.raises(KeyError):
        check_value("unicorn", "count", 1, profile=WORDS)


def test_a_key_is_text_of_a_set() -> None:
    assert check_key("animal", "ear_tags", "1") is None
    assert check_key("animal", "ear_tags", 1) is not None
    assert check_key("animal", "count", "1") is not None
    assert check_key("animal", "invented", "1") is not None


def test_a_key_of_a_field_of_tomorrow_is_deferred() -> None:
    fault = check_key("animal", "invented", "1", schema=2)
    assert fault is not None
    assert fault.code == "deferred"


def test_the_verb_must_fit_the_field() -> None:
    assert wrong_verb("animal", "ear_tags", "add") is None
    assert wrong_verb("animal", "count", "set") is None
    assert wrong_verb("animal", "invented", "set") is None
    assert wrong_verb("animal", "ear_tags", "set") is not None
    assert wrong_verb("animal", "count", "strike") is not None
