"""The page of one report."""

from __future__ import annotations

from flask import Response, request

from fieldapi.access import session
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.case import load
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.ids import new_id
from fieldapi.services import record_views

NOTHING_TYPED = {"outcome": "", "head": "", "number": "", "reason": ""}


@blp.get("/cases/<seizure_id>")
@session("seizure.read")
def case(seizure_id: str) -> Response:
    """Show one report. `photo`: which photo is shown large."""
    return show(seizure_id)


def show(seizure_id: str, *, status: int = 200, **kept: object) -> Response:
    """Return the page of a report; `kept`: what was typed, and why it comes back."""
    who = door.principal()
    with house().database.read() as database:
        shown = load(database, house(), who, seizure_id, words=words())
        head = reader(database, who)
    record_views.note_seizure(house().database, who, seizure_id)
    pictures = shown.whole.pictures if shown.whole else []
    wanted = request.args.get("photo")
    large = next((one for one in pictures if one.id == wanted), pictures[0] if pictures else None)
    context = {"typed": NOTHING_TYPED, "fault": None, "field": None, "since": None, **kept}
    return page(
        "case.html",
        status=status,
        reader=head,
        case=shown,
        large=large,
        new_id=new_id,
        tiles=house().settings.tiles_url,
        here=f"/console/cases/{seizure_id}",
        **context,
    )
