"""Latest: a later op replaces what it names; concurrent ones stand, the greatest is shown."""

from __future__ import annotations

from collections.abc import Sequence

from sync.claim import Claim, Named
from sync.claim import latest as greatest

NAME = "latest"
REVIEWS = False
KEEPS_REPLACED = False


def replaced(named: Named) -> list[Claim]:
    """Return what the op names."""
    return named.allowed()


def shown(heads: Sequence[Claim], author: str | None) -> Claim:
    """Return the greatest head; a decision does not pin it."""
    return greatest(heads)


def is_open(heads: Sequence[Claim]) -> bool:
    """Never: the greatest is good enough."""
    return False
