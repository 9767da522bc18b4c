"""The page of one report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response, request, url_for
from sqlalchemy.orm import Session

from fieldapi.access import session
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.case import CasePage, load
from fieldapi.console.house import house
from fieldapi.console.pages import Reader, page, reader, words
from fieldapi.console.register.case import AtCounter
from fieldapi.console.register.case import load as at_counter
from fieldapi.console.reports import Picture
from fieldapi.console.standing import standing
from fieldapi.console.told import SHOWN
from fieldapi.domain.complaint_labels import STATES
from fieldapi.ids import new_id
from fieldapi.problems import Conflict, NotFound
from fieldapi.queries import cases, complaints, desk_work, duplicates, seizures
from fieldapi.queries.pages import Turn
from fieldapi.services import record_views

NOTHING_TYPED = {"outcome": "", "head": "", "number": "", "reason": ""}


@blp.get("/cases/<seizure_id>")
@session("seizure.read")
def case(seizure_id: str) -> Response:
    """Show one report. `photo`: which photo is shown large."""
    return show(seizure_id)


def load_one(seizure_id: str) -> tuple[CasePage, Reader]:
    """Return what the page of a report shows, and who reads it. Raises `NotFound`."""
    who = door.principal()
    with house().database.read() as database:
        shown = load(database, house(), who, seizure_id, words=words())
        return shown, reader(database, who)


def _at_counter(database: Session, seizure_id: str) -> AtCounter | None:
    """Return how a case stands; None before there is a time of seizure to count from."""
    try:
        return at_counter(database, house(), door.principal(), seizure_id, words=words())
    except (Conflict, NotFound):
        return None


def _beside(database: Session, seizure_id: str) -> dict[str, Any]:
    """Return the complaints about a case, and the reports that may tell of the same seizure."""
    who = door.principal()
    turn = Turn(house().keys, who.actor)
    pairs = duplicates.page_of(database, who.authority_id, turn, seizure_id=seizure_id).items
    others = {one["id"]: next(x for x in one["seizures"] if x != seizure_id) for one in pairs}
    names = seizures.references(database, who.authority_id, others.values())
    notes = desk_work.comments(database, who.authority_id, seizure_id)
    mine = desk_work.assignment(database, who.authority_id, seizure_id)
    judges = desk_work.judges(database, who.authority_id, now=house().database.clock())
    ids = {one["by"] for one in notes} | {mine["to"]} - {None}
    return {
        "comments": notes,
        "assigned": mine["to"],
        "judges": judges,
        "people": {**cases.names(database, who.authority_id, ids), **judges},
        "me": who.person_id,
        "complaints": complaints.of_case(database, who, seizure_id),
        "twins": [{**one, "reference": names.get(others[one["id"]], "")} for one in pairs],
    }


def _photo_links(seizure_id: str, pictures: Sequence[Picture]) -> dict[str, dict[str, str]]:
    """Return the links to photos, by what these are called in a sentence."""
    return {
        words().gettext("Photo {number}", number=one.number): {
            "href": url_for("console.case", seizure_id=seizure_id, photo=one.id, _anchor="photo"),
            "data-photo": one.id,
        }
        for one in pictures
    }


def show(seizure_id: str, *, status: int = 200, **kept: object) -> Response:
    """Return the page of a report; `kept`: what was typed, and why it comes back."""
    who = door.principal()
    with house().database.read() as database:
        shown = load(database, house(), who, seizure_id, words=words())
        counter = _at_counter(database, seizure_id) if shown.whole else None
        beside = _beside(database, seizure_id)
        head = reader(database, who)
    record_views.note_seizure(house().database, who, seizure_id)
    pictures = shown.whole.pictures if shown.whole else []
    wanted = request.args.get("photo")
    large = next((one for one in pictures if one.id == wanted), pictures[0] if pictures else None)
    only = request.args.get("show", "")
    context = {
        "typed": NOTHING_TYPED,
        "fault": None,
        "field": None,
        "since": None,
        "at_decision": False,
        **kept,
    }
    return page(
        "case.html",
        status=status,
        reader=head,
        case=shown,
        counter=counter,
        groups=counter.groups(who.roles) if counter else [],
        law=standing(counter.view, house().database.clock(), words()) if counter else None,
        only=only if only in SHOWN else "",
        shown_events=SHOWN,
        photo_links=_photo_links(seizure_id, pictures),
        large=large,
        new_id=new_id,
        tiles=house().settings.tiles_url,
        complaint_states=STATES,
        **beside,
        here=f"/console/cases/{seizure_id}",
        **context,
    )
