"""What a record shows: values, stamps, struck elements, reviews. Computed, never stored as truth.

Called for every row that is saved, so the common case, one head in a field, takes no detour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from sync.claim import Claim, Source
from sync.classes.sets import elements
from sync.kind import Field, Kind
from sync.op import WITHDRAWN
from sync.reviews import HeadView, ReviewView, heads_of, is_retract_blind
from sync.state import State
from sync.strict import JSON

Mark: TypeAlias = "dict[str, JSON]"  # one op in `stamps`


class View(NamedTuple):
    """A record as it stands. `shown`: dotted field → value, a set as the list of its elements,
    `withdrawn` as a boolean once anyone retracted. `struck`: set → elements taken back. `stamps`:
    field → heads as `{op, t, e}`, a set's adds with `key`; an erased one says so. `erased`: fields
    that show an erased value. `reviews`: open ones, and those settled by a decision that stands.
    `labels`: what names each source of the `state` in a base.
    """

    state: State
    labels: Sequence[str]
    shown: dict[str, JSON]
    struck: dict[str, list[JSON]]
    stamps: dict[str, list[dict[str, JSON]]]
    erased: set[str]
    reviews: list[ReviewView]

    @property
    def is_withdrawn(self) -> bool:
        """Say whether the record shows as withdrawn."""
        return self.shown.get(WITHDRAWN) is True

    @property
    def open_reviews(self) -> list[ReviewView]:
        """Return the reviews that wait for a person."""
        return [review for review in self.reviews if review.is_open]

    def heads(self, name: str) -> list[HeadView]:
        """Return the ops of a field that nobody replaced."""
        return list(heads_of(self.state, self.labels, name).values())


def view(kind: Kind, state: State, *, author: str | None = None) -> View:
    """Return what a record shows. `author`: who created it, None while no such op is there.

    A field that the kind no longer has is not shown.
    """
    labels = _labels(state)
    seen = View(state, labels, {}, {}, {}, set(), [])
    marks = [_mark(label, source) for label, source in zip(labels, state.sources, strict=True)]
    for name, entries in state.heads.items():
        at, value = entries[0]
        is_plain = name in kind.fields and name not in state.erased
        if len(entries) == 1 and is_plain and state.sources[at].decision is None:
            seen.shown[name], seen.stamps[name] = value, [marks[at]]
        elif name in kind.headed:
            _weigh(seen, kind.headed[name], marks, author=author)
    for name in state.adds:
        if name in kind.fields:
            _list(seen, kind.fields[name], marks)
    return seen


def _weigh(seen: View, field: Field, marks: Sequence[Mark], *, author: str | None) -> None:
    """See a field whose heads need the rules of its class."""
    name, state = field.name, seen.state
    claims = state.claims(name, state.heads[name])
    shown = field.rules.shown(claims, author)
    seen.shown[name] = shown.value
    seen.stamps[name] = [_marked(claim, marks) for claim in claims]
    if shown.is_erased:
        seen.erased.add(name)
    is_open = field.rules.is_open(claims) or (name == WITHDRAWN and is_retract_blind(state))
    is_decided = shown.is_decision and field.rules.REVIEWS
    if is_open or is_decided:
        heads = heads_of(state, seen.labels, name)
        decided = heads[shown.place] if is_decided else None
        seen.reviews.append(ReviewView(name, is_open, tuple(heads.values()), decided))


def _list(seen: View, field: Field, marks: Sequence[Mark]) -> None:
    """See a field whose elements are added and struck."""
    name, state = field.name, seen.state
    adds = state.claims(name, state.adds[name])
    present = [add for add in adds if not add.is_erased]
    listed = elements(field.key_of, present, state.strikes.get(name, ()))
    seen.shown[name] = [one.value for one in listed if not one.is_struck]
    struck = [one.value for one in listed if one.is_struck]
    if struck:
        seen.struck[name] = struck
    seen.stamps[name] = [
        _marked(add, marks)
        if add.is_erased
        else {**marks[add.place], "key": field.key_of(add.value)}
        for add in adds
    ]


def _mark(label: str, source: Source) -> Mark:
    return {"op": label, "t": source.t, "e": source.e}


def _marked(claim: Claim, marks: Sequence[Mark]) -> Mark:
    mark = marks[claim.place]
    return {**mark, "erased": True} if claim.is_erased else mark


def _labels(state: State) -> list[str]:
    """Return what names each op in a base: its id, `actor/op` where two actors hold it."""
    if not state.has_twins:
        return [source.op for source in state.sources]
    held = Counter(source.op for source in state.sources)
    return [source.key if held[source.op] > 1 else source.op for source in state.sources]
