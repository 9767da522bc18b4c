"""A photo handed in at once: kept under its hash, proven, never swapped."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import Flask

from fieldapi import limits
from fieldapi.ids import new_id
from fieldapi.queries import photos as queries
from fieldapi.services.photos import receiving
from fieldapi.settings import Settings
from fieldapi.storage import Storage, replace_damaged
from fieldapi.storage.keys import aside_key, original_key, preview_key
from fieldapi.unit import Database
from tests.integration.photos.conftest import MoodyStorage, Work, stores
from tests.support.house import AsPerson, client_with
from tests.support.ledgers import entries_of
from tests.support.personas import Village, add_persona
from tests.support.photos import jpeg, put, read, report, sha256
from tests.support.reports import photo_body, seizure_body

pytestmark = pytest.mark.database


@stores
def test_photo_is_stored_looked_into_and_given_out(
    as_person: AsPerson, store: MoodyStorage, work: Work
) -> None:
    asha, content = as_person("asha"), jpeg()
    (photo_id,) = report(asha, content)
    assert read(asha, photo_id).json["state"] == "announced"

    answer = put(asha, photo_id, content)

    assert (answer.status_code, answer.json["state"]) == (201, "stored")
    assert store.inner.stat(original_key(sha256(content))).size == len(content)
    work()
    told = read(as_person("bina"), photo_id).json
    assert (told["verdict"], told["format"], told["width"]) == ("accept", "JPEG", 320)
    assert (round(told["exif"]["lat"], 5), told["exif"]["make"]) == (22.30391, "Fieldphone")
    assert (told["sha256"], told["size"]) == (sha256(content), len(content))
    assert store.inner.stat(preview_key(sha256(content))) is not None
    assert read(as_person("bina"), photo_id, "/content").data == content


def test_resend_changes_nothing(as_person: AsPerson, database: Database) -> None:
    asha, content = as_person("asha"), jpeg()
    (photo_id,) = report(asha, content)
    first = put(asha, photo_id, content)

    again = put(asha, photo_id, content)

    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json == first.json
    assert len(entries_of(database, f"photo/{photo_id}", "photo.stored")) == 1


def test_stored_photo_moves_its_report(as_person: AsPerson, database: Database) -> None:
    asha = as_person("asha")
    body = seizure_body(photos=[photo_body(jpeg(1)), photo_body(jpeg(2))])
    asha.post("/api/v1/seizures", json=body)

    put(asha, body["photos"][0]["id"], jpeg(1))

    told = asha.get(f"/api/v1/seizures/{body['id']}").json
    assert (told["photos_stored"], told["photos_announced"]) == (1, 2)
    (entry,) = entries_of(database, f"seizure/{body['id']}", "photo.stored")
    assert (entry["moves"], entry["sha256"]) == (1, sha256(jpeg(1)))


def test_photo_without_its_digest_is_400(as_person: AsPerson) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, jpeg())
    place = f"/api/v1/photos/{photo_id}/content"
    digests = [{}, {"Repr-Digest": "sha-512=:AAAA:"}, {"Repr-Digest": "sha-256=:AAAA:"}]

    answers = [asha.put(place, data=jpeg(), headers=headers) for headers in digests]

    assert [answer.status_code for answer in answers] == [400, 400, 400]
    assert {answer.json["type"] for answer in answers} == {"urn:fieldapi:problem:digest-missing"}


def test_wrong_digest_replaces_nothing_and_the_bytes_are_kept_aside(
    as_person: AsPerson, store: MoodyStorage, database: Database
) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, jpeg())

    answers = [put(asha, photo_id, b"cut short", says=jpeg()) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [422, 422]
    assert answers[0].json["type"] == "urn:fieldapi:problem:photo-hash-mismatch"
    assert read(asha, photo_id).json["state"] == "announced"
    assert store.inner.stat(aside_key(sha256(b"cut short"))) is not None
    assert len(entries_of(database, f"photo/{photo_id}", "photo.mismatched")) == 1


def test_first_bytes_win(as_person: AsPerson, store: MoodyStorage, database: Database) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, jpeg(1))
    put(asha, photo_id, jpeg(1))

    answer = put(asha, photo_id, jpeg(2))

    assert (answer.status_code, answer.json["announced"]) == (422, sha256(jpeg(1)))
    assert read(asha, photo_id, "/content").data == jpeg(1)
    assert store.inner.stat(original_key(sha256(jpeg(2)))) is None
    (entry,) = entries_of(database, f"photo/{photo_id}", "bytes.set_aside")
    assert entry["sha256"] == sha256(jpeg(2))


def test_empty_photo_and_too_large_a_photo_are_refused(as_person: AsPerson) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, b"", size=1)
    large = {"CONTENT_LENGTH": str(limits.PHOTO_BYTES + 1)}

    empty = put(asha, photo_id, b"")
    huge = asha.put(f"/api/v1/photos/{photo_id}/content", data=b"x", environ_overrides=large)

    assert (empty.status_code, huge.status_code) == (422, 413)


def test_bytes_before_their_record_are_adopted(
    as_person: AsPerson, work: Work, database: Database
) -> None:
    asha, content = as_person("asha"), jpeg()
    body = seizure_body(photos=[photo_body(content)])
    photo_id = body["photos"][0]["id"]

    early = put(asha, photo_id, content)
    work()
    assert (early.status_code, early.json["state"]) == (202, "unlinked")
    assert read(asha, photo_id).status_code == 404
    assert len(entries_of(database, f"original/{sha256(content)}", "photo.stored")) == 1
    asha.post("/api/v1/seizures", json=body)
    work()

    told = read(asha, photo_id).json
    assert (told["state"], told["verdict"]) == ("stored", "accept")
    assert told["analysed_at"] is not None
    assert put(asha, photo_id, content).status_code == 200


def test_photo_of_somebody_else_looks_unknown(as_person: AsPerson, database: Database) -> None:
    (photo_id,) = report(as_person("asha"), jpeg(1))

    theirs, unknown = (put(as_person("ravi"), one, jpeg(2)) for one in (photo_id, new_id()))

    assert (theirs.status_code, unknown.status_code) == (202, 202)
    assert {**theirs.json, "id": ""} == {**unknown.json, "id": ""}
    assert read(as_person("asha"), photo_id).json["state"] == "announced"
    assert read(as_person("ravi"), photo_id).status_code == 404


def test_pending_phone_hands_in_and_sees_nothing(
    app: Flask, database: Database, village: Village, as_person: AsPerson
) -> None:
    fresh = add_persona(database, village.rjk, "lalu", role="reporter", is_confirmed=False)
    client = client_with(app, fresh.token)
    photo_id = new_id()

    assert put(client, photo_id, jpeg()).status_code == 202
    assert read(client, photo_id).status_code == 403


def test_one_photo_in_two_reports_is_stored_once_and_flagged_in_both(
    as_person: AsPerson, store: MoodyStorage, work: Work
) -> None:
    (first,) = report(as_person("asha"), jpeg())
    put(as_person("asha"), first, jpeg())
    work()
    (second,) = report(as_person("ravi"), jpeg())
    put(as_person("ravi"), second, jpeg())
    work()

    bina = as_person("bina")
    told = [read(bina, photo_id).json for photo_id in (first, second)]
    assert [one["state"] for one in told] == ["stored", "stored"]
    assert all("photo_reused" in one["flags"] for one in told)
    assert len(list(store.inner.list("originals/"))) == 1


def test_eight_at_once_make_one_original(
    app: Flask, as_person: AsPerson, village: Village, database: Database
) -> None:
    (photo_id,) = report(as_person("asha"), jpeg())
    token = village["asha"].token

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: put(client_with(app, token), photo_id, jpeg()), range(8)))

    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert all(answer.json == answers[0].json for answer in answers)
    assert len(entries_of(database, f"photo/{photo_id}", "photo.stored")) == 1


def test_photo_that_two_phones_mend_at_once_is_asked_for_again(
    as_person: AsPerson, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, jpeg())
    path = settings.data / "photos" / original_key(sha256(jpeg()))
    path.parent.mkdir(parents=True)
    path.write_bytes(b"rotten")

    def be_late(storage: Storage, key: str, good: Path, *, sha256: str) -> str:
        replace_damaged(storage, key, good, sha256=sha256)
        return replace_damaged(storage, key, good, sha256=sha256)

    monkeypatch.setattr(receiving, "replace_damaged", be_late)
    late, again = put(asha, photo_id, jpeg()), put(asha, photo_id, jpeg())

    assert (late.status_code, again.status_code) == (503, 201)
    assert path.read_bytes() == jpeg()


def test_reviewer_finds_what_was_set_aside(
    as_person: AsPerson, village: Village, database: Database
) -> None:
    (photo_id,) = report(as_person("asha"), jpeg(1))
    put(as_person("asha"), photo_id, jpeg(2))

    with database.read() as session:
        (found,) = queries.aside(session, village.rjk, [photo_id])

    (told,) = read(as_person("bina"), photo_id).json["set_aside"]
    assert (told["sha256"], told["size"]) == (sha256(jpeg(2)), len(jpeg(2)))
    assert (found.announced, found.sha256) == (sha256(jpeg(1)), sha256(jpeg(2)))
    assert found.via == f"device/{village['asha'].device_id}"
