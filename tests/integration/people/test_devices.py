"""What becomes of a phone: confirmed, rejected, revoked; and how its token is renewed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from fieldapi.ids import new_id
from fieldapi.problems import NotAuthenticated
from fieldapi.services.authorise import new_token
from fieldapi.unit import Database
from tests.support.house import AsPerson, client_with
from tests.support.ledgers import entries_of
from tests.support.personas import Persona, Village, add_persona, enrol, persona_of


@pytest.fixture
def pending(database: Database, village: Village) -> Persona:
    """A second phone of asha that nobody confirmed yet."""
    asha = village["asha"]
    return persona_of(
        "asha", enrol(database, asha.authority_id, asha.person_id, is_confirmed=False)
    )


def judge(client: FlaskClient, device_id: str, verdict: str, **body: str) -> tuple[int, dict]:
    answer = client.post(f"/api/v1/devices/{device_id}/{verdict}", json=body)
    return answer.status_code, answer.get_json()


def status(app: Flask, token: str, path: str = "/api/v1/me") -> int:
    return client_with(app, token).get(path).status_code


@pytest.mark.database
def test_confirmed_phone_may_read(app: Flask, as_person: AsPerson, pending: Persona) -> None:
    assert status(app, pending.token, "/api/v1/seizures") == 403
    code, body = judge(as_person("admin"), pending.device_id, "confirm")
    assert (code, body["standing"], body["confirmed"]) == (200, "confirmed", True)
    assert status(app, pending.token, "/api/v1/seizures") == 200


def test_phone_shows_the_fingerprint_that_the_admin_compares(
    app: Flask, as_person: AsPerson, pending: Persona
) -> None:
    mine = client_with(app, pending.token).get("/api/v1/me").get_json()["device"]["fingerprint"]
    theirs = as_person("admin").get(f"/api/v1/devices/{pending.device_id}").get_json()
    assert mine == theirs["fingerprint"]
    assert len(mine) == 6


@pytest.mark.database
@pytest.mark.parametrize("verdict", ["reject", "revoke"])
def test_ended_phone_is_refused_from_the_next_request_on(
    app: Flask, as_person: AsPerson, pending: Persona, verdict: str
) -> None:
    assert status(app, pending.token) == 200
    judge(as_person("admin"), pending.device_id, verdict, reason="Lost at the fair.")
    refused = client_with(app, pending.token).get("/api/v1/me")
    assert refused.status_code == 401
    assert refused.get_json()["reason"] == {"reject": "rejected", "revoke": "revoked"}[verdict]
    assert "Lost at the fair." in refused.get_json()["detail"]


def test_verdict_said_twice_changes_nothing(
    as_person: AsPerson, database: Database, pending: Persona
) -> None:
    admin = as_person("admin")
    first, again = (judge(admin, pending.device_id, "confirm") for _ in range(2))
    assert first == again
    assert len(entries_of(database, f"device/{pending.device_id}", "device.confirmed")) == 1


@pytest.mark.parametrize(
    "path", [("revoke", "confirm"), ("reject", "confirm"), ("confirm", "reject")]
)
def test_ended_phone_does_not_come_back(
    as_person: AsPerson, pending: Persona, path: tuple[str, str]
) -> None:
    admin = as_person("admin")
    judge(admin, pending.device_id, path[0])
    code, body = judge(admin, pending.device_id, path[1])
    assert code == 409
    assert body["current"]["id"] == pending.device_id


def test_admin_elsewhere_knows_nothing_of_a_phone(
    app: Flask, database: Database, village: Village, pending: Persona
) -> None:
    stranger = add_persona(database, village.klm, "devi", role="admin")
    client = client_with(app, stranger.token)
    unknown = judge(client, new_id(), "revoke")[1]
    code, known = judge(client, pending.device_id, "revoke")
    assert code == 404
    assert {**known, "instance": ""} == {**unknown, "instance": ""}


def test_list_narrows_to_a_standing(as_person: AsPerson, pending: Persona) -> None:
    listed = as_person("admin").get("/api/v1/devices?standing=pending").get_json()
    assert [one["id"] for one in listed["items"]] == [pending.device_id]
    assert "token" not in str(listed)


@pytest.mark.database
def test_old_token_works_until_the_new_one_is_used(
    app: Flask, as_person: AsPerson, village: Village
) -> None:
    old = village["asha"].token
    new = as_person("asha").post("/api/v1/me/token").get_json()["token"]
    assert status(app, old) == 200
    assert status(app, new) == 200
    assert status(app, old) == 401
    assert status(app, new) == 200


@pytest.mark.database
def test_twenty_lost_answers_lock_nobody_out(app: Flask, as_person: AsPerson) -> None:
    asha = as_person("asha")
    tokens = [asha.post("/api/v1/me/token").get_json()["token"] for _ in range(20)]
    assert status(app, tokens[0]) == 401
    assert asha.get("/api/v1/me").status_code == 200
    assert status(app, tokens[-1]) == 200


def test_pending_phone_may_renew_its_token(app: Flask, pending: Persona) -> None:
    assert client_with(app, pending.token).post("/api/v1/me/token").status_code == 200


def test_token_is_nowhere_in_the_database(database: Database, village: Village) -> None:
    secret = village["asha"].token.split("_", 2)[2][:43].encode()
    with database.read() as session:
        path = session.connection().engine.url.database
    assert path is not None
    with open(path, "rb") as file:  # noqa: PTH123 - bytes of the whole file
        assert secret not in file.read()


def test_well_formed_token_of_nobody_is_refused(app: Flask, village: Village) -> None:
    assert status(app, new_token(village["asha"].device_id)) == 401


def test_token_of_another_device_is_refused(database: Database, village: Village) -> None:
    asha, ravi = village["asha"], village["ravi"]
    forged = asha.token.replace(asha.device_id, ravi.device_id)
    with pytest.raises(NotAuthenticated):
        replace(asha, token=forged).principal(database)
