"""New captured records that come by REST: a seizure, an aid, an intake, each with what belongs to
it. They become ops and take the one write path; sync and REST cannot differ in what they store.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import CompoundSelect, bindparam, literal, select, union_all
from sqlalchemy.orm import Session

from fieldapi.domain.access import Principal
from fieldapi.domain.words import sentence
from fieldapi.models import RECORDS
from fieldapi.models.once import among_named, made_once
from fieldapi.problems import IdReuse
from fieldapi.queries import views
from fieldapi.services.ops.arrival import Arrival
from fieldapi.services.ops.build import Change, build, delivery_of
from fieldapi.services.ops.push import Drafts, take
from fieldapi.services.ops.scene import Scene
from fieldapi.services.reports import Body, Reading
from fieldapi.services.requests import RequestId, bind
from fieldapi.unit import Unit
from sync.wire import JSON

# The lists of records inside a body: their kind, and the field that ties them to it.
CHILDREN: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "seizure": {"animals": ("animal", "seizure_id"), "photos": ("photo", "seizure_id")},
    "aid": {"photos": ("photo", "aid_id")},
    "intake": {"photos": ("photo", "intake_id")},
}
_NO_ANIMALS = sentence("A report names at least one lot of animals.")

Prepare = Callable[[Change], Change]
Taken = tuple[list[Arrival], Drafts]


@dataclass(frozen=True, slots=True)
class Created:
    """What became of a POST. `is_held`: it waits for the device to be confirmed, or for a
    reviewer, because it is not the sender's to write. `taken`: the ops of a new one and the
    records they made.
    """

    record_id: str
    is_new: bool
    is_held: bool
    taken: Taken | None = None


def create(  # noqa: PLR0913 - who writes where, and what
    unit: Unit, principal: Principal, scene: Scene, kind: str, *, body: Body, prepare: Prepare
) -> Created:
    """Store a new record of `kind` with the records inside its body.

    `prepare` may complete the record before it is stored. Raises `InvalidBody` naming every
    fault, `IdReuse` if an id stands for something else.
    """
    reading = Reading(scene.profile)
    changes = _read(reading, kind, body)
    reading.finish()
    head = changes[0]
    request = RequestId(kind, head.record_id, {**body})
    if not bind(unit, principal, request, current=lambda: current(unit, principal, head)):
        return Created(head.record_id, is_new=False, is_held=not _is_merged(unit, scene, head))
    _refuse_known(unit, principal, changes)
    taken = _take(unit, principal, scene, [prepare(head), *changes[1:]])
    is_held = any(one.held for one in taken[0])
    return Created(head.record_id, is_new=True, is_held=is_held, taken=taken)


def _read(reading: Reading, kind: str, body: Body) -> list[Change]:
    """Return the record and the ones inside it, the record first."""
    lists = CHILDREN[kind]
    record_id = reading.id_of(body, "")
    fields = reading.fields(kind, body, "", without=lists)
    reading.require(kind, fields, "", given="")
    if kind == "seizure":
        fields.setdefault("origin", "api")
    changes = [Change(kind, record_id, fields, record_id, is_new=True)]
    ids = [("", record_id)]
    for name, (child, link) in lists.items():
        for path, inner in reading.children(body, name):
            changes.append(_read_child(reading, child, inner, tie=(path, link, record_id)))
            ids.append((path, changes[-1].record_id))
    if kind == "seizure" and not any(change.kind == "animal" for change in changes):
        reading.fault("animals", _NO_ANIMALS)
    reading.distinct(ids)
    return changes


def _read_child(reading: Reading, kind: str, body: Body, *, tie: tuple[str, str, str]) -> Change:
    path, link, parent_id = tie
    child_id = reading.id_of(body, path)
    fields = reading.fields(kind, body, path, without=(link,))
    reading.require(kind, fields, path, given=link)
    return Change(kind, child_id, {link: parent_id, **fields}, parent_id, is_new=True)


def _refuse_known(unit: Unit, principal: Principal, changes: Sequence[Change]) -> None:
    """Raise `IdReuse` if a record of one of the ids is there: a POST only creates."""
    asked: dict[str, list[str]] = {kind: [] for kind in RECORDS}
    for change in changes:
        asked[change.kind].append(change.record_id)
    rows = unit.session.execute(
        _known(unit.session), {"authority": principal.authority_id, **asked}
    )
    known = {(kind, record_id) for kind, record_id in rows}
    for change in changes:
        if (change.kind, change.record_id) in known:
            raise IdReuse(
                f"The id of this {change.kind} is in use.",
                current=current(unit, principal, change),
            )


@made_once
def _known(session: Session) -> CompoundSelect[str, str]:
    """Return the query for the records of these ids that have any op: one for all kinds."""
    return union_all(
        *(
            select(literal(kind), row.id).where(
                row.authority_id == bindparam("authority"),
                among_named(session, row.id, kind),
                row.heads != "",
            )
            for kind, row in RECORDS.items()
        )
    )


def current(unit: Unit, principal: Principal, change: Change) -> JSON:
    """Return what an id stands for, as far as the caller may see it."""
    key = (change.kind, change.record_id)
    loaded = views.load(unit.session, principal.authority_id, [key])
    row = loaded.rows.get(key)
    if row is None:
        return None
    seizure = loaded.seizures.get(views.seizure_of(row) or "")
    how = views.visibility(principal, row, seizure)
    return None if how == views.HIDDEN else views.record_of(row, loaded, how)


def _is_merged(unit: Unit, scene: Scene, change: Change) -> bool:
    row = unit.session.get(RECORDS[change.kind], (scene.authority_id, change.record_id))
    return row is not None and bool(row.heads)


def write(
    unit: Unit, principal: Principal, scene: Scene, changes: Sequence[Change]
) -> list[Arrival]:
    """Build the ops of `changes` and take them; returns them judged."""
    arrivals, _ = _take(unit, principal, scene, changes)
    return arrivals


def _take(unit: Unit, principal: Principal, scene: Scene, changes: Sequence[Change]) -> Taken:
    delivery = delivery_of(unit, principal, scene)
    return take(unit, delivery, build(unit, delivery, changes))
