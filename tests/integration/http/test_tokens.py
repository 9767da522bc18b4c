"""Who comes in: bearer tokens, roles, and views that do not say."""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi.access import needs, session
from fieldapi.api import auth
from fieldapi.ids import new_id
from fieldapi.services import devices
from fieldapi.services.authorise import new_token, operator
from fieldapi.unit import Database
from tests.support.house import AsPerson, Client, client_with
from tests.support.personas import Village, add_persona

DESK = "/api/v1/rooms/desk"
LIST = "/api/v1/rooms/list"


def test_holder_of_a_token_is_known(as_person: AsPerson, village: Village) -> None:
    answer = as_person("bina").post(DESK, json={"id": new_id()})

    assert answer.json == {"echo": {"person": village["bina"].person_id}}


@pytest.mark.parametrize(
    "value",
    ["", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "Bearer x", "Bearer ९", "Bearer " + "a" * 9000],
)
def test_anything_but_a_token_is_401(client: Client, value: str) -> None:
    answer = client.get(LIST, headers={"Authorization": value.encode().decode("latin-1")})

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert answer.json["type"] == "urn:fieldapi:problem:not-authenticated"


def test_token_that_was_never_issued_is_401(app: Flask) -> None:
    answer = client_with(app, new_token(new_id())).get(LIST)

    assert answer.status_code == 401


def test_token_in_the_address_is_no_token(client: Client, village: Village) -> None:
    answer = client.get(f"{LIST}?access_token={village['bina'].token}")

    assert answer.status_code == 401


def test_token_of_a_revoked_device_is_401_at_once(
    as_person: AsPerson, village: Village, database: Database
) -> None:
    asha = as_person("asha")
    before = asha.get(LIST).status_code
    database.transact(
        lambda unit: devices.judge(
            unit, operator(village.rjk), village["asha"].device_id, verdict="revoke"
        )
    )

    assert (before, asha.get(LIST).status_code) == (200, 401)


def test_new_token_ends_the_old_one_when_first_used(
    app: Flask, as_person: AsPerson, village: Village, database: Database
) -> None:
    old = as_person("asha")
    asha = village["asha"].principal(database)
    token = database.transact(lambda unit: devices.rotate(unit, asha))

    assert old.get(LIST).status_code == 200
    assert client_with(app, token).get(LIST).status_code == 200
    assert old.get(LIST).status_code == 401


def test_role_that_may_not_is_403(as_person: AsPerson) -> None:
    answer = as_person("asha").post(DESK, json={"id": new_id()})

    assert answer.status_code == 403
    assert answer.json["type"] == "urn:fieldapi:problem:not-allowed"


def test_stranger_learns_nothing_from_field_errors(client: Client, as_person: AsPerson) -> None:
    nonsense = {"nonsense": True}

    assert client.post(DESK, json=nonsense).status_code == 401
    assert as_person("asha").post(DESK, json=nonsense).status_code == 403
    assert as_person("bina").post(DESK, json=nonsense).status_code == 422


def test_pending_device_may_not_review(app: Flask, village: Village, database: Database) -> None:
    pending = add_persona(database, village.rjk, "new", role="reviewer", is_confirmed=False)
    answer = client_with(app, pending.token).post(DESK, json={"id": new_id()})

    assert (answer.status_code, answer.json["reason"]) == (403, "pending")


def test_view_that_does_not_say_who_may_come_in_stops_the_app(app: Flask) -> None:
    app.add_url_rule("/api/v1/back-door", view_func=lambda: "hello", endpoint="back_door")

    with pytest.raises(RuntimeError, match="GET /api/v1/back-door"):
        auth.require_declared(app)


def test_view_that_needs_an_unknown_action_stops_the_app(app: Flask) -> None:
    view = needs("seizure.abolish")(lambda: "hello")
    app.add_url_rule("/api/v1/odd", view_func=view, endpoint="odd")

    with pytest.raises(RuntimeError, match="GET /api/v1/odd"):
        auth.require_declared(app)


def test_page_without_the_door_of_pages_stops_the_app(app: Flask) -> None:
    del app.extensions[auth.SESSION_DOOR]
    app.add_url_rule("/console/back", view_func=session()(lambda: "hello"), endpoint="back")

    with pytest.raises(RuntimeError, match="GET /console/back"):
        auth.require_declared(app)


def test_page_is_behind_the_door_of_pages(app: Flask, client: Client) -> None:
    app.extensions[auth.SESSION_DOOR] = lambda access: (f"sign in to {access.action}", 401)
    view = session("seizure.review")(lambda: "hello")
    app.add_url_rule("/console/desk", view_func=view, endpoint="desk")
    answer = client.get("/console/desk")

    assert (answer.status_code, answer.text) == (401, "sign in to seizure.review")
