"""Lines that end in the app of this process, over a network that loses, doubles and delays by dice,
in front of a server whose database may break at any statement.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sync.client.response import Response
from sync.client.transport import Backoff, Request, Transport
from sync.simulated.stage import Dice

if TYPE_CHECKING:
    from tests.sim.service.installation import Installation

WELL, LOST, LATE, COPIED, TWICE, UNANSWERED, TOO_MUCH, BUSY, BROKEN = (
    "well",
    "lost",
    "lost, lands later",
    "a copy lands later",
    "twice",
    "answer lost",
    "too much for a proxy",
    "busy",
    "the database breaks",
)
_FATES = (LOST, LATE, COPIED, TWICE, UNANSWERED, TOO_MUCH, BUSY, BROKEN, BROKEN, *[WELL] * 9)
_STATEMENTS = 40  # a push has about so many


@dataclass(slots=True)
class Network:
    """`dice`: what decides; None while all is well. `flights`: requests that wander about.

    `told`: what happened to each request, in words.
    """

    installation: Installation
    dice: Dice | None = None
    flights: list[tuple[Request, str | None]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def carry(self, request: Request, token: str | None) -> Response:
        """Bring a request to the app and the answer back. Raises TimeoutError if one is lost."""
        fate = WELL if self.dice is None else self.dice.pick(_FATES)
        self.told.append(f"{request.method} {request.path}: {fate}")
        if fate in {LATE, COPIED}:
            self.flights.append((request, token))
        if fate in {LOST, LATE}:
            raise TimeoutError(fate)
        if fate in {TOO_MUCH, BUSY}:
            return Response(413 if fate == TOO_MUCH else 503, {}, b"")
        if fate == BROKEN and self.dice is not None:
            self.installation.fails_at = 1 + self.dice.below(_STATEMENTS)
        answer = self.ask(request, token)
        self.installation.fails_at = None
        if fate == TWICE:
            answer = self.ask(request, token)
        if fate == UNANSWERED:
            raise TimeoutError(fate)
        return answer

    def ask(self, request: Request, token: str | None) -> Response:
        """Let the app answer."""
        headers = {"Accept-Encoding": "gzip", **request.headers}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        answer = self.installation.app.test_client().open(
            request.path, method=request.method, data=request.body, headers=headers
        )
        told = {name.lower(): value for name, value in answer.headers.items()}
        is_packed = told.get("content-encoding") == "gzip"
        body = gzip.decompress(answer.data) if is_packed else answer.data
        return Response(answer.status_code, told, body)


def _no_sleep(_seconds: float) -> None:
    """Wait no time at all: the clock of a history moves by its own steps."""


@dataclass
class Line(Transport):
    """A line of one phone into this process."""

    backoff: Backoff = field(default_factory=lambda: Backoff(tries=3))
    sleep: Callable[[float], None] = _no_sleep
    dice: Callable[[], float] = field(default=lambda: 0.0)
    network: Network = field(kw_only=True)

    def _exchange(self, request: Request) -> Response:
        return self.network.carry(request, self.token)
