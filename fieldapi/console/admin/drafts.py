"""Reads the form of the dated register: an entry to be, or what is wrong with it, by field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TypeVar

from flask import request
from werkzeug.datastructures import MultiDict

from fieldapi.console.admin.drawn import BadLimits, typed_limits
from fieldapi.console.admin.forms import Faults, faults_of, form_id, text
from fieldapi.console.admin.sheets import BadSheet, rows
from fieldapi.console.house import house
from fieldapi.console.pages import words
from fieldapi.console.register import typed
from fieldapi.domain.geo import Area
from fieldapi.domain.words import sentence
from fieldapi.problems import InvalidBody
from fieldapi.services import notifications
from fieldapi.services.notifications import SCHEDULES, NewNotification
from sync.wire import JSON

APPOINTMENTS = ("keeper", "proof_officer", "sale_officer")
COLUMNS = ("kind", "head_from", "head_to", "times_from", "times_to", "rupees", "first_day")
_BOUNDS = COLUMNS[1:5]
_NO_KIND = sentence("No kind of animal is called “{name}”.")
_NO_SUM = sentence("This line names no sum.")
Value = TypeVar("Value")


@dataclass(slots=True)
class Draft:
    """`new`: None as long as the form is not understood. `typed`: what the form says again, with
    the limits of a file in place of the file. `limits`: as they would count.
    """

    typed: MultiDict[str, str]
    faults: Faults = field(default_factory=dict)
    new: NewNotification | None = None
    limits: Area | None = None


def read() -> Draft:
    """Return what the form says. Raises `BadRequest` for a form that is not ours."""
    key, draft = form_id(), Draft(MultiDict(request.form.items(multi=True)))
    _take_limits(draft)
    data, dates = _data(draft), _dates(draft)
    if draft.faults:
        return draft
    new = NewNotification(
        id=key,
        kind=text("kind"),
        number=text("number"),
        effective_from=dates["effective_from"] or date.max,
        dated=dates["dated"],
        effective_to=dates["effective_to"],
        pound_id=text("pound_id") or None,
        area=text("area") or None,
        approved_by=text("approved_by") or None,
        data=data,
    )
    try:
        notifications.check(new)
        draft.new = new
    except InvalidBody as exc:
        draft.faults = faults_of(exc.errors, exc.detail)
    return draft


def _take_limits(draft: Draft) -> None:
    try:
        draft.limits, said = typed_limits()
        draft.typed["polygon"] = said
    except BadLimits as exc:
        draft.faults["polygon"] = words().gettext(exc.args[0])


def _dates(draft: Draft) -> dict[str, date | None]:
    return {
        name: _part(draft, name, typed.day) if text(name) or name == "effective_from" else None
        for name in ("effective_from", "dated", "effective_to")
    }


def _part(draft: Draft, name: str, read_one: Callable[[str], Value]) -> Value | None:
    """Return one field as it is read; what cannot be understood is a fault of that field."""
    try:
        return read_one(text(name))
    except typed.Mistyped as exc:
        draft.faults[name] = words().gettext(exc.args[0])
        return None


def _data(draft: Draft) -> dict[str, JSON]:
    kind, data = text("kind"), dict[str, JSON]()
    if draft.limits is not None:
        data["polygon"] = draft.limits.geojson()
    if kind in APPOINTMENTS:
        data["names"] = [*request.form.getlist("name")]
    if kind in SCHEDULES:
        data["rates"] = [*_flat(draft), *_tiers(draft)]
    if kind == "security_scale" and text("forfeit_percent"):
        data["forfeit_percent"] = _part(draft, "forfeit_percent", typed.whole)
    return data


def _flat(draft: Draft) -> list[JSON]:
    """Return the rates of single kinds; their faults are told together."""
    found: list[JSON] = [
        {"kind": code, "paise": _part(draft, f"rate.{code}", typed.rupees)}
        for code in house().packs.kinds
        if text(f"rate.{code}")
    ]
    said = [said for name, said in draft.faults.items() if name.startswith("rate.")]
    if said:
        draft.faults["data"] = said[0]
    return found


def _tiers(draft: Draft) -> list[JSON]:
    """Return the rows of a progressive scale that was pasted as a table."""
    speech, found = words(), list[JSON]()
    try:
        for line, row in rows(text("tiers"), COLUMNS):
            try:
                found.append(_tier(row))
            except typed.Mistyped as exc:
                raise BadSheet(exc.args[0], line) from exc
    except BadSheet as exc:
        said = speech.gettext(exc.args[0])
        if exc.line is not None:
            said = speech.gettext("Line {number}: {says}", number=exc.line, says=said)
        draft.faults["tiers"] = said
    return found


def _tier(row: Mapping[str, str]) -> JSON:
    bounds = {name: typed.whole(row[name]) for name in _BOUNDS if row.get(name)}
    told: dict[str, JSON] = {"kind": _kind(row.get("kind", "")), **bounds}
    said = row.get("rupees", "")
    if not said:
        raise typed.Mistyped(_NO_SUM)
    if said.endswith("%"):
        told["percent"] = typed.whole(said.removesuffix("%"))
    else:
        told["paise"] = typed.rupees(said)
    if row.get("first_day"):
        told["first_day_paise"] = typed.rupees(row["first_day"])
    return told


def _kind(name: str) -> str | None:
    """Return the code of a kind by its code or by what it is called here; None for every kind."""
    speech, sought = words(), name.casefold()
    if not sought:
        return None
    for code in house().packs.kinds:
        if sought in (code, speech.kind(code).casefold(), speech.kind(code, 2).casefold()):
            return code
    raise typed.Mistyped(sentence(_NO_KIND, name=name))
