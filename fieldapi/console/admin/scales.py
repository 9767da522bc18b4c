"""The dated register: scales with a look at what they would levy, and whatever else switches rules
on. Nothing in it is edited: an entry is ended, and another takes its place.
"""

from __future__ import annotations

from flask import Response, redirect, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.clock import INDIA
from fieldapi.console import door, maps
from fieldapi.console.admin import drafts, drawn
from fieldapi.console.admin.drafts import APPOINTMENTS, Draft
from fieldapi.console.admin.drawn import FILES
from fieldapi.console.admin.entries import Around, entry, rates, would
from fieldapi.console.admin.forms import Faults, once, text
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.register import typed
from fieldapi.console.sign_in import FORM
from fieldapi.domain.geo import read_area
from fieldapi.domain.labels import NOTIFICATIONS
from fieldapi.domain.words import sentence
from fieldapi.ids import new_id
from fieldapi.problems import ActNotAllowed, Conflict, InvalidBody
from fieldapi.queries import register
from fieldapi.queries.authorities import all_pounds, authority
from fieldapi.queries.people import all_people
from fieldapi.services import fees, notifications
from fieldapi.services.notifications import SCHEDULES

_ENDS_BEFORE = sentence("It ends before.")
_ENDED_WRONG = sentence("Name today or a later day.")


@blp.get("/admin/register")
@session("notification.read")
def register_page() -> Response:
    """List the dated register, what is in force first."""
    return _page({})


@blp.post("/admin/register")
@session("notification.add")
@takes(FORM, FILES)
def preview_entry() -> Response:
    """Show what an entry says and would levy, and where it counts; nothing is stored."""
    draft = drafts.read()
    return _page(draft.faults, draft=draft, status=422 if draft.faults else 200)


@blp.post("/admin/register/enter")
@session("notification.add", is_great=True)
@takes(FORM, FILES)
def enter() -> Response | Redirect:
    """Enter what was looked at."""
    who, draft = door.principal(), drafts.read()
    new, faults = draft.new, draft.faults
    if new is not None:
        add = fees.add if new.kind in SCHEDULES else notifications.add
        try:
            faults = once("notification", new.id, lambda unit: add(unit, who, new))
        except ActNotAllowed as exc:
            faults = {"form": words().gettext(exc.detail)}
    if faults:
        draft.new = None
        return _page(faults, draft=draft, status=422)
    door.keep_note("admin-kept")
    return redirect("/console/admin/register", 303)


@blp.post("/admin/register/<notification_id>/end")
@session("notification.add", is_great=True)
@takes(FORM)
def end_entry(notification_id: str) -> Response | Redirect:
    """Name the last day of an entry: today or later."""
    who = door.principal()
    try:
        on = typed.day(text("on"))
        house().database.transact(lambda unit: notifications.end(unit, who, notification_id, on=on))
    except typed.Mistyped as exc:
        return _page({"on": words().gettext(str(exc))}, status=422)
    except InvalidBody:
        return _page({"on": words().gettext(_ENDED_WRONG)}, status=422)
    except Conflict:
        return _page({"on": words().gettext(_ENDS_BEFORE)}, status=409)
    door.keep_note("admin-kept")
    return redirect("/console/admin/register", 303)


def _page(faults: Faults, *, draft: Draft | None = None, status: int = 200) -> Response:
    who, parts, speech = door.principal(), house(), words()
    today = parts.database.clock().astimezone(INDIA).date()
    with parts.database.read() as database:
        rows = register.all_notifications(database, who.authority_id)
        pounds = all_pounds(database, who.authority_id)
        people = all_people(database, who.authority_id)
        here = authority(database, who.authority_id).area
        head = reader(database, who)
    around = Around(
        pounds={one.id: one.name for one in pounds},
        people={one.id: one.name for one in people},
        limits=None if here is None else read_area(here),
        places=maps.named(pounds),
        today=today,
    )
    entries = [entry(one, around, speech) for one in rows]
    entries.sort(key=lambda one: (one.is_over, one.view.kind, str(one.view.effective_from)))
    return page(
        "admin/register.html",
        status=status,
        reader=head,
        entries=entries,
        kinds=NOTIFICATIONS,
        schedules=SCHEDULES,
        appointments=APPOINTMENTS,
        columns=", ".join(drafts.COLUMNS),
        animals=[(code, speech.kind(code).capitalize()) for code in parts.packs.kinds],
        pounds=around.pounds,
        people=people,
        faults=faults,
        typed=request.form if draft is None else draft.typed,
        form_id=request.form.get("id") or new_id(),
        **_preview(draft, around),
    )


def _preview(draft: Draft | None, around: Around) -> dict[str, object]:
    """Return what is looked at before it is entered."""
    new, speech = None if draft is None else draft.new, words()
    limits = None if draft is None or new is None else draft.limits
    return {
        "preview": new,
        "would": would(new, speech),
        "rows": [] if new is None else rates(new.data, speech),
        "limits": None
        if limits is None
        else drawn.shown(limits, around.limits, around.places, speech),
    }
