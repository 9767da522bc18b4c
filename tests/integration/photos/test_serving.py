"""Photos given out: to those who may see the record, as a file, and with a note in the ledger."""

from __future__ import annotations

import pytest

from fieldapi.ids import new_id
from fieldapi.unit import Database
from tests.integration.photos.conftest import MoodyStorage, Work, stores
from tests.support.clock import StoppedClock
from tests.support.house import Answer, AsPerson, Client
from tests.support.ledgers import entries_of
from tests.support.photos import jpeg, put, read, report, sha256

PARTS = ("", "/content", "/preview", "/thumbnail")


@pytest.fixture
def photo_id(as_person: AsPerson, work: Work) -> str:
    """A photo of asha's, stored and looked into."""
    (photo_id,) = report(as_person("asha"), jpeg())
    put(as_person("asha"), photo_id, jpeg())
    work()
    return photo_id


def _content(client: Client, photo_id: str, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.get(f"/api/v1/photos/{photo_id}/content", headers=named)


def test_original_is_a_file_to_keep(as_person: AsPerson, photo_id: str) -> None:
    answer = _content(as_person("bina"), photo_id)

    assert answer.data == jpeg()
    assert answer.headers["Content-Type"] == "image/jpeg"
    name = f"{sha256(jpeg())}.jpg"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"].startswith("sandbox")
    assert answer.headers["Cache-Control"] == "private, immutable"
    assert answer.headers["ETag"] == f'"{sha256(jpeg())}"'


@stores
@pytest.mark.parametrize(
    "asked,start,end",
    [("bytes=0-9", 0, 10), ("bytes=100-", 100, None), ("bytes=-7", -7, None)],
)
def test_part_of_an_original_is_206(
    as_person: AsPerson, photo_id: str, asked: str, start: int, end: int | None
) -> None:
    answer = _content(as_person("bina"), photo_id, Range=asked)

    assert (answer.status_code, answer.data) == (206, jpeg()[start:end])
    whole = len(jpeg())
    first = start % whole
    assert (
        answer.headers["Content-Range"] == f"bytes {first}-{first + len(answer.data) - 1}/{whole}"
    )


@pytest.mark.parametrize("asked", [f"{len(jpeg())}-", "-0"])
def test_part_that_is_not_there_is_416(as_person: AsPerson, photo_id: str, asked: str) -> None:
    answer = _content(as_person("bina"), photo_id, Range=f"bytes={asked}")

    assert (answer.status_code, answer.headers["Content-Range"]) == (416, f"bytes */{len(jpeg())}")
    assert answer.json["type"] == "urn:fieldapi:problem:range-not-satisfiable"


def test_part_of_something_else_is_the_whole(as_person: AsPerson, photo_id: str) -> None:
    bina, ours = as_person("bina"), f'"{sha256(jpeg())}"'

    fits = _content(bina, photo_id, Range="bytes=0-9", If_Range=ours)
    differs = _content(bina, photo_id, Range="bytes=0-9", If_Range='"another"')

    assert (fits.status_code, differs.status_code) == (206, 200)


def test_what_a_reader_has_is_not_sent_again(as_person: AsPerson, photo_id: str) -> None:
    for part in PARTS[1:]:
        first = read(as_person("bina"), photo_id, part)
        tag = {"If-None-Match": first.headers["ETag"]}
        again = as_person("bina").get(f"/api/v1/photos/{photo_id}{part}", headers=tag)
        assert (again.status_code, again.data) == (304, b"")


def test_pictures_are_small_upright_and_without_metadata(
    as_person: AsPerson, photo_id: str
) -> None:
    for part in PARTS[2:]:
        answer = read(as_person("bina"), photo_id, part)
        assert answer.headers["Content-Type"] == "image/jpeg"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.data.startswith(b"\xff\xd8\xff")
        assert b"Exif" not in answer.data
        assert b"Fieldphone" not in answer.data


def test_picture_that_is_not_made_yet_is_404(as_person: AsPerson) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, jpeg())
    assert read(asha, photo_id, "/content").status_code == 404
    put(asha, photo_id, jpeg())

    answers = {part: read(asha, photo_id, part).status_code for part in PARTS}

    assert answers == {"": 200, "/content": 200, "/preview": 404, "/thumbnail": 404}


def test_who_may_not_see_the_record_sees_nothing_of_the_photo(
    as_person: AsPerson, photo_id: str
) -> None:
    for part in PARTS:
        unknown = read(as_person("bina"), new_id(), part)
        for name in ("ravi", "chetan", "mohan"):
            answer = read(as_person(name), photo_id, part)
            assert answer.status_code == 404
            assert {**answer.json, "instance": ""} == {**unknown.json, "instance": ""}


@pytest.mark.database
def test_view_is_entered_once_per_person_photo_and_day(
    as_person: AsPerson, photo_id: str, clock: StoppedClock, database: Database
) -> None:
    def views() -> int:
        return len(entries_of(database, f"photo/{photo_id}", "photo.viewed"))

    for part in ("/thumbnail", "/preview", "/content", "/content"):
        read(as_person("bina"), photo_id, part)
    assert views() == 1
    read(as_person("asha"), photo_id, "/content")
    assert views() == 2
    clock.move(days=1)
    _content(as_person("bina"), photo_id, If_None_Match=f'"{sha256(jpeg())}"')

    assert views() == 3
    entry = entries_of(database, f"photo/{photo_id}", "photo.viewed")[0]
    assert entry["moves"] == 0


def test_head_tells_the_size_and_sends_nothing(as_person: AsPerson, photo_id: str) -> None:
    answer = as_person("bina").open(f"/api/v1/photos/{photo_id}/content", method="HEAD")

    assert (answer.status_code, answer.data) == (200, b"")
    assert answer.headers["Content-Length"] == str(len(jpeg()))


def test_store_that_is_down_is_503_and_comes_back(
    as_person: AsPerson, photo_id: str, store: MoodyStorage
) -> None:
    store.is_down = True
    down = read(as_person("bina"), photo_id, "/content")
    store.is_down = False

    assert down.status_code == 503
    assert read(as_person("bina"), photo_id, "/content").data == jpeg()
