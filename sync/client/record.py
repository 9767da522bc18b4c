"""What a phone knows of one record: the version it last pulled and its own ops on it.

Values only. `base` and `overlay` compute with them, `outbox` and `pulled` keep them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sync.op import WITHDRAWN, Op
from sync.wire import JSON

WAITING = "waiting"  # no answer yet, or the answer was `retry`
REFUSED = "refused"  # too large for the server even alone: only an export can save it

KeyOf = Callable[[str, JSON], JSON]  # set field, element -> the key that names it there

_ASIDE = frozenset({"held", "quarantined", REFUSED})


@dataclass(frozen=True)
class Head:
    """One entry of `stamps`: `op` is ready to be put in a base. `key`: adds of a set only."""

    op: str
    stamp: str
    key: JSON = None
    is_erased: bool = False

    def is_by(self, actor: str) -> bool:
        """Say whether this device made it: a stamp ends with its actor."""
        return self.stamp.rpartition("-")[2] == actor


@dataclass(frozen=True)
class Pulled:
    """A record as the server last sent it. `shown`: flat dotted names, sets as lists."""

    seq: int
    shown: Mapping[str, JSON]
    struck: Mapping[str, JSON]
    heads: Mapping[str, tuple[Head, ...]]
    reviews: tuple[JSON, ...] = ()
    open_reviews: frozenset[str] = frozenset()

    def heads_of(self, name: str) -> tuple[Head, ...]:
        """Return the ops nobody replaced in this field; for a set, its adds."""
        return self.heads.get(name, ())


NOTHING = Pulled(seq=0, shown={}, struck={}, heads={})


@dataclass(frozen=True)
class Own:
    """An op of this device, and what became of it.

    `seq`: where it stands in the ledger, once answered. `is_past`: a pull that began with its
    answer or later ran to the end. `parked`: the fields that were not merged.
    """

    op: Op
    status: str = WAITING
    seq: int | None = None
    is_past: bool = False
    code: str | None = None
    parked: frozenset[str] = frozenset()

    def sets(self, name: str) -> bool:
        """Say whether it gives this field a value (a retract does to `withdrawn`)."""
        return name in self.op.set or (name == WITHDRAWN and self.op.retract is not None)

    def is_answered(self) -> bool:
        """Say whether anything was decided about it."""
        return self.status != WAITING

    def is_aside(self, name: str | None = None) -> bool:
        """Say whether it, or its part in this field, is stored but was not merged."""
        if self.status == "quarantined" and self.parked:
            return name in self.parked
        return self.status in _ASIDE or name in self.parked

    def is_rejected(self) -> bool:
        """Say whether a reviewer refused to release it: it does not count."""
        return self.status == "rejected"

    def is_out(self, name: str | None = None) -> bool:
        """Say whether it, or its part in this field, was not merged, or not yet."""
        return self.is_rejected() or self.is_aside(name)


@dataclass(frozen=True)
class Ground:
    """What stood on the screen: the pulled record, the own ops in stamp order, and the heads the
    person has looked at under own newer values, by field.
    """

    pulled: Pulled = NOTHING
    own: tuple[Own, ...] = ()
    looked: Mapping[str, tuple[Head, ...]] = field(default_factory=dict)

    def with_newer(self, own: Sequence[Own]) -> Ground:
        """Add the own ops made since: one's own hand needs no looking at."""
        last = self.own[-1].op.stamp if self.own else ""
        newer = tuple(replace(o, seq=None, is_past=False) for o in own if o.op.stamp > last)
        return replace(self, own=self.own + newer)

    def covered(self) -> frozenset[str]:
        """Return the own ops that the pulled record contains (docs/protocol/sync.md section 5).

        A phone that has not been sent the record, because it may not read yet, keeps showing them.
        """
        done: list[str] = []
        for own in self.own:
            if not own.is_answered():
                break
            is_past = own.is_past and self.pulled.seq > 0
            if is_past or (own.seq is not None and self.pulled.seq >= own.seq):
                done.append(own.op.id)
        return frozenset(done)

    def on_top(self) -> tuple[Own, ...]:
        """Return the own ops that show over the pulled record, oldest first."""
        covered = self.covered()
        return tuple(own for own in self.own if own.op.id not in covered and not own.is_out())

    def unseen(self, name: str) -> tuple[Head, ...]:
        """Return the heads that an own value hides and that its author has not looked at."""
        if not any(own.sets(name) and name not in own.parked for own in self.on_top()):
            return ()
        seen = {named for own in self.own for named in own.op.base.get(name, ())}
        seen |= {head.op for head in self.looked.get(name, ())}
        seen |= {called for own in self.own for called in (own.op.id, own.op.key)}
        return tuple(head for head in self.pulled.heads_of(name) if head.op not in seen)

    def is_withdrawn(self) -> bool:
        """Say whether the record shows as withdrawn, own retracts included."""
        shown = self.pulled.shown.get(WITHDRAWN) is True
        for own in self.on_top():
            if own.sets(WITHDRAWN) and WITHDRAWN not in own.parked:
                shown = own.op.retract is not False
        return shown
