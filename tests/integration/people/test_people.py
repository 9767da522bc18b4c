"""People, pounds and enrolments over REST: made once, paged, and never told to strangers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from fieldapi.ids import new_id
from fieldapi.services import people
from fieldapi.services.authorise import operator
from fieldapi.services.people import Grant
from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.house import AsPerson, client_with
from tests.support.ledgers import entries_of, whole_ledger
from tests.support.personas import Village, add_persona


def devi(**more: object) -> dict[str, Any]:
    return {
        "id": new_id(),
        "name": "Devi Solanki",
        "mobile": "9876543210",
        "capacity": "cultivator",
        "roles": [{"role": "reporter"}],
        **more,
    }


@pytest.mark.database
def test_person_is_added_once(as_person: AsPerson, database: Database) -> None:
    admin, body = as_person("admin"), devi()
    first, again = (admin.post("/api/v1/people", json=body) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.get_json() == again.get_json()
    assert len(entries_of(database, f"person/{body['id']}", "person.added")) == 1


def test_order_of_members_makes_no_other_body(as_person: AsPerson) -> None:
    admin, body = as_person("admin"), devi()
    admin.post("/api/v1/people", json=body)
    assert admin.post("/api/v1/people", json=dict(reversed(body.items()))).status_code == 200


def test_other_content_under_a_known_id_is_refused(as_person: AsPerson) -> None:
    admin, body = as_person("admin"), devi()
    first = admin.post("/api/v1/people", json=body).get_json()
    other = admin.post("/api/v1/people", json={**body, "name": "Somebody else"})
    assert other.status_code == 409
    assert other.get_json()["type"] == "urn:fieldapi:problem:id-reuse"
    assert other.get_json()["current"] == first


def test_refused_body_does_not_bind_its_id(as_person: AsPerson) -> None:
    admin, body = as_person("admin"), devi(mobile="12")
    assert admin.post("/api/v1/people", json=body).status_code == 422
    assert admin.post("/api/v1/people", json={**body, "mobile": None}).status_code == 201


@pytest.mark.database
def test_parallel_resends_make_one_person(app: Flask, village: Village) -> None:
    body = devi()
    token = village["admin"].token
    with ThreadPoolExecutor(10) as crowd:
        answers = list(
            crowd.map(
                lambda _: client_with(app, token).post("/api/v1/people", json=body), range(30)
            )
        )
    assert sorted(answer.status_code for answer in answers) == [200] * 29 + [201]
    assert len({answer.get_data() for answer in answers}) == 1


def test_two_admins_cannot_use_one_id(app: Flask, database: Database, village: Village) -> None:
    second = add_persona(database, village.rjk, "hema", role="admin")
    body = devi()
    client_with(app, village["admin"].token).post("/api/v1/people", json=body)
    answer = client_with(app, second.token).post("/api/v1/people", json=body)
    assert answer.status_code == 409


@pytest.mark.parametrize(
    "wrong, field",
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": "a\u202eb"}, "name"),
        ({"mobile": "123"}, "mobile"),
        ({"language": "xx"}, "language"),
        ({"capacity": "A b"}, "capacity"),
        ({"roles": [{"role": "king"}]}, "roles.0.role"),
        ({"roles": [{"role": "reporter", "pound_id": new_id()}]}, "pound_id"),
        ({"roles": [{"role": "pound_keeper", "pound_id": new_id()}]}, "pound_id"),
        ({"roles": [{"role": "reporter", "starts_at": "yesterday"}]}, "roles.0.starts_at"),
        ({"roles": "reporter"}, "roles"),
        ({"id": "7"}, "id"),
        ({"is_admin": True}, "is_admin"),
    ],
)
def test_wrong_person_is_named_field_by_field(
    as_person: AsPerson, wrong: dict[str, Any], field: str
) -> None:
    answer = as_person("admin").post("/api/v1/people", json=devi(**wrong))
    assert answer.status_code == 422
    assert answer.get_json()["errors"].keys() == {field}


def test_role_that_ends_before_it_starts_is_refused(as_person: AsPerson) -> None:
    role = {"role": "reporter", "ends_at": "2020-01-01T00:00:00Z"}
    answer = as_person("admin").post("/api/v1/people", json=devi(roles=[role]))
    assert answer.get_json()["errors"].keys() == {"ends_at"}


def test_mobile_is_masked_in_lists_and_whole_for_an_admin(as_person: AsPerson) -> None:
    admin, body = as_person("admin"), devi()
    admin.post("/api/v1/people", json=body)
    listed = admin.get("/api/v1/people").get_json()["items"]
    assert next(one for one in listed if one["id"] == body["id"])["mobile"] == "••••••3210"
    assert admin.get(f"/api/v1/people/{body['id']}").get_json()["mobile"] == "9876543210"


def test_ledger_names_nobody(as_person: AsPerson, database: Database) -> None:
    as_person("admin").post("/api/v1/people", json=devi())
    written = whole_ledger(database)
    assert "person.added" in written
    assert not any(word in written for word in ("Devi", "Solanki", "9876543210", "Rajkot"))


@pytest.mark.database
def test_pages_give_everybody_once(as_person: AsPerson) -> None:
    admin, seen, after = as_person("admin"), [], ""
    for _ in range(10):
        page = admin.get(f"/api/v1/people?limit=2{after}").get_json()
        seen += [one["id"] for one in page["items"]]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert len(seen) == len(set(seen)) == 6
    assert seen == sorted(seen)


def test_full_last_page_has_no_next(as_person: AsPerson) -> None:
    page = as_person("admin").get("/api/v1/people?limit=6").get_json()
    assert (len(page["items"]), page["next"]) == (6, None)


@pytest.mark.parametrize("after", ["x", "AAAA", "é", "A" * 512])
def test_made_up_cursor_is_refused(as_person: AsPerson, after: str) -> None:
    answer = as_person("admin").get("/api/v1/people", query_string={"after": after})
    assert answer.status_code == 400


def test_cursor_serves_nobody_else_and_no_other_list(
    app: Flask, database: Database, village: Village, as_person: AsPerson
) -> None:
    cursor = as_person("admin").get("/api/v1/people?limit=1").get_json()["next"]
    other = client_with(app, add_persona(database, village.rjk, "hema", role="auditor").token)
    assert other.get(f"/api/v1/people?after={cursor}").status_code == 400
    assert as_person("admin").get(f"/api/v1/devices?after={cursor}").status_code == 400


def test_role_takes_effect_and_ends_at_once(
    as_person: AsPerson, database: Database, village: Village, clock: StoppedClock
) -> None:
    boss, asha = operator(village.rjk), village["asha"]
    role = database.transact(
        lambda unit: people.grant(unit, boss, Grant("reviewer"), person_id=asha.person_id)
    )
    clock.move(seconds=1)
    assert "reviewer" in asha.principal(database).roles
    ended = as_person("admin").post(f"/api/v1/people/{asha.person_id}/roles/{role.id}/end", json={})
    assert ended.status_code == 200
    assert "reviewer" not in asha.principal(database).roles


def test_role_that_is_over_ends_no_second_time(
    as_person: AsPerson, database: Database, village: Village, clock: StoppedClock
) -> None:
    admin, asha = as_person("admin"), village["asha"]
    (role,) = admin.get(f"/api/v1/people/{asha.person_id}").get_json()["roles"]
    path = f"/api/v1/people/{asha.person_id}/roles/{role['id']}/end"
    clock.move(seconds=1)
    first = admin.post(path, json={}).get_json()
    clock.move(seconds=1)
    assert admin.post(path, json={}).get_json() == first
    later = admin.post(path, json={"at": "2999-01-01T00:00:00Z"})
    assert later.get_json() == first
    assert len(entries_of(database, f"membership/{role['id']}", "membership.ended")) == 1


def test_dated_role_holds_from_its_day(
    as_person: AsPerson, database: Database, village: Village, clock: StoppedClock
) -> None:
    asha = village["asha"]
    dated = {"id": new_id(), "role": "auditor", "starts_at": "2026-12-01T00:00:00+05:30"}
    granted = as_person("admin").post(f"/api/v1/people/{asha.person_id}/roles", json=dated)
    assert granted.get_json()["starts_at"] == "2026-11-30T18:30:00.000Z"
    assert "auditor" not in asha.principal(database).roles
    clock.move(hours=14)
    assert "auditor" in asha.principal(database).roles


def test_keeper_of_one_pound_keeps_no_other(database: Database, village: Village) -> None:
    assert village["mohan"].principal(database).pounds == frozenset({village.pound_id})


def pound(**more: object) -> dict[str, Any]:
    return {"id": new_id(), "name": "Morbi Road", "lat": 22.31, "lon": 70.8, **more}


RING = [[70.0, 22.0], [71.0, 22.0], [71.0, 23.0], [70.0, 22.0]]


@pytest.mark.database
def test_pound_is_added_and_read_back(as_person: AsPerson) -> None:
    admin, body = as_person("admin"), pound(area={"type": "Polygon", "coordinates": [RING]})
    created = admin.post("/api/v1/pounds", json=body)
    assert created.status_code == 201
    read = admin.get(f"/api/v1/pounds/{body['id']}").get_json()
    assert read == created.get_json()
    assert {name: read[name] for name in body} == body


def test_two_pounds_of_one_name_are_refused(as_person: AsPerson) -> None:
    answer = as_person("admin").post("/api/v1/pounds", json=pound(name="Aji Dam"))
    assert answer.status_code == 409


@pytest.mark.parametrize(
    "wrong, field",
    [
        ({"lat": 91}, "lat"),
        ({"lon": -181}, "lon"),
        ({"lat": None}, "lat"),
        ({"name": " "}, "name"),
        ({"area": {"type": "Point", "coordinates": [70, 22]}}, "area"),
        ({"area": {"type": "Polygon", "coordinates": [RING[:3]]}}, "area"),
        ({"area": {"type": "Polygon", "coordinates": "ring"}}, "area"),
        ({"area": {"type": "Polygon", "coordinates": [[[999, 22]] * 4]}}, "area"),
        ({"area": {}}, "area"),
    ],
)
def test_wrong_pound_is_named_field_by_field(
    as_person: AsPerson, wrong: dict[str, Any], field: str
) -> None:
    answer = as_person("admin").post("/api/v1/pounds", json=pound(**wrong))
    assert answer.status_code == 422
    assert answer.get_json()["errors"].keys() == {field}


def enrolment(village: Village, **more: object) -> dict[str, Any]:
    return {"id": new_id(), "person_id": village["asha"].person_id, **more}


@pytest.mark.database
def test_resend_shows_the_same_code(as_person: AsPerson, village: Village) -> None:
    admin, body = as_person("admin"), enrolment(village, confirmed=True)
    first, again = (admin.post("/api/v1/enrolments", json=body) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.get_json() == again.get_json()
    assert first.get_json()["url"].endswith(f"/enrol/{first.get_json()['code']}")


def test_code_is_told_when_it_is_made_and_never_again(
    as_person: AsPerson, client: FlaskClient, village: Village
) -> None:
    admin, body = as_person("admin"), enrolment(village)
    code = admin.post("/api/v1/enrolments", json=body).get_json()["code"]
    one = admin.get(f"/api/v1/enrolments/{body['id']}")
    listed = admin.get("/api/v1/enrolments")
    assert one.get_json()["state"] == "open"
    assert code not in one.text + listed.text
    client.post("/api/v1/devices", json={"code": code, "device": {}})
    assert admin.get(f"/api/v1/enrolments/{body['id']}").get_json()["state"] == "used"


def test_person_of_another_authority_cannot_be_enrolled(
    as_person: AsPerson, village: Village
) -> None:
    body = enrolment(village, person_id=village["chetan"].person_id)
    assert as_person("admin").post("/api/v1/enrolments", json=body).status_code == 404


def test_authority_is_the_own_one_only(as_person: AsPerson, village: Village) -> None:
    asha = as_person("asha")
    assert [one["id"] for one in asha.get("/api/v1/authorities").get_json()["items"]] == [
        village.rjk
    ]
    assert asha.get(f"/api/v1/authorities/{village.rjk}").get_json()["code"] == "RJK"
    assert asha.get(f"/api/v1/authorities/{village.klm}").status_code == 404
