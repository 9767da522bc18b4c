"""A reviewer's word on a pair of reports: they tell of one seizure, or they do not. With a reason;
both reports stay as they are.

Called by the api and the console.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import delete, or_, select

from fieldapi.domain.access import Principal, may_review, require
from fieldapi.domain.reviews import REASON
from fieldapi.domain.words import sentence
from fieldapi.models import Duplicate, Flag, Seizure
from fieldapi.models.insert import insert_once
from fieldapi.problems import Conflict, InvalidBody, NotAllowed, NotFound, ReasonNeeded
from fieldapi.queries import cases
from fieldapi.queries.duplicates import View, short
from fieldapi.services.fields import check_fields
from fieldapi.services.neighbours import DUPLICATE
from fieldapi.services.requests import RequestId, bind
from fieldapi.unit import Unit
from sync.wire import JSON

OUTCOMES = ("linked", "dismissed")


@dataclass(frozen=True, slots=True)
class Judgement:
    """A word on a pair to be. `id`: made by whoever decides; `body`: as sent."""

    id: str
    duplicate_id: str
    outcome: str
    reason: str
    body: Mapping[str, JSON]


def decide(unit: Unit, principal: Principal, made: Judgement) -> tuple[View, bool]:
    """Link a pair or tell it apart; returns it, and False for an identical resend.

    Raises `NotAllowed` (role; an author of either report), `NotFound`, `InvalidBody`,
    `ReasonNeeded`, `IdReuse`, `Conflict` (so it stands already).
    """
    require(principal, "duplicate.judge")
    _check(made)
    key = (principal.authority_id, made.duplicate_id)
    row = unit.session.get(Duplicate, key, with_for_update=True)
    if row is None:
        raise NotFound(sentence("There is no such pair."))
    request = RequestId("duplicate", made.id, {"pair": made.duplicate_id, **made.body})
    if not bind(unit, principal, request, current=lambda: short(row)):
        return short(row), False
    if not may_review(principal, author_ids=_authors(unit, row)):
        raise NotAllowed(
            sentence("Whoever wrote in one of the reports does not decide."), reason="author"
        )
    if row.state == made.outcome:
        raise Conflict(sentence("This pair was decided so already."), current=short(row))
    _write(unit, principal, row, made)
    return short(row), True


def _check(made: Judgement) -> None:
    if made.outcome not in OUTCOMES:
        raise InvalidBody(
            errors={
                "outcome": [sentence("This must be one of: {codes}.", codes=", ".join(OUTCOMES))]
            }
        )
    if not made.reason.strip():
        raise ReasonNeeded(errors={"reason": [sentence("Write the reason.")]})
    check_fields({"reason": REASON}, {"reason": made.reason})


def _authors(unit: Unit, row: Duplicate) -> set[str]:
    return {
        author
        for seizure_id in (row.one_id, row.other_id)
        for author in cases.authors(cases.records(unit.session, row.authority_id, seizure_id))
    }


def _write(unit: Unit, principal: Principal, row: Duplicate, made: Judgement) -> None:
    row.state, row.reason = made.outcome, made.reason.strip()
    row.decided_by, row.decided_at = principal.person_id, unit.now
    unit.session.flush()
    unit.enter(
        row.authority_id,
        "duplicate.decided",
        subject=f"duplicate/{row.id}",
        actor=principal.actor,
        outcome=row.state,
        reports=[row.one_id, row.other_id],
    )
    for seizure_id in (row.one_id, row.other_id):
        _follow(unit, principal, row.authority_id, seizure_id)


def _follow(unit: Unit, principal: Principal, authority_id: str, seizure_id: str) -> None:
    """Let the doubt of a report stand only while a pair of it is not told apart."""
    standing = select(Duplicate.id).where(
        Duplicate.authority_id == authority_id,
        or_(Duplicate.one_id == seizure_id, Duplicate.other_id == seizure_id),
        Duplicate.state != "dismissed",
    )
    key = {
        "authority_id": authority_id,
        "kind": Seizure.KIND,
        "record_id": seizure_id,
        "flag": DUPLICATE,
    }
    is_standing = unit.session.scalar(standing.limit(1)) is not None
    if is_standing:
        has_changed = insert_once(unit.session, Flag, {**key, "detail": "{}", "at": unit.now})
    else:
        gone = delete(Flag).where(*(getattr(Flag, name) == value for name, value in key.items()))
        has_changed = unit.session.execute(gone.returning(Flag.flag)).first() is not None
    if has_changed:
        unit.enter(
            authority_id,
            "flag.raised" if is_standing else "flag.dropped",
            subject=f"seizure/{seizure_id}",
            actor=principal.actor,
            moves=True,
            flags=[DUPLICATE],
        )
