"""A server for other people's clients, going by the clock that they go by."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fieldapi.clock import Clock, system_clock
from fieldapi.settings import Settings
from tests.support.personas import Village
from tests.support.server import Server, serving


@pytest.fixture
def clock() -> Clock:
    """The system's clock, which the server goes by."""
    return system_clock


@pytest.fixture
def server(settings: Settings, village: Village) -> Iterator[Server]:
    """A server over the test's installation."""
    with serving(settings) as running:
        yield running
