"""A pound under each Act, in which complaints are carried from the report to the closed case."""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.complaint_house import ComplaintHouse
from tests.support.pound_house import PoundHouse, found_pound, rates

Fees = dict[str, int] | list[dict[str, int]]


@pytest.fixture
def gujarat(app: Flask, database: Database, clock: StoppedClock) -> ComplaintHouse:
    """A village in Gujarat where security is asked for."""
    pound = _pound((app, database, clock), "gujarat", {"cow": 12000}, 6225)
    pound.notify("security_scale", data=rates([{"paise": 25000, "head_from": 1}]))
    pound.notify("section_189")
    return ComplaintHouse(pound)


@pytest.fixture
def kerala(app: Flask, database: Database, clock: StoppedClock) -> ComplaintHouse:
    """A panchayat in Kerala, under the Act as amended to 2000."""
    return ComplaintHouse(_pound((app, database, clock), "kerala-2000", {"cow": 10000}, 4000))


@pytest.fixture
def karnataka(app: Flask, database: Database, clock: StoppedClock) -> ComplaintHouse:
    """A panchayat in Karnataka, where the second time costs more."""
    rows = [{"paise": 5000, "times_to": 1}, {"paise": 7500, "times_from": 2}]
    return ComplaintHouse(_pound((app, database, clock), "karnataka", rows, 3500))


def _pound(
    parts: tuple[Flask, Database, StoppedClock], statute: str, fees: Fees, feeding: int
) -> PoundHouse:
    parts[2].now = parts[2].now.replace(year=2026, month=12, day=1)
    pound = found_pound(*parts, statute)
    pound.notify("fee_schedule", data=rates(fees))
    pound.notify("feeding_rates", data=rates({"cow": feeding}))
    return pound
