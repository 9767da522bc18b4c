"""Answers: what is impossible, what is refused, what is recorded all the same."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from fieldapi.law.cases import check_acts, judge, judge_together
from fieldapi.law.facts import Case, Head
from fieldapi.law.particulars import day, instant, table, text, texts, truth, whole
from fieldapi.law.removals import RemovalCase, judge_removal, removal_state
from fieldapi.law.running import clocks
from fieldapi.law.state import state
from sync.strict import JSON
from tests.support.judged import NOON, asked, begun, do, impounded, told


@pytest.mark.parametrize(
    "act,more,code",
    [
        ("fly", {}, "act.unknown"),
        ("release", {"heads": ["h9"]}, "head.unknown"),
        ("release", {"party": "kanta", "heads": ["h0"]}, "heads.of_others"),
        ("impound", {"heads": ["h0"]}, "head.in_pound"),
        ("identify", {"heads": ["h0"]}, "party.missing"),
        ("appear", {"party": None}, "party.missing"),
        ("receive_payment", {}, "sum.missing"),
        ("transfer", {}, "order.missing"),
        ("born", {"heads": ["h0"]}, "head.unknown"),
        ("correct_custody", {"remove": ["h9"]}, "head.unknown"),
        ("apply_deposit", {}, "deposit.none"),
        ("refund_deposit", {}, "deposit.none"),
        ("return_payment", {}, "sum.none"),
        ("recover_from_seizer", {}, "sum.none"),
        ("knock_down", {}, "head.not_on_auction"),
        ("no_bid", {}, "head.not_on_auction"),
        ("apply_proceeds", {}, "auction.none"),
        ("account_to_owner", {"party": "asha"}, "auction.none"),
        ("account_to_owner", {"party": None}, "auction.none"),
        ("pay_balance", {"party": None}, "balance.none"),
        ("record_refusal", {"party": None}, "balance.none"),
        ("pay_balance", {"party": "asha"}, "balance.none"),
        ("record_refusal", {"party": "asha"}, "balance.none"),
        ("pay_balance", {"party": "asha", "heads": ["h0"]}, "head.gone"),
        ("hold_surplus", {}, "surplus.none"),
        ("credit_surplus_to_fund", {}, "surplus.none"),
        ("remit", {}, "sum.none"),
        ("refund_security", {}, "security.none"),
        ("forfeit_security", {}, "security.none"),
        ("demand_security", {"party": "asha"}, "head.none"),
        ("deposit_security", {"heads": ["h0"]}, "head.not_delivered"),
        ("re_seize", {}, "head.none"),
        ("re_seize", {"heads": ["h0"]}, "head.unknown"),
        ("lift_stay", {}, "stay.none"),
        ("close", {}, "case.heads"),
        ("reopen", {"order_no": "1"}, "case.open"),
    ],
)
def test_what_cannot_be_is_refused_in_any_mode(act: str, more: dict[str, JSON], code: str) -> None:
    verdict = judge(impounded(), told(act, 3, more)).verdict
    assert (verdict.allowed, verdict.is_possible, verdict.code) == ("no", False, code)


def test_heads_on_the_way_cannot_be_released_for_money() -> None:
    case = do(begun(), "identify", 0, party="asha", heads=["h0"])
    verdict = judge(case, asked("release", heads=["h0"], party="asha")).verdict
    assert verdict.code == "head.not_in_pound"


def test_a_closed_case_takes_facts_and_remittances_only() -> None:
    case = do(begun(), "release_at_spot", 1)
    case = do(case, "close", 2)
    assert state(case, NOON + timedelta(hours=3)).is_closed
    assert judge(case, asked("stay", 3, order_no="1")).verdict.code == "case.closed"
    assert judge(case, asked("close", 3)).verdict.code == "case.closed"
    assert judge(case, asked("appear", 3, party="asha")).verdict.allowed == "yes"
    opened = do(case, "reopen", 4, order_no="1")
    assert not state(opened, NOON + timedelta(hours=5)).is_closed


def test_a_head_that_is_gone_today_was_not_released_yesterday() -> None:
    case = do(impounded(), "died", 30)
    early = replace(asked("release", 20, party="asha"), at=NOON + timedelta(hours=40))
    assert judge(case, early).verdict.code == "head.gone"


def test_born_heads_cost_nothing() -> None:
    case = impounded()
    calf = Head("calf", "calf", since=NOON + timedelta(hours=3), origin="born")
    case = do(replace(case, heads=(*case.heads, calf)), "born", 3, heads=["calf"], mother="h0")
    case = do(case, "identify", 4, party="asha", heads=["calf"])
    owed = judge(case, asked("assess", 5, party="asha"))
    assert owed.lines[0].paise == 10050
    assert owed.lines[1].paise == 5000
    assert state(case, NOON + timedelta(hours=6)).heads["calf"].pound == "p"


def test_a_payment_over_two_cases_is_taken_whole_or_not_at_all() -> None:
    one, two = impounded("karnataka-1966"), impounded("karnataka-1966")
    acts = [(one, asked("release", 5, party="asha", paid_paise=30100)),
            (two, asked("release", 5, party="asha"))]  # fmt: skip
    assert [each.verdict.allowed for each in judge_together(acts)] == ["yes", "yes"]
    acts[0] = (one, asked("release", 5, party="asha", paid_paise=20000))
    assert [each.verdict.allowed for each in judge_together(acts)] == ["no", "no"]


def test_what_was_paid_too_much_on_paper_stays_on_account_and_is_returned() -> None:
    act = replace(asked("release", 5, party="asha", paid_paise=20000), mode="record")
    judged = judge(impounded(), act)
    assert (judged.verdict.code, judged.verdict.is_possible) == ("sum.over", True)
    case = impounded().after(judged.done)
    assert state(case, NOON + timedelta(days=1)).balance_paise == 20000 - 15050
    case = do(case, "return_payment", 30, party="asha")
    assert state(case, NOON + timedelta(days=3)).balance_paise == 0


def test_every_act_is_answered_for_a_case_that_just_began() -> None:
    answers = dict(check_acts(begun(), NOON))
    assert answers["impound"].allowed == "yes"
    assert answers["release"].allowed == "no"


def clock_states(case: Case, hours: float) -> dict[str, str]:
    return {one.rule: one.state for one in clocks(case, NOON + timedelta(hours=hours))}


def test_the_clock_of_a_notice_is_met_when_the_heads_are_gone() -> None:
    case = do(do(impounded("kerala-1961"), "report_unclaimed", 200), "post_notice", 201)
    assert [
        one.state for one in clocks(case, NOON + timedelta(hours=202)) if one.rule == "SALE-7"
    ] == ["running"]
    case = do(case, "died", 203)
    found = {one.rule: one.state for one in clocks(case, NOON + timedelta(hours=204))}
    assert found["SALE-7"] == "met"


def test_a_removal_order_answers_for_each_of_its_acts() -> None:
    order = RemovalCase("o", begun().profile)
    for act, code in (
        ("fly", "act.unknown"),
        ("serve", "removal.none"),
        ("receive_payment", "sum.missing"),
        ("sell_for_fine", "price.missing"),
        ("issue_removal_order", "removal.applies"),
    ):
        assert judge_removal(order, asked(act)).verdict.code == code
    assert removal_state(order, NOON).state == "draft"


@pytest.mark.parametrize(
    "data,code",
    [
        ({"ground": "iii"}, "removal.ground"),
        ({"ground": "ii", "owns_head": 21}, "removal.owner"),
        ({"ground": "i", "owner": "R", "is_resident": False}, "removal.resident"),
        (
            {"ground": "ii", "owner": "R", "is_resident": True, "owns_head": 21},
            "removal.non_resident",
        ),
        ({"ground": "ii", "owner": "R", "is_resident": False}, "removal.head"),
    ],
)
def test_an_order_made_elsewhere_is_kept_and_flagged(data: dict[str, JSON], code: str) -> None:
    order = RemovalCase("o", begun().profile)
    kept = judge_removal(order, told("record_order_made_elsewhere", 1, data))
    assert (kept.verdict.allowed, kept.flags) == ("yes", ("ground_not_met",))
    codes = judge_removal(order, told("issue_removal_order", 1, data)).verdict
    assert codes.allowed == "no"
    assert order.profile.gate(code) is not None


def test_karnataka_has_no_section_on_removal_that_was_read() -> None:
    order = RemovalCase("o", begun("karnataka-1966").profile)
    act = asked("issue_removal_order", ground="i", owner="R", place="X", period_until="2027-04-01")
    assert judge_removal(order, act).verdict.code == "removal.unread"


@pytest.mark.parametrize("version", ["karnataka-1966", "kerala-1961"])
def test_nothing_follows_from_an_order_that_was_not_made(version: str) -> None:
    """Where the Act was not read, too: no default, no fine, no sale without its order or fine."""
    order = RemovalCase("o", begun(version).profile)
    made = judge_removal(order, asked("record_order_made_elsewhere")).done
    sale = asked("sell_for_fine", price_paise=100, is_in_order=True)
    remedies = [
        asked("record_default"),
        asked("direct_police_removal", officer_rank="inspector"),
        asked("impose_fine", paise=100, pay_by="2027-12-01"),
        sale,
    ]
    answers = [judge_removal(order, one).verdict for one in remedies]

    assert [(one.allowed, one.code) for one in answers] == [("no", "order.none")] * 4
    fineless = judge_removal(order.after(made), sale).verdict
    assert (fineless.allowed, fineless.code) == ("no", "order.no_fine")
    assert judge_removal(order.after(made), remedies[0]).verdict.code == "removal.unread"


def test_particulars_of_a_wrong_type_are_read_as_absent() -> None:
    data: dict[str, JSON] = {"a": 5, "b": " ", "c": True, "d": ["x", 1], "e": {"f": 1}}
    assert (text(data, "a"), text(data, "b"), whole(data, "c"), whole(data, "a")) == (
        None, None, None, 5,
    )  # fmt: skip
    assert (truth(data, "c"), truth(data, "a"), texts(data, "d"), texts(data, "a")) == (
        True, False, ("x",), None,
    )  # fmt: skip
    assert (table(data, "e"), table(data, "a")) == ({"f": 1}, {})


@pytest.mark.parametrize("value", [None, "soon", "2027-03-01T10:00:00", 5])
def test_a_time_without_offset_is_no_instant(value: JSON) -> None:
    assert instant({"at": value}, "at") is None
    assert instant({"at": "2027-03-01T06:30:00Z"}, "at") == NOON


def test_a_day_is_a_date_alone() -> None:
    assert [day({"d": one}, "d") for one in (None, "soon", "2027-03-01")] == [
        None, None, date(2027, 3, 1),
    ]  # fmt: skip
