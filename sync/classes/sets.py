"""Set: elements are only added and struck; one key keeps every content it was given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sync.canonical import equality_key
from sync.claim import Claim
from sync.strict import JSON

NAME = "set"


class Struck(NamedTuple):
    """A strike as the record keeps it: the adds it names and their key, which an erasure takes."""

    ops: Sequence[str]
    key: JSON
    is_erased: bool = False


class Element(NamedTuple):
    """What the record says under one key. `adds`: everything added under it, oldest first."""

    key: JSON
    value: JSON
    is_struck: bool
    adds: tuple[Claim, ...]


def elements(
    key_of: Callable[[JSON], JSON], adds: Sequence[Claim], strikes: Sequence[Struck]
) -> list[Element]:
    """Return the elements, oldest first. Shown is the greatest add that no strike names, if all
    are named the greatest of all; struck while all are named.
    """
    by_key: dict[str, list[Claim]] = {}
    for add in sorted(adds, key=_order):
        by_key.setdefault(equality_key(key_of(add.value)), []).append(add)
    named = _named(strikes)
    return [_element(key_of, under, named(key)) for key, under in by_key.items()]


def _element(
    key_of: Callable[[JSON], JSON], adds: Sequence[Claim], names: frozenset[str]
) -> Element:
    standing = [add for add in adds if not add.source.is_in(names)]
    value = (standing or adds)[-1].value
    return Element(key_of(value), value, not standing, tuple(adds))


def _named(strikes: Sequence[Struck]) -> Callable[[str], frozenset[str]]:
    """Return what gives the adds that strikes name under a key.

    A strike whose key was erased holds for every key of its ops: nothing struck comes back.
    """
    under: dict[str, set[str]] = {}
    for strike in strikes:
        key = "" if strike.is_erased else equality_key(strike.key)
        under.setdefault(key, set()).update(strike.ops)
    return lambda key: frozenset(under.get(key, ())) | under.get("", set())


def _order(add: Claim) -> tuple[tuple[int, str, str], str]:
    return add.source.order, equality_key(add.value)
