"""Every route of the app against every role and against nobody; and ids of others against none."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from flask import Flask

from fieldapi.api.auth import routes
from fieldapi.ids import new_id
from fieldapi.unit import Database
from tests.rules.route_matrix import CONSOLE, MATRIX, ROLES, WITHOUT_PASSWORD
from tests.support.house import Answer, Client, client_with
from tests.support.personas import Village, add_persona

Callers = Mapping[str, Client]


@pytest.fixture
def callers(app: Flask, village: Village, database: Database) -> Callers:
    """One client per role, all of one authority, and one that nobody knows."""
    made = {
        role: client_with(app, add_persona(database, village.rjk, role, role=role).token)
        for role in ROLES
    }
    return {**made, "nobody": client_with(app)}


def _ask(client: Client, route: str, **ids: str) -> Answer:
    method, rule = route.split(" ", 1)
    path = re.sub(r"<(?:\w+:)?(\w+)>", lambda name: ids.get(name[1]) or new_id(), rule)
    return client.open(path, method=method)


def _verdict(answer: Answer) -> str:
    return {401: "unknown", 403: "forbidden"}.get(answer.status_code, "in")


def _expected(route: str, caller: str) -> str:
    if caller in MATRIX[route]:
        return "in"
    return "unknown" if caller == "nobody" else "forbidden"


def _open(app: Flask) -> set[str]:
    return {f"{method} {rule}" for method, rule, access in routes(app) if access.door != "session"}


def _pages(app: Flask) -> set[str]:
    return {f"{method} {rule}" for method, rule, access in routes(app) if access.door == "session"}


def test_every_form_asks_for_the_password_again_but_those_listed(app: Flask) -> None:
    forms = [
        (f"{method} {rule}", access.is_great)
        for method, rule, access in routes(app)
        if access.door == "session" and method != "GET"
    ]

    assert {route for route, is_great in forms if not is_great} == WITHOUT_PASSWORD


def test_every_route_has_a_row_and_every_row_a_route(app: Flask) -> None:
    assert _open(app) | _pages(app) == MATRIX.keys()
    assert _pages(app) == {route for route, who in MATRIX.items() if who == CONSOLE}


def test_role_comes_in_exactly_where_its_row_says(callers: Callers) -> None:
    found = {
        (route, caller): _verdict(_ask(client, route))
        for route, who in MATRIX.items()
        if who != CONSOLE
        for caller, client in callers.items()
    }
    wrong = {at: verdict for at, verdict in found.items() if verdict != _expected(*at)}

    assert wrong == {}


def test_no_role_and_no_empty_request_makes_the_server_fail(callers: Callers) -> None:
    failed = {
        (route, caller): answer.status_code
        for route in MATRIX
        for caller, client in callers.items()
        if (answer := _ask(client, route)).status_code >= 500
    }

    assert failed == {}


def test_device_token_opens_no_page_of_the_console(callers: Callers) -> None:
    pages = [route for route, who in MATRIX.items() if who == CONSOLE]
    opened = [
        (route, caller)
        for route in pages
        for caller, client in callers.items()
        if _ask(client, route).status_code == 200
    ]

    assert opened == []
