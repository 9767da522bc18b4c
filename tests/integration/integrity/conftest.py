"""What stands when evidence is tried."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from fieldapi.engine import open_engine
from fieldapi.house import House
from tests.support.commands import run  # noqa: F401 - a fixture of these tests


@pytest.fixture
def owner(house: House) -> Iterator[Engine]:
    """The database as its owner reaches it, without the guards of the app."""
    engine = open_engine(house.settings.owner_database_url)
    yield engine
    engine.dispose()
