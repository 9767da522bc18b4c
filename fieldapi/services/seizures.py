"""Seizure reports that come by REST: a new one with its animals and photos, and changes to one.

Both become ops and take the one write path; sync and REST cannot differ in what they store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import update

from fieldapi import ledger
from fieldapi.domain.access import Principal
from fieldapi.domain.records import DECIDING_ROLES
from fieldapi.domain.references import mint
from fieldapi.models import RECORDS, Seizure, WriterKey
from fieldapi.models.bulk import insert_many
from fieldapi.problems import (
    IdReuse,
    NotAllowed,
    NotFound,
    PreconditionFailed,
    PreconditionRequired,
    ReasonNeeded,
)
from fieldapi.queries import views
from fieldapi.services.ops import store
from fieldapi.services.ops.arrival import Arrival
from fieldapi.services.ops.build import Change, build, delivery_of
from fieldapi.services.ops.draft import Draft
from fieldapi.services.ops.push import take
from fieldapi.services.ops.scene import INDIA, Scene
from fieldapi.services.reports import Body, Reading
from fieldapi.services.requests import RequestId, bind
from fieldapi.unit import Unit
from sync.merge import review_id
from sync.wire import JSON

SERVER_DEVICE = 0
_PARENT = "seizure_id"


@dataclass(frozen=True, slots=True)
class Reported:
    """What became of a POST. `is_held`: it waits for the device to be confirmed."""

    seizure_id: str
    is_new: bool
    is_held: bool


def report(unit: Unit, principal: Principal, scene: Scene, body: Body) -> Reported:
    """Store a new report with its animals and photo announcements.

    Raises `InvalidBody` naming every fault, `IdReuse` if an id stands for something else.
    """
    reading = Reading(scene.profile)
    changes = _read_report(reading, body)
    reading.finish()
    seizure_id = changes[0].record_id
    request = RequestId("seizure", seizure_id, {**body})
    if not bind(unit, principal, request, current=lambda: _current(unit, principal, seizure_id)):
        return Reported(seizure_id, is_new=False, is_held=_is_held(unit, scene, seizure_id))
    _refuse_known(unit, principal, changes)
    changes[0] = _with_reference(unit, scene, changes[0])
    arrivals = _write(unit, principal, scene, changes)
    return Reported(seizure_id, is_new=True, is_held=any(one.held for one in arrivals))


def _read_report(reading: Reading, body: Body) -> list[Change]:
    seizure_id = reading.id_of(body, "")
    fields = reading.fields("seizure", body, "", without=("animals", "photos"))
    reading.require("seizure", fields, "", given="")
    fields.setdefault("origin", "api")
    changes = [Change("seizure", seizure_id, fields, seizure_id, is_new=True)]
    for kind, name in (("animal", "animals"), ("photo", "photos")):
        for path, child in reading.children(body, name):
            changes.append(_read_child(reading, kind, child, (path, seizure_id)))
    if not any(change.kind == "animal" for change in changes):
        reading.fault("animals", "A report names at least one lot of animals.")
    paths = [path for name in ("animals", "photos") for path, _ in reading.children(body, name)]
    reading.distinct(zip(["", *paths], [one.record_id for one in changes], strict=False))
    return changes


def _read_child(reading: Reading, kind: str, body: Body, place: tuple[str, str]) -> Change:
    path, seizure_id = place
    child_id = reading.id_of(body, path)
    fields = reading.fields(kind, body, path, without=(_PARENT,))
    reading.require(kind, fields, path, given=_PARENT)
    return Change(kind, child_id, {_PARENT: seizure_id, **fields}, seizure_id, is_new=True)


def _refuse_known(unit: Unit, principal: Principal, changes: Sequence[Change]) -> None:
    """Raise `IdReuse` if a record of one of the ids is there: a POST only creates."""
    for change in changes:
        row = unit.session.get(RECORDS[change.kind], (principal.authority_id, change.record_id))
        if row is not None and row.heads:
            raise IdReuse(
                f"The id of this {change.kind} is in use.",
                current=_current(unit, principal, change.record_id),
            )


def _current(unit: Unit, principal: Principal, seizure_id: str) -> JSON:
    """Return what an id stands for, as far as the caller may see it."""
    key = ("seizure", seizure_id)
    loaded = views.load(unit.session, principal.authority_id, [key])
    row = loaded.rows.get(key)
    if row is None:
        return None
    how = views.visibility(principal, row, loaded.seizures.get(seizure_id))
    return None if how == views.HIDDEN else views.record_of(row, loaded, how)


def _is_held(unit: Unit, scene: Scene, seizure_id: str) -> bool:
    row = unit.session.get(Seizure, (scene.authority_id, seizure_id))
    return row is None or not row.heads


def _with_reference(unit: Unit, scene: Scene, change: Change) -> Change:
    """Give a report that brings no reference one of the server's own."""
    if change.fields.get("reference") is not None:
        return change
    reference = mint_reference(unit, scene)
    return Change(
        change.kind,
        change.record_id,
        {**change.fields, "reference": reference},
        change.source,
        is_new=True,
    )


