"""Keys a paper slip in: a report that was written by hand in the field, entered by a clerk.

It is marked as from paper (`origin`), and the clerk stands as its author.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flask import Response, redirect, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.clock import INDIA
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.register import typed
from fieldapi.console.register.fields import Choices
from fieldapi.console.sign_in import FORM
from fieldapi.domain.words import sentence
from fieldapi.ids import is_id, new_id
from fieldapi.law.profile import StatuteProfile
from fieldapi.problems import BadRequest, IdReuse, InvalidBody
from fieldapi.queries.authorities import all_pounds, authority
from fieldapi.services import seizures
from fieldapi.services.ops.scene import scene_of
from fieldapi.unit import Unit
from sync.wire import JSON

LOTS = 4
_SAID = ("capacity", "ground", "place_kind", "place_text", "survey_no", "pound_id", "reference")
_PLAIN = ("seized_at", *_SAID, "remarks", "lat", "lon")
_PEOPLE = ("seizer.name", "seizer.residence", "owner.name", "owner.parent", "owner.residence")
_DAMAGE = ("damage.text", "damage.crop")
_NOT_DEGREES = sentence("Write degrees as a number, e.g. 22.3561.")
_NO_HEADS = sentence("Write at least one kind with its number of heads.")
_SENT = sentence("This form was sent before with other content. Start again.")


@dataclass(slots=True)
class Slip:
    """A slip as it is typed. `lots`: kind, count and marks of each line."""

    id: str
    lot_ids: list[str]
    values: dict[str, str] = field(default_factory=dict)
    lots: list[tuple[str, str, str]] = field(default_factory=lambda: [("", "", "")] * LOTS)
    faults: dict[str, str] = field(default_factory=dict)


@blp.get("/slips/new")
@session("slip.key_in")
def slip() -> Response:
    """Show the empty slip. `pound`: where the cattle go."""
    made = Slip(new_id(), [new_id() for _ in range(LOTS)])
    made.values = {"pound_id": request.args.get("pound", "")}
    return _page(made)


@blp.post("/slips/new")
@session("slip.key_in")
@takes(FORM)
def key_in() -> Response | Redirect:
    """Store the report of a slip."""
    made, who = _typed(), door.principal()
    body = _body(made)
    if made.faults:
        return _page(made, status=422)

    def work(unit: Unit) -> str:
        scene = scene_of(unit, house().packs, who.authority_id)
        return seizures.report(unit, who, scene, body).created.record_id

    try:
        record = house().database.transact(work)
    except InvalidBody as exc:
        for path, said in exc.errors.items():
            made.faults[_field(path)] = " ".join(map(words().gettext, said))
        return _page(made, status=422)
    except IdReuse:
        made.faults["form"] = words().gettext(_SENT)
        return _page(made, status=409)
    door.keep_note("slip")
    return redirect(f"/console/cases/{record}", 303)


def _field(path: str) -> str:
    """Return the name of the field that a fault of the body belongs to."""
    if path.startswith("animals."):
        return f"count.{path.split('.')[1]}"
    return "place_text" if path.startswith("location") else path


def _typed() -> Slip:
    form = request.form
    ids = [form.get("id"), *(form.get(f"lot.{n}") for n in range(LOTS))]
    if not all(map(is_id, ids)):
        raise BadRequest("This form is not one of these pages.")
    made = Slip(str(ids[0]), [str(one) for one in ids[1:]])
    names = (*_PLAIN, *_PEOPLE, *_DAMAGE, "damage_done")
    made.values = {name: form.get(name, "").replace("\r\n", "\n").strip() for name in names}
    made.lots = [
        (form.get(f"kind.{n}", ""), form.get(f"count.{n}", "").strip(), form.get(f"marks.{n}", ""))
        for n in range(LOTS)
    ]
    return made


def _body(made: Slip) -> dict[str, JSON]:
    """Return the report that a slip says; what cannot be understood is noted in it."""
    values = made.values
    body: dict[str, JSON] = {"id": made.id, "origin": "paper"}
    body |= {name: values[name] for name in (*_SAID, "remarks") if values[name]}
    if values["damage_done"]:
        body["damage_done"] = True
    body |= _groups(values)
    _add_moment(made, body)
    _add_place(made, body)
    body["animals"] = _animals(made)
    return body


def _groups(values: Mapping[str, str]) -> dict[str, JSON]:
    found: dict[str, dict[str, JSON]] = {}
    for name in (*_PEOPLE, *_DAMAGE):
        group, _, member = name.partition(".")
        if values[name]:
            found.setdefault(group, {})[member] = values[name]
    if "owner" in found:
        found["owner"]["known"] = True
    return {group: dict(members) for group, members in found.items()}


def _add_moment(made: Slip, body: dict[str, JSON]) -> None:
    try:
        body["seized_at"] = typed.moment(made.values["seized_at"])
    except typed.Mistyped as exc:
        made.faults["seized_at"] = words().gettext(str(exc))


def _add_place(made: Slip, body: dict[str, JSON]) -> None:
    """Add the place in degrees if the slip has it; else say that paper has none."""
    lat, lon = made.values["lat"], made.values["lon"]
    if not lat and not lon:
        body["location_absent_reason"] = "paper"
        return
    try:
        body["location"] = {"lat": float(lat), "lon": float(lon), "source": "manual"}
    except ValueError:
        made.faults["lat"] = words().gettext(_NOT_DEGREES)


def _animals(made: Slip) -> JSON:
    found: list[JSON] = []
    for n, (kind, count, marks) in enumerate(made.lots):
        if not kind and not count:
            continue
        try:
            lot: dict[str, JSON] = {
                "id": made.lot_ids[n],
                "kind": kind,
                "count": typed.whole(count),
            }
        except typed.Mistyped as exc:
            made.faults[f"count.{n}"] = words().gettext(str(exc))
            continue
        found.append({**lot, "marks": marks.strip()} if marks.strip() else lot)
    if not found and not made.faults:
        made.faults["count.0"] = words().gettext(_NO_HEADS)
    return found


def _page(made: Slip, *, status: int = 200) -> Response:
    who, parts = door.principal(), house()
    today = parts.database.clock().astimezone(INDIA).date()
    with parts.database.read() as database:
        statute = authority(database, who.authority_id).statute
        pounds = all_pounds(database, who.authority_id)
        head = reader(database, who)
    profile = parts.packs.profile(statute, on=today)
    return page(
        "register/slip.html",
        status=status,
        reader=head,
        slip=made,
        choices={
            **_codes(profile),
            "pound_id": [(one.id, one.name) for one in pounds if one.closed_at is None],
        },
        kinds=[(code, words().kind(code, 2).capitalize()) for code in parts.packs.kinds],
    )


def _codes(profile: StatuteProfile) -> dict[str, Choices]:
    """Return what the statute lets be chosen: who may seize, why, and where."""
    return {
        "capacity": [(one.code, words().gettext(one.label)) for one in profile.capacities],
        "ground": [(one.code, words().gettext(one.label)) for one in profile.grounds],
        "place_kind": [(one.code, words().gettext(one.label)) for one in profile.place_kinds],
    }
