"""A phone in memory: own ops with what became of them, pulled records, cursor, clock.

Keeps in memory what `sync.client` keeps in its file, by the same rules
(docs/protocol/sync.md section 5); the rules themselves, `record.Ground` and `base`, are the
client's own. `world` calls it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from sync.client.record import NOTHING, Ground, Head, Own
from sync.clock import next_stamp, raise_last
from sync.op import Op
from sync.simulated.server import Answer, Bearer, Cursor, Outcome, Put, Request
from sync.simulated.stage import DAY_MS, MINUTE_MS

HONEST, LIAR, UNBASED = "honest", "liar", "unbased"
# How far a clock may be off; the last one says 1971.
DRIFTS = (0, 0, 0, 30_000, -45 * MINUTE_MS, 400 * DAY_MS, -400 * DAY_MS, -20_000 * DAY_MS)
_NO_PUT = Put("", 0, NOTHING, frozenset())
Place = tuple[str, str]  # record, field


@dataclass(slots=True)
class Phone:
    """One phone. `manner`: how it makes its bases. `drift`: how far its clock is off, ms.

    `form`: a screen that was opened and is still open. `known`: every op that the person ever saw
    in a field. `seen`: what the last pull that ran to its end showed, for one without bases.
    """

    at: int
    actor: str
    by: str
    manner: str
    standing: str
    is_reviewer: bool = False
    drift: int = 0
    last: str | None = None
    n: int = 0
    own: dict[str, Own] = field(default_factory=dict)
    of_record: dict[str, list[str]] = field(default_factory=dict)
    waiting: dict[str, None] = field(default_factory=dict)
    pulled: dict[str, Put] = field(default_factory=dict)
    looked: dict[Place, tuple[str, tuple[Head, ...]]] = field(default_factory=dict)
    cursor: Cursor | None = None
    form: tuple[str, Ground] | None = None
    known: dict[Place, set[str]] = field(default_factory=dict)
    seen: dict[str, Put] = field(default_factory=dict)

    def copy(self, at: int) -> Phone:
        """Return what a second phone is that got a copy of this one's storage."""
        return replace(
            self,
            at=at,
            own=dict(self.own),
            of_record={name: [*ids] for name, ids in self.of_record.items()},
            waiting=dict(self.waiting),
            pulled=dict(self.pulled),
            looked=dict(self.looked),
            known={place: set(ops) for place, ops in self.known.items()},
            seen=dict(self.seen),
        )

    def bearer(self) -> Bearer:
        """Return who this is to the server."""
        return Bearer(self.actor, self.standing, self.is_reviewer)

    def wall(self, now: int) -> int:
        """Return what its clock says at a moment."""
        return max(now + self.drift, 0)

    def stamp(self, now: int) -> str:
        """Take the next stamp."""
        self.last = next_stamp(self.wall(now), self.last, self.actor)
        self.n += 1
        return self.last

    def held_by(self, name: str) -> Put:
        """Return a record as last pulled, an empty one if it never was."""
        return self.pulled.get(name, _NO_PUT)

    def records(self) -> list[str]:
        """Return the records that it can show, in order."""
        return sorted({*self.pulled, *self.of_record})

    def ground(self, name: str) -> Ground:
        """Return what stands on the screen of a record."""
        own = tuple(self.own[one] for one in self.of_record.get(name, ()))
        looked = {f: heads for (r, f), (_, heads) in self.looked.items() if r == name}
        return Ground(self.held_by(name).pulled, own, looked)

    def keep(self, op: Op) -> None:
        """Save an op as it was captured; the next op on a field ends a look at it."""
        self.own[op.id] = Own(op)
        self.of_record.setdefault(op.record, []).append(op.id)
        self.waiting[op.id] = None
        for name in op.fields:
            self.looked.pop((op.record, name), None)

    def look(self, name: str, fields: frozenset[str]) -> None:
        """Let the person look at what stands under own values in these fields."""
        ids = self.of_record.get(name, [])
        stamp = self.own[ids[-1]].op.stamp if ids else ""
        for one in fields:
            heads = self.held_by(name).pulled.heads_of(one)
            self.looked[name, one] = (stamp, heads)
            self.known.setdefault((name, one), set()).update(head.op for head in heads)

    def request(self, now: int, *, most: int, limit: int) -> Request:
        """Return the next request: the oldest ops that wait, at most so many."""
        ids = [*self.waiting][:most]
        ops = tuple(self.own[one].op for one in ids)
        return Request(self.at, self.wall(now), self.cursor, limit, ops)

    def take(self, answer: Answer) -> None:
        """Save an answer."""
        for outcome in (*answer.results, *answer.outcomes):
            self._settle(outcome)
        for put in answer.puts:
            if put.seq >= self.held_by(put.record).seq:
                self.pulled[put.record] = put
        self.last = max(raise_last(self.last, answer.now, self.actor), *self._own_stamps(answer))
        self.cursor = answer.cursor
        if not answer.more:
            self._end_pull()

    def start_over(self) -> None:
        """Begin a new epoch: forget what was pulled, offer every op again."""
        self.pulled, self.looked, self.cursor = {}, {}, None
        self.own = {one: Own(own.op) for one, own in self.own.items()}
        self.waiting = dict.fromkeys(self.own)

    def _settle(self, told: Outcome) -> None:
        own = self.own.get(told.op)
        if own is not None:
            self.waiting.pop(told.op, None)
            self.own[told.op] = replace(
                own, status=told.status, seq=told.seq, parked=told.parked, is_past=False
            )

    def _own_stamps(self, answer: Answer) -> Iterator[str]:
        yield ""
        for put in answer.puts:
            for heads in put.pulled.heads.values():
                yield from (head.stamp for head in heads if head.is_by(self.actor))

    def _end_pull(self) -> None:
        for one, own in self.own.items():
            if own.seq is not None and not own.is_past:
                self.own[one] = replace(own, is_past=True)
        self.seen = dict(self.pulled)
