"""Every kind of photo, sent through the API as phones do: what is told of it is what is true."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pytest

from fieldapi.imaging.compare import Doubt
from tests.integration.photos.conftest import Work
from tests.support.corpus import IS_THERE, Expected, Specimen, specimens
from tests.support.house import AsPerson, Client
from tests.support.kinds import kinds
from tests.support.photos import put, read
from tests.support.reports import photo_body, seizure_body

# What follows from the report, not from the file: the reports here are made up.
OF_REPORTS = {str(doubt) for doubt in Doubt}


def test_every_kind_of_photo_is_told_as_it_is(as_person: AsPerson, work: Work) -> None:
    assert list(_differences(as_person("asha"), work, kinds())) == []


@pytest.mark.skipif(not IS_THERE, reason="no folder of real photos here (PHOTO_CORPUS)")
def test_every_real_photo_is_told_as_it_is(as_person: AsPerson, work: Work) -> None:
    assert list(_differences(as_person("asha"), work, specimens())) == []


def _differences(asha: Client, work: Work, files: Iterable[Specimen]) -> Iterator[str]:
    """Hand in every file, and yield what is told otherwise than it is."""
    sent: list[tuple[str, Specimen]] = []
    left = iter(files)
    while some := [*islice(left, 8)]:
        sent += _report(asha, some)
    work()
    for photo_id, file in sent:
        told = read(asha, photo_id).json
        found, expected = _found(told, file.expected), file.expected
        if found != expected:
            yield f"{file.name}: {found} is told, {expected} is true"


def _report(asha: Client, files: Iterable[Specimen]) -> Iterator[tuple[str, Specimen]]:
    """Report a seizure with these photos, and hand them in."""
    filled = [file for file in files if file.content]
    photos = [photo_body(file.content, media_type=file.media_type) for file in filled]
    assert asha.post("/api/v1/seizures", json=seizure_body(photos=[*photos])).status_code == 201
    for photo, file in zip(photos, filled, strict=True):
        assert put(asha, photo["id"], file.content).status_code in {200, 201}
        yield photo["id"], file


def _found(told: dict[str, Any], expected: Expected) -> Expected:
    exif = told["exif"]
    is_placed = exif["lat"] is not None
    place = (exif["lat"], exif["lon"]) if is_placed else None
    is_close = place == pytest.approx(expected.place, abs=1e-5) if expected.place else False
    return Expected(
        verdict=told["verdict"],
        reason=told["reason"] or "",
        flags=frozenset(told["flags"]) - OF_REPORTS,
        format=told["format"] or "?",
        size=f"{told['width']}x{told['height']}" if told["width"] else "",
        place=expected.place if is_close else place,
        taken_at=exif["taken_at"] or "",
        offset=exif["offset"] or "",
        orientation=None if expected.orientation is None else exif["orientation"] or 0,
    )
