"""What an op says in one field, and which older claims it replaces there.

The rules that hold in every field are here; `classes` add those of a class. Called by `fold` and
`merge`, which only differ in how they find the claims.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sync.strict import JSON


class Source(NamedTuple):
    """The op behind a claim. `decision`: what a reviewer's op settles, {} if it names no review,
    None for everybody else's. `seen`: places of the retracts that its base names.
    """

    op: str
    t: str
    by: str
    e: int
    received: int | None = None
    decision: dict[str, JSON] | None = None
    seen: Sequence[int] = ()

    @property
    def actor(self) -> str:
        """Return who minted the stamp."""
        return self.t[18:]

    @property
    def key(self) -> str:
        """Return `actor/op`: names this op and no other."""
        return f"{self.t[18:]}/{self.op}"

    @property
    def order(self) -> tuple[int, str, str]:
        """Return its place among concurrent values: effective ms, stamp, op."""
        return (self.e, self.t, self.op)

    def is_in(self, names: Iterable[str]) -> bool:
        """Say whether base or strike entries name this op, plainly or by actor."""
        return self.op in names or self.key in names


class Claim(NamedTuple):
    """One op's value in one field. `place`: of its source in the record's list of sources."""

    place: int
    source: Source
    value: JSON
    is_erased: bool = False

    @property
    def is_decision(self) -> bool:
        """Say whether a reviewer made it."""
        return self.source.decision is not None


class Named(NamedTuple):
    """What a new claim may replace. `competes`: the field does; `is_beside`: it once stood
    beside a value that was erased since.
    """

    new: Claim
    old: Sequence[Claim]
    competes: bool
    is_beside: bool

    def allowed(self) -> list[Claim]:
        """Return the old claims that the field's class may let it replace.

        Not itself, not an own one of equal or greater stamp and, where claims compete, not
        another person's.
        """
        return [old for old in self.old if self._may_replace(old)]

    def _may_replace(self, old: Claim) -> bool:
        mine, theirs = self.new.source, old.source
        if old.place == self.new.place or (mine.actor == theirs.actor and theirs.t >= mine.t):
            return False
        return not self.competes or self.new.is_decision or theirs.by == mine.by


def latest(claims: Iterable[Claim]) -> Claim:
    """Return the claim of greatest effective time."""
    return max(claims, key=lambda claim: claim.source.order)


def greatest_decision(claims: Iterable[Claim]) -> Claim | None:
    """Return the decision of greatest effective time, None if there is none."""
    return max(
        (claim for claim in claims if claim.is_decision),
        key=lambda claim: claim.source.order,
        default=None,
    )
