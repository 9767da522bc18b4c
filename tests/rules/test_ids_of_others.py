"""An id of another authority and an id that never was get the same answer, on every route."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from flask import Flask

from fieldapi.ids import new_id
from fieldapi.services import enrolments, neighbours, reviews
from fieldapi.services.authorise import operator
from fieldapi.services.reviews import NewReview
from fieldapi.unit import Database
from tests.rules.route_matrix import CONSOLE, MATRIX, PUBLIC
from tests.support.house import AsPerson, Client, client_with
from tests.support.personas import Village, add_persona, add_pound
from tests.support.phones import phone_of
from tests.support.register import open_key
from tests.support.reports import seizure_body

# Names in a path that are no id of a record: nothing of anybody's is behind them.
PLAIN = {"kind", "name", "seq"}
_TUS_NAMES = (("photo", "id"), ("sha256", "sha256"))


@pytest.fixture
def of_others(
    app: Flask, village: Village, database: Database, as_person: AsPerson
) -> Mapping[str, str]:
    """A record of every noun in the other authority, by the name it has in a path."""
    report: Any = seizure_body()
    assert as_person("chetan").post("/api/v1/seizures", json=report).status_code == 201
    aid: Any = {"id": new_id(), "ground": "resistance", "requested_at": report["seized_at"]}
    lalu = _phone_of(app, database, village, role="reporter", capacity="police")
    assert lalu.post("/api/v1/aids", json=aid).status_code == 201
    intake: Any = {
        "id": new_id(),
        "seizure_id": report["id"],
        "pound_id": add_pound(database, village.klm, "Punalur"),
        "received_at": report["seized_at"],
        "counts": [{"kind": "cow", "count": 1}],
    }
    keeper = _phone_of(app, database, village, role="pound_keeper")
    taken = keeper.post("/api/v1/intakes", json=intake)
    assert taken.status_code == 201
    judge = _phone_of(app, database, village, role="decider")
    acts = judge.get(f"/api/v1/cases/{report['id']}").json["history"]
    waiting = phone_of(app, village["chetan"])
    op = waiting.pen.op("aid", aid["id"], set={"outcome": "none"})
    assert waiting.push(op)[0]["status"] == "held"
    return {
        **_register_of(app, database, village, case=report["id"]),
        "actor": village["chetan"].actor,
        "aid_id": aid["id"],
        "authority_id": village.klm,
        "bundle_id": _bundle(judge, report["id"]),
        "device_id": village["chetan"].device_id,
        "document_id": acts[0]["documents"][0]["id"],
        "duplicate_id": _pair(app, database, village),
        "enrolment_id": _enrolment(database, village),
        "intake_id": intake["id"],
        "op_id": op["op"],
        "person_id": village["chetan"].person_id,
        "photo_id": report["photos"][0]["id"],
        "pound_id": add_pound(database, village.klm, "Kollam"),
        "review_id": _review(database, village, report["id"]),
        "role_id": new_id(),
        "seizure_id": report["id"],
        "upload_id": _upload(as_person("chetan"), report["photos"][0]),
    }


def _register_of(app: Flask, database: Database, village: Village, *, case: str) -> dict[str, str]:
    """One of every noun that stands beside the cases."""
    boss = _phone_of(app, database, village, role="admin")
    party: Any = {"id": new_id(), "name": "Somebody"}
    prior: Any = {
        "id": new_id(),
        "party_id": party["id"],
        "impounded_on": "2026-01-05",
        "head": 1,
        "source": "page 7",
    }
    notification: Any = {
        "id": new_id(),
        "kind": "vesting",
        "number": "V-1",
        "effective_from": "2026-01-05",
    }
    confirmation: Any = {"id": new_id(), "key": open_key("kerala"), "source": "the Gazette"}
    order: Any = {"id": new_id()}
    offence: Any = {"id": new_id(), "what": "rescue", "committed_at": "2026-11-30T04:00:00.000Z"}
    made = {
        "parties": party,
        "removal-orders": order,
        "offences": offence,
        "prior-impoundings": prior,
        "notifications": notification,
        "statute-confirmations": confirmation,
    }
    for noun, body in made.items():
        assert boss.post(f"/api/v1/{noun}", json=body).status_code == 201
    complaint: Any = {"id": new_id(), "case": case, "by": party["id"], "text": "illegal"}
    assert boss.post("/api/v1/complaints", json=complaint).status_code == 201
    return {
        "complaint_id": complaint["id"],
        "party_id": party["id"],
        "order_id": order["id"],
        "offence_id": offence["id"],
        "prior_id": prior["id"],
        "notification_id": notification["id"],
        "confirmation_id": confirmation["id"],
    }


def _pair(app: Flask, database: Database, village: Village) -> str:
    """Two reports of one hour and place, compared."""
    other = _phone_of(app, database, village, role="reporter", capacity="police")
    assert other.post("/api/v1/seizures", json=seizure_body()).status_code == 201
    database.transact(lambda unit: neighbours.compare(unit, village.klm))
    judge = _phone_of(app, database, village, role="reviewer")
    return str(judge.get("/api/v1/duplicates").json["items"][0]["id"])


def _upload(client: Client, photo: Any) -> str:
    headers = {"Tus-Resumable": "1.0.0", "Upload-Length": str(photo["size"])}
    named = (f"{name} {b64encode(photo[key].encode()).decode()}" for name, key in _TUS_NAMES)
    answer = client.post("/api/v1/uploads", headers={**headers, "Upload-Metadata": ",".join(named)})
    assert answer.status_code == 201
    return answer.headers["Location"].rpartition("/")[2]


def _phone_of(
    app: Flask, database: Database, village: Village, *, role: str, capacity: str | None = None
) -> Client:
    persona = add_persona(database, village.klm, f"new {role}", role=role, capacity=capacity)
    return client_with(app, persona.token)


def _enrolment(database: Database, village: Village) -> str:
    boss, name, person_id = operator(village.klm), new_id(), village["chetan"].person_id
    database.transact(
        lambda unit: enrolments.issue(unit, boss, person_id, enrolment_id=name, is_confirmed=False)
    )
    return name


def _bundle(judge: Client, seizure_id: str) -> str:
    body: Any = {"id": new_id(), "seizure": seizure_id}
    assert judge.post("/api/v1/bundles", json=body).status_code == 202
    return str(body["id"])


def _review(database: Database, village: Village, seizure_id: str) -> str:
    judge = add_persona(database, village.klm, "lata", role="reviewer").principal(database)
    new = NewReview(new_id(), seizure_id, "under_review")
    database.transact(lambda unit: reviews.review(unit, judge, new))
    return new.id


def _with_ids() -> dict[str, set[str]]:
    names = {route: set(re.findall(r"<(?:\w+:)?(\w+)>", route)) - PLAIN for route in MATRIX}
    return {
        route: found
        for route, found in names.items()
        if found and MATRIX[route] not in {PUBLIC, CONSOLE}
    }


def _answer(client: Client, route: str, id_of: Callable[[str], str]) -> tuple[int, object]:
    method, rule = route.split(" ", 1)
    path = re.sub(
        r"<(?:\w+:)?(\w+)>",
        lambda found: "register" if found[1] in PLAIN else id_of(found[1]),
        rule,
    )
    body = None if method == "GET" else {"id": new_id(), "op": new_id(), "reason": "it rained"}
    answer = client.open(path, method=method, json=body, headers={"If-Match": '"A.1"'})
    told = answer.get_json(silent=True) or {}
    return answer.status_code, {**told, "instance": "-", "detail": told.get("detail")}


def test_every_id_in_a_path_has_a_record_of_others(of_others: Mapping[str, str]) -> None:
    named = set().union(*_with_ids().values())

    assert named - of_others.keys() == set()


def test_id_of_others_and_unknown_id_are_answered_alike(
    app: Flask, village: Village, database: Database, of_others: Mapping[str, str]
) -> None:
    different = {}
    for route in _with_ids():
        for role in sorted(MATRIX[route]):
            client = client_with(app, add_persona(database, village.rjk, role, role=role).token)
            theirs = _answer(client, route, lambda name: of_others[name])
            nobodys = _answer(client, route, lambda _name: new_id())
            if theirs != nobodys or theirs[0] < 400:
                different[route, role] = (theirs, nobodys)

    assert different == {}


def test_reading_an_id_of_others_is_404(
    app: Flask, village: Village, database: Database, of_others: Mapping[str, str]
) -> None:
    statuses = {}
    for route in _with_ids():
        role = min(MATRIX[route])
        client = client_with(app, add_persona(database, village.rjk, role, role=role).token)
        if route.startswith("GET "):
            statuses[route] = _answer(client, route, lambda name: of_others[name])[0]

    assert set(statuses.values()) == {404}, statuses
