"""What is made of stored photos outside of any request: pictures that are safe to show, the facts
in the file, and the doubts that follow from holding them against the report and other photos.

Pending work (`pending.py`). The decoding itself happens in a child process of `imaging`.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.house import House
from fieldapi.imaging import CORES, Analysis, Reason, Verdict, WorkerGoneError, analyse_photo
from fieldapi.jobs import Job
from fieldapi.models import Authority, JobFailure, Original, Photo
from fieldapi.services import doubts
from fieldapi.services.feed_scans import newest_bytes
from fieldapi.services.photos import previews
from fieldapi.services.photos.receiving import announcing
from fieldapi.storage import Storage, put_verified
from fieldapi.storage.keys import original_key, preview_key, thumbnail_key
from fieldapi.unit import Unit

NAME = "photos"
_AT_ONCE = 100
_PHOTOS_AT_ONCE = 50
_LAST_TRY = 4


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in a photo. `preview`: the SHA-256 of the picture of 1280 px made of it."""

    analysis: Analysis
    preview: str | None


def analysing(house: House) -> Job:
    """Return the job that looks into every stored photo once."""

    def run(subject: str) -> None:
        authority_id, _, sha256 = subject.partition("/")
        _look_into(house, authority_id, sha256)

    # A phone that is back brings many photos: they are evidence first, and pictures after.
    return Job(NAME, _unanalysed, run, at_once=CORES, newest=newest_bytes)


def checking(house: House) -> Job:
    """Return the job that holds a photo against bytes which were there before its record."""

    def run(subject: str) -> None:
        authority_id, _, photo_id = subject.partition("/")
        house.database.transact(lambda unit: _check_one(unit, authority_id, photo_id))

    return Job("photo checks", _unchecked, run)


def _unanalysed(session: Session) -> list[str]:
    query = (
        select(Original.authority_id, Original.sha256)
        .where(Original.analysed_at.is_(None))
        .order_by(Original.stored_at)
        .limit(_AT_ONCE)
    )
    return [f"{authority_id}/{sha256}" for authority_id, sha256 in session.execute(query)]


def _unchecked(session: Session) -> list[str]:
    query = (
        select(Photo.authority_id, Photo.id)
        .join(
            Original,
            (Original.authority_id == Photo.authority_id) & (Original.sha256 == Photo.sha256),
        )
        .where(Photo.checked_at.is_(None), Photo.heads != "", Original.analysed_at.is_not(None))
        .limit(_AT_ONCE)
    )
    return [f"{authority_id}/{photo_id}" for authority_id, photo_id in session.execute(query)]


def _look_into(house: House, authority_id: str, sha256: str) -> None:
    """Analyse one original, store its pictures, and write down what was found."""
    claimed = _claimed_type(house, authority_id, sha256)
    with TemporaryDirectory(prefix="fieldapi-photo-") as name:
        folder = Path(name)
        path = folder / "original"
        _fetch(house.storage, original_key(sha256), path)
        analysis = _analyse(house, f"{authority_id}/{sha256}", path, claimed)
        for key, picture in _pictures(sha256, analysis):
            put_verified(house.storage, key, picture, sha256=_sha256(picture), replace=True)
        preview = None if analysis.preview is None else _sha256(analysis.preview)
    found = Found(analysis, preview)
    house.database.transact(lambda unit: _write_down(unit, authority_id, sha256, found))
    if analysis.preview is not None:
        previews.forget(house, authority_id, sha256)


def _fetch(storage: Storage, key: str, path: Path) -> None:
    with closing(storage.open(key)) as stream, path.open("wb") as file:
        shutil.copyfileobj(stream, file)


def _claimed_type(house: House, authority_id: str, sha256: str) -> str | None:
    with house.database.read() as session:
        types = [photo.media_type for photo in announcing(session, authority_id, sha256)]
    return next(filter(None, types), None)


def _analyse(house: House, subject: str, path: Path, claimed: str | None) -> Analysis:
    """Return what the child process finds. A photo that ends it each time is a rejected one."""
    try:
        return analyse_photo(
            path, claimed_type=claimed, out_dir=path.parent, now=house.database.clock()
        )
    except WorkerGoneError:
        with house.database.read() as session:
            failure = session.get(JobFailure, (NAME, subject))
        if failure is None or failure.tries < _LAST_TRY:
            raise
        return Analysis(Verdict.REJECT, Reason.DECODER_CRASHED)


def _pictures(sha256: str, analysis: Analysis) -> Iterator[tuple[str, Path]]:
    if analysis.preview is not None:
        yield preview_key(sha256), analysis.preview
    if analysis.thumbnail is not None:
        yield thumbnail_key(sha256), analysis.thumbnail


def _write_down(unit: Unit, authority_id: str, sha256: str, found: Found) -> None:
    """Keep what was found, and hold the photos that announce the bytes against it."""
    _take_turn(unit, authority_id)
    row = unit.session.get(Original, (authority_id, sha256), with_for_update=True)
    if row is None or row.analysed_at is not None:
        return
    analysis = found.analysis
    row.analysed_at = unit.now
    row.verdict, row.reason = str(analysis.verdict), _text(analysis.reason)
    row.flags = json.dumps(list(analysis.flags))
    row.format, row.width, row.height = analysis.format, analysis.width, analysis.height
    row.exif = json.dumps(asdict(analysis.exif))
    row.raw_exif = json.dumps(dict(analysis.raw_exif))
    row.dhash, row.phash = analysis.dhash, analysis.phash
    row.has_derivatives = analysis.preview is not None
    row.preview_sha256 = found.preview
    unit.session.flush()
    photos = list(announcing(unit.session, authority_id, sha256))[:_PHOTOS_AT_ONCE]
    looked = doubts.look(unit.session, row)
    for photo in photos:
        doubts.check(unit, looked, photo)
    if not photos:
        doubts.enter(unit, row, f"original/{sha256}", flags=analysis.flags, moves=False)


def _text(reason: Reason | None) -> str | None:
    return None if reason is None else str(reason)


def _take_turn(unit: Unit, authority_id: str) -> None:
    """Compare the photos of an authority one after the other: of two like ones that are looked into
    at once, neither would see the other. Stands in nobody's way who only refers to the authority.
    """
    mine = select(Authority.id).where(Authority.id == authority_id)
    unit.session.execute(mine.with_for_update(key_share=True))


def _check_one(unit: Unit, authority_id: str, photo_id: str) -> None:
    _take_turn(unit, authority_id)
    photo = unit.session.get(Photo, (authority_id, photo_id))
    if photo is None or photo.checked_at is not None or photo.sha256 is None:
        return
    original = unit.session.get(Original, (authority_id, photo.sha256))
    if original is not None and original.analysed_at is not None:
        doubts.check(unit, doubts.look(unit.session, original), photo)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
