"""What a client knew of a record when it last looked, and its own ops beyond that: from these
follows the base of a change that comes without one.

Called by `rxdb`, whose clients send documents instead of ops. Reads only.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.domain.records import merge_kind
from fieldapi.services.ops import store
from fieldapi.services.ops.draft import merged_ops, read_back
from sync import merge
from sync.merge import WITHDRAWN
from sync.op import Op
from sync.wire import JSON, equal

REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Mine:
    """An op that the client's actor wrote. `waits`: `held` or `quarantined` while a person has to
    look at it. `faults`: the fields of it that were parked, and are still.
    """

    op: Op
    waits: str | None = None
    faults: frozenset[str] = frozenset()
    is_rejected: bool = False


@dataclass(frozen=True, slots=True)
class Sight:
    """A record as its client saw it. `seen`: what it showed then; None before any op of it was
    known. `mine`: every op of the client's actor, in stamp order; `beyond`: the ids of those that
    the client had not been shown back.
    """

    kind: str
    seen: merge.View | None = None
    mine: tuple[Mine, ...] = ()
    beyond: frozenset[str] = field(default_factory=frozenset)
    has_ops: bool = False

    def base_of(self, name: str) -> list[str]:
        """Return what an edit of this field replaces: the heads that were shown, and the client's
        own ops since: nobody is in conflict with himself.
        """
        heads = [] if self.seen is None else [head.op for head in self.seen.heads(name)]
        return _unique([*heads, *(one.op.key for one in self._open() if name in one.op.fields)])

    def adds_of(self, name: str, key: JSON) -> list[str]:
        """Return the adds of an element that the client knew: what a strike of it names."""
        key_of = merge_kind(self.kind).fields[name].key_of
        marks = [] if self.seen is None else self.seen.stamps.get(name, [])
        shown = [str(mark["op"]) for mark in marks if "key" in mark and equal(mark["key"], key)]
        own = [
            one.op.key
            for one in self._open()
            if any(equal(key_of(element), key) for element in one.op.add.get(name, ()))
        ]
        return _unique([*shown, *own])

    def everything(self) -> list[str]:
        """Return every head and add that the client knew: what a retract was made knowing."""
        shown = self.shown()
        own = [one.op.key for one in self._open() if one.op.set or one.op.add]
        return _unique([*shown, *own])

    def shown(self) -> list[str]:
        """Return every head and add that the client was shown, in whatever field."""
        marks = {} if self.seen is None else self.seen.stamps
        return [str(mark["op"]) for name, ops in marks.items() if name != WITHDRAWN for mark in ops]

    def parked_in(self, names: Collection[str]) -> str | None:
        """Return the client's newest op that waits with one of these fields, None if none does."""
        parked = [one.op.id for one in self.mine if not one.faults.isdisjoint(names)]
        return parked[-1] if parked else None

    def _open(self) -> Iterable[Mine]:
        return (one for one in self.mine if one.op.id in self.beyond and not one.is_rejected)


@dataclass(frozen=True, slots=True)
class Look:
    """A client's last look at one record. `seq`: how far in the ledger it had read; 0: not at
    all.
    """

    record_id: str
    seq: int


def sights_of(
    session: Session, authority_id: str, actor: str, *, kind: str, looks: Collection[Look]
) -> dict[str, Sight]:
    """Return, by record id, what the client that writes as `actor` knew at each of its looks."""
    ids = {look.record_id for look in looks}
    histories = store.histories(session, authority_id, kind, ids)
    subjects = [f"{kind}/{one}" for one in histories]
    merged = _merges(ledger.entries_about(session, authority_id, subjects))
    return {
        look.record_id: _sight(
            kind,
            histories.get(look.record_id, []),
            actor,
            known=_known(merged.get(f"{kind}/{look.record_id}", []), look.seq),
        )
        for look in looks
    }


Merge = tuple[int, str, bool]  # seq, `actor/op`, whether it was let in or taken out


def _merges(entries: Iterable[Mapping[str, object]]) -> dict[str, list[Merge]]:
    """Return by subject when ops came into the merge, and the few that went out again."""
    found: dict[str, list[Merge]] = {}
    for entry in entries:
        is_in = entry["kind"] in {"op.applied", "op.released"}
        if is_in or entry["kind"] == "op.held":
            one = (int(str(entry["seq"])), str(entry.get("op")), is_in)
            found.setdefault(str(entry["subject"]), []).append(one)
    return found


def _known(merges: Iterable[Merge], seq: int) -> frozenset[str]:
    known: set[str] = set()
    for at, name, is_in in merges:
        if at <= seq:
            (known.add if is_in else known.discard)(name)
    return frozenset(known)


def _sight(kind: str, history: store.History, actor: str, *, known: frozenset[str]) -> Sight:
    if not history:
        return Sight(kind)
    ops = [op for op, _ in merged_ops(history) if op.key in known]
    mine = sorted(_mine(history, actor), key=lambda one: one.op.stamp)
    return Sight(
        kind,
        merge.view(merge_kind(kind), merge.fold(merge_kind(kind), ops)) if ops else None,
        tuple(mine),
        frozenset(one.op.id for one in mine if one.op.key not in known or one.faults),
        has_ops=True,
    )


def _mine(history: store.History, actor: str) -> Iterable[Mine]:
    for stored, parked in history:
        if stored.actor != actor or (parked is not None and parked.status == "quarantined"):
            continue
        is_open = parked is not None and parked.resolved is None
        faults = frozenset(json.loads(parked.faults)) if parked is not None and is_open else None
        waits = None
        if parked is not None and is_open:
            waits = "held" if parked.status == "held" else "quarantined"
        yield Mine(
            read_back(stored, parked),
            waits,
            faults or frozenset(),
            is_rejected=parked is not None and parked.resolved == REJECTED,
        )


def _unique(ops: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(ops))
