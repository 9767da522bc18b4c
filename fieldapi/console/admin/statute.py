"""Confirm this rule: values of the statute that nobody has verified, compared with a print by one
person and then by a second one. Until both did, such a value only warns.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from datetime import date

from flask import Response, redirect
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.clock import INDIA
from fieldapi.console import door
from fieldapi.console.admin.forms import Faults, form_id, once, text
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.sign_in import FORM
from fieldapi.domain import statute_labels
from fieldapi.domain.words import sentence
from fieldapi.ids import new_id
from fieldapi.law.profile import Cattle, StatuteProfile
from fieldapi.law.rules import Cap, Charge, Clock, Deduction, Value
from fieldapi.locale import LANGUAGE_NAMES
from fieldapi.models import StatuteConfirmation
from fieldapi.packs.entries import Entry
from fieldapi.problems import Conflict, NotAllowed
from fieldapi.queries import cases, register
from fieldapi.queries.authorities import authority
from fieldapi.services import confirmations
from fieldapi.services.confirmations import NewConfirmation

# Sources that are no print, by their titles in the statute files; a print keeps its own name.
_NO_PRINT = {
    str(title): title
    for title in (
        sentence("Recalled, not read"),
        sentence("Inferred from the words that can be read"),
        sentence("The order of a court or an authority, as it is recorded in the case"),
    )
}
# What stands in the heading or in the key already, or says nothing that a print would.
_IN_WORDS = frozenset({"code", "flag", "id", "is_open", "label", "name", "reason", "rule", "then"})
_PLAIN = (str, int, date, tuple)
_CATTLE = sentence("Animals that count as cattle: {names}")
_LANGUAGES = sentence("Languages of notices and papers: {names}")
_YES, _NO = sentence("Yes"), sentence("No")
Held = list[tuple[str, str]]
_SAME = sentence("A second person has to compare it.")
_DONE = sentence("Two persons have confirmed this.")


@dataclass(frozen=True, slots=True)
class Unverified:
    """A value that nobody has verified. `said`: what it says, in words; `held`: what the rule
    works with, each part with its name; `first`: who compared it first.
    """

    key: str
    said: str
    held: list[tuple[str, str]]
    section: str
    source: str
    confirmation: StatuteConfirmation | None
    first: str
    second: str


@blp.get("/admin/statute")
@session("statute.read")
def statute() -> Response:
    """List the values of the statute in force that nobody has verified."""
    return _page({})


@blp.post("/admin/statute")
@session("statute.confirm", is_great=True)
@takes(FORM)
def confirm_first() -> Response | Redirect:
    """Note that one person compared a value with a print."""
    key, who, packs = form_id(), door.principal(), house().packs
    new = NewConfirmation(key, text("key"), text("source"))
    faults = once(
        "statute_confirmation", key, lambda unit: confirmations.first(unit, who, packs, new)
    )
    if faults:
        return _page({**faults, "key": text("key")}, status=422)
    door.keep_note("admin-kept")
    return redirect(f"/console/admin/statute#{text('key')}", 303)


@blp.post("/admin/statute/<confirmation_id>/second")
@session("statute.confirm", is_great=True)
@takes(FORM)
def confirm_second(confirmation_id: str) -> Response | Redirect:
    """Confirm as the second person: from now on the value may block."""
    who = door.principal()
    try:
        house().database.transact(lambda unit: confirmations.second(unit, who, confirmation_id))
    except NotAllowed:
        return _page({"form": words().gettext(_SAME)}, status=403)
    except Conflict:
        return _page({"form": words().gettext(_DONE)}, status=409)
    door.keep_note("admin-kept")
    return redirect("/console/admin/statute", 303)


def _page(faults: Faults, *, status: int = 200) -> Response:
    who, parts = door.principal(), house()
    today = parts.database.clock().astimezone(INDIA).date()
    with parts.database.read() as database:
        here = authority(database, who.authority_id)
        profile = parts.packs.profile(here.statute, on=today)
        rows = register.confirmations_of(database, who.authority_id, profile.version)
        ids = {one for row in rows for one in (row.first_by, row.second_by) if one}
        names = cases.names(database, who.authority_id, ids)
        head = reader(database, who)
    known = {row.key: row for row in rows}
    return page(
        "admin/statute.html",
        status=status,
        reader=head,
        profile=profile,
        values=[_value(one, known, names) for one in _open(profile)],
        faults=faults,
        source=text("source"),
        provenances=_NO_PRINT,
        new_id=new_id,
        me=who.person_id,
    )


def _open(profile: StatuteProfile) -> list[tuple[str, str, Held, str, str]]:
    """Return the unverified values of a version: key, what it says and holds, section, source."""
    keys = confirmations.open_keys(house().packs, profile.version)
    return [
        (key, said_of(entry.value), held, entry.provenance.section, entry.provenance.source.title)
        for entry in house().packs.series[profile.series].entries
        for key, held in _parts(entry)
        if key in keys and entry.effective_to is None
    ]


def _parts(entry: Entry[object]) -> list[tuple[str, Held]]:
    """Return the keys of an entry and of its members that may be open, with what each holds."""
    silent = sorted(entry.provenance.silent)
    members = [
        (f"{entry.key}.{one}", _member(one, getattr(entry.value, one, None))) for one in silent
    ]
    return [(entry.key, held_of(entry.value)), *members]


def held_of(value: object) -> Held:
    """Return the plain members of an entry in words, e.g. `Period in hours: 24`."""
    if not is_dataclass(value):
        return []
    if isinstance(value, Value):
        return [("", _plain("", value.value))]
    held = {one.name: getattr(value, one.name) for one in fields(value)}
    if isinstance(value, Clock):
        held = {held.pop("unit"): held.pop("amount"), **held}
    shown = [
        _member(name, one)
        for name, one in held.items()
        if name not in _IN_WORDS and isinstance(one, _PLAIN)
    ]
    return [one for part in shown for one in part]


def _member(name: str, value: object) -> Held:
    if value in (None, ()):
        return []
    return [(words().gettext(statute_labels.MEMBERS.get(name, name)), _plain(name, value))]


def _plain(name: str, value: object) -> str:
    """Return what a member holds as people write it."""
    speech = words()
    if isinstance(value, bool):
        return speech.gettext(_YES if value else _NO)
    if isinstance(value, date):
        return speech.date(value)
    if isinstance(value, int):
        return speech.rupees(value) if name.endswith("_paise") else speech.number(value)
    known = statute_labels.ROLLS if name == "rolls" else statute_labels.CODES
    parts = value if isinstance(value, tuple) else str(value).split()
    return ", ".join(speech.gettext(known.get(one, one)) for one in parts)


def said_of(value: object) -> str:
    """Return what an entry says, in the words of the statute file as far as it has any."""
    if isinstance(value, Value):
        return words().gettext(statute_labels.VALUES.get(value.code, value.code))
    if isinstance(value, (Cap, Charge, Deduction)):
        return words().gettext(statute_labels.RULES.get(value.code, value.code))
    if isinstance(value, tuple):
        title = _CATTLE if any(isinstance(one, Cattle) for one in value) else _LANGUAGES
        return words().gettext(title, names=", ".join(_named(one) for one in value))
    for name in ("reason", "then", "label", "name"):
        said = getattr(value, name, None)
        if isinstance(said, str) and said:
            return words().gettext(said)
    return ""


def _named(one: object) -> str:
    """Return the name of a kind of animal or of a language."""
    if isinstance(one, Cattle):
        return words().kind(one.kind.code)
    return LANGUAGE_NAMES.get(str(one), str(one))


def _value(
    one: tuple[str, str, Held, str, str],
    known: dict[str, StatuteConfirmation],
    names: dict[str, str],
) -> Unverified:
    key, said, held, section, source = one
    row = known.get(key)
    first = names.get(row.first_by, "") if row else ""
    second = names.get(row.second_by or "", "") if row else ""
    return Unverified(key, said, held, section, source, row, first, second)
