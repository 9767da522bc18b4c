"""The named places that phones offer where a phone finds no place: listed, and taken in from a
table that was pasted.
"""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response, redirect
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.console import door
from fieldapi.console.admin.forms import Faults, faults_of, form_id, once, text
from fieldapi.console.admin.sheets import BadSheet, rows
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.sign_in import FORM
from fieldapi.domain.words import sentence
from fieldapi.ids import new_id
from fieldapi.problems import InvalidBody
from fieldapi.queries.authorities import all_places
from fieldapi.services import places
from fieldapi.services.places import NewPlace

HERE = "/console/admin/places"
_COLUMNS = ("name", "local_name", "lat", "lon")
_NOTHING = sentence("Paste at least one place.")
_NOT_DEGREES = sentence("Write degrees as a number, e.g. 22.3561.")


@blp.get("/admin/places")
@session("pound.read")
def places_page() -> Response:
    """List the places of the authority."""
    return _places({})


@blp.post("/admin/places")
@session("place.import", is_great=True)
@takes(FORM)
def import_places() -> Response | Redirect:
    """Take in the places of a pasted table: all rows, or none."""
    key, who, speech = form_id(), door.principal(), words()
    try:
        wanted = _read(text("table"))
    except BadSheet as exc:
        said = speech.gettext(str(exc))
        if exc.line is not None:
            said = speech.gettext("Line {number}: {says}", number=exc.line, says=said)
        return _places({"table": said}, status=422)
    faults = once("place.import", key, lambda unit: places.import_many(unit, who, wanted))
    if faults:
        return _places(faults, status=422)
    door.keep_note("admin-kept")
    return redirect(HERE, 303)


def _read(table: str) -> list[NewPlace]:
    """Return the places of a table. Raises `BadSheet`."""
    found = [_place(line, row) for line, row in rows(table, _COLUMNS)]
    if not found:
        raise BadSheet(_NOTHING)
    return found


def _place(line: int, row: Mapping[str, str]) -> NewPlace:
    try:
        lat, lon = (float(row[one]) if row.get(one) else None for one in ("lat", "lon"))
    except ValueError as exc:
        raise BadSheet(_NOT_DEGREES, line) from exc
    new = NewPlace(row.get("name", ""), row.get("local_name") or None, lat, lon)
    try:
        places.check(new)
    except InvalidBody as exc:
        raise BadSheet(" ".join(faults_of(exc.errors, exc.detail).values()), line) from exc
    return new


def _places(faults: Faults, *, status: int = 200) -> Response:
    who = door.principal()
    with house().database.read() as database:
        listed = all_places(database, who.authority_id)
        head = reader(database, who)
    return page(
        "admin/places.html",
        status=status,
        reader=head,
        places=listed,
        faults=faults,
        table=text("table"),
        new_id=new_id,
    )
