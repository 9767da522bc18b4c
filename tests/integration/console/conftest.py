"""The desk of the panchayat: browsers of people who have a password, and a report to look at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.desk import Browser, at_desk
from tests.support.house import AsPerson, client_with
from tests.support.personas import Village
from tests.support.pound_house import PoundHouse, found_pound, load_sample
from tests.support.reports import seizure_body

Desk = Callable[[str], Browser]
Report = dict[str, Any]


@pytest.fixture
def browser(app: Flask) -> Browser:
    """A browser in which nobody is signed in."""
    return Browser(client_with(app))


@pytest.fixture
def desk(app: Flask, village: Village, database: Database) -> Desk:
    """Return the browser of a person, signed in: `desk("bina")`."""

    return lambda name: at_desk(app, database, village[name])


@pytest.fixture
def report(as_person: AsPerson) -> Report:
    """A report of asha's, as the API answers it."""
    said = {"id": "s1", "said_at": "2026-11-30T06:00:00Z", "about": "conflict"}
    body = seizure_body(
        owner={"known": True, "name": "Ramesh Parmar"},
        place_text="By the canal",
        statements=[{**said, "field": "counts", "answer": "unsure", "text": "It was dark"}],
    )
    answer = as_person("asha").post("/api/v1/seizures", json=body)
    assert answer.status_code == 201
    made: Report = answer.json
    return made


@pytest.fixture
def pound(app: Flask, database: Database, clock: StoppedClock) -> PoundHouse:
    """A pound in Kerala with the sample scales, on the first of December."""
    clock.now = clock.now.replace(month=12, day=1, hour=5)
    made = found_pound(app, database, clock, "kerala")
    load_sample(made, database)
    return made
