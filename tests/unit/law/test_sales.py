"""Sales and what surrounds them: who may buy, what is left over, where money waits."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from fieldapi.law.cases import judge
from fieldapi.law.facts import Case, Complaint, Impounding
from fieldapi.law.money import split
from fieldapi.law.register import Notification, Register
from fieldapi.law.running import clocks
from fieldapi.law.state import state
from fieldapi.packs import load_packs
from sync.strict import JSON
from tests.support.judged import NOON, asked, begun, do, impounded
from tests.support.walks import APPLIES, REGISTER

DAYS = 24.0


def defaulted(name: str = "gujarat-1993") -> Case:
    case = do(impounded(name), "appear", 3, party="asha")
    return do(case, "record_owner_default", 4, party="asha")


def sold(name: str = "gujarat-1993") -> Case:
    case = do(impounded(name), "order_sale", 9 * DAYS)
    case = do(case, "hold_auction", 9 * DAYS + 1)
    return do(case, "knock_down", 9 * DAYS + 2, heads=["h0"], price_paise=900000)


def code(case: Case, act: str, hours: float, **more: JSON) -> str:
    return judge(case, asked(act, hours, **more)).verdict.code


def test_a_second_sale_waits_for_the_end_of_the_first() -> None:
    case = do(defaulted(), "hold_auction", 5)
    assert code(case, "hold_auction", 6, heads=["h0"]) == "auction.open"


def test_heads_of_different_branches_are_not_sold_together() -> None:
    case = begun("gujarat-1993", "cow", "cow")
    for head, party in (("h0", "asha"), ("h1", "kanta")):
        case = do(case, "identify", 0, party=party, heads=[head])
    case = do(case, "impound", 2)
    case = do(case, "record_owner_default", 3, party="asha", appeared=True)
    assert code(case, "hold_auction", 4, heads=["h0", "h1"]) == "heads.mixed"


@pytest.mark.parametrize(
    "more,found",
    [
        ({"buyer_is": ["police"]}, "sale.buyer_default"),
        ({"paid_by_is": ["keeper"]}, "sale.buyer_default_indirect"),
        ({"is_related": True}, "sale.related"),
        ({"price_paise": 0}, "price.missing"),
    ],
)
def test_buyers_at_a_sale_for_default_are_looked_at(more: dict[str, JSON], found: str) -> None:
    case = do(defaulted(), "hold_auction", 5)
    more = {"price_paise": 100, **more}
    assert code(case, "knock_down", 6, heads=["h0"], **more) == found


def test_who_pays_everything_but_the_security_cannot_lawfully_be_sold_up() -> None:
    case = impounded()
    case = replace(case, register=Register((*REGISTER.notifications, APPLIES)))
    case = do(case, "receive_payment", 3, party="asha", paid_paise=15050)
    assert code(case, "record_owner_default", 4, party="asha") == "default.security_only"


def test_nothing_due_is_no_default() -> None:
    case = do(impounded(), "receive_payment", 3, party="asha", paid_paise=15050)
    assert code(case, "record_owner_default", 4, party="asha") == "default.nothing_due"
    assert code(case, "receive_payment", 4, party="asha", paid_paise=1) == "sum.over"


def test_a_payment_before_any_schedule_is_not_taken() -> None:
    case = replace(impounded(), register=Register())
    assert code(case, "receive_payment", 3, party="asha", paid_paise=1) == "schedule.missing"
    assert code(case, "deposit_under_protest", 3, party="asha") == "schedule.missing"


def test_the_surplus_is_paid_on_a_proof_that_was_judged_in_time() -> None:
    case = do(sold(), "apply_proceeds", 9 * DAYS + 3)
    assert code(case, "pay_surplus", 10 * DAYS) == "surplus.proof"
    judged = do(case, "judge_proof", 10 * DAYS, result="accepted", officer="bina")
    paid = judge(judged, asked("pay_surplus", 40 * DAYS, party="asha"))
    assert (paid.verdict.allowed, paid.total_paise) == ("yes", 900000 - 10050 - 5000 - 9 * 4033)
    late = do(case, "judge_proof", 40 * DAYS, result="accepted", officer="bina")
    assert code(late, "pay_surplus", 41 * DAYS) == "surplus.late"


def test_a_surplus_in_gujarat_is_claimed_and_its_clock_is_told() -> None:
    case = do(sold(), "apply_proceeds", 9 * DAYS + 3)
    found = {one.rule: one for one in clocks(case, NOON + timedelta(days=30))}
    assert found["SURPLUS-15"].state == "over"
    assert found["COMPL-10"].state == "overdue"


def test_kerala_pays_a_claim_that_was_accepted() -> None:
    case = defaulted("kerala-1961")
    case = do(case, "hold_auction", 5)
    case = do(case, "knock_down", 6, heads=["h0"], price_paise=900000)
    case = do(case, "apply_proceeds", 7)
    case = do(case, "hold_surplus", 8)
    case = do(case, "claim_surplus", 9, party="asha")
    case = do(case, "judge_proof", 10, result="accepted", officer="bina")
    paid = judge(case, asked("pay_surplus", 11, party="asha"))
    assert paid.verdict.allowed == "yes"
    assert code(case, "remit", 11, to="local_authority_fund") == "sum.none"


def test_an_order_that_lets_the_seizer_off_books_nothing() -> None:
    freed = judge(impounded(), asked("release_by_order", 5, order_no="1", fees_from="nobody"))
    assert (freed.moves, freed.lines) == ((), ())


def test_a_part_of_the_receivable_is_taken_line_by_line() -> None:
    case = do(impounded(), "release_by_order", 5, order_no="1")
    assert code(case, "recover_from_seizer", 6) == "sum.missing"
    case = do(case, "recover_from_seizer", 6, paid_paise=10051)
    found = judge(case, asked("recover_from_seizer", 7, paid_paise=4999))
    assert found.verdict.allowed == "yes"
    assert sum(one.paise for one in found.moves) == 2 * 4999


def test_a_security_without_a_rule_on_its_part_is_not_forfeited() -> None:
    scale = Notification(
        "s", "security_scale", date(2020, 1, 1), rates=REGISTER.notifications[2].rates
    )
    register = Register((*REGISTER.notifications[:2], scale, APPLIES))
    case = replace(impounded(), register=register)
    case = do(case, "release", 3, party="asha", paid_paise=40050, declaration="signed")
    again = Impounding(NOON + timedelta(days=20), 1, "asha", "asha")
    case = replace(case, impoundings=(again,))
    assert code(case, "forfeit_security", 30 * DAYS) == "forfeit.rules"


def test_a_complaint_after_the_four_weeks_stops_no_demand() -> None:
    case = replace(impounded(), register=Register((*REGISTER.notifications, APPLIES)))
    case = do(case, "deposit_under_protest", 3, party="asha", paid_paise=15050)
    late = Complaint("c", NOON + timedelta(days=40), "asha")
    early = Complaint("c", NOON + timedelta(days=20), "asha")
    asking = asked("demand_security", 45 * DAYS, party="asha")
    assert judge(replace(case, complaints=(late,)), asking).verdict.allowed == "yes"
    assert judge(replace(case, complaints=(early,)), asking).verdict.code == "demand.undecided"
    assert judge(replace(case, register=REGISTER), asking).verdict.code == "demand.applies"


def test_a_deposit_waits_while_a_complaint_may_come() -> None:
    case = do(impounded(), "deposit_under_protest", 3, party="asha", paid_paise=15050)
    assert code(case, "apply_deposit", 5) == "deposit.waits"
    assert code(case, "refund_deposit", 5) == "order.missing"
    assert "COMPL-4W" in {one.rule for one in clocks(case, NOON + timedelta(days=2))}


def test_a_rolled_end_that_is_confirmed_is_the_end() -> None:
    profile = load_packs().profile("gujarat-1993", on=date(2027, 1, 1))
    sure = profile.confirmed(frozenset({"clocks.SURPLUS-15.rolls"}))
    clock = sure.clock("SURPLUS-15")
    assert clock is not None
    assert sure.may_block(clock.provenance, "rolls")
    assert not profile.may_block(clock.provenance, "rolls")
    found = sure.find_value("surplus_to")
    assert found is not None
    assert found.value == "village_fund"


def test_a_sale_that_brought_nothing_leaves_expenses_to_the_first() -> None:
    assert split(7, [0, 0]) == (7, 0)
    assert split(0, []) == ()


def test_what_nobody_bid_for_can_be_put_up_again() -> None:
    case = do(do(defaulted(), "hold_auction", 5), "no_bid", 6, heads=["h0"])
    assert state(case, NOON + timedelta(hours=7)).auction is None
    assert judge(case, asked("hold_auction", 8)).verdict.allowed == "yes"
