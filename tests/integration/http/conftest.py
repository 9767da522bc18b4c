"""The app with the rooms of the tests added."""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi import logs
from fieldapi.app import app_of
from fieldapi.house import House
from tests.support.rooms import furnish


@pytest.fixture
def app(house: House) -> Flask:
    """The real app, with the rooms of the tests added."""
    logs.configure("info")
    return furnish(app_of(house))
