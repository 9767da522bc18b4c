"""Who may write what, person by person."""

import pytest

from fieldapi.domain.records import KINDS
from fieldapi.domain.rights import Standing, may_create, may_decide, not_yours

ASHA = Standing(frozenset({"reporter"}), is_author=True)
RAVI = Standing(frozenset({"reporter"}), frozenset({"police"}), is_author=True)
MOHAN = Standing(frozenset({"pound_keeper"}), is_at_own_pound=True)
BINA = Standing(frozenset({"reviewer"}))


@pytest.mark.parametrize("kind", ["seizure", "animal", "photo"])
def test_a_reporter_writes_all_of_her_own_records_and_none_of_others(kind: str) -> None:
    every = list(KINDS[kind].fields)
    other = Standing(frozenset({"reporter"}))
    assert not_yours(kind, every, ASHA) == ()
    assert not_yours(kind, every, other) == tuple(every)


def test_a_keeper_corrects_counts_marks_and_tags_and_moves_cases() -> None:
    every = list(KINDS["animal"].fields)
    allowed = set(every) - set(not_yours("animal", every, MOHAN))
    assert allowed == {"kind", "count", "marks", "ear_tags"}
    assert not_yours("seizure", ["pound_id", "ground"], MOHAN) == ("ground",)


def test_a_keeper_elsewhere_writes_nothing() -> None:
    elsewhere = Standing(frozenset({"pound_keeper"}))
    assert not_yours("intake", ["counts"], elsewhere) == ("counts",)
    assert not may_create("intake", elsewhere)
    assert may_create("intake", MOHAN)


def test_only_police_write_aids() -> None:
    assert may_create("aid", RAVI)
    assert not may_create("aid", ASHA)


def test_a_reviewer_decides_and_writes_nothing_else() -> None:
    assert may_decide(BINA)
    assert not may_decide(ASHA)
    assert not_yours("animal", ["count"], BINA) == ("count",)
    assert not any(may_create(kind, BINA) for kind in KINDS)


def test_two_roles_add_up() -> None:
    both = Standing(frozenset({"reporter", "pound_keeper"}), is_author=True, is_at_own_pound=True)
    assert may_create("seizure", both)
    assert may_create("intake", both)