def mint_reference(unit: Unit, scene: Scene) -> str:
    """Return the next reference of the server's own series, device `00`, of this month (IST)."""
    today = unit.now.astimezone(INDIA).date()
    series = f"reference/{today:%y%m}"
    empty = {
        "authority_id": scene.authority_id,
        "actor": series,
        "last_stamp": "",
        "built": 0,
    }
    insert_many(unit.session, WriterKey, [empty])
    counter = unit.session.scalar(
        update(WriterKey)
        .where(WriterKey.authority_id == scene.authority_id, WriterKey.actor == series)
        .values(built=WriterKey.built + 1)
        .returning(WriterKey.built)
        .execution_options(synchronize_session=False)
    )
    return mint(
        scene.code, SERVER_DEVICE, year=today.year, month=today.month, counter=int(counter or 0)
    )


def _write(
    unit: Unit, principal: Principal, scene: Scene, changes: Sequence[Change]
) -> list[Arrival]:
    delivery = delivery_of(unit, principal, scene)
    arrivals, _ = take(unit, delivery, build(unit, delivery, changes))
    return arrivals


def correct(  # noqa: PLR0913 - what a conditional change consists of
    unit: Unit,
    principal: Principal,
    scene: Scene,
    seizure_id: str,
    *,
    body: Body,
    seen: str | None,
) -> bool:
    """Change fields of a report; False if this is an identical resend.

    `seen`: the revision that the caller saw (`If-Match`); every field replaces its heads at that
    revision. Raises `NotFound`, `InvalidBody`, `IdReuse`, `PreconditionRequired`,
    `PreconditionFailed`, `ReasonNeeded`.
    """
    draft = _locked(unit, principal, seizure_id)
    reading = Reading(scene.profile)
    op_id = reading.id_of(body, "", "op")
    fields = reading.fields("seizure", body, "", without=("op", "reason"))
    if not fields:
        reading.fault("", "Name at least one field to change.")
    reading.finish()
    request = RequestId("seizure.change", op_id, {"id": seizure_id, **body})
    if not bind(unit, principal, request, current=lambda: _current(unit, principal, seizure_id)):
        return False
    _require_revision(unit, principal, seizure_id, seen)
    changes = _corrections(principal, draft, fields, (op_id, body.get("reason")))
    arrivals = _write(unit, principal, scene, changes)
    if all(one.held for one in arrivals):
        raise NotAllowed("This report is not yours to change.", reason="not-yours")
    return True


def _locked(unit: Unit, principal: Principal, seizure_id: str) -> Draft:
    """Lock a report that the caller sees whole. Raises `NotFound`."""
    key = ("seizure", seizure_id)
    loaded = views.load(unit.session, principal.authority_id, [key])
    row = loaded.rows.get(key)
    seizure = loaded.seizures.get(seizure_id)
    if row is None or views.visibility(principal, row, seizure) != views.WHOLE:
        raise NotFound
    locked = store.lock_records(unit.session, principal.authority_id, [key], unit.now)
    return Draft.open(unit.session, principal.authority_id, key, locked[key])


def _require_revision(unit: Unit, principal: Principal, seizure_id: str, seen: str | None) -> None:
    if seen is None:
        raise PreconditionRequired
    revision = revision_of(unit, principal.authority_id, seizure_id)
    if seen != revision:
        raise PreconditionFailed(current=_current(unit, principal, seizure_id), revision=revision)


def revision_of(unit: Unit, authority_id: str, seizure_id: str) -> str:
    """Return the revision that an ETag of this report carries now."""
    subject = f"seizure/{seizure_id}"
    epoch = ledger.head(unit.session, authority_id).epoch
    seqs = ledger.revisions(unit.session, authority_id, [subject])
    return f"{epoch}.{seqs.get(subject, 0)}"


def _corrections(
    principal: Principal,
    draft: Draft,
    fields: Mapping[str, JSON],
    what: tuple[str, JSON],
) -> list[Change]:
    """Return one change, or one decision per field for a reviewer: they write by decision alone."""
    op_id, reason = what
    base = {name: [head.op for head in draft.view.heads(name)] for name in fields}
    if draft.author_id == principal.person_id or not DECIDING_ROLES & principal.roles:
        return [Change("seizure", draft.record_id, fields, op_id, base=base)]
    if not isinstance(reason, str) or not reason.strip():
        raise ReasonNeeded
    return [
        Change(
            "seizure",
            draft.record_id,
            {name: value},
            f"{op_id}/{name}",
            base=base,
            decision={
                "review": review_id(draft.authority_id, "seizure", draft.record_id, name),
                "reason": reason,
            },
        )
        for name, value in fields.items()
    ]
