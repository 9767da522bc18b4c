"""One file per field class; a class decides what a new claim replaces and which head is shown.

To add a class, add a file with these names and list it here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from sync.claim import Claim, Named
from sync.classes import evidence, latest, register, server, sets


class HeadedClass(Protocol):
    """A class whose fields have heads. `KEEPS_REPLACED`: the record keeps the values of claims
    that were replaced, because the class compares them with later ones. `REVIEWS`: its fields may
    need a person's decision.
    """

    NAME: str
    REVIEWS: bool
    KEEPS_REPLACED: bool

    def replaced(self, named: Named) -> list[Claim]:
        """Return which of the named claims the new one replaces."""
        ...

    def shown(self, heads: Sequence[Claim], author: str | None) -> Claim:
        """Return the head that is shown; `author` created the record, None if nobody yet."""
        ...

    def is_open(self, heads: Sequence[Claim]) -> bool:
        """Say whether a person has to decide between the heads."""
        ...


HEADED: Mapping[str, HeadedClass] = MappingProxyType(
    {evidence.NAME: evidence, register.NAME: register, latest.NAME: latest}
)
CLASSES = frozenset({*HEADED, sets.NAME, server.NAME})
