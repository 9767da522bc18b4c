"""Deadlines: when a period of the statute ends, what then may be done, and what came too late.

Called by acts, queries, services and flags. Instants are aware UTC datetimes; now is an argument.
A last day that moves past closed days does so in the owner's favour only; where that move is not
verified, both days are told: one is certain, the other the owner's on the best reading.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from fieldapi.law.days import ONE_DAY, day_of, last_day, last_instant, midnight, rolled
from fieldapi.law.facts import Case
from fieldapi.law.profile import StatuteProfile
from fieldapi.law.rules import Clock

TRANSIT, UNCLAIMED_DAYS, NOTICE_DAYS = "24H", "UNCL-7", "SALE-7"
COMPLAINT_DAYS, FOLLOW_UP, SECURITY_MONTHS = "COMPL-10", "COMPL-4W", "SEC-6M"
# Their end takes a right from somebody; nobody here is late with anything.
OF_OTHERS = (COMPLAINT_DAYS, FOLLOW_UP)
DUE_SOON = timedelta(hours=4)
SOON_DAYS = timedelta(days=1)
HOURS = "hours"


@dataclass(frozen=True)
class Deadline:
    """A running clock: `last_moment` is still in time, the moment after it is late."""

    clock: Clock
    starts_at: datetime
    last_moment: datetime

    def is_late(self, happened_at: datetime) -> bool:
        """Say whether `happened_at` lies after the last moment."""
        return happened_at > self.last_moment

    def state(self, now: datetime, *, met_at: datetime | None = None) -> str:
        """Return `met`, `late` (met after the end), `overdue`, `due_soon` or `running`."""
        if met_at is not None:
            return "late" if self.is_late(met_at) else "met"
        if self.is_late(now):
            return "overdue"
        return "due_soon" if self.last_moment - now <= DUE_SOON else "running"


@dataclass(frozen=True)
class Period:
    """A period in days, weeks or months. `last`: its last day as this product reads the Act, not
    moved; `certain`: the last day on any reading; `latest`: on the best one for the owner.
    `is_sure`: the clock may block.
    """

    clock: Clock
    starts_on: date
    last: date
    certain: date
    latest: date
    is_sure: bool

    @property
    def opens_at(self) -> datetime:
        """The first instant after the certain last day."""
        return midnight(self.certain + ONE_DAY)

    @property
    def surely_opens_at(self) -> datetime:
        """The first instant that lies after the last day on every reading."""
        return midnight(self.latest + ONE_DAY)

    def is_over(self, at: datetime) -> bool:
        """Say whether the certain last day has passed."""
        return at >= self.opens_at

    def is_surely_over(self, at: datetime) -> bool:
        """Say whether it has passed on every reading."""
        return at >= self.surely_opens_at


def transit_deadline(profile: StatuteProfile, seized_at: datetime) -> Deadline | None:
    """Return by when seized cattle must be sent to a pound, None if the statute sets no hours.

    Hours are elapsed time: no day is excluded and no closed day moves the end.
    Kerala Cattle Trespass Act 1961 ss. 9(1), 10; Karnataka Cattle Trespass Act 1966 ss. 7(3), 8.
    """
    clock = profile.clock(TRANSIT)
    if clock is None:
        return None
    return Deadline(clock, seized_at, seized_at + timedelta(hours=clock.amount))


def period(case: Case, rule: str, *starts: date) -> Period | None:
    """Return the period of a rule, None if the Act has no such clock.

    `starts`: the days from which it may run, the Act being silent; the last of them is our reading.
    """
    clock = case.profile.clock(rule)
    if clock is None or clock.unit == HOURS:
        return None
    why = clock.provenance
    is_start_sure = case.profile.may_block(why, "starts_at")
    ends = [last_day(one, clock.amount, clock.unit) for one in starts]
    favoured = rolled(ends[-1], case.calendars.closed(clock.rolls))
    is_roll_sure = case.profile.may_block(why, "rolls")
    certain = ends[-1] if is_start_sure else min(ends)
    if is_start_sure and is_roll_sure:
        certain = favoured
    is_sure = case.profile.may_block(why)
    return Period(clock, starts[-1], ends[-1], certain, max(certain, favoured), is_sure)


def unclaimed_until(case: Case, impounded_at: datetime) -> Period | None:
    """Return the days in which the owner may appear before the cattle are unclaimed."""
    return period(case, UNCLAIMED_DAYS, day_of(impounded_at))


def notice_until(case: Case, dated: date) -> Period | None:
    """Return the days between the notice and the sale."""
    return period(case, NOTICE_DAYS, dated)


def complaint_until(case: Case) -> Period | None:
    """Return the days in which a complaint of illegal seizure is in time."""
    return period(case, COMPLAINT_DAYS, day_of(case.seizure.at))


def follow_up_until(case: Case, delivered_at: datetime) -> Period | None:
    """Return the time after a delivery on deposit in which a complaint stops the demand."""
    return period(case, FOLLOW_UP, day_of(delivered_at))


def security_until(case: Case, deposited_at: datetime) -> Period | None:
    """Return the months in which a security may be forfeited."""
    return period(case, SECURITY_MONTHS, day_of(deposited_at))


def surplus_clock(profile: StatuteProfile) -> Clock | None:
    """Return the clock in which a surplus waits for its owner."""
    return next((one for one in profile.clocks if one.opens == "credit_surplus_to_fund"), None)


def surplus_until(case: Case, sold_at: datetime, received_at: datetime) -> Period | None:
    """Return the time in which the surplus may be claimed. Where the Act is silent on its start,
    it is certain only until the earlier end: sale or receipt by the local authority.
    """
    clock = surplus_clock(case.profile)
    if clock is None:
        return None
    starts = [day_of(sold_at)]
    if clock.starts_at == "received_at":
        starts.append(day_of(received_at))
    return period(case, clock.rule, *starts)


def end_of(one: Period) -> datetime:
    """Return the last instant of the certain last day."""
    return last_instant(one.certain)


def latest_end_of(one: Period) -> datetime:
    """Return the last instant of the last day on the best reading for the owner."""
    return last_instant(one.latest)
