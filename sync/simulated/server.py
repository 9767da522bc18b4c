"""A server in memory: takes ops once, merges them with `sync.merge`, and tells what moved.

As small as the protocol allows (docs/protocol/sync.md section 3): one transaction per
request, one series of `seq`, a pull that scans it. `world` calls it; `checks` look into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from sync.client.record import Head, Pulled
from sync.clock import effective_ms
from sync.merge import Kind, State, View, apply, fold, view
from sync.op import Op
from sync.simulated.stage import IMPOSSIBLE, KIND
from sync.strict import JSON

APPLIED, HELD, QUARANTINED, REJECTED = "applied", "held", "quarantined", "rejected"
CONFIRMED, PENDING, ENDED = "confirmed", "pending", "ended"


class Apply(Protocol):
    """What `sync.merge.apply` is."""

    def __call__(
        self, kind: Kind, state: State, op: Op, *, author: str | None = None
    ) -> State | None:
        """Return the state with one more op in it, None if only the history can tell."""
        ...


class Fold(Protocol):
    """What `sync.merge.fold` is."""

    def __call__(self, kind: Kind, ops: Iterable[Op], *, author: str | None = None) -> State:
        """Return the state that ops make."""
        ...


class Merge(NamedTuple):
    """The merge under test: the real one, or a broken one that the simulator must find out."""

    apply: Apply = apply
    fold: Fold = fold


class Cursor(NamedTuple):
    """How far a pull has come. `view`: what the phone might see then; another starts from 0."""

    epoch: int
    seq: int
    view: str


class Request(NamedTuple):
    """One request of a phone. `sender`: its place among the phones."""

    sender: int
    device_now: int
    cursor: Cursor | None
    limit: int
    ops: tuple[Op, ...]


class Put(NamedTuple):
    """A record as it is sent. `keys`: the ops that are merged in it."""

    record: str
    seq: int
    pulled: Pulled
    keys: frozenset[str]


class Outcome(NamedTuple):
    """What became of an op: told in the answer to it, and later to every phone of its actor."""

    seq: int
    actor: str
    op: str
    status: str
    parked: frozenset[str] = frozenset()


class Answer(NamedTuple):
    """One answer, whole."""

    epoch: int
    now: int
    results: list[Outcome]
    puts: list[Put]
    outcomes: list[Outcome]
    cursor: Cursor
    more: bool


class Bearer(NamedTuple):
    """Whose phone it is that speaks, as the server knows it."""

    actor: str
    standing: str
    is_reviewer: bool


class Record(NamedTuple):
    """A record: its state, who created it, and the ops merged in it."""

    state: State = State()
    author: str | None = None
    merged: tuple[Op, ...] = ()


class Backup(NamedTuple):
    """A server as it once was."""

    seq: int
    ops: Mapping[str, Outcome]
    held: Mapping[str, Op]
    records: Mapping[str, Record]
    moved: Mapping[str, int]
    outcomes: Sequence[Outcome]


class EpochChanged(Exception):
    """The cursor is from before a restore; nothing was done."""


@dataclass(slots=True)
class Server:
    """`ops`: what became of each, by key. `held`: those that wait, in order of receipt. `moved`:
    the newest `seq` of each record. `emptied`: records in which a field lost all its heads.
    """

    merge: Merge
    epoch: int = 0
    seq: int = 0
    ops: dict[str, Outcome] = field(default_factory=dict)
    held: dict[str, Op] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    moved: dict[str, int] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)
    emptied: list[str] = field(default_factory=list)
    _puts: dict[str, Put] = field(default_factory=dict)

    def exchange(self, request: Request, bearer: Bearer, now: int) -> Answer:
        """Take the ops, then tell what moved. Raises EpochChanged."""
        if request.cursor is not None and request.cursor.epoch != self.epoch:
            raise EpochChanged
        for op in request.ops:
            if op.key not in self.ops:
                self._take(op, bearer, device_now=request.device_now, now=now)
        results = [self.ops[op.key] for op in request.ops]
        cursor = request.cursor
        after = cursor.seq if cursor is not None and cursor.view == bearer.standing else 0
        return self._pull(results, bearer, after=after, limit=request.limit, now=now)

    def _take(self, op: Op, bearer: Bearer, *, device_now: int, now: int) -> None:
        """Store one op that is new, judged, and merge it unless it has to wait."""
        effective = effective_ms(op.at, device_now_ms=device_now, received_ms=now, issued_ms=0)
        judged = replace(
            op,
            effective=effective.ms,
            received=now,
            is_decision=bearer.is_reviewer and op.decision is not None,
            parked=frozenset(n for n, value in op.set.items() if value == IMPOSSIBLE),
        )
        author = self.records.get(op.record, Record()).author
        is_foreign = op.is_new and author not in (None, op.by)
        if bearer.standing != CONFIRMED or is_foreign:
            self.held[op.key] = judged
            self._say(judged, HELD)
            return
        self._merge(judged)
        self._say(judged, QUARANTINED if judged.parked else APPLIED)

    def _say(self, op: Op, status: str) -> Outcome:
        self.seq += 1
        said = Outcome(self.seq, op.actor, op.id, status, op.parked)
        self.ops[op.key] = said
        if status in (APPLIED, QUARANTINED):
            self.moved[op.record] = self.seq
        return said

    def _merge(self, op: Op) -> None:
        record = self.records.get(op.record, Record())
        author = op.by if op.is_new and record.author is None else record.author
        merged = (*record.merged, op)
        state = self.merge.apply(KIND, record.state, op, author=author)
        if state is None:
            state = self.merge.fold(KIND, merged, author=author)
        if not all(map(state.heads.get, record.state.heads)):
            self.emptied.append(op.record)
        self.records[op.record] = Record(state, author, merged)

    def release(self, key: str) -> None:
        """Let a held op in."""
        op = self.held.pop(key)
        self._merge(op)
        self.outcomes.append(self._say(op, APPLIED))

    def reject(self, key: str) -> None:
        """Turn a held op down."""
        self.outcomes.append(self._say(self.held.pop(key), REJECTED))

    def _pull(
        self, results: list[Outcome], bearer: Bearer, *, after: int, limit: int, now: int
    ) -> Answer:
        news: list[tuple[int, str]] = []
        if bearer.standing == CONFIRMED:
            news = sorted((seq, name) for name, seq in self.moved.items() if seq > after)
        told = [o for o in self.outcomes if o.seq > after and o.actor == bearer.actor]
        more = len(news) > limit
        reached = news[limit - 1][0] if more else self.seq
        return Answer(
            self.epoch,
            now,
            results,
            [self.put(name) for _, name in news[:limit]],
            [one for one in told if one.seq <= reached],
            Cursor(self.epoch, reached, bearer.standing),
            more,
        )

    def put(self, name: str) -> Put:
        """Return a record as it is sent now."""
        seq = self.moved[name]
        kept = self._puts.get(name)
        if kept is None or kept.seq != seq:
            record = self.records[name]
            shown = view(KIND, record.state, author=record.author)
            keys = frozenset(op.key for op in record.merged)
            kept = self._puts[name] = Put(name, seq, _pulled(seq, shown), keys)
        return kept

    def back_up(self) -> Backup:
        """Return a copy of everything that a backup holds."""
        return Backup(
            self.seq,
            dict(self.ops),
            dict(self.held),
            dict(self.records),
            dict(self.moved),
            [*self.outcomes],
        )

    def restore(self, backup: Backup) -> None:
        """Go back to a backup, in a new epoch."""
        self.epoch += 1
        self.seq = backup.seq + 1  # the entry that says so
        self.ops, self.held = dict(backup.ops), dict(backup.held)
        self.records, self.moved = dict(backup.records), dict(backup.moved)
        self.outcomes = [*backup.outcomes]
        self._puts = {}


def _pulled(seq: int, shown: View) -> Pulled:
    struck: dict[str, JSON] = {name: [*listed] for name, listed in shown.struck.items()}
    return Pulled(
        seq=seq,
        shown=shown.shown,
        struck=struck,
        heads={name: tuple(map(_head, marks)) for name, marks in shown.stamps.items()},
        open_reviews=frozenset(review.field for review in shown.reviews if review.is_open),
    )


def _head(mark: Mapping[str, JSON]) -> Head:
    return Head(str(mark["op"]), str(mark["t"]), mark.get("key"))
