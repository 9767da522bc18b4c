"""Pounds under each Act, with the sample scales of the case stories."""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.pound_house import PoundHouse, found_pound, rates


@pytest.fixture
def gujarat(app: Flask, database: Database, clock: StoppedClock) -> PoundHouse:
    """A village pound in Gujarat where s. 189 applies."""
    house = found_pound(app, database, clock, "gujarat")
    house.notify("fee_schedule", data=rates({"cow": 12000, "buffalo": 20000, "goat": 2550}))
    house.notify("feeding_rates", data=rates({"cow": 6225, "buffalo": 7550, "goat": 1240}))
    house.notify(
        "security_scale",
        data={
            **rates(
                [{"paise": 25000, "head_from": 1, "head_to": 5}, {"paise": 40000, "head_from": 6}]
            ),
            "forfeit_percent": 50,
        },
    )
    house.notify("section_189")
    return house


@pytest.fixture
def karnataka(app: Flask, database: Database, clock: StoppedClock) -> PoundHouse:
    """A pound in Karnataka."""
    clock.now = clock.now.replace(year=2026, month=12, day=1)
    return found_pound(app, database, clock, "karnataka")
