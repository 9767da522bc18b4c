"""Register: a later op replaces what it names; who overrules two others leaves it to a reviewer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sync.canonical import are_equal
from sync.claim import Claim, Named, greatest_decision, latest

NAME = "register"
REVIEWS = True
KEEPS_REPLACED = True  # the several-actors rule compares named values even after they are replaced


def replaced(named: Named) -> list[Claim]:
    """Return what the op names, without other actors' claims if it stands beside those."""
    beside = [old.place for old in stood_beside(named)]
    return [old for old in named.allowed() if old.place not in beside]


def stood_beside(named: Named) -> list[Claim]:
    """Return the other actors' claims that an ordinary op names and yet stands beside: all of
    them, if their values differ or once did.
    """
    new = named.new
    others = [old for old in named.allowed() if old.source.actor != new.source.actor]
    if new.is_decision or not (named.is_beside or _differ(others)):
        return []
    return others


def shown(heads: Sequence[Claim], author: str | None) -> Claim:
    """Return the greatest decision, else the greatest head."""
    return greatest_decision(heads) or latest(heads)


def is_open(heads: Sequence[Claim]) -> bool:
    """Say whether the heads hold two different values."""
    return _differ(heads)


def _differ(claims: Iterable[Claim]) -> bool:
    return not are_equal(claim.value for claim in claims if not claim.is_erased)
