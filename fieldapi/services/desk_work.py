"""The desk among itself: whose a report is to review, and what is noted beside it.

Called by the api and the console. Neither reaches a phone. A report stays its reviewer's when it
comes back corrected; who takes one up first gets it.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from fieldapi.domain.access import Principal, require
from fieldapi.domain.reviews import REASON
from fieldapi.domain.words import sentence
from fieldapi.models import Assignment, Comment, Membership, Seizure
from fieldapi.models.insert import insert_once
from fieldapi.problems import IdReuse, NotAllowed, NotFound
from fieldapi.queries import cases
from fieldapi.queries.desk_work import View, assignment, comment
from fieldapi.services.fields import check_fields, refuse
from fieldapi.services.requests import RequestId, bind
from fieldapi.unit import Unit
from sync.wire import JSON

_JUDGES = ("reviewer", "decider")


@dataclass(frozen=True, slots=True)
class NewAssignment:
    """A report to be somebody's, or nobody's. `id`: made by whoever gives it."""

    id: str
    seizure_id: str
    to: str | None


@dataclass(frozen=True, slots=True)
class NewComment:
    """A note beside a report. `id`: made by whoever writes it."""

    id: str
    seizure_id: str
    text: str


def assign(unit: Unit, principal: Principal, new: NewAssignment) -> tuple[View, bool]:
    """Give a report to a reviewer, or to nobody; returns whose it is, and False for a resend.

    Raises `NotAllowed` (role; whoever wrote in it cannot review it), `NotFound`, `InvalidBody`.
    """
    require(principal, "seizure.assign")
    rows = cases.records(unit.session, principal.authority_id, new.seizure_id)
    body: JSON = {"id": new.id, "seizure": new.seizure_id, "to": new.to}
    current = assignment(unit.session, principal.authority_id, new.seizure_id)
    request = RequestId("assignment", new.id, body)
    if not bind(unit, principal, request, current=lambda: current):
        return current, False
    if new.to is not None:
        _require_judge(unit, principal.authority_id, new.to)
        if new.to in cases.authors(rows):
            raise NotAllowed(
                sentence("Whoever wrote in a report does not decide on it."), reason="author"
            )
    _write(unit, principal, new.seizure_id, to=new.to)
    return assignment(unit.session, principal.authority_id, new.seizure_id), True


def take_up(unit: Unit, principal: Principal, seizure_id: str) -> None:
    """Make a report that is nobody's the principal's own."""
    if unit.session.get(Assignment, (principal.authority_id, seizure_id)) is None:
        _write(unit, principal, seizure_id, to=principal.person_id)


def _require_judge(unit: Unit, authority_id: str, person_id: str) -> None:
    query = select(Membership.id).where(
        Membership.authority_id == authority_id,
        Membership.person_id == person_id,
        Membership.role.in_(_JUDGES),
        Membership.ends_at.is_(None) | (Membership.ends_at > unit.now),
    )
    if unit.session.scalar(query.limit(1)) is None:
        raise refuse("to", sentence("This is nobody who reviews reports here."))


def _write(unit: Unit, principal: Principal, seizure_id: str, *, to: str | None) -> None:
    key = (principal.authority_id, seizure_id)
    row = unit.session.get(Assignment, key, with_for_update=True)
    if (None if row is None else row.person_id) == to:
        return
    if row is not None and to is None:
        unit.session.delete(row)
    elif row is not None and to is not None:
        row.person_id, row.by_id, row.at = to, principal.person_id, unit.now
    else:
        values = {
            "authority_id": principal.authority_id,
            "seizure_id": seizure_id,
            "person_id": to,
            "by_id": principal.person_id,
            "at": unit.now,
        }
        if not insert_once(unit.session, Assignment, values):
            return
    unit.session.flush()
    unit.enter(
        principal.authority_id,
        "seizure.assigned",
        subject=f"seizure/{seizure_id}",
        actor=principal.actor,
        to=to or "nobody",
    )


def note(unit: Unit, principal: Principal, new: NewComment) -> tuple[View, bool]:
    """Write a comment beside a report; returns it, and False for an identical resend.

    Raises `NotAllowed` (role), `NotFound`, `InvalidBody`, `IdReuse`.
    """
    require(principal, "comment.add")
    key = (principal.authority_id, new.seizure_id)
    seizure = unit.session.get(Seizure, key)
    if seizure is None or not seizure.heads:
        raise NotFound
    check_fields({"text": REASON}, {"text": new.text})
    if not new.text.strip():
        raise refuse("text", sentence("Write something."))
    body: JSON = {"id": new.id, "seizure": new.seizure_id, "text": new.text}
    known = unit.session.get(Comment, (principal.authority_id, new.id))
    current = None if known is None else comment(known)
    if not bind(unit, principal, RequestId("comment", new.id, body), current=lambda: current):
        stored = unit.session.get_one(Comment, (principal.authority_id, new.id))
        return comment(stored), False
    if known is not None:
        raise IdReuse(current=current)
    row = Comment(
        authority_id=principal.authority_id,
        id=new.id,
        seizure_id=new.seizure_id,
        person_id=principal.person_id,
        text=new.text.strip(),
        at=unit.now,
    )
    unit.session.add(row)
    subject = f"seizure/{new.seizure_id}"
    unit.enter(row.authority_id, "comment.added", subject=subject, actor=principal.actor, id=row.id)
    return comment(row), True
