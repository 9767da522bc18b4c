"""What a scenario is: a number, a claim, and a run that counts and names what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.databases import Databases
from tests.support.postgres import Postgres


@dataclass(frozen=True, slots=True)
class Ground:
    """What scenarios stand on. `phones`: how large a crowd is; `times`: how often faults come.

    `databases`: of PostgreSQL; `embedded`: of SQLite. `wait_s`: what a phone waits at most when it
    is told to; `pause_s`: between two faults;
    `outage_s`: how long a part that other parts can do without stays away.
    """

    folder: Path
    postgres: Postgres
    databases: Databases
    embedded: Databases
    seed: int
    phones: int = 8
    times: int = 2
    reports: int = 4
    patience_s: float = 240.0
    wait_s: float = 1.0
    pause_s: float = 1.5
    outage_s: float = 0.0


@dataclass(slots=True)
class Found:
    """What a run counted, and what was not as it should be."""

    counts: dict[str, object] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def claim(self, is_so: object, otherwise: str) -> None:
        """Note what went wrong unless it is so."""
        if not is_so:
            self.wrong.append(otherwise)


@dataclass(frozen=True, slots=True)
class Scenario:
    """One of the list. `claim`: what has to hold."""

    number: str
    claim: str
    run: Callable[[Ground], Found]
