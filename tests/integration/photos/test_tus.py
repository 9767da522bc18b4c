"""Photos in pieces: the upload stands where its file ends, whatever happened on the way."""

from __future__ import annotations

import hashlib
import io
from base64 import b64encode
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask

from fieldapi import limits
from fieldapi.ids import new_id
from fieldapi.services.photos import upload_ends, uploads
from fieldapi.services.photos.files import LIFETIME
from fieldapi.settings import Settings
from fieldapi.storage import Spool, disk
from fieldapi.storage.keys import aside_key, original_key
from fieldapi.unit import Database
from tests.integration.photos.conftest import MoodyStorage, Work, stores
from tests.support.clock import StoppedClock
from tests.support.house import AsPerson, Client, client_with
from tests.support.ledgers import entries_of
from tests.support.personas import Village, enrol
from tests.support.photos import (
    MEDIA,
    TUS,
    UPLOADS,
    add,
    begin,
    jpeg,
    metadata,
    put,
    read,
    report,
    sha256,
    stands_at,
)

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

both = pytest.mark.database
HALF = 1000


class Torn(io.RawIOBase):
    """A body whose line breaks where its bytes end."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self._left = content

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer).cast("B")
        if len(view) > len(self._left):
            raise ConnectionResetError("gone")
        view[:], self._left = self._left[: len(view)], self._left[len(view) :]
        return len(view)


def _checksum(piece: bytes) -> dict[str, str]:
    return {"Upload-Checksum": f"sha256 {b64encode(hashlib.sha256(piece).digest()).decode()}"}


@both
@stores
def test_photo_in_pieces_becomes_evidence(as_person: AsPerson, store: MoodyStorage) -> None:
    asha, content = as_person("asha"), jpeg()
    (photo_id,) = report(asha, content)

    begun = begin(asha, photo_id, content)
    assert (begun.status_code, begun.headers["Upload-Offset"]) == (201, "0")
    place = begun.headers["Location"]
    half = add(asha, place, 0, content[:HALF])
    assert (half.status_code, half.headers["Upload-Offset"]) == (204, str(HALF))
    assert read(asha, photo_id).json["state"] == "receiving"
    whole = add(asha, place, HALF, content[HALF:])

    assert (whole.status_code, whole.headers["Upload-Offset"]) == (204, str(len(content)))
    assert read(asha, photo_id).json["state"] == "stored"
    assert store.inner.stat(original_key(sha256(content))).size == len(content)
    assert stands_at(asha, place) == len(content)


def test_server_says_what_it_speaks(client: Client) -> None:
    told = client.open(UPLOADS, method="OPTIONS")

    assert told.status_code == 204
    assert told.headers["Tus-Resumable"] == told.headers["Tus-Version"] == "1.0.0"
    extensions = set(told.headers["Tus-Extension"].split(","))
    assert extensions == {
        *("creation", "creation-with-upload", "checksum", "expiration", "termination")
    }
    assert told.headers["Tus-Checksum-Algorithm"] == "sha256"
    assert told.headers["Tus-Max-Size"] == str(limits.PHOTO_BYTES)


def test_other_version_is_412_and_nothing_is_done(as_person: AsPerson) -> None:
    asha = as_person("asha")
    headers = {"Upload-Length": "5", "Upload-Metadata": metadata(new_id(), sha256(b"hello"))}

    answers = [
        asha.post(UPLOADS, headers={**headers, **more}) for more in ({}, {"Tus-Resumable": "0.2.2"})
    ]

    assert [answer.status_code for answer in answers] == [412, 412]
    assert {answer.headers["Tus-Version"] for answer in answers} == {"1.0.0"}


@both
def test_known_pair_goes_on_where_it_stands(as_person: AsPerson) -> None:
    asha, content = as_person("asha"), jpeg()
    (photo_id,) = report(asha, content)
    first = begin(asha, photo_id, content, body=content[:HALF])
    assert first.headers["Upload-Offset"] == str(HALF)

    again = begin(asha, photo_id, content)
    assert (again.status_code, again.headers["Upload-Offset"]) == (201, str(HALF))
    assert again.headers["Location"] == first.headers["Location"]
    add(asha, again.headers["Location"], HALF, content[HALF:])

    done = begin(asha, photo_id, content, body=content)
    assert (done.status_code, done.headers["Upload-Offset"]) == (201, str(len(content)))


def test_wrong_offset_is_409_and_says_the_right_one(as_person: AsPerson) -> None:
    asha, content = as_person("asha"), jpeg()
    place = begin(asha, new_id(), content, body=content[:HALF]).headers["Location"]

    for offset in (0, HALF - 1, HALF + 1):
        answer = add(asha, place, offset, b"x")
        assert (answer.status_code, answer.headers["Upload-Offset"]) == (409, str(HALF))
    assert stands_at(asha, place) == HALF


def test_bytes_before_a_cut_are_kept(as_person: AsPerson) -> None:
    asha, content = as_person("asha"), jpeg()
    place = begin(asha, new_id(), content).headers["Location"]

    answer = asha.patch(
        place,
        headers={**TUS, "Upload-Offset": "0"},
        content_type=MEDIA,
        environ_overrides={
            "CONTENT_LENGTH": str(len(content)),
            "wsgi.input": Torn(content[:HALF]),
        },
    )

    assert answer.status_code == 400
    assert stands_at(asha, place) == HALF


def test_piece_with_a_checksum_is_kept_whole_or_not_at_all(as_person: AsPerson) -> None:
    asha, content = as_person("asha"), jpeg()
    place = begin(asha, new_id(), content).headers["Location"]

    wrong = add(asha, place, 0, content[:HALF], _checksum(b"something else"))
    assert (wrong.status_code, stands_at(asha, place)) == (460, 0)
    strange = add(asha, place, 0, content[:HALF], {"Upload-Checksum": "md5 AAAA"})
    assert (strange.status_code, stands_at(asha, place)) == (400, 0)
    right = add(asha, place, 0, content[:HALF], _checksum(content[:HALF]))
    assert (right.status_code, stands_at(asha, place)) == (204, HALF)


def test_piece_with_a_checksum_has_at_most_4_mib(as_person: AsPerson) -> None:
    asha, content = as_person("asha"), bytes(limits.CHECKED_CHUNK_BYTES + 1)
    place = begin(asha, new_id(), content).headers["Location"]

    answer = add(asha, place, 0, content, _checksum(content))

    assert (answer.status_code, stands_at(asha, place)) == (413, 0)


@both
def test_other_bytes_start_again_and_are_kept_aside(
    as_person: AsPerson, store: MoodyStorage, database: Database
) -> None:
    asha, content = as_person("asha"), jpeg()
    (photo_id,) = report(asha, content)
    place = begin(asha, photo_id, content).headers["Location"]
    wrong = bytes(len(content))

    answer = add(asha, place, 0, wrong)

    assert (answer.status_code, answer.headers["Upload-Offset"]) == (422, "0")
    assert answer.json["type"] == "urn:fieldapi:problem:photo-hash-mismatch"
    assert stands_at(asha, place) == 0
    assert store.inner.stat(aside_key(sha256(wrong))) is not None
    assert len(entries_of(database, f"photo/{photo_id}", "photo.mismatched")) == 1
    assert add(asha, place, 0, content).status_code == 204
    assert read(asha, photo_id).json["state"] == "stored"


@both
def test_photo_that_announced_other_bytes_takes_none(
    as_person: AsPerson, store: MoodyStorage, database: Database
) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, jpeg(1))

    answer = begin(asha, photo_id, jpeg(2), body=jpeg(2))

    assert answer.status_code == 422
    assert read(asha, photo_id).json["state"] == "announced"
    assert store.inner.stat(aside_key(sha256(jpeg(2)))) is not None
    assert len(entries_of(database, f"photo/{photo_id}", "bytes.set_aside")) == 1


def test_more_bytes_than_announced_are_413(as_person: AsPerson) -> None:
    asha, content = as_person("asha"), jpeg()
    place = begin(asha, new_id(), content).headers["Location"]

    answer = add(asha, place, 0, content + b"more")

    assert (answer.status_code, stands_at(asha, place)) == (413, 0)


@pytest.mark.parametrize(
    "headers,status",
    [
        ({"Upload-Length": str(limits.PHOTO_BYTES + 1)}, 413),
        ({"Upload-Length": "0"}, 422),
        ({"Upload-Length": "-5"}, 400),
        ({"Upload-Length": "9" * 4000}, 400),
        ({"Upload-Defer-Length": "1"}, 400),
        ({"Upload-Length": "5", "Upload-Metadata": "photo"}, 400),
        ({"Upload-Length": "5", "Upload-Metadata": "photo !!!,sha256 AAAA"}, 400),
        ({"Upload-Length": "5", "Upload-Metadata": metadata("../../etc", sha256(b"hello"))}, 400),
    ],
)
def test_upload_that_makes_no_sense_is_refused(
    as_person: AsPerson, headers: dict[str, str], status: int
) -> None:
    told = {**TUS, "Upload-Metadata": metadata(new_id(), sha256(b"hello")), **headers}

    answer = as_person("asha").post(UPLOADS, headers=told)

    assert answer.status_code == status, answer.json


def test_upload_is_known_to_its_device_only(
    app: Flask, as_person: AsPerson, database: Database, village: Village
) -> None:
    asha, content = as_person("asha"), jpeg()
    place = begin(asha, new_id(), content, body=content[:HALF]).headers["Location"]
    second = enrol(database, village.rjk, village["asha"].person_id)
    others = [as_person("ravi"), client_with(app, second.token)]

    for other in others:
        assert other.open(place, method="HEAD", headers=TUS).status_code == 404
        assert add(other, place, HALF, b"x").status_code == 404
        assert other.delete(place, headers=TUS).status_code == 404
        assert begin(other, new_id(), content).headers["Location"] != place


@both
def test_only_what_nothing_announces_can_be_ended(as_person: AsPerson) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, jpeg(1))
    announced = begin(asha, photo_id, jpeg(1), body=jpeg(1)[:HALF]).headers["Location"]
    complete = begin(asha, new_id(), jpeg(2), body=jpeg(2)).headers["Location"]
    loose = begin(asha, new_id(), jpeg(3), body=jpeg(3)[:HALF]).headers["Location"]

    answers = [asha.delete(place, headers=TUS) for place in (announced, complete, loose)]

    assert [answer.status_code for answer in answers] == [403, 403, 204]
    assert asha.open(loose, method="HEAD", headers=TUS).status_code == 404
    assert stands_at(asha, announced) == HALF


def test_network_without_patch_overrides_the_verb(as_person: AsPerson) -> None:
    asha, content = as_person("asha"), jpeg()
    place = begin(asha, new_id(), content).headers["Location"]
    told = {**TUS, "Upload-Offset": "0", "X-HTTP-Method-Override": "PATCH"}

    answer = asha.post(place, data=content[:HALF], headers=told, content_type=MEDIA)

    assert (answer.status_code, answer.headers["Upload-Offset"]) == (204, str(HALF))
    assert asha.post(place, headers=TUS).status_code == 405


def test_store_that_is_down_costs_a_wait_and_no_byte(
    as_person: AsPerson, store: MoodyStorage, work: Work
) -> None:
    asha, content = as_person("asha"), jpeg()
    store.is_down = True
    (photo_id,) = report(asha, content)
    place = begin(asha, photo_id, content).headers["Location"]

    answer = add(asha, place, 0, content)
    assert answer.status_code == 503
    assert 5 <= int(answer.headers["Retry-After"]) <= 65
    assert put(asha, photo_id, content).status_code == 503
    assert stands_at(asha, place) == len(content)
    store.is_down = False
    work()

    assert read(asha, photo_id).json["state"] == "stored"


@both
def test_sweep_finishes_what_a_crash_left(
    as_person: AsPerson, work: Work, settings: Settings, database: Database
) -> None:
    asha, content = as_person("asha"), jpeg()
    (photo_id,) = report(asha, content)
    place = begin(asha, photo_id, content).headers["Location"]
    spool, upload_id = Spool(settings.spool), place.rpartition("/")[2]
    spool.append(upload_id, 0, io.BytesIO(content), limit=len(content))

    work()

    assert read(asha, photo_id).json["state"] == "stored"
    assert list(spool.files()) == []
    (entry,) = entries_of(database, f"photo/{photo_id}", "photo.stored")
    assert entry["via"].startswith("device/")


def test_sweep_starts_wrong_bytes_again(
    as_person: AsPerson, work: Work, settings: Settings
) -> None:
    asha, content = as_person("asha"), jpeg()
    (photo_id,) = report(asha, content)
    place = begin(asha, photo_id, content).headers["Location"]
    spool, upload_id = Spool(settings.spool), place.rpartition("/")[2]
    spool.append(upload_id, 0, io.BytesIO(bytes(len(content))), limit=len(content))

    work()

    assert stands_at(asha, place) == 0
    assert read(asha, photo_id).json["state"] == "receiving"


@both
def test_upload_expires_a_week_after_its_last_day(
    as_person: AsPerson, clock: StoppedClock, work: Work, settings: Settings
) -> None:
    asha, content = as_person("asha"), jpeg()
    begun = begin(asha, new_id(), content, body=content[:HALF])
    place, expires = begun.headers["Location"], begun.headers["Upload-Expires"]
    assert parsedate_to_datetime(expires) == clock.now + LIFETIME
    clock.move(days=4)
    add(asha, place, HALF, b"x")
    clock.move(days=6)
    work()
    assert stands_at(asha, place) == HALF + 1

    clock.move(days=1, seconds=1)
    assert asha.open(place, method="HEAD", headers=TUS).status_code == 410
    work()

    assert asha.open(place, method="HEAD", headers=TUS).status_code == 404
    assert list(Spool(settings.spool).files()) == []


def test_complete_upload_never_expires(
    as_person: AsPerson, clock: StoppedClock, store: MoodyStorage, work: Work
) -> None:
    asha, content = as_person("asha"), jpeg()
    (photo_id,) = report(asha, content)
    store.is_down = True
    begin(asha, photo_id, content, body=content)
    clock.move(days=30)
    work()

    store.is_down = False
    clock.move(hours=2)
    work()

    assert read(asha, photo_id).json["state"] == "stored"


def test_full_disk_is_507(as_person: AsPerson, monkeypatch: pytest.MonkeyPatch) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, jpeg())
    monkeypatch.setattr(disk, "free_bytes", lambda _folder: 0)

    answers = [begin(asha, photo_id, jpeg()), put(asha, photo_id, jpeg())]

    assert [answer.status_code for answer in answers] == [507, 507]


@both
def test_phone_is_told_what_it_still_owes(as_person: AsPerson) -> None:
    asha = as_person("asha")
    first, second = report(asha, jpeg(1), jpeg(2))
    place = begin(asha, first, jpeg(1), body=jpeg(1)[:HALF]).headers["Location"]
    body = {"protocol": 1, "schema": 1, "cursor": None, "ops": []}

    told = asha.post("/api/v1/sync", json=body).json["photos"]

    owed = {one["id"]: (one["offset"], one["upload"]) for one in told}
    assert owed == {first: (HALF, place.rpartition("/")[2]), second: (0, None)}


def test_piece_that_comes_after_another_request_finished_is_told_where_it_stands(
    as_person: AsPerson, monkeypatch: pytest.MonkeyPatch
) -> None:
    asha, content = as_person("asha"), jpeg()
    (photo_id,) = report(asha, content)
    place = begin(asha, photo_id, content).headers["Location"]
    honest = Spool.append

    def beaten(*args: Any, **kwargs: Any) -> int:
        monkeypatch.undo()
        assert add(asha, place, 0, content).status_code == 204
        return honest(*args, **kwargs)

    monkeypatch.setattr(Spool, "append", beaten)
    answer = add(asha, place, 0, content)

    assert answer.status_code == 409
    assert answer.headers["Upload-Offset"] == str(len(content))


def test_last_piece_is_acknowledged_when_the_job_made_it_evidence_first(
    as_person: AsPerson, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    asha, content = as_person("asha"), jpeg()
    (photo_id,) = report(asha, content)
    place = begin(asha, photo_id, content).headers["Location"]
    honest = upload_ends.finish

    def overtaken(*args: Any, **kwargs: Any) -> None:
        work()
        honest(*args, **kwargs)

    monkeypatch.setattr(uploads, "finish", overtaken)
    answer = add(asha, place, 0, content)

    assert answer.status_code == 204
    assert answer.headers["Upload-Offset"] == str(len(content))
