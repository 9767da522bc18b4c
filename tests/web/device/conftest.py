"""Phones without screens for the tests of this folder, and a server whose clock runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser

from fieldapi.unit import Database
from tests.support.answering import answering
from tests.support.app_phones import AppPhone, Door, RunningClock, Shop
from tests.support.clock import StoppedClock
from tests.support.personas import Village


@pytest.fixture
def clock() -> StoppedClock:
    """The server's clock runs as the browser's does."""
    return RunningClock()


@pytest.fixture
def door(app: Flask) -> Door:
    """What answers at the address; another installation may be put behind it."""
    return Door(app)


@pytest.fixture
def address(door: Door) -> Iterator[str]:
    """The app of the test, served on a free port."""
    with answering(door) as found:
        yield found


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
