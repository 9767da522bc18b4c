"""Legal days: what counts, what is clamped, what rolls, and what a stay touches."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldapi.law import days

DAYS = st.dates(date(1990, 1, 1), date(2100, 1, 1))
MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@pytest.mark.parametrize(
    "start,amount,unit,end",
    [
        (date(2026, 12, 2), 7, "days", date(2026, 12, 9)),
        (date(2026, 12, 5), 4, "weeks", date(2027, 1, 2)),
        (date(2026, 12, 5), 6, "months", date(2027, 6, 5)),
        (date(2026, 8, 31), 6, "months", date(2027, 2, 28)),
        (date(2027, 8, 31), 6, "months", date(2028, 2, 29)),
        (date(2026, 11, 30), 3, "months", date(2027, 2, 28)),
        (date(2026, 12, 31), 12, "months", date(2027, 12, 31)),
    ],
)
def test_the_first_day_does_not_count_and_months_are_clamped(
    start: date, amount: int, unit: str, end: date
) -> None:
    assert days.last_day(start, amount, unit) == end


def test_a_last_day_moves_past_every_closed_day() -> None:
    closed = frozenset({date(2026, 12, 25), date(2026, 12, 26), date(2026, 12, 27)})
    assert days.rolled(date(2026, 12, 25), closed) == date(2026, 12, 28)
    assert days.rolled(date(2026, 12, 24), closed) == date(2026, 12, 24)


def test_calendars_are_of_the_office_and_of_the_pound() -> None:
    both = days.Calendars(frozenset({date(2027, 1, 1)}), frozenset({date(2027, 1, 2)}))
    assert both.closed("office") == {date(2027, 1, 1)}
    assert both.closed("pound") == {date(2027, 1, 2)}
    assert both.closed(None) == frozenset()


def test_thirty_minutes_over_midnight_touch_two_days_and_leaving_at_midnight_touches_one() -> None:
    evening = days.midnight(date(2027, 3, 2)) - timedelta(minutes=20)
    assert len(days.touched(evening, evening + timedelta(minutes=30))) == 2
    assert days.touched(evening, days.midnight(date(2027, 3, 2))) == (date(2027, 3, 1),)
    assert days.touched(evening, evening) == ()


@given(MOMENTS, st.timedeltas(timedelta(milliseconds=1), timedelta(days=40)))
def test_a_stay_touches_its_first_day_and_all_days_between(
    start: datetime, stay: timedelta
) -> None:
    start = start.replace(microsecond=start.microsecond // 1000 * 1000)
    stay = timedelta(milliseconds=stay // timedelta(milliseconds=1))
    found = days.touched(start, start + stay)
    assert found[0] == days.day_of(start)
    assert list(found) == [found[0] + timedelta(days=n) for n in range(len(found))]


@given(DAYS, DAYS, st.integers(1, 60), st.sampled_from(["days", "weeks", "months"]))
def test_who_begins_later_ends_no_earlier(one: date, two: date, amount: int, unit: str) -> None:
    early, late = sorted((one, two))
    assert days.last_day(early, amount, unit) <= days.last_day(late, amount, unit)


@given(DAYS)
def test_a_day_ends_one_millisecond_before_the_next_begins(day: date) -> None:
    gap = days.midnight(day + timedelta(days=1)) - days.last_instant(day)
    assert gap == timedelta(milliseconds=1)
    assert days.day_of(days.last_instant(day)) == day


def test_the_latest_of_what_is_known() -> None:
    moment = datetime(2027, 1, 1, tzinfo=UTC)
    assert days.latest([None, moment, moment - timedelta(days=1)]) == moment
    assert days.latest([None]) is None
