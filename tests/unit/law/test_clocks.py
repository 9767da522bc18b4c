"""The 24 hours from seizure to pound: exact, inclusive of the last moment, absent in Gujarat."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldapi.law.clocks import Deadline, transit_deadline
from fieldapi.packs import load_packs

SEIZED = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


def deadline(name: str = "karnataka", seized_at: datetime = SEIZED) -> Deadline:
    found = transit_deadline(load_packs().profile(name, on=date(2026, 12, 1)), seized_at)
    assert found is not None
    return found


def test_gujarat_sets_no_hours() -> None:
    profile = load_packs().profile("gujarat", on=date(2026, 12, 1))
    assert transit_deadline(profile, SEIZED) is None
    assert profile.transit_hours is None


@pytest.mark.parametrize(
    "name,section,silent",
    [("karnataka", "7(3), 8", frozenset()), ("kerala-1961", "9(1), 10", frozenset({"starts_at"}))],
)
def test_the_hours_have_a_section(name: str, section: str, silent: frozenset[str]) -> None:
    why = deadline(name).clock.provenance
    assert (why.section, why.is_verified, why.silent) == (section, True, silent)


@given(MOMENTS)
def test_hours_are_elapsed_time(seized_at: datetime) -> None:
    last = deadline(seized_at=seized_at).last_moment
    assert last - seized_at == timedelta(hours=24)


def test_the_last_moment_is_in_time_and_the_next_is_late() -> None:
    clock = deadline()
    assert not clock.is_late(clock.last_moment)
    assert clock.is_late(clock.last_moment + timedelta(milliseconds=1))


@pytest.mark.parametrize(
    "hours,state",
    [(0, "running"), (19.9, "running"), (20, "due_soon"), (24, "due_soon"), (24.1, "overdue")],
)
def test_a_clock_that_runs_says_how_near_it_is(hours: float, state: str) -> None:
    assert deadline().state(SEIZED + timedelta(hours=hours)) == state


@pytest.mark.parametrize("hours,state", [(1, "met"), (24, "met"), (24.7, "late")])
def test_a_clock_that_was_met_stays_met(hours: float, state: str) -> None:
    met_at = SEIZED + timedelta(hours=hours)
    assert deadline().state(SEIZED + timedelta(days=400), met_at=met_at) == state
