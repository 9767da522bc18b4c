"""What every simulated history is about: one kind of record with a field of each class, few values,
so that people meet, and dice that a failing history can be shrunk with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from sync.merge import Field, Kind
from sync.strict import JSON

T = TypeVar("T")

KIND = Kind(
    "report",
    {
        "proof": Field("proof", "evidence"),
        "status": Field("status", "register"),
        "tally": Field("tally", "register", competes=True),
        "note": Field("note", "latest"),
        "labels": Field("labels", "set"),
        "people": Field("people", "set", key="id"),
    },
)
FIELDS = ("proof", "status", "tally", "note")
IMPOSSIBLE = "impossible"  # a value that the server parks
VALUES: tuple[JSON, ...] = ("x", "y", "z", None, 1, 1.0, True, "\u00e9", "e\u0301")
ELEMENTS: tuple[tuple[str, JSON], ...] = (
    ("labels", "p"),
    ("labels", "q"),
    ("people", {"id": "k", "name": "M"}),
    ("people", {"id": "k", "name": "N"}),
    ("people", {"id": "l", "name": "O"}),
)
START_MS = 1_764_493_920_000
MINUTE_MS = 60_000
DAY_MS = 86_400_000


class Dice:
    """Chance that was thrown before the history began: the same number, the same choices."""

    __slots__ = ("_left",)

    def __init__(self, thrown: int) -> None:
        self._left = thrown

    def below(self, most: int) -> int:
        """Return a whole number from 0 up to, not including, `most`."""
        self._left, drawn = divmod(self._left, most)
        return drawn

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        self._left, drawn = divmod(self._left, len(items))
        return items[drawn]

    def chance(self, percent: int) -> bool:
        """Say whether something happens that happens so often in a hundred times."""
        self._left, drawn = divmod(self._left, 100)
        return drawn < percent


def op_id(number: int) -> str:
    """Return the id of op number 1, 2, 3 … of a history."""
    return f"00000000-0000-7000-8000-{number:012x}"


def record_id(number: int) -> str:
    """Return the id of a record."""
    return f"00000000-0000-7000-a000-{number:012x}"


def person_id(letter: str) -> str:
    """Return the id of a person."""
    return f"00000000-0000-7000-9000-{letter * 12}"
