"""What a record shows: values, stamps, struck elements, reviews. Computed, never stored as truth.

Called for every row that is saved, so the common case, one head in a field, takes no detour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from sync.claim import Claim
from sync.classes.sets import elements
from sync.kind import Kind
from sync.op import WITHDRAWN
from sync.reviews import HeadView, ReviewView, heads_of, is_retract_blind
from sync.state import Entry, State
from sync.strict import JSON


@dataclass(frozen=True, slots=True)
class View:
    """A record as it stands. `shown`: dotted field → value, a set as the list of its elements,
    `withdrawn` as a boolean once anyone retracted. `struck`: set → elements taken back. `stamps`:
    field → heads as `{op, t, e}`, a set's adds with `key`. `erased`: fields that show an erased
    value. `reviews`: open ones, and those settled by a decision that stands.
    """

    shown: dict[str, JSON]
    struck: dict[str, list[JSON]]
    stamps: dict[str, list[dict[str, JSON]]]
    erased: frozenset[str]
    reviews: list[ReviewView]
    is_withdrawn: bool
    _state: State = field(repr=False)
    _labels: Sequence[str] = field(repr=False)

    def heads(self, name: str) -> list[HeadView]:
        """Return the ops of a field that nobody replaced."""
        return list(heads_of(self._state, self._labels, name).values())

    @property
    def open_reviews(self) -> list[ReviewView]:
        """Return the reviews that wait for a person."""
        return [review for review in self.reviews if review.is_open]


def view(kind: Kind, state: State, *, author: str | None = None) -> View:
    """Return what a record shows. `author`: who created it, None while no such op is there.

    A field that the kind no longer has is not shown.
    """
    viewing = _Viewing(kind, state, author)
    for name, entries in state.heads.items():
        viewing.look_at(name, entries)
    for name in state.adds:
        viewing.look_at_set(name)
    return viewing.view()


class _Viewing:
    """One pass over a state."""

    def __init__(self, kind: Kind, state: State, author: str | None) -> None:
        self._kind, self._state, self._author = kind, state, author
        self._labels = _labels(state)
        self._marks: list[dict[str, JSON]] = [
            {"op": label, "t": source.t, "e": source.e}
            for label, source in zip(self._labels, state.sources, strict=True)
        ]
        self._shown: dict[str, JSON] = {}
        self._struck: dict[str, list[JSON]] = {}
        self._stamps: dict[str, list[dict[str, JSON]]] = {}
        self._erased: set[str] = set()
        self._reviews: list[ReviewView] = []

    def view(self) -> View:
        """Return what was seen."""
        return View(
            self._shown,
            self._struck,
            self._stamps,
            frozenset(self._erased),
            self._reviews,
            self._shown.get(WITHDRAWN) is True,
            self._state,
            self._labels,
        )

    def look_at(self, name: str, entries: Sequence[Entry]) -> None:
        """See a field that has heads."""
        at, value = entries[0]
        is_ordinary = self._state.sources[at].decision is None and name not in self._state.erased
        if len(entries) > 1 or not is_ordinary or name not in self._kind.fields:
            self._weigh(name, entries)
            return
        self._shown[name] = value
        self._stamps[name] = [self._marks[at]]

    def _weigh(self, name: str, entries: Sequence[Entry]) -> None:
        """Choose between the heads of a field by the rules of its class."""
        field = self._kind.field(name)
        if field is None or field.rules is None:
            return
        claims = self._state.claims(name, entries)
        shown = field.rules.shown(claims, self._author)
        self._shown[name] = shown.value
        self._stamps[name] = [self._mark(claim) for claim in claims]
        if shown.is_erased:
            self._erased.add(name)
        is_open = field.rules.is_open(claims) or (
            name == WITHDRAWN and is_retract_blind(self._state)
        )
        is_decided = shown.is_decision and field.rules.REVIEWS
        if is_open or is_decided:
            self._review(name, is_open=is_open, decided=shown.place if is_decided else None)

    def _review(self, name: str, *, is_open: bool, decided: int | None) -> None:
        heads = heads_of(self._state, self._labels, name)
        settled = None if decided is None else heads[decided]
        self._reviews.append(ReviewView(name, is_open, tuple(heads.values()), settled))

    def look_at_set(self, name: str) -> None:
        """See a field whose elements are added and struck."""
        field = self._kind.fields.get(name)
        if field is None:
            return
        adds = self._state.claims(name, self._state.adds[name])
        listed = elements(
            field.key_of,
            [add for add in adds if not add.is_erased],
            self._state.strikes.get(name, ()),
        )
        self._shown[name] = [one.value for one in listed if not one.is_struck]
        struck = [one.value for one in listed if one.is_struck]
        if struck:
            self._struck[name] = struck
        self._stamps[name] = [
            self._mark(add) if add.is_erased else self._mark(add) | {"key": field.key_of(add.value)}
            for add in adds
        ]

    def _mark(self, claim: Claim) -> dict[str, JSON]:
        mark = self._marks[claim.place]
        return {**mark, "erased": True} if claim.is_erased else mark


def _labels(state: State) -> list[str]:
    """Return what names each op in a base: its id, `actor/op` where two actors hold it."""
    if not state.has_twins:
        return [source.op for source in state.sources]
    held = Counter(source.op for source in state.sources)
    return [source.key if held[source.op] > 1 else source.op for source in state.sources]
