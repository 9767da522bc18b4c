"""A phone of asha's, and a server that can be told to go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from sync.client.device import Phone
from sync.client.transport import Backoff, Timeouts, Transport
from tests.unit.sync_client.server import FieldServer, serving

WALL_MS = 1_796_018_400_000  # 2026-11-30T06:00:00Z


class Sleeps(list[float]):
    """Records the waits instead of waiting."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def server() -> FieldServer:
    return FieldServer()


@pytest.fixture
def address(server: FieldServer) -> Iterator[str]:
    with serving(server) as base_url:
        yield base_url


@pytest.fixture
def sleeps() -> Sleeps:
    return Sleeps()


@pytest.fixture
def line(sleeps: Sleeps) -> Callable[[str, str | None], Transport]:
    def connect(base_url: str, token: str | None) -> Transport:
        timeouts = Timeouts(connect_s=2, idle_s=2, total_s=5)
        return Transport(
            base_url, token, timeouts, Backoff(tries=4), sleep=sleeps, dice=lambda: 1.0
        )

    return connect


@pytest.fixture
def open_phone(line: Callable[[str, str | None], Transport]) -> Iterator[Callable[[Path], Phone]]:
    """Open the phone in a folder; its clock starts at WALL_MS and goes 1 s a look."""
    with ExitStack() as phones:

        def open_(folder: Path) -> Phone:
            ticks = iter(range(WALL_MS, WALL_MS + 10**9, 1000))
            phone = Phone(folder, clock_ms=lambda: next(ticks), connect=line)
            return phones.enter_context(phone)

        yield open_


@pytest.fixture
def phone(open_phone: Callable[[Path], Phone], address: str, tmp_path: Path) -> Phone:
    """An enrolled phone."""
    made = open_phone(tmp_path / "phone")
    made.enrol(address, "GOOD-CODE", {"make": "Nokia"})
    return made
