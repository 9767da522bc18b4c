"""The dated register: scales with a look at what they would levy, and whatever else switches rules
on. Nothing in it is edited: an entry is ended, and another takes its place.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date

from flask import Response, redirect, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.clock import INDIA
from fieldapi.console import door
from fieldapi.console.admin.forms import Faults, faults_of, form_id, once, text
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.register import typed
from fieldapi.console.sign_in import FORM
from fieldapi.domain.labels import NOTIFICATIONS
from fieldapi.domain.words import sentence
from fieldapi.ids import new_id
from fieldapi.problems import ActNotAllowed, Conflict, InvalidBody
from fieldapi.queries import register
from fieldapi.queries.authorities import all_pounds
from fieldapi.queries.people import all_people
from fieldapi.queries.register import NotificationView
from fieldapi.services import fees, notifications
from fieldapi.services.notifications import SCHEDULES, NewNotification
from sync.wire import JSON

_APPOINTMENTS = ("keeper", "proof_officer", "sale_officer")
_ENDS_BEFORE = sentence("It ends before.")
_ENDED_WRONG = sentence("Name today or a later day.")
_HEAD, _DAYS = 2, 3


@dataclass(slots=True)
class Entry:
    """An entry of the register, in words. `rates`: kind and amount."""

    view: NotificationView
    label: str
    since: str
    until: str
    pound: str
    rates: list[tuple[str, str]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    is_over: bool = False


@blp.get("/admin/register")
@session("notification.read")
def register_page() -> Response:
    """List the dated register, what is in force first."""
    return _page({})


@blp.post("/admin/register")
@session("notification.add")
@takes(FORM)
def preview_entry() -> Response:
    """Show what an entry says and would levy; nothing is stored."""
    try:
        new = _typed()
        notifications.check(new)
    except typed.Mistyped as exc:
        return _page({"form": words().gettext(str(exc))}, status=422)
    except InvalidBody as exc:
        return _page(faults_of(exc.errors, exc.detail), status=422)
    return _page({}, preview=new)


@blp.post("/admin/register/enter")
@session("notification.add", is_great=True)
@takes(FORM)
def enter() -> Response | Redirect:
    """Enter what was looked at."""
    who = door.principal()
    try:
        new = _typed()
        add = fees.add if new.kind in SCHEDULES else notifications.add
        faults = once("notification", new.id, lambda unit: add(unit, who, new))
    except typed.Mistyped as exc:
        faults = {"form": words().gettext(str(exc))}
    except ActNotAllowed as exc:
        faults = {"form": words().gettext(exc.detail)}
    if faults:
        return _page(faults, status=422)
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


def _typed() -> NewNotification:
    """Return the entry that a form says. Raises `Mistyped`, `BadRequest`."""
    kind = text("kind")
    return NewNotification(
        id=form_id(),
        kind=kind,
        number=text("number"),
        effective_from=typed.day(text("effective_from")),
        dated=typed.day(text("dated")) if text("dated") else None,
        effective_to=typed.day(text("effective_to")) if text("effective_to") else None,
        pound_id=text("pound_id") or None,
        area=text("area") or None,
        approved_by=text("approved_by") or None,
        data=_data(kind),
    )


def _data(kind: str) -> dict[str, JSON]:
    if kind in _APPOINTMENTS:
        return {"names": [*request.form.getlist("name")]}
    if kind not in SCHEDULES:
        return {}
    rates: list[JSON] = [
        {"kind": code, "paise": typed.rupees(text(f"rate.{code}"))}
        for code in house().packs.kinds
        if text(f"rate.{code}")
    ]
    return {"rates": rates}


def _page(faults: Faults, *, preview: NewNotification | None = None, status: int = 200) -> Response:
    who, parts = door.principal(), house()
    today = parts.database.clock().astimezone(INDIA).date()
    with parts.database.read() as database:
        rows = register.all_notifications(database, who.authority_id)
        pounds = {one.id: one.name for one in all_pounds(database, who.authority_id)}
        people = all_people(database, who.authority_id)
        head = reader(database, who)
    names = {one.id: one.name for one in people}
    entries = [_entry(one, pounds, names, today) for one in rows]
    entries.sort(key=lambda one: (one.is_over, one.view.kind, str(one.view.effective_from)))
    return page(
        "admin/register.html",
        status=status,
        reader=head,
        entries=entries,
        kinds=NOTIFICATIONS,
        schedules=SCHEDULES,
        appointments=_APPOINTMENTS,
        animals=[(code, words().kind(code).capitalize()) for code in parts.packs.kinds],
        pounds=pounds,
        people=people,
        faults=faults,
        typed=request.form,
        preview=preview,
        would=_would(preview),
        form_id=request.form.get("id") or new_id(),
        today=today,
    )


def _would(new: NewNotification | None) -> list[str]:
    """Return what a scale would levy for two heads of each kind, of feeding for three days."""
    if new is None or new.kind not in SCHEDULES:
        return []
    speech, said = words(), []
    for one in fees.preview(new, head=_HEAD, times=1):
        name, paise = speech.kind(one.kind or "", _HEAD), one.paise * _HEAD
        if new.kind == "feeding_rates":
            total = speech.rupees(paise * _DAYS)
            said.append(
                speech.gettext(
                    "{head} {kind} × {days} days = {sum}",
                    head=_HEAD,
                    kind=name,
                    days=_DAYS,
                    sum=total,
                )
            )
        else:
            said.append(f"{_HEAD} {name} = {speech.rupees(paise)}")
    return said


def _entry(
    one: NotificationView, pounds: dict[str, str], names: dict[str, str], today: date
) -> Entry:
    speech = words()
    listed = one.data.get("rates")
    rates = [rate for rate in listed if isinstance(rate, dict)] if isinstance(listed, list) else []
    named = one.data.get("names")
    appointed = named if isinstance(named, list) else []
    return Entry(
        view=one,
        label=speech.gettext(NOTIFICATIONS.get(one.kind, one.kind)),
        since=speech.date(one.effective_from),
        until=speech.date(one.effective_to) if one.effective_to else "",
        pound=pounds.get(one.pound_id or "", ""),
        rates=[_rate(rate) for rate in rates],
        names=[names.get(str(name), "") for name in appointed],
        is_over=one.effective_to is not None and one.effective_to < today,
    )


def _rate(rate: dict[str, JSON]) -> tuple[str, str]:
    """Return a rate in words: its kind and tier, and the amount."""
    speech, kind = words(), rate.get("kind")
    name = speech.kind(str(kind)).capitalize() if kind else speech.gettext("Any kind")
    bounds = {key: value for key, value in rate.items() if key.endswith(("_from", "_to")) and value}
    tier = f" ({json.dumps(bounds)[1:-1]})" if bounds else ""
    paise = rate.get("paise")
    amount = speech.rupees(int(str(paise))) if paise is not None else f"{rate.get('percent')} %"
    return f"{name}{tier}", amount
