"""Records made anew from their ops and the ledger, with nothing taken from their rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.orm import Session

from fieldapi.domain.records import merge_kind
from fieldapi.models import ParkedOp
from fieldapi.services.ops import store
from fieldapi.services.ops.draft import Draft, are_signed, as_merged, creates
from fieldapi.services.ops.store import History, LockedRow, OpKey, StoredOp
from fieldapi.services.replay.told import Told, told_of
from sync import merge
from sync.op import Op

_BARE = LockedRow(None, None, "", {})


@dataclass(frozen=True, slots=True)
class Waiting:
    """How an op waits, as `parked_op` lists it. `faults`: field → code."""

    status: str
    faults: Mapping[str, str]
    resolved: str | None
    by: str = field(default="", compare=False)
    code: str = field(default="", compare=False)
    received_at: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A record as its ops make it. `columns`: by name, `heads` as text. `received_at`: None for a
    record that no readable op names. `waiting`: its ops that wait; `listed`: what the database
    lists of them. `unknown`: ops of which the ledger says nothing; they take no part.
    """

    kind: str
    record_id: str
    columns: Mapping[str, object]
    received_at: datetime | None
    waiting: Mapping[OpKey, Waiting]
    listed: Mapping[OpKey, ParkedOp]
    unknown: tuple[str, ...]
    ops: int


def rebuild(
    session: Session, authority_id: str, kind: str, record_ids: Collection[str]
) -> dict[str, Rebuilt]:
    """Return the records of one kind as their ops make them, by id."""
    histories = store.histories(session, authority_id, kind, record_ids)
    names = [_name(stored) for history in histories.values() for stored, _ in history]
    told = told_of(session, authority_id, names)
    return {
        one: _rebuild(session, authority_id, (kind, one), histories.get(one, []), told=told)
        for one in record_ids
    }


def _rebuild(
    session: Session,
    authority_id: str,
    key: store.RecordKey,
    history: History,
    *,
    told: Mapping[str, Told],
) -> Rebuilt:
    known = [(stored, told[name]) for stored, _ in history if (name := _name(stored)) in told]
    known.sort(key=lambda one: one[1].received_seq)
    merged = _merged(known)
    author = next((op for op in merged if creates(op)), None)
    author_id = None if author is None else author.by
    state = merge.fold(merge_kind(key[0]), merged, author=author_id)
    actor = None if author is None else author.actor
    draft = Draft(session, authority_id, *key, _BARE, state, author_id, actor)
    draft.is_signed = are_signed(stored for stored, one in known if one.merged_seq is not None)
    return Rebuilt(
        *key,
        draft.columns(),
        next((stored.received_at for stored, one in known if one.names_record), None),
        _waiting(known),
        {(row.actor, row.op): row for _, row in history if row is not None},
        tuple(name for stored, _ in history if (name := _name(stored)) not in told),
        len(history),
    )


def _merged(known: Iterable[tuple[StoredOp, Told]]) -> list[Op]:
    """Return the ops that are part of the record, in the order in which they became so."""
    merged = [(one.merged_seq, stored, one) for stored, one in known if one.merged_seq is not None]
    merged.sort(key=lambda one: one[0])
    return [as_merged(stored, one.faults) for _, stored, one in merged]


def _waiting(known: Iterable[tuple[StoredOp, Told]]) -> dict[OpKey, Waiting]:
    return {
        (stored.actor, stored.op): Waiting(
            one.status,
            one.faults,
            one.resolved,
            one.by,
            one.code or next(iter(one.faults.values()), ""),
            stored.received_at,
        )
        for stored, one in known
        if one.status is not None
    }


def _name(stored: StoredOp) -> str:
    return f"{stored.actor}/{stored.op}"
