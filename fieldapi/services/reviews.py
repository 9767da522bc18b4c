"""What the panchayat makes of a report: takes it up, accepts, rejects, or asks for a correction.

Called by the api and the console. A reason is part of the decision and reaches the phone; the
ledger says that it was decided, not in which words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import update

from fieldapi.clock import format_instant
from fieldapi.domain import reviews as rules
from fieldapi.domain.access import Principal, may_review, require
from fieldapi.domain.labels import REVIEW_STATES
from fieldapi.domain.words import Sentence, sentence
from fieldapi.models import RecordRow, Review, Seizure
from fieldapi.problems import (
    Conflict,
    IdReuse,
    InvalidBody,
    NotAllowed,
    NotFound,
    PreconditionFailed,
    ReasonNeeded,
)
from fieldapi.queries import cases, changed_since, seizures
from fieldapi.queries.cases import ReviewView
from fieldapi.services import desk_work
from fieldapi.services.fields import check_fields
from fieldapi.services.ops.store import rank_again
from fieldapi.services.requests import RequestId, bind
from fieldapi.unit import Unit
from sync.wire import JSON


@dataclass(frozen=True, slots=True)
class NewReview:
    """A decision to be. `id`: made by whoever decides. `seen`: the revision they looked at, of
    the report alone as an ETag has it, or of the whole case; None: whatever stands.
    """

    id: str
    seizure_id: str
    outcome: str
    reason: str = ""
    seen: str | None = None
    seen_whole: str | None = None


def review(unit: Unit, principal: Principal, new: NewReview) -> tuple[ReviewView, bool]:
    """Decide on a report; returns the decision, and False for an identical resend.

    Raises `NotAllowed` (role; an author), `NotFound`, `InvalidBody`, `ReasonNeeded`, `IdReuse`,
    `PreconditionFailed` (something changed since), `Conflict` (the state forbids the outcome).
    """
    require(principal, "seizure.review")
    _check(new)
    seizure, rows = _locked(unit, principal, new.seizure_id)
    request = RequestId("review", new.id, _body(new))
    if not bind(unit, principal, request, current=lambda: _current(unit, seizure)):
        return cases.view_review(_stored(unit, seizure, new.id)), False
    if unit.session.get(Review, (seizure.authority_id, new.id)) is not None:
        raise IdReuse(current=_current(unit, seizure))
    _require_unchanged(unit, new, seizure, rows)
    _require_judge(unit, principal, seizure, rows)
    _require_next(unit, seizure, new)
    return _decide(unit, principal, seizure, new), True


def fault_of(new: NewReview, state: str) -> str | None:
    """Say what is wrong with a decision to be on a report in `state`: `outcome`, `reason` (none is
    given), `text` (it cannot be taken); None if it may be made.
    """
    if not rules.may_follow(state, new.outcome):
        return "outcome"
    if not new.reason.strip():
        return "reason" if rules.needs_reason(state, new.outcome) else None
    try:
        check_fields({"reason": rules.REASON}, {"reason": new.reason})
    except InvalidBody:
        return "text"
    return None


def may_judge(principal: Principal, rows: Sequence[RecordRow]) -> bool:
    """Say whether a principal may decide on a case: a reviewer who wrote nothing in it."""
    return may_review(principal, author_ids=cases.authors(rows))


def _check(new: NewReview) -> None:
    if new.outcome not in rules.OUTCOMES:
        said = sentence("This must be one of: {codes}.", codes=", ".join(rules.OUTCOMES))
        raise InvalidBody(errors={"outcome": [said]})
    if new.reason.strip():
        check_fields({"reason": rules.REASON}, {"reason": new.reason})


def _locked(unit: Unit, principal: Principal, seizure_id: str) -> tuple[Seizure, list[RecordRow]]:
    """Lock the report, so that two decisions follow one another, and return it with its case."""
    key = (principal.authority_id, seizure_id)
    seizure = unit.session.get(Seizure, key, with_for_update=True)
    if seizure is None:
        raise NotFound
    return seizure, cases.records(unit.session, principal.authority_id, seizure_id)


def _body(new: NewReview) -> JSON:
    return {
        "id": new.id,
        "seizure": new.seizure_id,
        "outcome": new.outcome,
        "reason": new.reason,
    }


def _stored(unit: Unit, seizure: Seizure, review_id: str) -> Review:
    row = unit.session.get(Review, (seizure.authority_id, review_id))
    if row is None:
        raise NotFound
    return row


def _last(unit: Unit, seizure: Seizure) -> JSON:
    """Return what was decided last, by whom and why."""
    done = cases.reviews(unit.session, seizure.authority_id, seizure.id)
    if not done:
        return None
    last = done[-1]
    at = format_instant(last.at)
    return {"by": last.person_id, "outcome": last.outcome, "reason": last.reason, "at": at}


def _current(unit: Unit, seizure: Seizure) -> dict[str, JSON]:
    """Return how the report stands, for whoever saw it otherwise."""
    revision = seizures.revision(unit.session, seizure.authority_id, seizure.id)
    return {"id": seizure.id, "state": seizure.state, "rev": revision}


def _require_unchanged(
    unit: Unit, new: NewReview, seizure: Seizure, rows: Sequence[RecordRow]
) -> None:
    at = seizure.authority_id
    is_stale = new.seen is not None and new.seen != seizures.revision(unit.session, at, seizure.id)
    if new.seen_whole is not None:
        is_stale = is_stale or new.seen_whole != cases.revision(unit.session, at, rows)
    if is_stale:
        about = [seizure] if new.seen_whole is None else rows
        subjects = [f"{row.KIND}/{row.id}" for row in about]
        seen = new.seen_whole or new.seen or ""
        found = changed_since.changes(unit.session, at, subjects, seen)
        raise PreconditionFailed(current=_current(unit, seizure), changes=found)


def _require_judge(
    unit: Unit, principal: Principal, seizure: Seizure, rows: Sequence[RecordRow]
) -> None:
    takers = cases.takers(unit.session, seizure.authority_id, seizure.id)
    if not may_review(principal, author_ids=cases.authors(rows) | takers):
        raise NotAllowed(
            sentence("Whoever wrote in a report, or took its cattle in, does not decide on it."),
            reason="author",
        )


def _require_next(unit: Unit, seizure: Seizure, new: NewReview) -> None:
    if not rules.may_follow(seizure.state, new.outcome):
        raise Conflict(
            _no_step(seizure.state, new.outcome),
            current={**_current(unit, seizure), "review": _last(unit, seizure)},
        )
    if rules.needs_reason(seizure.state, new.outcome) and not new.reason.strip():
        raise ReasonNeeded(errors={"reason": [sentence("Write the reason: it reaches the phone.")]})


def _no_step(state: str, outcome: str) -> Sentence:
    return sentence(
        "A report in the state “{state}” cannot become “{outcome}”.",
        state=REVIEW_STATES.get(state, state),
        outcome=REVIEW_STATES.get(outcome, outcome),
    )


def _decide(unit: Unit, principal: Principal, seizure: Seizure, new: NewReview) -> ReviewView:
    row = Review(
        authority_id=seizure.authority_id,
        id=new.id,
        seizure_id=seizure.id,
        person_id=principal.person_id,
        outcome=new.outcome,
        reason=new.reason.strip(),
        at=unit.now,
    )
    desk_work.take_up(unit, principal, seizure.id)
    unit.session.add(row)
    unit.session.execute(
        update(Seizure)
        .where(Seizure.authority_id == seizure.authority_id, Seizure.id == seizure.id)
        .values(state=new.outcome)
        .execution_options(synchronize_session=False)
    )
    rank_again(unit.session, seizure.authority_id, [seizure.id])
    unit.enter(
        seizure.authority_id,
        "seizure.reviewed",
        subject=f"seizure/{seizure.id}",
        actor=principal.actor,
        moves=True,
        outcome=new.outcome,
        review=new.id,
    )
    return cases.view_review(row)
