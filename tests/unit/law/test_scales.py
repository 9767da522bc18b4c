"""Schedules: tiers whole and marginal, times, percent, areas, what the register has in force."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from fieldapi.law.cases import judge
from fieldapi.law.dues import Quote, dues, rupees
from fieldapi.law.facts import Case, Head, Impounding, Proposal, Seizure
from fieldapi.law.profile import StatuteProfile
from fieldapi.law.register import Notification, Rate, Register, read_rates
from fieldapi.law.rules import Value
from fieldapi.law.scales import Occasion, percent_of, rate_of
from fieldapi.packs import load_packs
from sync.strict import JSON

NOON = datetime(2027, 3, 1, 6, 30, tzinfo=UTC)
APRIL = date(2026, 4, 1)
TIERS = (
    Rate(5000, head_to=4, times_to=1),
    Rate(7500, head_from=5, times_to=1),
    Rate(percent=150, times_from=2, times_to=2),
    Rate(percent=200, times_from=3),
)


def profile(**values: bool | int | str) -> StatuteProfile:
    found = load_packs().profile("karnataka-1966", on=date(2027, 1, 1))
    changed = [
        Value(one.code, values.get(one.code, one.value), one.provenance) for one in found.values
    ]
    return replace(found, values=tuple(changed))


def quoted(head: int = 2, *earlier: Impounding, **values: bool | int | str) -> Quote:
    fees = Notification("n1", "fee_schedule", APRIL, rates=TIERS)
    feed = Notification("n2", "feeding_rates", APRIL, rates=(Rate(100),))
    case = Case(
        "c",
        profile(**values),
        Seizure(NOON),
        tuple(Head(f"h{n}", "cow") for n in range(head)),
        register=Register((fees, feed)),
        impoundings=earlier,
        continues=frozenset({str(values["continues"])} if "continues" in values else ()),
    )
    for act in ("identify", "impound"):
        case = case.after(judge(case, Proposal(act, act, NOON, NOON, party="asha")).done)
        case = replace(case, acts=tuple(replace(one, heads=ids(case)) for one in case.acts))
    return dues(case, "asha", NOON + timedelta(hours=1))


def ids(case: Case) -> tuple[str, ...]:
    return tuple(one.id for one in case.heads)


def before(days: int, legality: str = "not_disputed", liable: str = "asha") -> Impounding:
    return Impounding(NOON - timedelta(days=days), 1, liable, liable, legality)


def test_the_whole_herd_pays_the_rate_of_its_size() -> None:
    assert quoted(4).paise("fine") == 4 * 5000
    assert quoted(5).paise("fine") == 5 * 7500


def test_a_marginal_scale_charges_each_head_by_its_place() -> None:
    assert quoted(6, tier_mode="marginal").paise("fine") == 4 * 5000 + 2 * 7500


def test_times_raise_the_rate_and_count_for_one_person_only() -> None:
    assert quoted(2, before(10)).paise("fine") == 2 * 7500
    assert quoted(2, before(10), before(20), before(900)).paise("fine") == 2 * 10000
    assert quoted(2, before(10, liable="kanta")).paise("fine") == 2 * 5000
    assert quoted(5, before(10)).paise("fine") == 5 * 11250


def test_an_illegal_impounding_is_no_time_and_a_disputed_one_by_the_profile() -> None:
    assert quoted(1, before(10, "adjudged_illegal")).times == 1
    assert quoted(1, before(10, "disputed")).times == 2
    assert quoted(1, before(10, "disputed"), pending_counts=False).times == 1


def test_a_window_forgets_what_is_older() -> None:
    assert quoted(1, before(40), times_window_months=1).times == 1
    assert quoted(1, before(20), times_window_months=1).times == 2


def test_another_seizure_impounded_at_the_same_moment_is_the_same_time() -> None:
    found = quoted(3, Impounding(NOON, 2, "asha", "asha"))
    assert (found.head, found.times) == (5, 1)


def test_a_row_of_the_kind_goes_before_one_for_every_kind() -> None:
    rates = (Rate(100), Rate(50, "goat"))
    assert rate_of(rates, "goat", Occasion(1, 1)) == 50
    assert rate_of(rates, "cow", Occasion(1, 1)) == 100
    assert rate_of((Rate(50, "goat"),), "cow", Occasion(1, 1)) is None
    assert rate_of((Rate(percent=150, times_from=2),), "cow", Occasion(1, 2)) is None


@pytest.mark.parametrize("paise,percent,part", [(100, 50, 50), (101, 50, 51), (2075, 33, 685)])
def test_half_a_paisa_goes_upwards(paise: int, percent: int, part: int) -> None:
    assert percent_of(paise, percent) == part


def test_the_nearest_place_then_the_newest_entry_is_in_force() -> None:
    old = Notification("old", "fee_schedule", APRIL)
    new = Notification("new", "fee_schedule", date(2027, 1, 1), date(2027, 1, 31))
    here = Notification("here", "fee_schedule", APRIL, area="A")
    pound = Notification("pound", "fee_schedule", APRIL, pound="p")
    register = Register((old, new, here, pound))
    named = [
        one.id for one in register.in_force("fee_schedule", date(2027, 1, 31), area="A", pound="p")
    ]
    assert named == ["pound", "here", "new", "old"]
    assert [one.id for one in register.in_force("fee_schedule", date(2027, 2, 1))] == ["old"]


def test_rates_are_read_from_the_json_of_their_entry() -> None:
    data: JSON = {"rates": [{"kind": "cow", "paise": 120, "head_from": 2, "times_to": 1}, "?"]}
    assert read_rates(data) == (Rate(120, "cow", head_from=2, times_to=1),)
    assert read_rates({"rates": "none"}) == read_rates([]) == ()


def test_rupees_are_written_with_two_decimals() -> None:
    assert [rupees(one) for one in (5, 102550, -20000)] == ["0.05", "1025.50", "-200.00"]


def test_seized_again_is_a_time_and_the_quote_tells_the_other_reading() -> None:
    earlier = Impounding(NOON - timedelta(days=1), 2, "asha", "asha", case="S1")
    as_two = quoted(2, earlier, continues="S1")
    assert (as_two.times, as_two.paise("fine")) == (2, 2 * 7500)
    assert as_two.lines[0].note == "as one time: 100.00"
    as_one = quoted(2, earlier, continues="S1", reseizure_counts_as_time=False)
    assert (as_one.times, as_one.head, as_one.paise("fine")) == (1, 4, 2 * 5000)
