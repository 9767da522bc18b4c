"""What the import of a list came to. Used by `people`, `places` and `pounds`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Imported:
    """How many rows were new, corrected, or known as they are: a second import changes nothing."""

    added: int
    changed: int
    unchanged: int
