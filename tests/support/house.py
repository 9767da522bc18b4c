"""The app of a test, over its fresh database, and clients that act for a person of the village.

def test_something(as_person):
    answer = as_person("bina").get("/api/v1/seizures")
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from fieldapi import logs
from fieldapi.api.house import EXTENSION
from fieldapi.app import app_of
from fieldapi.house import House
from fieldapi.keyring import Keyring
from fieldapi.packs import load_packs
from fieldapi.settings import Settings
from fieldapi.storage import open_storage
from fieldapi.unit import Database
from tests.support.personas import Village


class Answer(TestResponse):
    """An answer whose `json` may be looked into; only its type: the client makes its own."""

    json: Any


class Client(FlaskClient):
    """A client whose answers may be looked into."""

    def open(self, *args: Any, **kwargs: Any) -> Answer:
        return cast("Answer", super().open(*args, **kwargs))

    def get(self, *args: Any, **kwargs: Any) -> Answer:
        return cast("Answer", super().get(*args, **kwargs))

    def post(self, *args: Any, **kwargs: Any) -> Answer:
        return cast("Answer", super().post(*args, **kwargs))

    def put(self, *args: Any, **kwargs: Any) -> Answer:
        return cast("Answer", super().put(*args, **kwargs))

    def patch(self, *args: Any, **kwargs: Any) -> Answer:
        return cast("Answer", super().patch(*args, **kwargs))

    def delete(self, *args: Any, **kwargs: Any) -> Answer:
        return cast("Answer", super().delete(*args, **kwargs))


AsPerson = Callable[[str], Client]
_APPS: dict[Settings, Flask] = {}


@pytest.fixture
def house(settings: Settings, database: Database, keys: Keyring) -> House:
    """The parts of the test's installation; its clock is the fixture `clock`."""
    storage = open_storage(settings.storage_url, settings.data)
    return House(settings, database, keys, storage, load_packs())


@pytest.fixture
def app(house: House) -> Flask:
    """The app over that installation.

    One app serves the tests of a process, one after the other, each with its own parts: to put a
    hundred routes together takes longer than most tests. `app_of` makes a new one.
    """
    logs.configure("info")
    shape = replace(house.settings, data=Path(), database_url="", owner_database_url="")
    shape = replace(shape, storage_url="")
    if shape not in _APPS:
        _APPS[shape] = app_of(house)
    app = _APPS[shape]
    app.extensions[EXTENSION] = house
    return app


@pytest.fixture
def client(app: Flask) -> Client:
    """A client that nobody knows."""
    return client_with(app)


@pytest.fixture
def as_person(app: Flask, village: Village) -> AsPerson:
    """Return the client of a person: `as_person("asha")`; every request carries their token."""

    def client_of(name: str) -> Client:
        return client_with(app, village[name].token)

    return client_of


def client_with(app: Flask, token: str | None = None) -> Client:
    """Return a client whose every request carries `token`."""
    client = Client(app, app.response_class)
    if token is not None:
        client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return client
