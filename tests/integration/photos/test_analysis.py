"""What is found in photos, and the doubts that follow for their reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from fieldapi.domain.flags import FLAGS
from fieldapi.imaging import Analysis, WorkerGoneError, analyse_photo
from fieldapi.imaging.compare import Doubt
from fieldapi.imaging.facts import Flag as ByteFlag
from fieldapi.models import Flag
from fieldapi.services.photos import derivatives
from fieldapi.settings import Settings
from fieldapi.storage.keys import original_key
from fieldapi.unit import Database
from tests.integration.photos.conftest import MoodyStorage, Work
from tests.support.clock import StoppedClock
from tests.support.house import AsPerson
from tests.support.images import field_photo
from tests.support.ledgers import entries_of
from tests.support.photos import jpeg, put, read, report, sha256

pytestmark = pytest.mark.database
TEXT = b"This is no photo, whatever its name says.\n"


def test_text_called_photo_leaves_the_report_and_carries_its_reason(
    as_person: AsPerson, work: Work
) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, TEXT)
    assert put(asha, photo_id, TEXT).status_code == 201
    work()

    told = read(as_person("bina"), photo_id).json
    kept = read(as_person("bina"), photo_id, "/content")

    assert (told["state"], told["verdict"]) == ("quarantined", "reject")
    assert told["reason"] == "unsupported_type"
    assert told["width"] is None
    assert kept.data == TEXT
    assert kept.headers["Content-Type"] == "application/octet-stream"
    assert read(as_person("bina"), photo_id, "/preview").status_code == 404
    assert as_person("bina").get("/api/v1/seizures").json["items"][0]["photos_stored"] == 1


def test_photo_from_elsewhere_and_another_day_is_flagged(
    as_person: AsPerson, work: Work, database: Database
) -> None:
    asha, content = as_person("asha"), jpeg(1, lat=23.02, lon=72.57)
    (photo_id,) = report(asha, content, taken_at="2026-11-29T05:10:00.000Z")
    put(asha, photo_id, content)
    work()

    told = read(asha, photo_id).json
    flags = set(told["flags"])
    place, moment = (told["findings"][f"exif_{what}_mismatch"] for what in ("gps", "time"))
    assert (place["tolerance_m"], moment["tolerance_min"], moment["minutes"]) == (1008, 15, 1440)
    assert f"{place['metres']} metres apart; up to 1008 metres" in place["says"]
    assert {"exif_gps_mismatch", "exif_time_mismatch"} <= flags
    with database.read() as session:
        query = select(Flag.detail).where(Flag.flag == "exif_gps_mismatch")
        assert json.loads(session.scalars(query).one())["metres"] > 100_000
    listed = as_person("bina").get("/api/v1/seizures?flag=exif_gps_mismatch")
    assert len(listed.json["items"]) == 1
    (entry,) = entries_of(database, f"photo/{photo_id}", "photo.analysed")
    assert (entry["moves"], set(entry["flags"])) == (1, flags)


def test_photo_without_a_place_is_no_suspicion(as_person: AsPerson, work: Work) -> None:
    asha, content = as_person("asha"), jpeg(1, lat=None, lon=None)
    (photo_id,) = report(asha, content)
    put(asha, photo_id, content)
    work()

    told = read(asha, photo_id).json
    assert (told["verdict"], told["flags"]) == ("accept", ["exif_gps_absent"])


def test_same_picture_in_other_bytes_is_flagged_in_both_reports(
    as_person: AsPerson, work: Work
) -> None:
    asha, one, other = as_person("asha"), field_photo(7), field_photo(7, make="Otherphone")
    (first,), (second,) = report(asha, one), report(asha, other)
    put(asha, first, one)
    put(asha, second, other)
    work()

    flags = [read(asha, photo_id).json["flags"] for photo_id in (first, second)]
    assert ["photo_similar" in found for found in flags] == [True, True]


def test_two_shots_in_one_report_are_nothing_to_wonder_about(
    as_person: AsPerson, work: Work
) -> None:
    asha, one, other = as_person("asha"), field_photo(7), field_photo(7, make="Otherphone")
    photo_ids = report(asha, one, other, one)
    for photo_id, content in zip(photo_ids, (one, other, one), strict=True):
        put(asha, photo_id, content)
    work()

    flags = {flag for photo_id in photo_ids for flag in read(asha, photo_id).json["flags"]}
    assert flags & {"photo_similar", "photo_reused"} == set()


def test_photo_that_ends_the_decoder_each_time_is_rejected_in_the_end(
    as_person: AsPerson, work: Work, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, jpeg())
    put(asha, photo_id, jpeg())

    def die(*_args: object, **_options: object) -> None:
        raise WorkerGoneError

    monkeypatch.setattr(derivatives, "analyse_photo", die)
    for _ in range(4):
        work()
        assert read(asha, photo_id).json["state"] == "stored"
        clock.move(hours=1)
    work()

    told = read(asha, photo_id).json
    assert (told["state"], told["reason"]) == ("quarantined", "decoder_crashed")
    assert read(asha, photo_id, "/content").data == jpeg()


def test_photo_that_ends_the_decoder_holds_up_no_other(
    as_person: AsPerson, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three photos that are looked into together one ends the decoder."""
    asha, contents = as_person("asha"), [jpeg(number) for number in (1, 2, 3)]
    photos = [report(asha, content)[0] for content in contents]
    for photo_id, content in zip(photos, contents, strict=True):
        put(asha, photo_id, content)

    def dying(path: Path, **said: Any) -> Analysis:
        if path.read_bytes() == contents[1]:
            raise WorkerGoneError
        return analyse_photo(path, **said)

    monkeypatch.setattr(derivatives, "analyse_photo", dying)
    monkeypatch.setattr(derivatives, "CORES", 1)
    work()

    assert [read(asha, one).json["verdict"] for one in photos] == ["accept", None, "accept"]


def test_analysis_waits_for_a_store_that_is_down(
    as_person: AsPerson, work: Work, clock: StoppedClock, store: MoodyStorage
) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, jpeg())
    put(asha, photo_id, jpeg())
    store.is_down = True
    work()
    assert read(asha, photo_id).json["analysed_at"] is None
    store.is_down = False
    clock.move(hours=1)
    work()

    assert read(asha, photo_id).json["verdict"] == "accept"


def test_damaged_original_is_replaced_by_the_bytes_that_fit(
    as_person: AsPerson, store: MoodyStorage, settings: Settings, database: Database
) -> None:
    asha, key = as_person("asha"), original_key(sha256(jpeg()))
    (photo_id,) = report(asha, jpeg())
    put(asha, photo_id, jpeg())
    (settings.data / "photos" / key).write_bytes(b"rot")

    assert put(asha, photo_id, jpeg()).status_code == 200

    assert read(asha, photo_id, "/content").data == jpeg()
    (entry,) = entries_of(database, f"original/{sha256(jpeg())}", "bytes.set_aside")
    assert entry["sha256"] == sha256(b"rot")


def test_every_flag_has_its_plain_sentence() -> None:
    assert {*ByteFlag, *Doubt} - FLAGS.keys() == set()
