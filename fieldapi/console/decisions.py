"""What a reviewer decides on the page of a report: on the report, and on a field of it.

A refused form comes back with everything that was typed, and says what to do.
"""

from __future__ import annotations

from flask import Response, redirect, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.console import cases, door
from fieldapi.console.blueprint import blp
from fieldapi.console.disputes import OTHER, STAYS
from fieldapi.console.house import house
from fieldapi.console.pages import page
from fieldapi.console.sign_in import FORM
from fieldapi.domain.words import sentence
from fieldapi.ids import is_id
from fieldapi.problems import (
    BadRequest,
    Conflict,
    IdReuse,
    InvalidBody,
    NotAllowed,
    PreconditionFailed,
    ReasonNeeded,
)
from fieldapi.services import conflicts, reviews
from fieldapi.services.conflicts import Decision
from fieldapi.services.ops.scene import scene_of
from fieldapi.services.reviews import NewReview
from fieldapi.unit import Unit

_STALE = (Conflict, IdReuse, PreconditionFailed)


@blp.post("/cases/<seizure_id>/decision")
@session("seizure.review", is_great=True)
@takes(FORM)
def decide(seizure_id: str) -> Response | Redirect:
    """Decide on a report, as it was when the page was loaded; shown once more before it counts."""
    form, who = request.form, door.principal()
    if "back" in form:
        return cases.show(seizure_id, typed=_typed(), at_decision=True)
    new = NewReview(
        id=_id(form.get("id")),
        seizure_id=seizure_id,
        outcome=form.get("outcome", ""),
        reason=_text(form.get("reason", "")),
        seen_whole=form.get("seen", ""),
    )
    if "sure" not in form:
        return _preview(new)
    try:
        house().database.transact(lambda unit: reviews.review(unit, who, new))
    except ReasonNeeded:
        return _back(seizure_id, "reason", 422)
    except InvalidBody as exc:
        return _back(seizure_id, "outcome" if "outcome" in exc.errors else "text", 422)
    except _STALE:
        return _back(seizure_id, "stale", 409)
    door.keep_note(new.outcome)
    return redirect(f"/console/cases/{seizure_id}", 303)


@blp.post("/cases/<seizure_id>/fields/<conflict_id>")
@session("seizure.review", is_great=True)
@takes(FORM)
def decide_field(seizure_id: str, conflict_id: str) -> Response | Redirect:
    """Decide which of the values of a field stands."""
    who, made = door.principal(), _decision(conflict_id)
    if made is None:
        return _back(seizure_id, "value", 422, field=conflict_id)

    def work(unit: Unit) -> object:
        scene = scene_of(unit, house().packs, who.authority_id)
        return conflicts.decide(unit, who, scene, made)

    try:
        house().database.transact(work)
    except ReasonNeeded:
        return _back(seizure_id, "reason", 422, field=conflict_id)
    except InvalidBody as exc:
        fault = "text" if "reason" in exc.errors else "value"
        return _back(seizure_id, fault, 422, field=conflict_id)
    except _STALE:
        return _back(seizure_id, "stale", 409, field=conflict_id)
    door.keep_note("field")
    return redirect(f"/console/cases/{seizure_id}#conflicts", 303)


def _decision(conflict_id: str) -> Decision | None:
    """Return what the form decides; None if it names no value."""
    form = request.form
    head, number = form.get("head", ""), form.get("number", "").strip()
    is_number = number.isascii() and number.isdigit()
    if not head or (head == OTHER and not is_number):
        return None
    reason = _text(form.get("reason", ""))
    has_value = head in {STAYS, OTHER}
    return Decision(
        review=conflict_id,
        op=_id(form.get("id")),
        reason=reason,
        body={"head": head, "number": number, "reason": reason},
        head=None if has_value else head,
        value=int(number) if head == OTHER else False,
        has_value=has_value,
        seen=frozenset(form.get("seen", "").split()),
    )


def _back(seizure_id: str, fault: str, status: int, *, field: str | None = None) -> Response:
    """Show the page again with what was typed. `field`: the conflict whose form it was."""
    return cases.show(
        seizure_id,
        status=status,
        fault=fault,
        field=field,
        typed=_typed(),
        since=_seq(request.form.get("seen", "")) if fault == "stale" else None,
    )


def _preview(new: NewReview) -> Response:
    """Show a decision before it counts; what is wrong with it is said now."""
    shown, head = cases.load_one(new.seizure_id)
    judging = None if shown.whole is None else shown.whole.judging
    if shown.whole is None or judging is None or judging.bar:
        raise NotAllowed(
            sentence("Whoever wrote in a report does not decide on it."), reason="author"
        )
    if judging.revision != new.seen_whole:
        return _back(new.seizure_id, "stale", 409)
    fault = reviews.fault_of(new, shown.state)
    if fault is not None:
        return _back(new.seizure_id, fault, 422)
    return page("preview.html", reader=head, case=shown, whole=shown.whole, new=new)


def _typed() -> dict[str, str]:
    return {**cases.NOTHING_TYPED, **request.form.to_dict()}


def _seq(revision: str) -> int | None:
    """Return the entry that a revision names: what came later is what changed."""
    seq = revision.rpartition(".")[2]
    return int(seq) if seq.isascii() and seq.isdigit() else None


def _id(given: str | None) -> str:
    if not is_id(given):
        raise BadRequest("This form is not one of these pages.")
    return str(given)


def _text(typed: str) -> str:
    """Return typed text with the line ends that everything else here has."""
    return typed.replace("\r\n", "\n").replace("\r", "\n")
