"""Dues by schedule: flat, by head tier and number of times, by area, capped; feeding by days.

Called by `dues.py`. Amounts come from notifications, how they are applied from the profile. Whole
paise. Sources: Gujarat s. 187, 189(1); Kerala s. 11; Karnataka s. 10(1).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from fieldapi.law.days import day_of, last_day, touched
from fieldapi.law.facts import Case, Impounding
from fieldapi.law.profile import StatuteProfile
from fieldapi.law.register import DOUBLE_FINE, FEEDING, FEES, Notification, Rate, Register
from fieldapi.law.rules import Charge
from fieldapi.law.state import HeadState

ILLEGAL = "adjudged_illegal"
# Whether heads that were seized again after a rescue count as impounded one more time.
AGAIN = "reseizure_counts_as_time"
_PERCENT = 100


@dataclass(frozen=True)
class Amount:
    """What one head costs, and the tier that says so. `is_capped`: cut to the cap of the Act."""

    head: str
    paise: int
    notification: Notification
    is_capped: bool = False


@dataclass(frozen=True)
class Occasion:
    """An impounding of one person: how many head at one time, for which time."""

    head: int
    times: int


def occasion(case: Case, head: HeadState, heads: Iterable[HeadState]) -> Occasion:
    """Return the occasion on which a head was impounded, as its liable person has to bear it.

    Karnataka s. 10(1) proviso, Gujarat s. 189(1): number at a time and number of times.
    """
    assert head.impounded_at is not None  # noqa: S101 - callers ask for impounded heads only
    mine = [one for one in case.impoundings if one.liable == head.liable]
    is_again = case.profile.value(AGAIN) is not False
    same: frozenset[str | None] = frozenset() if is_again else frozenset(case.continues)
    counted = [
        one
        for one in mine
        if one.case not in same and _is_counted(case.profile, one, head.impounded_at)
    ]
    together = [
        one
        for one in heads
        if one.liable == head.liable and one.impounded_at is not None and _is_seized(one, case)
    ]
    at_once = sum(one.head for one in mine if one.at == head.impounded_at or one.case in same)
    return Occasion(len(together) + at_once, _times(counted) + 1)


def _times(counted: Iterable[Impounding]) -> int:
    """Heads of two owners that one person kept, impounded together, were impounded once."""
    return len({(one.case or place, one.at) for place, one in enumerate(counted)})


def _is_seized(head: HeadState, case: Case) -> bool:
    """Heads born in the pound, or seized again in the same case, were not impounded once more."""
    return head.origin != "born" and head.previous not in {one.id for one in case.heads}


def _is_counted(profile: StatuteProfile, other: Impounding, at: datetime) -> bool:
    if other.legality == ILLEGAL or other.at >= at:
        return False
    if other.legality == "disputed" and profile.value("pending_counts") is False:
        return False
    months = profile.value("times_window_months")
    if not isinstance(months, int) or months == 0:
        return True
    return last_day(day_of(other.at), months, "months") >= day_of(at)


def fees(case: Case, charge: Charge, heads: Sequence[HeadState], at: Occasion) -> list[Amount]:
    """Return what heads of one occasion cost; heads on which no schedule speaks are left out."""
    found: list[Amount] = []
    for place, head in enumerate(heads, 1):
        amount = _fee(case, charge, head, _tier(case.profile, at, place))
        if amount is not None:
            found.append(amount)
    return found


def _tier(profile: StatuteProfile, at: Occasion, place: int) -> Occasion:
    """The whole herd pays the rate of its size, or each head that of its own place (marginal)."""
    is_marginal = profile.value("tier_mode") == "marginal"
    return Occasion(place, at.times) if is_marginal else at


def _fee(case: Case, charge: Charge, head: HeadState, tier: Occasion) -> Amount | None:
    assert head.impounded_at is not None  # noqa: S101 - callers ask for impounded heads only
    on = day_of(head.impounded_at)
    for area in _areas(case, charge, head):
        found = case.register.in_force(charge.scale, on, area=area, pound=head.pound)
        base = _first(found, head, tier)
        if base is not None and (area is None or base.notification.area is not None):
            break
    if base is None or charge.scale != FEES:
        return base
    return _special(case, head, base, on) or base


def _areas(case: Case, charge: Charge, head: HeadState) -> tuple[str | None, ...]:
    """Return the areas whose scales count, the nearest first; None: those of everywhere."""
    if charge.area == "seizure":
        return (case.seizure.area, None)
    if charge.area == "village":
        return (case.seizure.village, head.pound_area, None)
    return (head.pound_area or case.seizure.village, None)


def _first(entries: Iterable[Notification], head: HeadState, tier: Occasion) -> Amount | None:
    for entry in entries:
        paise = rate_of(entry.rates, head.kind, tier)
        if paise is not None:
            return Amount(head.id, paise, entry)
    return None


def rate_of(rates: Sequence[Rate], kind: str, tier: Occasion) -> int | None:
    """Return what one head costs by the first row that fits; rows of the kind go before others."""
    fitting = [one for one in rates if one.fits(kind, head=tier.head, times=tier.times)]
    has_part = any(one.percent is not None for one in fitting)
    row = min(fitting, key=lambda one: (has_part and _is_flat(one), one.kind is None), default=None)
    if row is None or row.percent is None:
        return None if row is None else row.paise
    base = rate_of([one for one in rates if one.percent is None], kind, Occasion(tier.head, 1))
    return None if base is None else percent_of(base, row.percent)


def _is_flat(row: Rate) -> bool:
    """Say whether a row names one sum for every time: one that names a part of it goes first."""
    return row.percent is None and row.times_from == 1 and row.times_to is None


def percent_of(paise: int, percent: int) -> int:
    """Return a part of a sum, half a paisa upwards."""
    return (paise * percent * 2 + _PERCENT) // (2 * _PERCENT)


def _special(case: Case, head: HeadState, base: Amount, on: date) -> Amount | None:
    """Kerala s. 11(2): where cattle are let trespass by habit, more, but never beyond the cap."""
    percent = case.profile.value("double_fine_cap_percent")
    if not isinstance(percent, int):
        return None
    for entry in case.register.in_force(DOUBLE_FINE, on, area=case.seizure.area, pound=head.pound):
        named = [one for one in entry.rates if one.kind == head.kind and one.paise is not None]
        if entry.area is not None and named:
            most = percent_of(base.paise, percent)
            paise = named[0].paise or 0
            return Amount(head.id, min(paise, most), entry, is_capped=paise > most)
    return None


def double_fine_excess(
    profile: StatuteProfile, register: Register, entry: Notification, on: date
) -> dict[str, tuple[int, int]]:
    """Return for each kind whose special fine is above the cap: what it says, what it may be.

    To be asked when the entry is made, and again whenever the base changes. Kerala s. 11(2).
    """
    percent = profile.value("double_fine_cap_percent")
    found: dict[str, tuple[int, int]] = {}
    for rate in entry.rates if isinstance(percent, int) else ():
        bases = register.in_force(FEES, on, area=entry.area, pound=entry.pound)
        sums = [rate_of(one.rates, rate.kind or "", Occasion(1, 1)) for one in bases]
        base = next((one for one in sums if one is not None), None)
        if base is not None and isinstance(percent, int):
            most = percent_of(base, percent)
            if (rate.paise or 0) > most:
                found[rate.kind or ""] = (rate.paise or 0, most)
    return found


@dataclass(frozen=True)
class Feeding:
    """What feeding one head cost: its days, and the sum of their rates. `missing`: days without."""

    head: str
    days: int
    paise: int
    missing: int


def feeding(case: Case, head: HeadState, until: datetime) -> Feeding:
    """Return what it cost to feed a head on the days that were not charged yet.

    Gujarat s. 187(2): each day during any part of which cattle are impounded, at that day's rate.
    """
    if head.impounded_at is None or head.origin == "born":
        return Feeding(head.id, 0, 0, 0)
    end = until if head.left_at is None else min(until, head.left_at)
    days = [
        one for one in touched(head.impounded_at, end) if head.fed_to is None or one > head.fed_to
    ]
    first = day_of(head.impounded_at)
    rates = [_day_rate(case, head, one, is_first=one == first) for one in days]
    known = [one for one in rates if one is not None]
    return Feeding(head.id, len(days), sum(known), len(rates) - len(known))


def _day_rate(case: Case, head: HeadState, on: date, *, is_first: bool) -> int | None:
    must_be_approved = case.profile.value("feeding_needs_approval") is True
    for entry in case.register.in_force(FEEDING, on, area=head.pound_area, pound=head.pound):
        if must_be_approved and not entry.is_approved:
            continue
        rows = [one for one in entry.rates if one.kind in (None, head.kind)]
        row = next((one for one in rows if one.kind is not None), rows[0] if rows else None)
        if row is not None:
            is_other = is_first and row.first_day_paise is not None
            return row.first_day_paise if is_other else row.paise
    return None
