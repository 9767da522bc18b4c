"""Phones of the village, for the tests of this folder."""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi.house import House
from tests.support.personas import Village, enrol, persona_of
from tests.support.phones import TestPhone, phone_of


@pytest.fixture
def asha(app: Flask, village: Village) -> TestPhone:
    """Asha's phone."""
    return phone_of(app, village["asha"])


@pytest.fixture
def ravi(app: Flask, village: Village) -> TestPhone:
    """Ravi's phone."""
    return phone_of(app, village["ravi"])


@pytest.fixture
def second(app: Flask, house: House, village: Village) -> TestPhone:
    """Asha's other phone."""
    enrolled = enrol(house.database, village.rjk, village["asha"].person_id)
    return phone_of(app, persona_of("asha", enrolled))
