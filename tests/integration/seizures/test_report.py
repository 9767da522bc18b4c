"""A report by REST: stored whole, answered alike when it is sent again, never half."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask

from fieldapi.ids import new_id
from tests.support.deliveries import pen_of
from tests.support.house import AsPerson, client_with
from tests.support.personas import Village
from tests.support.photos import jpeg, put
from tests.support.reports import animal_body, photo_body, push_body, seizure_body

URL = "/api/v1/seizures"

pytestmark = pytest.mark.database


def test_report_is_stored_whole_and_read_back(as_person: AsPerson) -> None:
    body = seizure_body(owner={"known": True, "name": "Ramesh"}, remarks="near the well")

    created = as_person("asha").post(URL, json=body)

    assert created.status_code == 201, created.json
    read = as_person("asha").get(f"{URL}/{body['id']}")
    assert read.json == created.json
    assert read.json["owner"] == {"known": True, "name": "Ramesh"}
    assert [(lot["kind"], lot["count"]) for lot in read.json["animals"]] == [
        ("buffalo", 2),
        ("cow", 3),
    ]
    assert (read.json["photos_announced"], read.json["photos_stored"]) == (1, 0)
    assert read.json["reference"].startswith("RJK-00-2611-0001-")
    assert read.json["state"] == "received"


def test_identical_resend_is_answered_alike(as_person: AsPerson) -> None:
    body, asha = seizure_body(), as_person("asha")
    first = asha.post(URL, json=body)

    again = asha.post(URL, json=body)

    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json == first.json


def test_fifty_identical_posts_in_parallel_make_one_row(app: Flask, village: Village) -> None:
    body, token = seizure_body(), village["asha"].token

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda _: client_with(app, token).post(URL, json=body), range(50)))

    assert sorted(answer.status_code for answer in answers) == [200] * 49 + [201]
    assert all(answer.json == answers[0].json for answer in answers)
    listed = client_with(app, token).get(URL)
    assert [row["id"] for row in listed.json["items"]] == [body["id"]]


def test_other_content_under_a_used_id_is_refused(as_person: AsPerson) -> None:
    body, asha = seizure_body(), as_person("asha")
    asha.post(URL, json=body)

    other = asha.post(URL, json={**body, "ground": "straying"})

    assert (other.status_code, other.json["type"]) == (409, "urn:fieldapi:problem:id-reuse")
    assert other.json["current"]["ground"] == "trespass"


def test_every_fault_is_named_and_nothing_is_stored(as_person: AsPerson) -> None:
    asha = as_person("asha")
    body = seizure_body(
        seized_at="9999-01-01T00:00:00Z",
        animals=[animal_body("dragon", -5)],
        nonsense=1,
    )
    body["location"]["lat"] = 999

    answer = asha.post(URL, json=body)

    assert answer.status_code == 422
    assert set(answer.json["errors"]) == {
        "seized_at",
        "location.lat",
        "animals.0.kind",
        "animals.0.count",
        "nonsense",
    }
    assert asha.get(URL).json["items"] == []
    assert asha.get(f"{URL}/{body['id']}").status_code == 404


def test_another_authority_sees_what_an_unknown_id_gives(as_person: AsPerson) -> None:
    body = seizure_body()
    as_person("asha").post(URL, json=body)

    theirs = as_person("chetan").get(f"{URL}/{body['id']}")
    unknown = as_person("chetan").get(f"{URL}/{seizure_body()['id']}")

    assert theirs.status_code == unknown.status_code == 404
    assert {**theirs.json, "instance": ""} == {**unknown.json, "instance": ""}


@pytest.mark.parametrize("reader", ["asha", "ravi"])
@pytest.mark.parametrize(
    "doubt",
    [
        {"location": None, "location_absent_reason": "no_signal"},
        {"capacity": "passer_by"},
        {"witnesses": [{"id": "01a2f3c4-0000-7000-8000-000000000001", "name": "Kanta"}]},
    ],
)
def test_first_answer_is_what_a_reading_tells(
    as_person: AsPerson, reader: str, doubt: dict[str, object]
) -> None:
    body = {name: said for name, said in seizure_body(**doubt).items() if said is not None}

    created = as_person(reader).post(URL, json=body)

    assert created.status_code == 201, created.json
    read = as_person(reader).get(f"{URL}/{body['id']}")
    assert (created.json, created.headers["ETag"]) == (read.json, read.headers["ETag"])


def test_first_answer_knows_of_bytes_that_came_before(as_person: AsPerson) -> None:
    asha, content = as_person("asha"), jpeg()
    photo = photo_body(content)
    put(asha, str(photo["id"]), content)
    body = seizure_body(photos=[photo])

    created = asha.post(URL, json=body)

    assert created.json["photos_stored"] == 1
    assert created.json == asha.get(f"{URL}/{body['id']}").json


def test_first_answer_names_animals_that_came_before(as_person: AsPerson, village: Village) -> None:
    asha, body = as_person("asha"), seizure_body()
    early = pen_of(village["asha"]).animal(new_id(), body["id"], "goat", 4)
    asha.post("/api/v1/sync", json=push_body([early]))

    created = asha.post(URL, json=body)

    assert "goat" in {lot["kind"] for lot in created.json["animals"]}
    assert created.json == asha.get(f"{URL}/{body['id']}").json
