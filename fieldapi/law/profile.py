"""What one version of a statute says, as frozen values with a source for each.

Made by `packs.py` from `statutes/*.toml`; read by flags, clocks, services and `/me`. Holds no
arithmetic. Must never import packs, SQL or Flask.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import TypeVar

from fieldapi.law.provenance import Provenance
from fieldapi.law.rules import Cap, Charge, Clock, Deduction, Gate, Scalar, Value


@dataclass(frozen=True)
class Label:
    """A noun in one language, for one and for more. `is_checked`: by a native speaker."""

    one: str
    other: str
    is_checked: bool


@dataclass(frozen=True)
class KindOfAnimal:
    """A kind with a code that never changes. `covers`: the words of the Acts that it stands for."""

    code: str
    order: int
    covers: tuple[str, ...]
    labels: Mapping[str, Label]


@dataclass(frozen=True)
class Cattle:
    """A kind that the statute counts as cattle."""

    kind: KindOfAnimal
    provenance: Provenance


@dataclass(frozen=True)
class Term:
    """A capacity, ground or kind of place: code, English label (a catalogue key), other spellings.

    `is_open`: the term takes in everyone or everything that no other term names.
    """

    code: str
    label: str
    aliases: frozenset[str]
    is_open: bool
    provenance: Provenance

    def is_called(self, code: str) -> bool:
        """Say whether `code` is this term, under its own or another spelling."""
        return code == self.code or code in self.aliases


@dataclass(frozen=True)
class SeizureRule:
    """Who may seize, where and why, and to which pound: of the `village`, `area`, or `nearest`."""

    rule: str
    capacities: frozenset[str]
    grounds: frozenset[str]
    place_kinds: frozenset[str]
    damage_required: bool
    pound: str
    provenance: Provenance


@dataclass(frozen=True)
class StatuteProfile:
    """One version of one statute. `known_kinds`: every kind of the product, cattle here or not.

    `digest` is the SHA-256 of all that has legal effect in it, in hex; a case keeps it.
    `confirmations`: keys of values that an authority confirmed, so that they may block.
    """

    series: str
    version: str
    name: str
    state: str
    effective_from: date
    effective_to: date | None
    languages: tuple[str, ...]
    cattle: tuple[Cattle, ...]
    capacities: tuple[Term, ...]
    grounds: tuple[Term, ...]
    place_kinds: tuple[Term, ...]
    seizure_rules: tuple[SeizureRule, ...]
    clocks: tuple[Clock, ...]
    known_kinds: frozenset[str]
    digest: str
    gates: tuple[Gate, ...] = ()
    charges: tuple[Charge, ...] = ()
    deductions: tuple[Deduction, ...] = ()
    caps: tuple[Cap, ...] = ()
    values: tuple[Value, ...] = ()
    confirmations: frozenset[str] = frozenset()

    def confirmed(self, keys: frozenset[str]) -> "StatuteProfile":
        """Return the profile of an authority that confirmed these values for itself."""
        return replace(self, confirmations=self.confirmations | keys)

    def may_block(self, why: Provenance, *members: str) -> bool:
        """Say whether a value may forbid something: read or confirmed, and on no silent member."""
        if not (why.is_verified or why.key in self.confirmations):
            return False
        silent = why.silent.intersection(members)
        return all(f"{why.key}.{member}" in self.confirmations for member in silent)

    def gate(self, code: str) -> Gate | None:
        """Return the gate with this code, or None: the Act has none."""
        return _coded(self.gates, code)

    def charge(self, line: str) -> Charge | None:
        """Return what is charged under this name, or None."""
        return _coded(self.charges, line)

    def deduction(self, branch: str) -> Deduction | None:
        """Return what a sale on this branch pays for, or None."""
        return _coded(self.deductions, branch)

    def cap(self, code: str) -> Cap | None:
        """Return the cap of this name, or None."""
        return _coded(self.caps, code)

    def value(self, code: str) -> Scalar:
        """Return a plain value of the Act, None if it has none of this name."""
        found = self.find_value(code)
        return None if found is None else found.value

    def find_value(self, code: str) -> Value | None:
        """Return a plain value with its source, or None."""
        return _coded(self.values, code)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Codes of the kinds that are cattle under this version."""
        return frozenset(one.kind.code for one in self.cattle)

    @property
    def transit_hours(self) -> int | None:
        """Hours within which seized cattle must be sent to a pound, None if the Act sets none."""
        clock = self.clock("24H")
        return None if clock is None else clock.amount

    def clock(self, rule: str) -> Clock | None:
        """Return the clock with this rule id, or None."""
        return next((one for one in self.clocks if one.rule == rule), None)

    def capacity(self, code: str) -> Term | None:
        """Return the capacity that `code` names, the open one for any other, or None."""
        return find_term(self.capacities, code)

    def ground(self, code: str) -> Term | None:
        """Return the ground that `code` names, or None."""
        return find_term(self.grounds, code)

    def place_kind(self, code: str) -> Term | None:
        """Return the kind of place that `code` names, the open one for any other, or None."""
        return find_term(self.place_kinds, code)

    def seizure_rules_for(self, capacity: str, place_kind: str) -> tuple[SeizureRule, ...]:
        """Return the rules under which this capacity may seize in this kind of place."""
        who, where = self.capacity(capacity), self.place_kind(place_kind)
        if who is None or where is None:
            return ()
        return tuple(
            rule
            for rule in self.seizure_rules
            if who.code in rule.capacities and where.code in rule.place_kinds
        )


def find_term(terms: tuple[Term, ...], code: str) -> Term | None:
    """Return the term that `code` names, else the open term, else None."""
    named = next((term for term in terms if term.is_called(code)), None)
    return named or next((term for term in terms if term.is_open), None)


Coded = TypeVar("Coded", Gate, Charge, Deduction, Cap, Value)


def _coded(entries: tuple[Coded, ...], code: str) -> Coded | None:
    return next((one for one in entries if one.code == code), None)
