"""Phones without screens for the tests of this folder, and a server whose clock runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from fieldapi.unit import Database
from tests.support.app_phones import AppPhone, RunningClock, Shop
from tests.support.clock import StoppedClock
from tests.support.personas import Village


@pytest.fixture
def clock() -> StoppedClock:
    """The server's clock runs as the browser's does."""
    return RunningClock()


@pytest.fixture
def shop(chromium: Browser, database: Database, village: Village) -> Iterator[Shop]:
    """Phones for the people of the village; all are gone with the test."""
    opened = Shop(chromium, database, village)
    yield opened
    for context in opened.contexts:
        context.close()


@pytest.fixture
def phone(shop: Shop, address: str) -> AppPhone:
    """The confirmed phone of asha."""
    return shop.phone(address)
