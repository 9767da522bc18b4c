"""Which clocks run in a case at a moment, each with its end, what follows, and whom it favours.

Called by queries, the deadline scan and services. A clock answers whether it was met.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

from fieldapi.law.clocks import (
    DUE_SOON,
    SOON_DAYS,
    Period,
    complaint_until,
    follow_up_until,
    notice_until,
    security_until,
    surplus_until,
    transit_deadline,
    unclaimed_until,
)
from fieldapi.law.days import last_instant, latest, midnight
from fieldapi.law.facts import Case
from fieldapi.law.holdings import deposits, securities, surpluses
from fieldapi.law.state import CLAIMS, DEFAULT, CaseState, HeadState, state

MET, LATE, OVER, OVERDUE = "met", "late", "over", "overdue"


@dataclass(frozen=True)
class ClockState:
    """One clock of a case. `last_day`: as this product reads the Act; `rolled_last_day`: the
    owner's, moved past closed days. `opens_at`: the first instant of what waits for the end.
    `of_paise`: the sum.

    `state`: `running`, `due_soon`, `over` (passed, its end opens something), `overdue` (passed,
    something is late), `met`, `late` (met after the end).
    """

    rule: str
    starts_at: datetime
    last_day: date | None
    last_moment: datetime
    rolled_last_day: date | None
    opens_at: datetime | None
    then: str
    favours: str
    section: str
    source: str
    is_verified: bool
    state: str
    heads: tuple[str, ...] = ()
    of_paise: int | None = None


def clocks(case: Case, at: datetime) -> tuple[ClockState, ...]:
    """Return the clocks of a case at a moment, by their ends."""
    now = state(case, at)
    found = [
        *_transit(case, now),
        *_unclaimed(case, now),
        *_notices(case, now),
        *_complaint(case, now),
        *_follow_ups(case, now),
        *_securities(case, now),
        *_surpluses(case, now),
    ]
    return tuple(sorted(found, key=lambda one: (one.last_moment, one.rule, one.heads)))


def _transit(case: Case, now: CaseState) -> Iterator[ClockState]:
    """The hours to the pound: met when the last head came in, or none is under way any more."""
    deadline = transit_deadline(case.profile, case.seizure.at)
    if deadline is None:
        return
    on_way = [one for one in now.in_custody() if one.impounded_at is None]
    came = [one.impounded_at for one in now.heads.values() if one.origin != "born"]
    left = [one.left_at for one in now.heads.values() if one.impounded_at is None]
    met_at = None if on_way else latest([*came, *left])
    clock, why = deadline.clock, deadline.clock.provenance
    yield ClockState(
        clock.rule,
        deadline.starts_at,
        None,
        deadline.last_moment,
        None,
        None,
        clock.then,
        clock.favours,
        why.section,
        why.source.title,
        case.profile.may_block(why),
        deadline.state(now.at, met_at=met_at),
    )


def _unclaimed(case: Case, now: CaseState) -> Iterator[ClockState]:
    for came, heads in _by_arrival(now.heads.values()):
        until = unclaimed_until(case, came)
        if until is not None:
            is_met = all(one.became is not None or one.branch is not None for one in heads)
            is_met = is_met or _claimed(now, heads, last_instant(until.certain))
            yield _state(case, until, came, now, met=MET if is_met else None, heads=heads)


def _by_arrival(heads: Iterable[HeadState]) -> list[tuple[datetime, list[HeadState]]]:
    groups: dict[datetime, list[HeadState]] = {}
    for head in heads:
        if head.impounded_at is not None and not (head.branch == DEFAULT and head.previous):
            groups.setdefault(head.impounded_at, []).append(head)
    return list(groups.items())


def _claimed(now: CaseState, heads: list[HeadState], until: datetime) -> bool:
    ids = {one.id for one in heads}
    named = [set(one.heads) for one in now.done(*CLAIMS) if one.at <= until]
    return any(ids <= one for one in named)


def _notices(case: Case, now: CaseState) -> Iterator[ClockState]:
    dated: dict[date, list[HeadState]] = {}
    for head in now.heads.values():
        if head.notice is not None:
            dated.setdefault(head.notice.dated, []).append(head)
    for day, heads in dated.items():
        until = notice_until(case, day)
        if until is not None:
            is_met = all(one.became is not None for one in heads)
            yield _state(case, until, midnight(day), now, met=MET if is_met else None, heads=heads)


def _complaint(case: Case, now: CaseState) -> Iterator[ClockState]:
    until = complaint_until(case)
    if until is None:
        return
    made = min((one.made_at for one in case.complaints), default=None)
    met = None
    if made is not None and made <= now.at:
        met = LATE if until.is_surely_over(made) else MET
    yield _state(case, until, case.seizure.at, now, met=met)


def _follow_ups(case: Case, now: CaseState) -> Iterator[ClockState]:
    for one in deposits(now):
        until = follow_up_until(case, one.at)
        if until is not None:
            made = [each.made_at for each in case.complaints if each.by in (None, one.party)]
            is_met = any(not until.is_over(each) for each in made)
            heads = [now.heads[id] for id in one.heads if id in now.heads]
            yield _state(case, until, one.at, now, met=MET if is_met else None, heads=heads)


def _securities(case: Case, now: CaseState) -> Iterator[ClockState]:
    for one in securities(now):
        until = security_until(case, one.since)
        if until is not None:
            met = None if one.open_paise else MET
            yield _state(case, until, one.since, now, met=met, of_paise=one.paise)


def _surpluses(case: Case, now: CaseState) -> Iterator[ClockState]:
    for one in surpluses(now):
        until = surplus_until(case, one.since, one.received_at)
        if until is not None:
            is_received = until.clock.starts_at == "received_at"
            start = one.received_at if is_received else one.since
            met = None if one.open_paise else MET
            yield _state(case, until, start, now, met=met, of_paise=one.paise)


def _state(  # noqa: PLR0913 - one clock, said in one breath
    case: Case,
    until: Period,
    starts_at: datetime,
    now: CaseState,
    *,
    met: str | None = None,
    heads: Iterable[HeadState] = (),
    of_paise: int | None = None,
) -> ClockState:
    clock, why = until.clock, until.clock.provenance
    moment = last_instant(until.last)
    return ClockState(
        clock.rule,
        starts_at,
        until.last,
        moment,
        until.latest if until.latest != until.last else None,
        until.opens_at if clock.opens is not None else None,
        clock.then,
        clock.favours,
        why.section,
        why.source.title,
        case.profile.may_block(why),
        met or _run(until, moment, now.at),
        tuple(one.id for one in heads),
        of_paise,
    )


def _run(until: Period, moment: datetime, at: datetime) -> str:
    if until.is_over(at):
        return OVER if until.clock.opens is not None else OVERDUE
    return "due_soon" if moment - at <= max(SOON_DAYS, DUE_SOON) else "running"
