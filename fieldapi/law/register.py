"""Notifications, approvals and appointments: the dated register that switches rules on.

Services keep it; `law` asks what is in force on a day. Money is whole paise.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from fieldapi.domain.geo import Area
from fieldapi.law.particulars import whole
from sync.strict import JSON

FEES, FEEDING, SECURITY = "fee_schedule", "feeding_rates", "security_scale"
DOUBLE_FINE, SECTION_189, SECTION_190 = "double_fine_area", "section_189", "section_190"
PROOF_OFFICER = "proof_officer"


@dataclass(frozen=True)
class Rate:
    """One row of a schedule. `kind` None: every kind. Head and times are tiers, both ends counted.

    `paise`: for each head (or day); `percent`: of the row for the first time instead.
    `first_day_paise`: where the first day of feeding costs something else.
    """

    paise: int | None = None
    kind: str | None = None
    head_from: int = 1
    head_to: int | None = None
    times_from: int = 1
    times_to: int | None = None
    percent: int | None = None
    first_day_paise: int | None = None

    def fits(self, kind: str, *, head: int, times: int) -> bool:
        """Say whether the row speaks of a head of this kind in these tiers."""
        return (
            self.kind in (None, kind)
            and self.head_from <= head <= (self.head_to or head)
            and self.times_from <= times <= (self.times_to or times)
        )


@dataclass(frozen=True)
class Notification:
    """One entry. `effective_to`: its last day. `names`: whom it appoints.

    `is_approved`: False while an approval that the Act asks for is missing. `limits`: of its area,
    where it was drawn.
    """

    id: str
    kind: str
    effective_from: date
    effective_to: date | None = None
    number: str = ""
    area: str | None = None
    pound: str | None = None
    is_approved: bool = True
    is_sample: bool = False
    rates: tuple[Rate, ...] = ()
    names: frozenset[str] = frozenset()
    forfeit_percent: int | None = None
    limits: Area | None = None

    def is_in_force(self, on: date) -> bool:
        """Say whether a day lies within its period."""
        return self.effective_from <= on and (self.effective_to is None or on <= self.effective_to)


@dataclass(frozen=True)
class Register:
    """All entries of an authority."""

    notifications: tuple[Notification, ...] = ()

    def in_force(
        self, kind: str, on: date, *, area: str | None = None, pound: str | None = None
    ) -> tuple[Notification, ...]:
        """Return the entries of a kind that count on a day and in a place, nearest place first,
        then the newest. One without a place counts everywhere.
        """
        found = [
            one
            for one in self.notifications
            if one.kind == kind
            and one.is_in_force(on)
            and one.area in (None, area)
            and one.pound in (None, pound)
        ]
        return tuple(sorted(found, key=_nearness, reverse=True))


NOTHING_IN_FORCE = Register()


def _nearness(one: Notification) -> tuple[bool, bool, date, str]:
    return (one.pound is not None, one.area is not None, one.effective_from, one.id)


def read_rates(data: JSON) -> tuple[Rate, ...]:
    """Return the rows of a schedule from the JSON of its entry; rows that are none are left out."""
    rows = data.get("rates") if isinstance(data, dict) else None
    return (
        tuple(_rate(row) for row in rows if isinstance(row, dict)) if isinstance(rows, list) else ()
    )


def _rate(row: Mapping[str, JSON]) -> Rate:
    kind = row.get("kind")
    return Rate(
        paise=whole(row, "paise"),
        kind=kind if isinstance(kind, str) else None,
        head_from=whole(row, "head_from") or 1,
        head_to=whole(row, "head_to"),
        times_from=whole(row, "times_from") or 1,
        times_to=whole(row, "times_to"),
        percent=whole(row, "percent"),
        first_day_paise=whole(row, "first_day_paise"),
    )
