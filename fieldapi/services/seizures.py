"""Seizure reports that come by REST: the server's references for those that bring none, and
corrections of the version that somebody saw.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import bindparam, update

from fieldapi import ledger
from fieldapi.clock import INDIA
from fieldapi.domain.access import Principal
from fieldapi.domain.records import DECIDING_ROLES
from fieldapi.domain.references import mint
from fieldapi.domain.words import sentence
from fieldapi.models import RECORDS, RecordRow, WriterKey
from fieldapi.models.bulk import insert_many
from fieldapi.problems import (
    NotAllowed,
    NotFound,
    PreconditionFailed,
    PreconditionRequired,
    ReasonNeeded,
)
from fieldapi.queries import changed_since, views
from fieldapi.queries import seizures as queries
from fieldapi.services import records
from fieldapi.services.ops import store
from fieldapi.services.ops.build import Change
from fieldapi.services.ops.draft import Draft
from fieldapi.services.ops.scene import Scene
from fieldapi.services.records import Created
from fieldapi.services.reports import Body, Reading
from fieldapi.services.requests import RequestId, bind
from fieldapi.unit import Unit
from sync.merge import review_id
from sync.wire import JSON

SERVER_DEVICE = 0
_NOTHING = sentence("Name at least one field to change.")


@dataclass(frozen=True, slots=True)
class Reported:
    """A report that came by POST. `first`: what it answers if it is new and nothing hung on it
    before, without its revision; None if it has to be read.
    """

    created: Created
    first: dict[str, JSON] | None

    def answer(self) -> dict[str, JSON] | None:
        """Return `first` with the revision that the commit gave it."""
        if self.first is None or self.created.taken is None:
            return None
        entries = [
            one.entry
            for one in self.created.taken[0]
            if one.entry is not None and one.kind == "seizure"
        ]
        last = max(entries, key=lambda entry: entry.seq)
        return {**self.first, "rev": f"{last.epoch}.{last.seq}"}


def report(unit: Unit, principal: Principal, scene: Scene, body: Body) -> Reported:
    """Store a new report with its animals and photo announcements, as `records.create` does."""

    def with_reference(change: Change) -> Change:
        if change.fields.get("reference") is not None:
            return change
        reference = mint_reference(unit, scene)
        return replace(change, fields={**change.fields, "reference": reference})

    created = records.create(unit, principal, scene, "seizure", body=body, prepare=with_reference)
    return Reported(created, _first(unit, principal, created))


def _first(unit: Unit, principal: Principal, created: Created) -> dict[str, JSON] | None:
    """Return the answer to a new report out of the records in hand, where they are all there is."""
    if created.taken is None or created.is_held:
        return None
    arrivals, drafts = created.taken
    is_plain = all(one.is_merged for one in arrivals) and all(
        draft.is_first for draft in drafts.values()
    )
    # Told to others as a case that appears: something hung on it before it came.
    if not is_plain or unit.has_entered(f"case/{created.record_id}"):
        return None
    rows = [_row(draft, unit.now) for draft in drafts.values()]
    flags = {key: draft.flags or () for key, draft in drafts.items()}
    return queries.first(unit.session, principal, rows, flags)


def _row(draft: Draft, now: datetime) -> RecordRow:
    """Return the row that a new record has by now."""
    row = RECORDS[draft.kind]()
    columns = {**draft.columns(), "authority_id": draft.authority_id, "received_at": now}
    if draft.kind == "seizure":
        columns["state"] = store.FIRST_STATE
    for name, value in columns.items():
        setattr(row, name, value)
    return row


_COUNT_ON = (
    update(WriterKey)
    .where(WriterKey.authority_id == bindparam("at"), WriterKey.actor == bindparam("of"))
    .values(built=WriterKey.built + 1)
    .returning(WriterKey.built)
    .execution_options(synchronize_session=False)
)


def mint_reference(unit: Unit, scene: Scene) -> str:
    """Return the next reference of the server's own series, device `00`, of this month (IST)."""
    today = unit.now.astimezone(INDIA).date()
    series = f"reference/{today:%y%m}"
    mine = {"at": scene.authority_id, "of": series}
    counter = unit.session.scalar(_COUNT_ON, mine)
    if counter is None:
        first = {"authority_id": scene.authority_id, "actor": series}
        insert_many(unit.session, WriterKey, [{**first, "last_stamp": "", "built": 0}])
        counter = unit.session.scalar(_COUNT_ON, mine)
    return mint(
        scene.code, SERVER_DEVICE, year=today.year, month=today.month, counter=int(counter or 0)
    )


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
        reading.fault("", _NOTHING)
    reading.finish()
    request = RequestId("seizure.change", op_id, {"id": seizure_id, **body})
    if not bind(unit, principal, request, current=lambda: _current(unit, principal, seizure_id)):
        return False
    _require_revision(unit, principal, seizure_id, seen)
    changes = _corrections(principal, draft, fields, (op_id, body.get("reason")))
    arrivals = records.write(unit, principal, scene, changes)
    if all(one.held for one in arrivals):
        raise NotAllowed(sentence("This report is not yours to change."), reason="not-yours")
    return True


def _current(unit: Unit, principal: Principal, seizure_id: str) -> JSON:
    return records.current(unit, principal, Change("seizure", seizure_id, {}, ""))


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
        about = [f"seizure/{seizure_id}"]
        found = changed_since.changes(unit.session, principal.authority_id, about, seen)
        current = _current(unit, principal, seizure_id)
        raise PreconditionFailed(current=current, revision=revision, changes=found)


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
