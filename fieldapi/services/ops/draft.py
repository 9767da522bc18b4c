"""A record while a push works on it: its merge state, its author, and what it will show.

Called by `push` and `release`. Holds no rules of merging: those are in `sync.merge`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from sqlalchemy.orm import Session

from fieldapi.clock import to_ms
from fieldapi.domain.records import merge_kind, missing
from fieldapi.models import RECORDS, ParkedOp
from fieldapi.services.ops import store
from fieldapi.services.ops.arrival import Arrival, read_filled
from fieldapi.services.ops.store import LockedRow, OpKey, StoredOp
from sync import merge
from sync.op import WITHDRAWN, Op, parse_op
from sync.wire import JSON, loads


@dataclass(slots=True)
class Draft:
    """One locked record. `waiting`: ops of this push that were stored but not yet judged, and so
    must not be folded in by a refold. `arrived`: all that came with this push. `admitted`: held ops
    that this unit lets in. `is_signed`: everything captured in it bears a device's signature; what
    a reviewer decides takes no part. `flags`: the doubts it showed when the push was through, of a
    record that is new with it; None for any other.
    """

    session: Session
    authority_id: str
    kind: str
    record_id: str
    row: LockedRow
    state: merge.State
    author_id: str | None
    author_actor: str | None
    waiting: set[OpKey] = field(default_factory=set)
    arrived: dict[OpKey, Arrival] = field(default_factory=dict)
    admitted: set[OpKey] = field(default_factory=set)
    is_signed: bool = True
    is_touched: bool = False
    flags: tuple[str, ...] | None = None
    _view: merge.View | None = None

    @classmethod
    def open(
        cls, session: Session, authority_id: str, key: store.RecordKey, row: LockedRow
    ) -> Draft:
        """Take up a locked record where its row left it."""
        state = merge.State.loads(row.heads) if row.heads else merge.State()
        kind, record_id = key
        made = cls(
            session, authority_id, kind, record_id, row, state, row.author_id, row.author_actor
        )
        made.is_signed = row.is_signed or not state.sources
        return made

    @property
    def is_first(self) -> bool:
        """Say whether nobody ever wrote to it before."""
        return not self.row.heads

    @property
    def shown(self) -> Mapping[str, JSON]:
        """Return what the record shows as of now."""
        return self.view.shown if self.is_touched else self.row.shown

    @property
    def view(self) -> merge.View:
        """Return shown values, reviews and heads as of now."""
        if self._view is None:
            self._view = merge.view(merge_kind(self.kind), self.state, author=self.author_id)
        return self._view

    @property
    def has_ops(self) -> bool:
        """Say whether any op was ever applied to it."""
        return self.is_touched or bool(self.row.heads)

    @property
    def is_withdrawal_disputed(self) -> bool:
        """Say whether a person has to decide if the record stands."""
        if WITHDRAWN not in self.state.heads:
            return False
        return any(one.field == WITHDRAWN for one in self.view.open_reviews)

    def expect(self, arrival: Arrival) -> None:
        """Know of an op that came with this push and is yet to be judged."""
        self.waiting.add(arrival.key)
        self.arrived[arrival.key] = arrival

    def apply(self, op: Op, *, is_signed: bool) -> None:
        """Merge one op, from the whole history where the heads alone do not tell."""
        if creates(op) and self.author_id is None:
            self.author_id, self.author_actor = op.by, op.actor
        merged = merge.apply(merge_kind(self.kind), self.state, op, author=self.author_id)
        self.waiting.discard((op.actor, op.id))
        self.is_signed = self.is_signed and (is_signed or op.is_decision)
        if merged is None:
            self.refold()
        else:
            self.state = merged
        self.is_touched, self._view = True, None

    def refold(self) -> None:
        """Rebuild the state from every op that is merged into this record."""
        history = self.history()
        merged = merged_ops(history, without=self.waiting, admitted=self.admitted)
        ops = [op for op, _ in merged]
        self.state = merge.fold(merge_kind(self.kind), ops, author=self.author_id)
        self.is_signed = are_signed(stored for _, stored in merged)
        self.is_touched, self._view = True, None

    def history(self) -> list[tuple[StoredOp, ParkedOp | None]]:
        """Return every stored op of the record, merged or not."""
        return store.history(self.session, self.authority_id, self.kind, self.record_id)

    def columns(self) -> dict[str, object]:
        """Return the row to write back."""
        view = self.view
        return {
            "id": self.record_id,
            "author_id": self.author_id,
            "author_actor": self.author_actor,
            "heads": self.state.dumps(),
            "shown": json.dumps(view.shown, ensure_ascii=False, separators=(",", ":")),
            "is_incomplete": self.author_id is None or bool(missing(self.kind, view.shown)),
            "is_withdrawn": view.is_withdrawn,
            "has_open_review": bool(view.open_reviews),
            "is_signed": self.is_signed,
            **RECORDS[self.kind].typed(view.shown),
        }


def creates(op: Op) -> bool:
    """Say whether an op makes its writer the author: a decision on a record is none of its own."""
    return op.is_new and (op.decision is None or not op.is_decision)


def merged_ops(
    history: list[tuple[StoredOp, ParkedOp | None]],
    *,
    without: Collection[OpKey] = (),
    admitted: Collection[OpKey] = (),
) -> list[tuple[Op, StoredOp]]:
    """Return the ops of a history that take part in the merge, with their parked fields named."""
    return [
        (read_back(stored, parked), stored)
        for stored, parked in history
        if (key := (stored.actor, stored.op)) not in without
        and (key in admitted or not is_kept_out(parked))
    ]


def are_signed(ops: Iterable[StoredOp]) -> bool:
    """Say whether there are ops, and all but decisions bear the signature of a device."""
    each = [one.is_signed or one.is_decision for one in ops]
    return bool(each) and all(each)


def is_kept_out(parked: ParkedOp | None) -> bool:
    """Say whether a whole op stays out of the merge."""
    if parked is None or parked.status in {"partial", "deferred"}:
        return False
    return parked.resolved != "released"


def was_let_in(parked: ParkedOp | None) -> bool:
    """Say whether a reviewer let the op in, for a reason; nobody then holds it again."""
    if parked is None or not parked.reason:
        return False
    is_in_part = parked.resolved is None and parked.status in {"partial", "deferred"}
    return is_in_part or parked.resolved == "released"


def read_back(stored: StoredOp, parked: ParkedOp | None) -> Op:
    """Return a stored op as it was merged: parsed, with what the server added."""
    return as_merged(stored, json.loads(parked.faults) if parked is not None else {})


def as_merged(stored: StoredOp, faults: Collection[str]) -> Op:
    """Return a stored op as it is merged when the fields named in `faults` stay out."""
    op = parse_op(loads(stored.payload))
    return replace(
        op,
        base={**op.base, **read_filled(stored.filled)} if stored.filled else op.base,
        effective=stored.effective,
        received=to_ms(stored.received_at),
        nobase=stored.nobase,
        is_decision=stored.is_decision,
        parked=frozenset(faults),
        erased=frozenset(json.loads(stored.erased)) if stored.erased else frozenset(),
        beside=frozenset(json.loads(stored.beside)) if stored.beside else frozenset(),
    )
