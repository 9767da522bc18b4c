"""Evidence: what was captured first stands; only a decision replaces it.

An ordinary null is a head without value; a decision's null is a value.
"""

from __future__ import annotations

from collections.abc import Sequence

from sync.canonical import are_equal
from sync.claim import Claim, Named, greatest_decision

NAME = "evidence"
REVIEWS = True
KEEPS_REPLACED = False


def replaced(named: Named) -> list[Claim]:
    """Return what a decision names; nothing for anyone else."""
    return named.allowed() if named.new.is_decision else []


def shown(heads: Sequence[Claim], author: str | None) -> Claim:
    """Return the greatest decision, else the author's least effective head, else the least of all.

    A head without value only if no head has one.
    """
    decided = greatest_decision(heads)
    if decided is not None:
        return decided
    valued = [head for head in heads if _has_value(head)] or heads
    own = [head for head in valued if head.source.by == author]
    return min(own or valued, key=lambda head: head.source.order)


def is_open(heads: Sequence[Claim]) -> bool:
    """Say whether the heads hold two different values."""
    return not are_equal(head.value for head in heads if _has_value(head))


def _has_value(head: Claim) -> bool:
    return not head.is_erased and (head.value is not None or head.is_decision)
