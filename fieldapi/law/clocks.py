"""Deadlines: when a period of the statute ends, and whether something came too late.

Called by queries, services and flags. Instants are aware UTC datetimes; now is an argument.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from fieldapi.law.profile import Clock, StatuteProfile

TRANSIT = "24H"
DUE_SOON = timedelta(hours=4)


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


def transit_deadline(profile: StatuteProfile, seized_at: datetime) -> Deadline | None:
    """Return by when seized cattle must be sent to a pound, None if the statute sets no hours.

    Hours are elapsed time: no day is excluded and no closed day moves the end.
    Kerala Cattle Trespass Act 1961 ss. 9(1), 10; Karnataka Cattle Trespass Act 1966 ss. 7(3), 8.
    """
    clock = profile.clock(TRANSIT)
    if clock is None:
        return None
    return Deadline(clock, seized_at, seized_at + timedelta(hours=clock.amount))
