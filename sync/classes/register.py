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
    allowed = named.allowed()
    beside = {old.place for old in _beside(named, allowed)}
    return [old for old in allowed if old.place not in beside]


def stood_beside(named: Named) -> list[Claim]:
    """Return the other actors' claims that an ordinary op names and yet stands beside: all of
    them, if their values differ or once did.
    """
    return _beside(named, named.allowed())


def shown(heads: Sequence[Claim], author: str | None) -> Claim:
    """Return the greatest decision, else the greatest head."""
    return greatest_decision(heads) or latest(heads)


def is_open(heads: Sequence[Claim]) -> bool:
    """Say whether the heads hold two different values."""
    return _differ(heads)


def _differ(claims: Iterable[Claim]) -> bool:
    return not are_equal(claim.value for claim in claims if not claim.is_erased)


def _beside(named: Named, allowed: Sequence[Claim]) -> list[Claim]:
    if named.new.is_decision:
        return []
    actor = named.new.source.actor
    others = [old for old in allowed if old.source.actor != actor]
    return others if named.is_beside or _differ(others) else []
