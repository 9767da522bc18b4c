"""A short year under each Act: every case closes, money balances, receipts have no gap, and every
refusal names its rule. The long one is `./dev soak year`.
"""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi.unit import Database
from tests.sim.year import FIRST_DAY, Year
from tests.support.clock import StoppedClock
from tests.support.pound_house import found_pound, load_sample


@pytest.mark.parametrize("statute", ["gujarat", "kerala-1961", "karnataka"])
def test_every_case_of_a_year_ends_lawfully(
    app: Flask, database: Database, clock: StoppedClock, statute: str
) -> None:
    clock.now = FIRST_DAY
    house = found_pound(app, database, clock, statute)
    load_sample(house, database)
    year = Year(house, database, seed=7)

    faults = year.live(5)

    assert faults == [], "\n".join(faults)
    assert year.blocked
