"""A reviewer's decision on a field in which two values stand. It becomes an op like any other, so
it reaches every phone by the next pull, with its reason.

Called by the api and the console. Nothing is overwritten: what lost stays in the history.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fieldapi.domain import checks
from fieldapi.domain.access import Principal, may_review, require
from fieldapi.domain.records import DECIDING_ROLES
from fieldapi.domain.reviews import REASON
from fieldapi.domain.words import sentence
from fieldapi.models import RECORDS
from fieldapi.problems import Conflict as StateConflict
from fieldapi.problems import InvalidBody, NotAllowed, NotFound, ReasonNeeded
from fieldapi.queries import cases, conflicts
from fieldapi.queries.conflicts import Conflict
from fieldapi.services.fields import check_fields
from fieldapi.services.ops import store
from fieldapi.services.ops.build import Change, build, delivery_of
from fieldapi.services.ops.draft import Draft
from fieldapi.services.ops.push import take
from fieldapi.services.ops.scene import Scene
from fieldapi.services.requests import RequestId, bind
from fieldapi.unit import Unit
from sync.op import EVERYTHING, WITHDRAWN
from sync.wire import JSON


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision to be, on the conflict `review`. `op`: made by whoever decides.

    Either `head`, the op whose value stands, or `value`, another one; `has_value` tells null from
    nothing. `seen`: the ops the reviewer chose among, None if unsaid. `body`: as sent.
    """

    review: str
    op: str
    reason: str
    body: Mapping[str, JSON]
    head: str | None = None
    value: JSON = None
    has_value: bool = False
    seen: frozenset[str] | None = None


def decide(unit: Unit, principal: Principal, scene: Scene, made: Decision) -> tuple[Conflict, bool]:
    """Decide a field; returns it as it stands now, and False for an identical resend.

    Raises `NotAllowed` (role; an author of one of the values), `NotFound`, `InvalidBody`,
    `ReasonNeeded`, `IdReuse`, and `Conflict` if other values stand than were `seen`.
    """
    _require_reviewer(principal)
    _check(made)
    found = conflicts.find(unit.session, principal.authority_id, made.review)
    request = RequestId("review.decision", made.op, {"review": made.review, **made.body})
    if not bind(unit, principal, request, current=lambda: _current(found)):
        return found, False
    draft = _locked(unit, principal, found)
    found = conflicts.find(unit.session, principal.authority_id, made.review)
    _require_seen(made, found)
    _write(unit, principal, scene, _change(draft, scene, found, made=made))
    unit.session.expire_all()
    return conflicts.find(unit.session, principal.authority_id, made.review), True


def _require_reviewer(principal: Principal) -> None:
    require(principal, "seizure.review")
    if not DECIDING_ROLES & principal.roles:
        raise NotAllowed(sentence("Values are decided by a reviewer."), reason="role")


def _check(made: Decision) -> None:
    if (made.head is None) is not made.has_value:
        raise InvalidBody(
            errors={"head": [sentence("Name a value that stands, or give another one.")]}
        )
    if not made.reason.strip():
        raise ReasonNeeded(errors={"reason": [sentence("Write the reason: it reaches the phone.")]})
    check_fields({"reason": REASON}, {"reason": made.reason})


def _locked(unit: Unit, principal: Principal, found: Conflict) -> Draft:
    """Lock the record of a conflict. Raises `NotAllowed` if the principal wrote in it."""
    at, key = principal.authority_id, (found.kind, found.record_id)
    locked = store.lock_records(unit.session, at, [key], unit.now)
    unit.session.expire_all()
    row = unit.session.get(RECORDS[found.kind], (at, found.record_id))
    if row is None:
        raise NotFound
    if not may_review(principal, author_ids=cases.authors([row])):
        raise NotAllowed(
            sentence("Whoever wrote one of the values does not decide."), reason="author"
        )
    return Draft.open(unit.session, at, key, locked[key])


def _require_seen(made: Decision, found: Conflict) -> None:
    if made.seen is not None and made.seen != {head.op for head in found.heads}:
        raise StateConflict("Other values stand now.", current=_current(found))


def _change(draft: Draft, scene: Scene, found: Conflict, *, made: Decision) -> Change:
    value = made.value if made.has_value else found.head(str(made.head)).v
    if found.field != WITHDRAWN:
        fault = checks.check_value(found.kind, found.field, value, profile=scene.profile)
        if fault is not None:
            raise InvalidBody(errors={"value": [fault.text]})
    elif value is not False and not isinstance(value, dict):
        raise InvalidBody(
            errors={"value": [sentence("This must be false, or an object with a reason.")]}
        )
    return Change(
        found.kind,
        found.record_id,
        {found.field: value},
        f"decision/{made.op}",
        base=_base(draft, found),
        decision={"review": found.id, "reason": made.reason.strip()},
    )


def _base(draft: Draft, found: Conflict) -> dict[str, list[str]]:
    """Return every head of the field; for a withdrawal also everything that the record shows."""
    base = {found.field: [head.op for head in found.heads]}
    if found.field == WITHDRAWN:
        marks = [mark for marks in draft.view.stamps.values() for mark in marks]
        base[EVERYTHING] = sorted({str(mark["op"]) for mark in marks})
    return base


def _write(unit: Unit, principal: Principal, scene: Scene, change: Change) -> None:
    delivery = delivery_of(unit, principal, scene)
    arrivals, _ = take(unit, delivery, build(unit, delivery, [change]))
    if any(one.held or one.code or one.faults for one in arrivals):
        raise NotAllowed(sentence("This decision could not be taken."), reason="not-yours")


def _current(found: Conflict) -> JSON:
    return {
        "id": found.id,
        "state": "open" if found.is_open else "decided",
        "heads": [head.as_json() for head in found.heads],
    }
