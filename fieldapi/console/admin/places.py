"""Pounds, the limits of the authority, and the days on which office and pound are closed."""

from __future__ import annotations

from datetime import date

from flask import Response, redirect, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.clock import INDIA
from fieldapi.console import door, maps
from fieldapi.console.admin import drawn
from fieldapi.console.admin.drawn import FILES
from fieldapi.console.admin.forms import Faults, form_id, once, text
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.register import typed
from fieldapi.console.sign_in import FORM
from fieldapi.domain.geo import Area, read_area
from fieldapi.domain.words import sentence
from fieldapi.ids import new_id
from fieldapi.models.authority import CALENDARS
from fieldapi.queries import register
from fieldapi.queries.authorities import all_pounds, authority
from fieldapi.services import authorities, calendars, pounds
from fieldapi.services.calendars import Change, ClosedOn
from fieldapi.services.pounds import NewPound
from fieldapi.unit import Unit

_NOT_DEGREES = sentence("Write degrees as a number, e.g. 22.3561.")
_NO_LIMITS = sentence("Choose a file, or paste its text.")
_NO_REASON = sentence("Write why it is closed.")


@blp.get("/admin/pounds")
@session("pound.read")
def pounds_page() -> Response:
    """List the pounds, and whether the limits of the authority are drawn."""
    return _pounds({})


@blp.post("/admin/pounds")
@session("pound.add", is_great=True)
@takes(FORM)
def add_pound() -> Response | Redirect:
    """Add a pound."""
    key, who = form_id(), door.principal()
    try:
        lat, lon = (float(text(name)) if text(name) else None for name in ("lat", "lon"))
    except ValueError:
        return _pounds({"lat": words().gettext(_NOT_DEGREES)}, status=422)
    new = NewPound(text("name"), lat, lon, id=key)
    faults = once("pound", key, lambda unit: pounds.add(unit, who, new))
    return _pounds(faults, status=422) if faults else _kept("/console/admin/pounds")


@blp.post("/admin/area")
@session("authority.change")
@takes(FORM, FILES)
def preview_area() -> Response:
    """Show limits of the authority on a map; nothing is stored."""
    limits, said, faults = _limits()
    return _pounds(faults, limits=limits, said=said, status=422 if faults else 200)


@blp.post("/admin/area/draw")
@session("authority.change", is_great=True)
@takes(FORM)
def set_area() -> Response | Redirect:
    """Draw the limits of the authority that were looked at."""
    key, who = form_id(), door.principal()
    limits, said, faults = _limits()
    if limits is not None:
        area = limits.geojson()
        faults = once("authority.area", key, lambda unit: authorities.set_area(unit, who, area))
    if faults:
        return _pounds(faults, said=said, status=422)
    return _kept("/console/admin/pounds")


def _limits() -> tuple[Area | None, str, Faults]:
    """Return the limits that a form says, their text, and what is wrong with them."""
    try:
        limits, said = drawn.typed_limits()
    except drawn.BadLimits as exc:
        return None, text("polygon"), {"polygon": words().gettext(exc.args[0])}
    return limits, said, {} if limits else {"polygon": words().gettext(_NO_LIMITS)}


@blp.get("/admin/calendars")
@session("calendar.read")
def calendars_page() -> Response:
    """List the closed days of both calendars."""
    return _calendars({})


@blp.post("/admin/calendars")
@session("calendar.change", is_great=True)
@takes(FORM)
def close_day() -> Response | Redirect:
    """Close a day, or open one again."""
    key, who, speech = form_id(), door.principal(), words()
    chosen = [one for one in request.form.getlist("calendar") if one in CALENDARS] or [*CALENDARS]
    try:
        day = typed.day(text("day"))
    except typed.Mistyped as exc:
        return _calendars({"day": speech.gettext(str(exc))}, status=422)
    is_open = request.form.get("step") == "open"
    if not is_open and not text("reason"):
        return _calendars({"reason": speech.gettext(_NO_REASON)}, status=422)
    closed = [] if is_open else [ClosedOn(day, text("reason"))]
    opened = [day] if is_open else []

    def change(unit: Unit) -> None:
        for one in chosen:
            calendars.change(unit, who, Change(one, closed, opened))

    faults = once("calendar.change", key, change)
    return _calendars(faults, status=422) if faults else _kept("/console/admin/calendars")


def _kept(where: str) -> Redirect:
    door.keep_note("admin-kept")
    return redirect(where, 303)


def _pounds(
    faults: Faults, *, limits: Area | None = None, said: str = "", status: int = 200
) -> Response:
    """Show the pounds, and the limits as they are. `limits`: new ones to be looked at first."""
    who, speech = door.principal(), words()
    with house().database.read() as database:
        listed = all_pounds(database, who.authority_id)
        here = authority(database, who.authority_id)
        head = reader(database, who)
    now = None if here.area is None else read_area(here.area)
    places = maps.named(listed)
    return page(
        "admin/pounds.html",
        status=status,
        reader=head,
        pounds=listed,
        here=here,
        faults=faults,
        typed=request.form,
        said=said,
        limits=None if limits is None else drawn.shown(limits, now, places, speech),
        now=None if now is None else drawn.shown(now, None, places, speech),
        new_id=new_id,
    )


def _calendars(faults: Faults, *, status: int = 200) -> Response:
    who, now = door.principal(), house().database.clock()
    with house().database.read() as database:
        days = register.closed_days(database, who.authority_id)
        head = reader(database, who)
    merged: dict[tuple[date, str], list[str]] = {}
    for one in days:
        merged.setdefault((one.day, one.reason), []).append(one.calendar)
    today = now.astimezone(INDIA).date()
    coming = sorted(item for item in merged.items() if item[0][0] >= today)
    return page(
        "admin/calendars.html",
        status=status,
        reader=head,
        days=coming,
        past=len(merged) - len(coming),
        faults=faults,
        typed=request.form,
        new_id=new_id,
    )
