"""Small pictures that phones send ahead of their photos: seen, marked, never evidence."""

from __future__ import annotations

from fieldapi import limits
from fieldapi.house import House
from fieldapi.storage.keys import sent_key
from tests.integration.photos.conftest import Work
from tests.support.house import Answer, AsPerson, Client
from tests.support.personas import Village
from tests.support.photos import jpeg, put, read, report

SMALL = jpeg(2)


def send_ahead(client: Client, photo_id: str, picture: bytes, media: str = "image/jpeg") -> Answer:
    return client.put(f"/api/v1/photos/{photo_id}/preview", data=picture, content_type=media)


def test_reviewer_sees_what_was_sent_ahead_marked_so(as_person: AsPerson) -> None:
    (photo,) = report(as_person("asha"), jpeg())

    assert send_ahead(as_person("asha"), photo, SMALL).status_code == 201

    shown = read(as_person("bina"), photo, "/preview")
    assert (shown.data, shown.headers["Preview-Source"]) == (SMALL, "phone")
    assert read(as_person("bina"), photo).json["state"] == "announced"
    assert read(as_person("bina"), photo, "/content").status_code == 404


def test_second_one_takes_the_place_of_the_first(as_person: AsPerson) -> None:
    asha = as_person("asha")
    (photo,) = report(asha, jpeg())
    send_ahead(asha, photo, SMALL)

    assert send_ahead(asha, photo, jpeg(3)).status_code == 201
    assert read(asha, photo, "/preview").data == jpeg(3)


def test_it_is_gone_when_the_photo_has_pictures_of_its_own(
    as_person: AsPerson, house: House, village: Village, work: Work
) -> None:
    asha = as_person("asha")
    (photo,) = report(asha, jpeg())
    send_ahead(asha, photo, SMALL)
    put(asha, photo, jpeg())

    work()

    assert house.storage.stat(sent_key(village.rjk, photo)) is None
    assert "Preview-Source" not in read(asha, photo, "/preview").headers
    assert send_ahead(asha, photo, SMALL).status_code == 204


def test_nobody_sends_a_picture_for_the_photo_of_another(as_person: AsPerson) -> None:
    (photo,) = report(as_person("asha"), jpeg())

    assert send_ahead(as_person("ravi"), photo, SMALL).status_code == 404
    assert send_ahead(as_person("chetan"), photo, SMALL).status_code == 404


def test_only_a_small_jpeg_is_taken(as_person: AsPerson) -> None:
    asha = as_person("asha")
    (photo,) = report(asha, jpeg())

    assert send_ahead(asha, photo, b"<svg/>").status_code == 415
    assert send_ahead(asha, photo, SMALL, "image/png").status_code == 415
    assert send_ahead(asha, photo, bytes(limits.PREVIEW_BYTES + 1)).status_code == 413
