"""What is made of stored photos outside of any request: pictures that are safe to show, the facts
in the file, and the doubts that follow from holding them against the report and other photos.

Pending work (`pending.py`). The decoding itself happens in a child process of `imaging`.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.house import House
from fieldapi.imaging import CORES, Analysis, Reason, Verdict, WorkerGoneError, analyse_photo
from fieldapi.jobs import Job
from fieldapi.models import Authority, JobFailure, Original, Photo
from fieldapi.models.bulk import among
from fieldapi.services import doubts
from fieldapi.services.feed_scans import newest_bytes
from fieldapi.services.photos import previews
from fieldapi.storage import Storage, StorageError, put_verified
from fieldapi.storage.keys import original_key, preview_key, thumbnail_key
from fieldapi.unit import Unit

NAME = "photos"
_AT_ONCE = 100
_PHOTOS_AT_ONCE = 50
_LAST_TRY = 4
# What was found is written down after so long at most: the rest of a lot stays pending.
_LOT_S = 5.0


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in a photo. `preview`: the SHA-256 of the picture of 1280 px made of it."""

    analysis: Analysis
    preview: str | None


def analysing(house: House) -> Job:
    """Return the job that looks into every stored photo once."""

    def run(subject: str) -> None:
        error = _look_into_all(house, [subject])[subject]
        if error is not None:
            raise error

    # A phone that is back brings many photos: they are evidence first, and pictures after.
    return Job(
        NAME,
        _unanalysed,
        run,
        at_once=CORES,
        newest=newest_bytes,
        together=partial(_look_into_all, house),
    )


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


def _look_into_all(house: House, subjects: Sequence[str]) -> Mapping[str, Exception | None]:
    """Analyse originals one by one and write down in one go what was found, authority by authority.

    Return how each went that there was time for: None, or why it failed. Those rest, and the others
    do not wait for them.
    """
    ends = time.monotonic() + _LOT_S
    found: dict[str, dict[str, Found]] = {}
    went: dict[str, Exception | None] = {}
    claims = _claimed_types(house, subjects)
    for subject in subjects:
        authority_id, _, sha256 = subject.partition("/")
        try:
            looked = _look_into(house, subject, claims.get(subject))
        except (StorageError, OSError) as exc:  # of which a child that is gone is one
            went[subject] = exc
        else:
            went[subject] = None
            found.setdefault(authority_id, {})[sha256] = looked
        if time.monotonic() > ends:
            break
    for authority_id, several in found.items():
        keep = partial(_write_down, authority_id=authority_id, found=several)
        previews.forget(house, authority_id, house.database.transact(keep))
    return went


def _look_into(house: House, subject: str, claimed: str | None) -> Found:
    """Analyse one original and store its pictures."""
    sha256 = subject.partition("/")[2]
    with TemporaryDirectory(prefix="fieldapi-photo-") as name:
        path = Path(name, "original")
        _fetch(house.storage, original_key(sha256), path)
        analysis = _analyse(house, subject, path, claimed)
        return Found(analysis, _keep_pictures(house.storage, sha256, analysis))


def _keep_pictures(storage: Storage, sha256: str, analysis: Analysis) -> str | None:
    """Store what was drawn and return the preview's SHA-256, which the ledger tells: that one is
    read back. A thumbnail stands for nothing: `photos verify` names one that is not there.
    """
    if analysis.thumbnail is not None:
        size = analysis.thumbnail.stat().st_size
        storage.put(thumbnail_key(sha256), analysis.thumbnail, size, replace=True)
    if analysis.preview is None:
        return None
    told = _sha256(analysis.preview)
    put_verified(storage, preview_key(sha256), analysis.preview, sha256=told, replace=True)
    return told


def _fetch(storage: Storage, key: str, path: Path) -> None:
    with closing(storage.open(key)) as stream, path.open("wb") as file:
        shutil.copyfileobj(stream, file)


def _claimed_types(house: House, subjects: Sequence[str]) -> dict[str, str]:
    """Return by subject the media type that the oldest photo announcing it claims, if one does."""
    hashes: dict[str, set[str]] = {}
    for authority_id, _, sha256 in (subject.partition("/") for subject in subjects):
        hashes.setdefault(authority_id, set()).add(sha256)
    claims: dict[str, str] = {}
    with house.database.read() as session:
        for authority_id, several in hashes.items():
            for sha256, photos in _announcing(session, authority_id, several).items():
                claimed = next(filter(None, (photo.media_type for photo in photos)), None)
                if claimed is not None:
                    claims[f"{authority_id}/{sha256}"] = claimed
    return claims


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


def _write_down(unit: Unit, *, authority_id: str, found: Mapping[str, Found]) -> list[str]:
    """Keep what was found, by SHA-256, and hold the photos that announce the bytes against it.

    Return the photos whose pictures are made.
    """
    _take_turn(unit, authority_id)
    rows = _not_analysed(unit.session, authority_id, found)
    for row in rows:
        _fill(unit, row, found[row.sha256])
    unit.session.flush()
    announcing = _announcing(unit.session, authority_id, found)
    others = doubts.newest(unit.session, authority_id)
    for row in rows:
        photos = announcing.get(row.sha256, [])[:_PHOTOS_AT_ONCE]
        looked = doubts.look(unit.session, row, others)
        for photo in photos:
            doubts.check(unit, looked, photo)
        if not photos:
            flags = looked.analysis.flags
            doubts.enter(unit, row, f"original/{row.sha256}", flags=flags, moves=False)
    made = (sha256 for sha256, one in found.items() if one.analysis.preview is not None)
    return [photo.id for sha256 in made for photo in announcing.get(sha256, [])]


def _not_analysed(
    session: Session, authority_id: str, hashes: Collection[str]
) -> Sequence[Original]:
    """Return the rows that nobody filled meanwhile, oldest first, locked."""
    query = (
        select(Original)
        .where(
            Original.authority_id == authority_id,
            among(session, Original.sha256, hashes),
            Original.analysed_at.is_(None),
        )
        .order_by(Original.stored_at, Original.sha256)
    )
    return session.scalars(query.with_for_update()).all()


def _announcing(
    session: Session, authority_id: str, hashes: Collection[str]
) -> dict[str, list[Photo]]:
    """Return by SHA-256 the photos that announce the bytes, oldest first."""
    query = (
        select(Photo)
        .where(
            Photo.authority_id == authority_id,
            among(session, Photo.sha256, hashes),
            Photo.heads != "",
        )
        .order_by(Photo.received_at, Photo.id)
    )
    found: dict[str, list[Photo]] = {}
    for photo in session.scalars(query):
        found.setdefault(str(photo.sha256), []).append(photo)
    return found


def _fill(unit: Unit, row: Original, found: Found) -> None:
    """Write what was found into the row of the bytes."""
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
        others = doubts.newest(unit.session, authority_id)
        doubts.check(unit, doubts.look(unit.session, original, others), photo)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
