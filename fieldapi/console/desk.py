"""The desk among itself on the page of a report: whose it is to review, and notes beside it."""

from __future__ import annotations

from flask import redirect, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.sign_in import FORM
from fieldapi.ids import is_id
from fieldapi.problems import BadRequest, IdReuse, InvalidBody, NotAllowed
from fieldapi.services import desk_work
from fieldapi.services.desk_work import NewAssignment, NewComment


@blp.post("/cases/<seizure_id>/assignment")
@session("seizure.assign")
@takes(FORM)
def assign(seizure_id: str) -> Redirect:
    """Give a report to a reviewer, to oneself, or to nobody. Raises `NotFound`."""
    form, who = request.form, door.principal()
    to = who.person_id if "to_me" in form else form.get("to") or None
    new = NewAssignment(_id(), seizure_id, to)
    try:
        house().database.transact(lambda unit: desk_work.assign(unit, who, new))
    except (NotAllowed, InvalidBody):
        door.keep_note("not-assigned")
    except IdReuse:
        door.keep_note("assigned")
    else:
        door.keep_note("assigned")
    return redirect(f"/console/cases/{seizure_id}#desk", 303)


@blp.post("/cases/<seizure_id>/comments")
@session("comment.add")
@takes(FORM)
def comment(seizure_id: str) -> Redirect:
    """Keep a note beside a report. Raises `NotFound`."""
    text = request.form.get("text", "").replace("\r\n", "\n")
    new, who = NewComment(_id(), seizure_id, text), door.principal()
    try:
        house().database.transact(lambda unit: desk_work.note(unit, who, new))
    except (InvalidBody, IdReuse):
        door.keep_note("not-noted")
    else:
        door.keep_note("noted")
    return redirect(f"/console/cases/{seizure_id}#desk", 303)


def _id() -> str:
    given = request.form.get("id", "")
    if not is_id(given):
        raise BadRequest("This form is not one of these pages.")
    return given
