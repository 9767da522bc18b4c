"""Reviews: fields where two values stand and a person decides, and what it shows of each head.

A review has a derivable id, so it reopens under the same one. Called by `view`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from sync.clock import rfc3339
from sync.op import WITHDRAWN
from sync.state import State
from sync.strict import JSON

_REVIEWS = uuid5(NAMESPACE_URL, "urn:fieldapi:review")


def review_id(authority: str, kind: str, record: str, field: str) -> str:
    """Return the id of the review of a field: a UUIDv5, the same on every replica, for ever."""
    return str(uuid5(_REVIEWS, f"{authority}/{kind}/{record}/{field}"))


class HeadView(NamedTuple):
    """One head as a reviewer sees it. `op`: ready to be put in a base. `v`: the value as sent, for
    `withdrawn` the retract with its reason. `received`: ms. `decision`: {} if it names no review,
    None for an ordinary op.
    """

    op: str
    v: JSON
    t: str
    e: int
    by: str
    received: int | None = None
    decision: dict[str, JSON] | None = None
    is_erased: bool = False

    def as_json(self) -> dict[str, JSON]:
        """Return it as the protocol sends it."""
        said: dict[str, JSON] = {
            "v": self.v,
            "op": self.op,
            "t": self.t,
            "e": self.e,
            "by": self.by,
        }
        if self.received is not None:
            said["received_at"] = rfc3339(self.received)
        if self.decision is not None:
            said["decision"] = self.decision
        if self.is_erased:
            said["erased"] = True
        return said


@dataclass(frozen=True, slots=True)
class ReviewView:
    """A field on which a person has to decide (`is_open`) or has decided: `decided` is the
    decision that is shown, also while a later value has reopened it.
    """

    field: str
    is_open: bool
    heads: tuple[HeadView, ...]
    decided: HeadView | None = None

    @property
    def state(self) -> str:
        """Return `open` or `decided`."""
        return "open" if self.is_open else "decided"

    def as_json(self, authority: str, kind: str, record: str) -> dict[str, JSON]:
        """Return it as the protocol sends it; the arguments make its id."""
        said: dict[str, JSON] = {
            "id": review_id(authority, kind, record, self.field),
            "field": self.field,
            "state": self.state,
            "heads": [head.as_json() for head in self.heads],
        }
        if self.decided is not None:
            said["decided"] = self.decided.as_json()
        return said


def heads_of(state: State, labels: Sequence[str], name: str) -> dict[int, HeadView]:
    """Return the heads of a field by place; `labels`: what names each op in a base."""
    entries = state.heads.get(name, ())
    return {
        claim.place: HeadView(
            op=labels[claim.place],
            v=value,
            t=claim.source.t,
            e=claim.source.e,
            by=claim.source.by,
            received=claim.source.received,
            decision=claim.source.decision,
            is_erased=claim.is_erased,
        )
        for claim, (_, value) in zip(state.claims(name, entries), entries, strict=True)
    }


def is_retract_blind(state: State) -> bool:
    """Say whether a retract stands that neither knew some current head or add, nor was known to
    its author.
    """
    return any(
        not _knew_each_other(state, at, other)
        for at, retract in state.heads.get(WITHDRAWN, ())
        if retract is not False
        for other in _work(state)
    )


def _knew_each_other(state: State, retract: int, other: int) -> bool:
    source = state.sources[other]
    return other == retract or retract in source.seen or source.is_in(state.stars.get(retract, ()))


def _work(state: State) -> Iterable[int]:
    """Return the places of every op that has a head or an add, struck or not."""
    heads = (entries for name, entries in state.heads.items() if name != WITHDRAWN)
    return {at for entries in (*heads, *state.adds.values()) for at, _ in entries}
