"""Acts beside the cases, on removal orders, offences and complaints: the same body, modes, answers.

Called by `removal_orders`, `offences` and `complaints`, which judge; here is what they do alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fieldapi import law
from fieldapi.models import Act, Complaint, Offence, RemovalOrder
from fieldapi.problems import ActNeedsReason, ActNotAllowed, IdReuse, NotFound
from fieldapi.queries import acts as queries
from fieldapi.services.acts.bodies import read_act
from fieldapi.services.acts.kinds import ActBody, ActKind, of_others
from fieldapi.services.acts.storing import Subject, answer_of, store_act
from fieldapi.services.authorise import Principal
from fieldapi.services.requests import RequestId, bind
from fieldapi.unit import Unit
from sync.wire import JSON

Judge = Callable[[ActBody], law.Judgement]
Body = Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class Book:
    """Where acts of a kind of subject are written: its noun, its acts, and their judge."""

    noun: str
    acts: Mapping[str, ActKind]
    judge: Judge


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of a body. `act`: the row, if one was stored just now."""

    answer: dict[str, JSON]
    act: Act | None = None
    is_resend: bool = False


def act(
    unit: Unit,
    principal: Principal,
    row: RemovalOrder | Offence | Complaint,
    book: Book,
    *,
    body: Body,
) -> Answered:
    """Take the body of an act. Raises `InvalidBody`, `NotAllowed`, `IdReuse`, `ActNotAllowed`,
    `ActNeedsReason`.
    """
    kind, read = read_act(body, book.acts.get, kinds=frozenset())
    if not principal.roles & kind.roles:
        raise of_others(kind)
    if read.mode == "check":
        return Answered(answer_of(book.judge(read)))
    request = RequestId("act", read.id, {book.noun: row.id, **body})
    if not bind(unit, principal, request, current=lambda: _current(unit, principal, read.id)):
        known = queries.act(unit.session, principal.authority_id, read.id)
        return Answered(known, is_resend=True)
    if unit.session.get(Act, (principal.authority_id, read.id)) is not None:
        raise IdReuse(current=_current(unit, principal, read.id))
    judged = book.judge(read)
    require_allowed(judged, read)
    row.acts += 1
    subject = Subject(book.noun, row.id, row.authority_id)
    stored = store_act(unit, principal, subject, read, judged=judged, n=row.acts)
    return Answered({}, stored)


def _current(unit: Unit, principal: Principal, act_id: str) -> JSON:
    try:
        return queries.act(unit.session, principal.authority_id, act_id)
    except NotFound:
        return None


def require_allowed(judged: law.Judgement, body: ActBody) -> None:
    """Raise `ActNotAllowed` or `ActNeedsReason` where the judgement asks for it."""
    verdict, told = judged.verdict, answer_of(judged)
    said: dict[str, object] = {
        name: told[name] for name in ("rule", "code", "reason", "section", "source", "not_before")
    }
    is_no = verdict.allowed == "no"
    problem: ActNotAllowed | ActNeedsReason | None = None
    if is_no and (body.mode == "perform" or not verdict.is_possible):
        problem = ActNotAllowed(verdict.reason)
    elif (is_no or verdict.allowed == "warn") and not body.reason:
        problem = ActNeedsReason(verdict.reason)
    if problem is not None:
        problem.extensions.update(said)
        raise problem
