"""What a record keeps of its ops, so that the next one costs no look at the history.

A cache: `fold` makes it from the ops alone, `apply` carries it on, `view` reads it. Saved as one
compact text beside the record.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias, TypedDict

from sync.claim import Claim, Source
from sync.classes.sets import Struck
from sync.op import WITHDRAWN, Op
from sync.strict import JSON

FORMAT = 1

Entry: TypeAlias = "tuple[int, JSON]"  # place of the source, value


class StateInvalid(ValueError):
    """A saved state of another format: fold the record again."""


class State(NamedTuple):
    """Heads, and what the next op may need. Two are equal if they say the same.

    `sources`: every op of the record. `heads`: field → claims that nobody replaced. `past`: those
    replaced whose values still count. `erased`: field → sources whose value is gone. `adds`,
    `strikes`: of sets. `stars`: by source, what a retract says it knew. `named`: base entries
    that have not arrived. `nobase`: field → actor → greatest stamp of an op without base.
    `cycles`: fields whose ops all replace each other. `has_twins`: two actors hold one op id.
    """

    sources: Sequence[Source] = ()
    heads: Mapping[str, Sequence[Entry]] = MappingProxyType({})
    past: Mapping[str, Sequence[Entry]] = MappingProxyType({})
    erased: Mapping[str, Sequence[int]] = MappingProxyType({})
    adds: Mapping[str, Sequence[Entry]] = MappingProxyType({})
    strikes: Mapping[str, Sequence[Struck]] = MappingProxyType({})
    stars: Mapping[int, Sequence[str]] = MappingProxyType({})
    named: frozenset[str] = frozenset()
    nobase: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    cycles: frozenset[str] = frozenset()
    has_twins: bool = False

    def claims(self, name: str, entries: Iterable[Entry]) -> list[Claim]:
        """Return entries of a field as claims."""
        return claims_of(self.sources, name, entries, gone=self.erased.get(name, ()))

    def retracts(self) -> frozenset[int]:
        """Return the places of every op that retracted or undid it."""
        entries = (*self.heads.get(WITHDRAWN, ()), *self.past.get(WITHDRAWN, ()))
        return frozenset(at for at, _ in entries)

    def dumps(self) -> str:
        """Return it as compact JSON, in the order of arrival."""
        saved: Saved = {"v": FORMAT, "o": self.sources}
        if self.heads:
            saved["h"] = self.heads
        if self.past:
            saved["p"] = self.past
        if self.adds:
            saved["a"] = self.adds
        if self.strikes:
            saved["x"] = self.strikes
        if self.stars:
            saved["r"] = list(self.stars.items())
        if self.named:
            saved["n"] = sorted(self.named)
        if self.erased or self.nobase or self.cycles or self.has_twins:
            self._save_rare(saved)
        return _ENCODER.encode(saved)

    def _save_rare(self, saved: Saved) -> None:
        if self.erased:
            saved["e"] = self.erased
        if self.nobase:
            saved["b"] = self.nobase
        if self.cycles:
            saved["c"] = sorted(self.cycles)
        if self.has_twins:
            saved["t"] = 1

    @classmethod
    def loads(cls, text: str) -> State:
        """Return what `dumps` wrote; the state of no ops for an empty text.

        Raises StateInvalid for another format.
        """
        if not text:
            return cls()
        saved: Saved = json.loads(text)
        if saved["v"] != FORMAT:
            raise StateInvalid(f"format {saved['v']}, not {FORMAT}")
        strikes = saved.get("x", {})
        return cls(
            sources=[Source(*source) for source in saved["o"]],
            heads=saved.get("h", {}),
            past=saved.get("p", {}),
            erased=saved.get("e", {}),
            adds=saved.get("a", {}),
            strikes={name: [Struck(*one) for one in struck] for name, struck in strikes.items()},
            stars=dict(saved.get("r", ())),
            named=frozenset(saved.get("n", ())),
            nobase=saved.get("b", {}),
            cycles=frozenset(saved.get("c", ())),
            has_twins="t" in saved,
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._said() == other._said()

    def __hash__(self) -> int:
        return hash(frozenset(source.key for source in self.sources))

    def _said(self) -> object:
        """Return what it says, whatever order the ops came in."""
        struck = ((name, one) for name, strikes in self.strikes.items() for one in strikes)
        return (
            {one.key: (*one[:6], self._keys(one.seen)) for one in self.sources},
            [self._entries(by_field) for by_field in (self.heads, self.past, self.adds)],
            sorted(_ENCODER.encode([name, *one]) for name, one in struck),
            {self.sources[at].key: sorted(knew) for at, knew in self.stars.items()},
            (self.named, self.nobase, self.cycles, self.has_twins),
        )

    def _entries(self, by_field: Mapping[str, Sequence[Entry]]) -> list[str]:
        return sorted(
            _ENCODER.encode([name, self.sources[at].key, value, at in self.erased.get(name, ())])
            for name, entries in by_field.items()
            for at, value in entries
        )

    def _keys(self, places: Iterable[int]) -> list[str]:
        return sorted(self.sources[at].key for at in places)


def claims_of(
    sources: Sequence[Source], name: str, entries: Iterable[Entry], *, gone: Sequence[int]
) -> list[Claim]:
    """Return entries of a field as claims; `gone`: the sources whose value was erased.

    A retract claims that it is one, or the undoing of one; never its reason, so an erasure takes
    nothing from it.
    """
    if name == WITHDRAWN:
        return [Claim(at, sources[at], value is not False) for at, value in entries]
    return [Claim(at, sources[at], value, at in gone) for at, value in entries]


def source_of(op: Op, seen: Iterable[int]) -> Source:
    """Return what a record keeps of an op itself."""
    decision: dict[str, JSON] | None = None
    if op.is_decision:
        said = op.decision
        decision = {} if said is None else {"review": said.review, "reason": said.reason}
    return Source(op.id, op.stamp, op.by, op.effective, op.received, decision, sorted(seen))


class Saved(TypedDict, total=False):
    """The text of a state. JSON has no tuples: what was one comes back as a list and is only ever
    taken apart.
    """

    v: int
    o: Sequence[Source]
    h: Mapping[str, Sequence[Entry]]
    p: Mapping[str, Sequence[Entry]]
    e: Mapping[str, Sequence[int]]
    a: Mapping[str, Sequence[Entry]]
    x: Mapping[str, Sequence[Struck]]
    r: Sequence[tuple[int, Sequence[str]]]
    n: Sequence[str]
    b: Mapping[str, Mapping[str, str]]
    c: Sequence[str]
    t: int


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)
