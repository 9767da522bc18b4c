"""`POST /api/v1/imports`: who signed is believed, who carries the file does not matter."""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi import ledger
from fieldapi.house import House
from fieldapi.ids import new_id
from tests.support.house import Answer, AsPerson, Client
from tests.support.outboxes import Files, outbox_files, sealed, zipped
from tests.support.personas import Village
from tests.support.photos import jpeg, sha256
from tests.support.signing import SigningPhone, signing_phone

pytestmark = pytest.mark.database


@pytest.fixture
def asha(app: Flask, house: House, village: Village) -> SigningPhone:
    return signing_phone(app, house.database, village["asha"])


def hand_in(client: Client, files: Files) -> Answer:
    return client.post("/api/v1/imports", data=zipped(files), content_type="application/zip")


def outbox(asha: SigningPhone, seizure: str, photo: str) -> Files:
    """Return what a phone exports that never had a line."""
    pen, content = asha.phone.pen, jpeg()
    announced = {
        "seizure_id": seizure,
        "sha256": sha256(content),
        "size": len(content),
        "media_type": "image/jpeg",
    }
    ops = [
        pen.seizure(seizure),
        pen.animal(new_id(), seizure, "cow", 2),
        pen.op("photo", photo, new=True, set=announced),
    ]
    return sealed(outbox_files([asha.seal(op) for op in ops], {photo: content}), asha)


def test_file_carried_by_another_is_stored_as_its_author_wrote_it(
    as_person: AsPerson, asha: SigningPhone
) -> None:
    seizure, photo = new_id(), new_id()
    files = outbox(asha, seizure, photo)

    told = hand_in(as_person("ravi"), files).json

    assert [one["status"] for one in told["results"]] == ["applied"] * 3, told
    assert told["device"] == asha.persona.device_id
    assert [(one["state"], one["ids"]) for one in told["photos"]] == [("stored", [photo])]
    shown = as_person("bina").get(f"/api/v1/seizures/{seizure}").json
    assert (shown["trust"], shown["photos_stored"]) == ("signed", 1)


def test_same_file_again_changes_nothing(
    as_person: AsPerson, asha: SigningPhone, house: House, village: Village
) -> None:
    files = outbox(asha, new_id(), new_id())
    first = hand_in(as_person("ravi"), files).json
    with house.database.read() as session:
        size = ledger.head(session, village.rjk).size

    again = hand_in(as_person("ravi"), files).json

    assert [one["seq"] for one in again["results"]] == [one["seq"] for one in first["results"]]
    assert all(one["replayed"] for one in again["results"])
    assert again["photos"] == first["photos"]
    with house.database.read() as session:
        assert ledger.head(session, village.rjk).size == size


def test_op_that_was_touched_is_set_aside_and_stops_no_other(
    as_person: AsPerson, asha: SigningPhone
) -> None:
    pen = asha.phone.pen
    first, second = asha.seal(pen.seizure(new_id())), asha.seal(pen.seizure(new_id()))
    head, payload, _ = first["jws"].split(".")
    forged = {"jws": f"{head}.{payload}.{second['jws'].rpartition('.')[2]}"}

    told = hand_in(as_person("ravi"), outbox_files([forged, second, b"{not json"])).json

    assert [one["status"] for one in told["results"]] == ["quarantined", "applied", "quarantined"]
    assert [one["i"] for one in told["results"]] == [0, 1, 2]
    assert told["device"] is None


def test_unsigned_ops_of_another_phone_wait_for_a_reviewer(
    as_person: AsPerson, asha: SigningPhone
) -> None:
    told = hand_in(as_person("ravi"), outbox_files([asha.phone.pen.seizure(new_id())])).json

    assert told["results"][0]["status"] == "held"


def test_seal_over_another_manifest_is_nobodys(as_person: AsPerson, asha: SigningPhone) -> None:
    files = outbox_files([asha.seal(asha.phone.pen.seizure(new_id()))])
    other = sealed(outbox_files([]), asha)["MANIFEST.jws"]

    told = hand_in(as_person("ravi"), {**files, "MANIFEST.jws": other}).json

    assert told["device"] is None
    assert told["results"][0]["status"] == "applied"


def test_damaged_photo_is_named_and_the_rest_is_taken(
    as_person: AsPerson, asha: SigningPhone
) -> None:
    files = outbox(asha, new_id(), new_id())
    name = next(one for one in files if one.startswith("photos/"))
    files[name] = files[name][:-1] + b"?"

    told = hand_in(as_person("ravi"), files).json

    assert [one["status"] for one in told["results"]] == ["applied"] * 3
    assert [(one["state"], one["code"]) for one in told["photos"]] == [
        ("refused", "photo-hash-mismatch")
    ]


def test_more_ops_than_one_batch_holds_keep_their_places(
    as_person: AsPerson, asha: SigningPhone
) -> None:
    pen = asha.phone.pen
    ops = [asha.seal(pen.seizure(new_id())) for _ in range(510)]

    told = hand_in(as_person("ravi"), outbox_files(ops)).json

    assert [one["i"] for one in told["results"]] == list(range(510))
    assert {one["status"] for one in told["results"]} == {"applied"}
