"""Reports as files to take out, narrowed as the inbox is. The ledger says who took out what."""

from __future__ import annotations

from flask import Response, request

from fieldapi.access import session, takes
from fieldapi.console import door, narrowing
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.inbox import choices
from fieldapi.console.pages import page, reader
from fieldapi.console.sign_in import FORM
from fieldapi.domain.labels import REVIEW_STATES
from fieldapi.problems import BadRequest
from fieldapi.queries.authorities import all_places, all_pounds
from fieldapi.queries.exports import Wanted
from fieldapi.services import exports as service


@blp.get("/exports")
@session("export.read")
def exports() -> Response:
    """Show what can be taken out."""
    with house().database.read() as database:
        pounds = all_pounds(database, door.principal().authority_id)
        head = reader(database, door.principal())
    kinds = list(house().packs.kinds)
    return page("exports.html", reader=head, pounds=pounds, states=REVIEW_STATES, kinds=kinds)


@blp.post("/exports/file")
@session("export.read", is_great=True)
@takes(FORM)
def export_file() -> Response:
    """Give one file. Raises `BadRequest` for a filter that cannot be used, `NotFound`."""
    who, name = door.principal(), request.form.get("file", "")
    with house().database.read() as database:
        pounds, places = (
            all_pounds(database, who.authority_id),
            all_places(database, who.authority_id),
        )
    wanted = narrowing.read(request.form, choices(pounds, places))
    if wanted.faults:
        raise BadRequest("The filter cannot be used.")
    asked = Wanted(wanted.filters, is_personal="personal" in request.form)
    pieces = service.take_out(house().database, who, name, asked)
    response = Response(pieces, content_type=service.FORMATS[name].media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
