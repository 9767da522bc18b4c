"""A state in the making, and how base entries find the ops they name.

`fold` fills one from nothing, `apply` carries one on; what both do to it stands here once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sync.claim import Claim, Named, Source
from sync.classes.sets import NAME as SET
from sync.classes.sets import Struck
from sync.kind import Field, Kind
from sync.op import EVERYTHING, WITHDRAWN, Op
from sync.state import Entry, State, claims_of
from sync.strict import JSON


class Index:
    """Finds ops of a record by what a base entry says: `op` names every actor's, `actor/op` one."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        self._places: dict[str, list[int]] = {}
        for at, source in enumerate(sources):
            self._places.setdefault(source.op, []).append(at)

    def find(self, entry: str) -> Sequence[int]:
        """Return the places of the ops that `entry` names, none if they have not arrived."""
        actor, slash, op = entry.rpartition("/")
        places = self._places.get(op, ())
        return [at for at in places if self._sources[at].actor == actor] if slash else places

    def places(self, entries: Iterable[str]) -> set[int]:
        """Return the places of all ops that the entries name."""
        return {at for entry in entries for at in self.find(entry)}

    def has_twins(self) -> bool:
        """Say whether two actors hold one op id."""
        return len(self._places) < len(self._sources)

    def missing(self, op: Op) -> set[str]:
        """Return what an op's base names that has not arrived."""
        lists = [said for said in op.base.values() if said]
        return {entry for said in lists for entry in said if not self.find(entry)}

    def seen(self, op: Op, retracts: Collection[int]) -> list[int]:
        """Return the places of those `retracts` that an op's base names anywhere."""
        named = self.places(entry for entries in op.base.values() for entry in entries)
        return sorted(named.intersection(retracts))


def named_by(
    op: Op, new: Claim, field: Field, *, claims: Mapping[int, Claim], index: Index
) -> Named:
    """Return which `claims` of the field the op names; without a base, its actor's earlier too."""
    named = index.places(op.base.get(field.name, ()))
    if op.nobase:
        named |= {at for at, one in claims.items() if _is_own_earlier(one.source, op)}
    old = [claims[at] for at in sorted(named) if at in claims]
    return Named(new, old, field.competes, field.name in op.beside)


def _is_own_earlier(source: Source, op: Op) -> bool:
    return source.actor == op.actor and source.t < op.stamp


@dataclass(slots=True)
class Draft:
    """The parts of a state, to be changed. Lists are replaced, never changed in place: they may
    belong to the state this one started from.
    """

    kind: Kind
    sources: list[Source]
    heads: dict[str, Sequence[Entry]]
    past: dict[str, Sequence[Entry]]
    erased: dict[str, Sequence[int]]
    adds: dict[str, Sequence[Entry]]
    strikes: dict[str, Sequence[Struck]]
    stars: dict[int, Sequence[str]]
    nobase: dict[str, Mapping[str, str]]

    @classmethod
    def of(cls, kind: Kind, state: State) -> Draft:
        """Return a draft that starts where a state stands."""
        return cls(
            kind,
            list(state.sources),
            dict(state.heads),
            dict(state.past),
            dict(state.erased),
            dict(state.adds),
            dict(state.strikes),
            dict(state.stars),
            dict(state.nobase),
        )

    def note(self, op: Op, at: int) -> None:
        """Take down what an op says beside its values."""
        self._note_sets(op, at)
        if op.withdraws:
            self.stars[at] = op.base.get(EVERYTHING, ())
        for name in op.erased:
            self.erased[name] = [*self.erased.get(name, ()), at]
        for name, _ in op.values() if op.nobase else ():
            stamps = self.nobase.get(name, {})
            self.nobase[name] = {**stamps, op.actor: max(op.stamp, stamps.get(op.actor, ""))}

    def _note_sets(self, op: Op, at: int) -> None:
        for name, added in op.add.items():
            if self._is_set(name, op):
                said: Sequence[JSON] = [None] if name in op.erased else added
                self.adds[name] = [*self.adds.get(name, ()), *((at, one) for one in said)]
        for name, strikes in op.strike.items():
            if self._is_set(name, op):
                is_erased = name in op.erased
                struck = [Struck(one.ops, one.key, is_erased) for one in strikes]
                self.strikes[name] = [*self.strikes.get(name, ()), *struck]

    def _is_set(self, name: str, op: Op) -> bool:
        field = self.kind.fields.get(name)
        return field is not None and field.klass == SET and name not in op.parked

    def claims(self, name: str, entries: Iterable[Entry]) -> dict[int, Claim]:
        """Return entries of a field as claims, by place."""
        gone = self.erased.get(name, ())
        return {one.place: one for one in claims_of(self.sources, name, entries, gone=gone)}

    def settle(self, field: Field, heads: Sequence[Entry], replaced: Sequence[Entry]) -> None:
        """Put down the heads of a field, and what was replaced if its class still compares it."""
        self.heads[field.name] = heads
        if replaced and field.rules.KEEPS_REPLACED:
            self.past[field.name] = replaced

    def state(self, *, named: frozenset[str], cycles: frozenset[str], has_twins: bool) -> State:
        """Return the state; only a retract that stands needs to say what it knew."""
        if self.stars:
            standing = {at for at, _ in self.heads.get(WITHDRAWN, ())}
            self.stars = {at: knew for at, knew in self.stars.items() if at in standing}
        return State(
            self.sources,
            self.heads,
            self.past,
            self.erased,
            self.adds,
            self.strikes,
            self.stars,
            named,
            self.nobase,
            cycles,
            has_twins,
        )
