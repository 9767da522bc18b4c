"""Two reports that may tell of one seizure, side by side; a reviewer says which it is."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.places import Places
from fieldapi.console.rows import Listing
from fieldapi.console.sign_in import FORM
from fieldapi.ids import is_id, new_id
from fieldapi.problems import BadRequest, Conflict, IdReuse, InvalidBody, NotAllowed, ReasonNeeded
from fieldapi.queries import cases, duplicates
from fieldapi.queries.authorities import all_places
from fieldapi.services import duplicates as service
from fieldapi.services.duplicates import Judgement


@blp.get("/duplicates/<duplicate_id>")
@session("review.read")
def twin(duplicate_id: str) -> Response:
    """Show a pair. Raises `NotFound`."""
    return _shown(duplicate_id)


@blp.post("/duplicates/<duplicate_id>")
@session("duplicate.judge", is_great=True)
@takes(FORM)
def judge_twin(duplicate_id: str) -> Response | Redirect:
    """Say of a pair whether it is one seizure. Raises `NotFound`."""
    form, who = request.form, door.principal()
    if not is_id(form.get("id")):
        raise BadRequest("This form is not one of these pages.")
    outcome, reason = form.get("outcome", ""), form.get("reason", "").replace("\r\n", "\n")
    body = {"outcome": outcome, "reason": reason}
    made = Judgement(form["id"], duplicate_id, outcome, reason, body)
    try:
        house().database.transact(lambda unit: service.decide(unit, who, made))
    except ReasonNeeded:
        return _shown(duplicate_id, fault="reason", status=422)
    except InvalidBody as exc:
        fault = "outcome" if "outcome" in exc.errors else "reason"
        return _shown(duplicate_id, fault=fault, status=422)
    except NotAllowed as exc:
        if exc.extensions.get("reason") != "author":
            raise
        return _shown(duplicate_id, fault="author", status=403)
    except (Conflict, IdReuse):
        return _shown(duplicate_id, fault="stale", status=409)
    door.keep_note("twin")
    back = url_for("console.twin", duplicate_id=duplicate_id)
    return redirect(f"{back}?{urlencode({'from': form.get('from', '')})}", 303)


def _shown(duplicate_id: str, *, fault: str = "", status: int = 200) -> Response:
    who = door.principal()
    with house().database.read() as database:
        pair: dict[str, Any] = duplicates.one(database, who, duplicate_id)
        authors = {one.get("by") for one in pair["reports"]} - {None}
        names = cases.names(database, who.authority_id, authors)
        places = Places(all_places(database, who.authority_id))
        head = reader(database, who)
    listing = Listing(words(), places, names, {}, house().database.clock())
    return page(
        "twin.html",
        status=status,
        reader=head,
        pair=pair,
        rows=[listing.row(one) for one in pair["reports"]],
        fault=fault,
        came_from=request.values.get("from", ""),
        typed=request.form,
        new_id=new_id,
    )
