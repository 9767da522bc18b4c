"""Bundles over REST: asked for, made in the background, counted, fetched, entered."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from fieldapi import ledger
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.jobs import Job, attempt
from fieldapi.services import bundles
from fieldapi.services.bundles.content import Content, Desk, Papers, Progress
from fieldapi.storage.keys import bundle_key, original_key
from fieldapi.unit import Database
from tests.support import photos
from tests.support.bundle_tampering import members_of
from tests.support.clock import StoppedClock
from tests.support.house import AsPerson, Client
from tests.support.odd_case import run_jobs
from tests.support.personas import Village
from tests.support.photos import jpeg, sha256
from tests.support.reports import photo_body, seizure_body

URL = "/api/v1/bundles"


def _report(as_person: AsPerson, *contents: bytes, announced: int = 0) -> str:
    asked = [photo_body(one) for one in contents]
    never = [photo_body(bytes([n])) for n in range(announced)]
    body = seizure_body(photos=[*asked, *never], remarks="by the well")
    asha = as_person("asha")
    assert asha.post("/api/v1/seizures", json=body).status_code == 201
    for photo, content in zip(asked, contents, strict=True):
        assert photos.put(asha, photo["id"], content).status_code == 201
    return str(body["id"])


def _ask(client: Client, seizure: str, **members: Any) -> Any:
    answer = client.post(URL, json={"id": new_id(), "seizure": seizure, **members})
    assert answer.status_code == 202, answer.json
    return answer.json


@pytest.mark.database
def test_bundle_is_made_in_the_background_and_fetched(
    as_person: AsPerson, house: House, village: Village, database: Database
) -> None:
    bina, seizure = as_person("bina"), _report(as_person, jpeg(1))
    asked = _ask(bina, seizure)
    assert (asked["state"], asked["download"], asked["number"]) == ("building", None, 1)

    run_jobs(house)

    ready = bina.get(f"{URL}/{asked['id']}").json
    assert (ready["state"], ready["progress"], ready["missing"]) == ("ready", 100, [])
    assert bina.head(ready["download"]).status_code == 200
    unchanged = bina.get(ready["download"], headers={"If-None-Match": f'"{ready["sha256"]}"'})
    assert (unchanged.status_code, unchanged.headers["Cache-Control"]) == (304, "no-store")
    file = bina.get(ready["download"])
    assert hashlib.sha256(file.data).hexdigest() == ready["sha256"]
    assert file.headers["Content-Disposition"].startswith("attachment; filename=")
    devices = json.loads(members_of(file.data)["keys/devices.json"])
    assert [one["id"] for one in devices] == [village["asha"].device_id]
    with database.read() as session:
        told = ledger.entries_about(session, village.rjk, [f"bundle/{asked['id']}"])
    assert [one["kind"] for one in told] == ["bundle.asked", "bundle.built", "bundle.read"]
    assert told[1]["sha256"] == ready["sha256"]


def test_same_case_is_the_same_file_also_after_it_was_lost_and_submissions_are_counted(
    as_person: AsPerson, house: House
) -> None:
    bina, seizure = as_person("bina"), _report(as_person, jpeg(1))
    first = _ask(bina, seizure)
    run_jobs(house)
    lost = bina.get(f"{URL}/{first['id']}").json
    house.storage.delete(bundle_key(lost["sha256"]))
    assert bina.get(lost["download"]).status_code == 404
    second = _ask(bina, seizure)
    run_jobs(house)

    assert hashlib.sha256(bina.get(lost["download"]).data).hexdigest() == lost["sha256"]
    one, other = (bina.get(f"{URL}/{asked['id']}").json for asked in (first, second))
    assert one["sha256"] == other["sha256"]
    assert (one["number"], other["number"]) == (1, 2)
    letter = bina.get(f"{URL}/{second['id']}/letter.html").text
    assert one["words"] in letter
    assert f" A.{one['cut']} {one['head']}" in letter
    assert len(bina.get(f"{URL}?seizure={seizure}").json["items"]) == 2


def test_missing_photo_is_named_and_nothing_is_made(as_person: AsPerson, house: House) -> None:
    bina, seizure = as_person("bina"), _report(as_person, jpeg(1), announced=1)
    refused, named = _ask(bina, seizure), _ask(bina, seizure, missing="name")
    run_jobs(house)

    failed = bina.get(f"{URL}/{refused['id']}").json
    ready = bina.get(f"{URL}/{named['id']}").json
    assert (failed["state"], failed["sha256"], failed["download"]) == ("failed", None, None)
    assert failed["missing"] == ready["missing"] != []
    assert failed["missing"][0]["what"].startswith("photo/")
    assert ready["state"] == "ready"
    assert bina.get(f"{URL}/{refused['id']}/download").status_code == 404


def test_bundle_made_before_an_erasure_is_withdrawn(
    as_person: AsPerson, house: House, clock: StoppedClock
) -> None:
    bina, seizure = as_person("bina"), _report(as_person)
    asked = _ask(bina, seizure)
    run_jobs(house)
    before = bina.get(f"{URL}/{asked['id']}").json
    clock.move(seconds=60)
    wish = {
        "id": new_id(),
        "record": f"seizure/{seizure}",
        "fields": ["remarks"],
        "reason": "asked",
    }
    assert as_person("admin").post("/api/v1/erasures", json=wish).status_code == 201
    again = _ask(bina, seizure)
    run_jobs(house)

    after, new = (bina.get(f"{URL}/{one['id']}").json for one in (asked, again))
    assert (before["state"], after["state"], new["state"]) == ("ready", "failed", "ready")
    assert bina.get(f"{URL}/{asked['id']}/download").status_code == 404
    assert house.storage.stat(bundle_key(before["sha256"])) is None
    assert b"by the well" not in bina.get(new["download"]).data


def test_resend_asks_once_and_other_content_is_refused(as_person: AsPerson) -> None:
    bina, body = as_person("bina"), {"id": new_id(), "seizure": _report(as_person)}

    first, again = bina.post(URL, json=body), bina.post(URL, json=body)
    other = bina.post(URL, json={**body, "redact": ["owner"]})

    assert (first.status_code, again.status_code, other.status_code) == (202, 200, 409)
    assert first.json == again.json


def test_unknown_redaction_and_unknown_case_are_refused(as_person: AsPerson) -> None:
    bina, seizure = as_person("bina"), _report(as_person)

    wrong = bina.post(URL, json={"id": new_id(), "seizure": seizure, "redact": ["everything"]})
    nowhere = bina.post(URL, json={"id": new_id(), "seizure": new_id()})
    unsaid = bina.post(URL, json={"id": new_id(), "seizure": seizure, "complaint": new_id()})
    reporter = as_person("asha").post(URL, json={"id": new_id(), "seizure": seizure})

    assert unsaid.status_code == 404
    assert (wrong.status_code, nowhere.status_code, reporter.status_code) == (422, 404, 403)


def test_lost_original_is_noted_and_named(as_person: AsPerson, house: House) -> None:
    bina, seizure = as_person("bina"), _report(as_person, jpeg(1), jpeg(2), jpeg(3))
    run_jobs(house)
    rotten = house.settings.data / "photos" / original_key(sha256(jpeg(3)))
    house.storage.delete(original_key(sha256(jpeg(2))))
    rotten.chmod(0o600)
    rotten.write_bytes(b"rotten")
    refused, named = _ask(bina, seizure), _ask(bina, seizure, missing="name")
    run_jobs(house)

    failed, ready = (bina.get(f"{URL}/{one['id']}").json for one in (refused, named))
    assert (failed["state"], ready["state"]) == ("failed", "ready")
    assert [one for one in failed["missing"] if one in ready["missing"]] == failed["missing"] != []
    assert ["found damaged or missing" in one["why"] for one in ready["missing"]] == [True, True]
    assert ready["contents"]["originals"] == 1


@pytest.mark.database
def test_bundle_that_fails_lets_others_pass_and_ends_with_its_reason(
    as_person: AsPerson, house: House, database: Database, clock: StoppedClock
) -> None:
    bina = as_person("bina")
    first = _ask(bina, _report(as_person))

    def broken(_desk: Desk, _content: Content, _progress: Progress) -> Papers:
        raise RuntimeError("quotes Ramesh")

    job = bundles.building(house, broken)
    assert not attempt(database, job, _waiting(database, job)[0])
    clock.move(seconds=60)
    second = _ask(bina, first["seizure"])
    assert [one[-36:] for one in _waiting(database, job)] == [second["id"], first["id"]]
    ended = [attempt(database, job, _waiting(database, job)[-1]) for _ in range(7)]

    assert ended == [*[False] * 6, True]
    told = bina.get(f"{URL}/{first['id']}").json
    assert (told["state"], "RuntimeError" in told["missing"][0]["why"]) == ("failed", True)
    assert "Ramesh" not in str(told)


def _waiting(database: Database, job: Job) -> list[str]:
    with database.read() as session:
        return job.pending(session)
