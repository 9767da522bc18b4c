"""What holds of every case under every Act, whatever happens in it and in whatever order."""

from dataclasses import replace
from datetime import timedelta
from functools import cache
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fieldapi.law.cases import check_acts, judge
from fieldapi.law.days import day_of
from fieldapi.law.money import split
from fieldapi.law.running import clocks
from fieldapi.law.scene import NO, WARN, YES
from fieldapi.law.state import DEFAULT, state
from fieldapi.packs import load_packs
from tests.support.walks import Walk, end_of, walked

PROFILES = {one.version: one for series in load_packs().series.values() for one in series.profiles}
KERALA, GUJARAT = "kerala-1961", "gujarat-1993"
FEW = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
every_act = pytest.mark.parametrize("version", [*PROFILES])
seeds = st.integers(0, 99)
RANK = {YES: 0, WARN: 1, NO: 2}


@cache
def walk_of(version: str, seed: int) -> Walk:
    return walked(Random(seed), PROFILES[version])


@every_act
@FEW
@given(seed=seeds)
def test_money_is_conserved_and_never_owed_by_the_till(version: str, seed: int) -> None:
    walk = walk_of(version, seed)
    accounts = state(walk.case, end_of(walk)).accounts
    assert sum(accounts.values()) == 0
    held = {name: sum_ for name, sum_ in accounts.items() if name.startswith(("held.", "due."))}
    assert all(sum_ >= 0 for sum_ in held.values()), held
    assert all(move.paise > 0 for one in walk.case.acts for move in one.moves)


@every_act
@FEW
@given(seed=seeds)
def test_a_case_closes_only_when_nothing_is_left(version: str, seed: int) -> None:
    for case, act, judged in walk_of(version, seed).steps:
        if act.act == "close" and judged.verdict.allowed != NO:
            now = state(case, act.at)
            assert now.balance_paise == 0
            assert now.in_custody() == ()


@every_act
@FEW
@given(seed=seeds)
def test_nothing_is_disposed_of_twice(version: str, seed: int) -> None:
    for case, act, judged in walk_of(version, seed).steps:
        if judged.verdict.allowed != NO:
            after = case.after(judged.done)
            before, later = state(case, act.at).heads, state(after, act.at).heads
            gone = {id: one.became for id, one in before.items() if one.became is not None}
            assert {id: later[id].became for id in gone} == gone


@every_act
@FEW
@given(seed=seeds)
def test_the_state_does_not_depend_on_the_order_of_entry(version: str, seed: int) -> None:
    walk = walk_of(version, seed)
    acts = list(walk.case.acts)
    Random(seed).shuffle(acts)
    assert state(replace(walk.case, acts=tuple(acts)), walk.at) == state(walk.case, walk.at)


@every_act
@FEW
@given(seed=seeds)
def test_clocks_end_after_they_begin_and_never_earlier_as_time_goes_on(
    version: str, seed: int
) -> None:
    walk = walk_of(version, seed)
    early = {(one.rule, one.starts_at, one.heads): one for one in clocks(walk.case, walk.at)}
    for one in early.values():
        assert one.starts_at < one.last_moment
        assert one.rolled_last_day is None or one.rolled_last_day >= one.last_day
    for one in clocks(walk.case, walk.at + timedelta(days=30)):
        before = early.get((one.rule, one.starts_at, one.heads))
        assert before is None or before.last_moment == one.last_moment


@every_act
@settings(FEW, max_examples=8)
@given(seed=seeds)
def test_what_an_authority_confirms_only_makes_rules_harder(version: str, seed: int) -> None:
    walk = walk_of(version, seed)
    profile = PROFILES[version]
    keys = frozenset(one.provenance.key for one in profile.gates)
    strict = replace(walk.case, profile=profile.confirmed(keys))
    easy, hard = dict(check_acts(walk.case, walk.at)), dict(check_acts(strict, walk.at))
    assert all(RANK[easy[name].allowed] <= RANK[hard[name].allowed] for name in easy)


@every_act
@FEW
@given(seed=seeds)
def test_a_refusal_names_its_rule_and_a_warning_never_rests_on_a_verified_gate(
    version: str, seed: int
) -> None:
    for _, _, judged in walk_of(version, seed).steps:
        verdict = judged.verdict
        if verdict.allowed == NO:
            assert verdict.rule
            assert verdict.reason
        if verdict.allowed == NO and verdict.is_possible and verdict.section:
            gate = PROFILES[version].gate(verdict.code)
            assert gate is not None
            assert gate.provenance.is_verified


@FEW
@given(seed=seeds)
def test_no_sale_in_gujarat_before_the_eighth_day_unless_the_owner_defaulted(seed: int) -> None:
    for case, act, judged in walk_of(GUJARAT, seed).steps:
        if act.act in ("hold_auction", "knock_down") and judged.verdict.allowed != NO:
            for id in judged.done.heads:
                head = state(case, act.at).heads[id]
                days = (day_of(act.at) - day_of(head.impounded_at)).days
                assert head.branch == DEFAULT or days >= 8


@FEW
@given(seed=seeds)
def test_no_sale_in_kerala_without_default_or_seven_days_of_notice(seed: int) -> None:
    for case, act, judged in walk_of(KERALA, seed).steps:
        if act.act in ("hold_auction", "knock_down") and judged.verdict.allowed != NO:
            for id in judged.done.heads:
                head = state(case, act.at).heads[id]
                days = 0 if head.notice is None else (day_of(act.at) - head.notice.dated).days
                assert head.branch == DEFAULT or days >= 8


@FEW
@given(seed=seeds)
def test_no_release_in_kerala_or_gujarat_for_less_than_is_due(seed: int) -> None:
    for version in (KERALA, GUJARAT):
        for _, act, judged in walk_of(version, seed).steps:
            if act.act == "release" and judged.verdict.allowed != NO:
                assert judged.deficit_paise == 0


@given(st.integers(0, 10**9), st.lists(st.integers(0, 10**6), min_size=1, max_size=8))
def test_shares_add_up_to_the_paisa(paise: int, weights: list[int]) -> None:
    assert sum(split(paise, weights)) == paise


def test_judging_changes_nothing_and_answers_the_same_again() -> None:
    walk = walk_of(GUJARAT, 7)
    case, act, judged = walk.steps[-1]
    assert judge(case, act) == judged
