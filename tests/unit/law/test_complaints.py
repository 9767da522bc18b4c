"""Complaints before the law: in time, late, in time on one reading; who decides; what it costs."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from fieldapi.law.complaint_acts import CHECKS, judge_complaint
from fieldapi.law.complaints import ComplaintCase, complaint_state, in_time
from fieldapi.law.days import Calendars, day_of
from fieldapi.law.facts import Case, Proposal
from fieldapi.law.scene import Judgement
from fieldapi.packs import load_packs
from sync.strict import JSON
from tests.support.judged import NOON, do, impounded

LAST = 10  # the days of Gujarat s. 188(1), counted from the seizure
LATER = NOON + timedelta(days=12)
THOMAS = {"thomas": "seizer", "jose": "detainer"}


def made(case: Case, days: int = 5) -> ComplaintCase:
    return ComplaintCase("c", case, NOON + timedelta(days=days), "asha", against=THOMAS)


def judged(one: ComplaintCase, act: str, party: str | None = None, /, **data: JSON) -> Judgement:
    return judge_complaint(
        one, Proposal(f"a{len(one.acts)}", act, LATER, LATER, party=party, data=data)
    )


def after(one: ComplaintCase, act: str, party: str | None = None, /, **data: JSON) -> ComplaintCase:
    found = judged(one, act, party, **data)
    assert found.verdict.is_possible, found.verdict
    return one.after(found.done)


def rows(*paise: int) -> list[JSON]:
    return [{"party": party, "paise": sum_} for party, sum_ in zip(THOMAS, paise, strict=False)]


def test_last_day_is_in_time_and_the_next_is_late() -> None:
    case = impounded("gujarat-1993")

    assert [in_time(made(case, days)) for days in (LAST, LAST + 1)] == ["yes", "late"]


def test_closed_last_day_leaves_a_day_in_doubt() -> None:
    closed = day_of(NOON) + timedelta(days=LAST)
    case = replace(impounded("gujarat-1993"), calendars=Calendars(office=frozenset({closed})))

    found = [in_time(made(case, days)) for days in (LAST, LAST + 1, LAST + 2)]
    assert found == ["yes", "doubtful", "late"]


@pytest.mark.parametrize("scope,allowed", [("complainant", "warn"), ("respondent", "yes")])
def test_cap_is_for_all_respondents_unless_the_act_is_read_otherwise(
    scope: str, allowed: str
) -> None:
    case = impounded("gujarat-1993")
    values = tuple(
        replace(one, value=scope) if one.code == "compensation_cap_per" else one
        for one in case.profile.values
    )
    case = replace(case, profile=replace(case.profile, values=values))
    order: dict[str, JSON] = {"outcome": "illegal", "order_no": "1", "release": True}
    found = judged(made(case), "record_order", **order, compensation=rows(6000, 6000))

    assert found.verdict.allowed == allowed


def test_an_order_made_here_keeps_to_a_cap_that_was_confirmed() -> None:
    profile = load_packs().profile("kerala-2000", on=date(2027, 1, 1))
    sure = profile.confirmed(frozenset({"caps.illegal_seizure"}))
    one = after(made(replace(impounded("kerala-2000"), profile=sure)), "examine", well_founded=True)
    one = after(after(one, "summon", "thomas"), "hold_inquiry")
    order: dict[str, JSON] = {"outcome": "illegal", "release": True}

    assert judged(one, "order", **order, compensation=rows(10001)).verdict.code == "illegal_seizure"
    assert judged(one, "order", **order, compensation=rows(10001)).verdict.allowed == "no"
    assert judged(one, "order", **order, compensation=rows(10000)).verdict.allowed == "yes"


def test_what_is_owed_is_what_was_paid_in_and_handed_over() -> None:
    case = do(impounded("gujarat-1993"), "deposit_under_protest", 3, party="asha", paid_paise=15050)
    order: dict[str, JSON] = {"outcome": "illegal", "order_no": "1", "expenses_paise": 725}
    one = after(made(case), "record_order", **order, compensation=rows(4000, 3000))
    one = after(one, "recover", "jose", paid_paise=3000)
    one = after(one, "recover", "thomas", paid_paise=10000, is_direct=True)
    more = judged(one, "recover", paid_paise=9776)
    one = after(one, "recover", paid_paise=9775)
    one = after(one, "pay_complainant")
    now = complaint_state(one, LATER)

    assert sum(now.owed.values()) == 4000 + 3000 + 15050 + 725
    assert more.verdict.code == "sum.over"
    assert (now.outstanding(), now.held_paise, now.state) == (0, 0, "recovered")
    assert judged(one, "pay_complainant").verdict.code == "sum.none"


def test_nothing_but_money_follows_a_decision() -> None:
    one = after(made(impounded("gujarat-1993")), "record_order", outcome="dismissed", order_no="1")
    one = after(one, "confirm_order")
    late = {name for name in CHECKS if judged(one, name).verdict.code == "complaint.decided"}

    assert late == set(CHECKS) - {"recover", "pay_complainant", "confirm_order", "return_order"}
