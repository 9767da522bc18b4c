"""Takes out of the records what a person may have taken out (docs/adr/0004): values go, structure
stays, the ledger says what is gone.

Called by the api, the command line and the restore. The reason is kept beside the erasure and goes
into no ledger.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fieldapi.clock import format_instant
from fieldapi.domain.access import Principal, require
from fieldapi.domain.records import KINDS
from fieldapi.ids import is_id, new_id
from fieldapi.models import RECORDS, Erasure, OpPayload
from fieldapi.problems import Conflict, InvalidBody, NotFound, ReasonNeeded
from fieldapi.services import holds, outside
from fieldapi.services.authorise import OPERATOR, OPERATOR_ACTOR
from fieldapi.services.ops import audience, erasing, store
from fieldapi.services.ops.draft import Draft
from fieldapi.services.ops.erasing import Fields, Gone
from fieldapi.services.ops.push import write_back
from fieldapi.services.ops.store import OpKey
from fieldapi.unit import Unit
from sync.op import WITHDRAWN
from sync.wire import JSON

_WHAT = "erased"


@dataclass(frozen=True, slots=True)
class NewErasure:
    """What is to go. `record`: `kind/id`, or an id alone. Either `fields`, out of every op of the
    record, or `ops`, by `op`, `actor/op` or the hash of one that nobody could read.
    """

    id: str
    record: str
    reason: str
    fields: Sequence[str] = ()
    ops: Sequence[str] = ()


def erase(unit: Unit, principal: Principal, new: NewErasure, *, log: Path) -> Erasure:
    """Erase, and note it in the log outside the database. Raises `NotAllowed`, `NotFound`,
    `InvalidBody`, `ReasonNeeded`, `Conflict` while the case is held.
    """
    require(principal, "erasure.make")
    _check(new)
    kind, record_id = _record(unit, principal.authority_id, new.record)
    _refuse_held(unit, principal.authority_id, kind, record_id)
    draft = _locked(unit, principal.authority_id, kind, record_id)
    wanted = _wanted(draft, new)
    gone = erase_ops(unit, draft, wanted, actor=principal.actor, erasure=new.id)
    reason = new.reason.strip()
    row = _row(unit, draft, gone, erasure=new.id, by=principal.person_id, reason=reason)
    unit.session.add(row)
    unit.session.flush()
    outside.append(log, _line(row, gone))
    return row


def erase_all(
    unit: Unit, principal: Principal, record: tuple[str, str], *, reason: str, log: Path
) -> Erasure:
    """Erase every personal value of a record, as (kind, id). The row tells that it was done, even
    where nothing was left to go. Raises `NotAllowed`, `Conflict` while the case is held.
    """
    require(principal, "erasure.make")
    kind, record_id = record
    _refuse_held(unit, principal.authority_id, kind, record_id)
    draft, erasure = _locked(unit, principal.authority_id, kind, record_id), new_id()
    personal = [name for name, row in KINDS[kind].fields.items() if row.personal]
    wanted = erasing.by_fields(draft.history(), personal)
    gone = erase_ops(unit, draft, wanted, actor=principal.actor, erasure=erasure)
    row = _row(unit, draft, gone, erasure=erasure, by=principal.person_id, reason=reason)
    unit.session.add(row)
    unit.session.flush()
    outside.append(log, _line(row, gone))
    return row


def _refuse_held(unit: Unit, authority_id: str, kind: str, record_id: str) -> None:
    row = unit.session.get(RECORDS[kind], (authority_id, record_id))
    named = record_id if kind == "seizure" else getattr(row, "seizure_id", None)
    if named is not None and holds.is_held(unit.session, authority_id, named):
        raise Conflict("This case is held for a court, an inquiry or an open complaint.")


def erase_ops(
    unit: Unit, draft: Draft, wanted: Mapping[OpKey, Fields], *, actor: str, erasure: str
) -> Gone:
    """Erase values of the ops of one locked record: ops, heads, shown columns and entry at once."""
    gone = erasing.erase(unit, draft, wanted)
    moved = audience.case_moves(unit.session, [draft])
    write_back(unit, [draft])
    _enter(unit, draft, gone, actor=actor, erasure=erasure)
    audience.enter(unit, moved, actor=actor)
    return gone


def reapply(unit: Unit, lines: Iterable[Mapping[str, JSON]]) -> int:
    """Erase again, in a restored database, what was erased since its backup; returns how many
    erasures that were. Ops that are not here are known by name when a phone hands them in.
    """
    done = 0
    for line in lines:
        if line.get("what") == _WHAT and _reapply(unit, line):
            done += 1
    return done


def _reapply(unit: Unit, line: Mapping[str, JSON]) -> bool:
    authority_id, erasure, kind = (str(line.get(name)) for name in ("authority", "id", "kind"))
    if kind not in RECORDS or unit.session.get(Erasure, (authority_id, erasure)) is not None:
        return False
    told = Gone(
        {name: frozenset(fields) for name, fields in _lists(line.get("ops")).items()},
        _lists(line.get("beside")),
    )
    draft = _locked(unit, authority_id, kind, str(line.get("record")))
    erasing.remember(unit, authority_id, told)
    gone = erasing.erase(unit, draft, _here(unit, authority_id, told))
    write_back(unit, [draft])
    both = {name: [*told.beside.get(name, ()), *gone.beside.get(name, ())] for name in told.fields}
    beside = {name: sorted({*ops}) for name, ops in both.items() if ops}
    unit.session.add(_row(unit, draft, told, erasure=erasure, by=OPERATOR))
    _enter(unit, draft, Gone(told.ops, beside), actor=OPERATOR_ACTOR, erasure=erasure)
    return True


def _here(unit: Unit, authority_id: str, told: Gone) -> dict[OpKey, Fields]:
    """Return those of the ops that the restored database holds."""
    keys = {
        (actor, op): f for name, f in told.ops.items() for actor, _, op in [name.partition("/")]
    }
    return {key: f for key, f in keys.items() if unit.session.get(OpPayload, (authority_id, *key))}


def _row(  # noqa: PLR0913 - what an erasure consists of
    unit: Unit, draft: Draft, gone: Gone, *, erasure: str, by: str, reason: str = ""
) -> Erasure:
    return Erasure(
        authority_id=draft.authority_id,
        id=erasure,
        kind=draft.kind,
        record_id=draft.record_id,
        ops=json.dumps({name: sorted(fields) for name, fields in gone.ops.items()}),
        reason=reason,
        by=by,
        at=unit.now,
    )


def _lists(value: JSON) -> dict[str, list[str]]:
    members = value if isinstance(value, dict) else {}
    return {
        name: [str(one) for one in listed]
        for name, listed in members.items()
        if isinstance(listed, list)
    }


def _check(new: NewErasure) -> None:
    if bool(new.fields) is bool(new.ops):
        raise InvalidBody(errors={"fields": ["Name either fields or ops."]})
    if not new.reason.strip():
        raise ReasonNeeded(errors={"reason": ["Write why: it is kept beside the erasure."]})


def _record(unit: Unit, authority_id: str, named: str) -> tuple[str, str]:
    """Return kind and id of a record. Raises `NotFound`, `InvalidBody`."""
    kind, slash, record_id = named.rpartition("/")
    if not is_id(record_id) or (slash and kind not in RECORDS):
        raise InvalidBody(errors={"record": ["Name a record as kind/id, or by its id."]})
    kinds = [kind] if slash else list(RECORDS)
    found = [one for one in kinds if unit.session.get(RECORDS[one], (authority_id, record_id))]
    if not found:
        raise NotFound("There is no such record.")
    if len(found) > 1:
        listed = ", ".join(found)
        raise InvalidBody(errors={"record": [f"Several records have this id: {listed}."]})
    return found[0], record_id


def _locked(unit: Unit, authority_id: str, kind: str, record_id: str) -> Draft:
    key = (kind, record_id)
    locked = store.lock_records(unit.session, authority_id, [key], unit.now)
    return Draft.open(unit.session, authority_id, key, locked[key])


def _wanted(draft: Draft, new: NewErasure) -> dict[OpKey, Fields]:
    history = draft.history()
    if new.ops:
        strays = erasing.unreadable(draft.session, draft.authority_id, new.ops)
        wanted = strays | erasing.by_ops(history, new.ops)
        if len(wanted) < len(set(new.ops)):
            message = "Name ops of this record with something personal in them."
            raise InvalidBody(errors={"ops": [message]})
        return wanted
    rows = KINDS[draft.kind].fields
    plain = sorted(
        name
        for name in new.fields
        if name != WITHDRAWN and name in rows and not rows[name].personal
    )
    if plain:
        raise InvalidBody(errors={"fields": [f"Nothing personal: {', '.join(plain)}."]})
    wanted = erasing.by_fields(history, new.fields)
    if not wanted:
        raise InvalidBody(errors={"fields": ["No op of this record says anything there."]})
    return wanted


def _enter(unit: Unit, draft: Draft, gone: Gone, *, actor: str, erasure: str) -> None:
    unit.enter(
        draft.authority_id,
        "person.erased",
        subject=f"{draft.kind}/{draft.record_id}",
        actor=actor,
        moves=True,
        ops=sorted(gone.ops),
        fields=gone.fields,
        beside={name: [*ops] for name, ops in gone.beside.items()},
        erasure=erasure,
    )


def _line(row: Erasure, gone: Gone) -> dict[str, JSON]:
    ops: dict[str, JSON] = {name: [*sorted(fields)] for name, fields in gone.ops.items()}
    beside: dict[str, JSON] = {name: [*others] for name, others in gone.beside.items()}
    return {
        "what": _WHAT,
        "at": format_instant(row.at),
        "authority": row.authority_id,
        "id": row.id,
        "kind": row.kind,
        "record": row.record_id,
        "ops": ops,
        "beside": beside,
    }
