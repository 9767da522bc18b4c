"""Resumable uploads: bytes gather in the spool, whose file sizes are the offsets, and become
evidence when they are whole.

Called by `api/tus.py`; what a crash or a store that is down left unfinished, the jobs here finish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import NoReturn

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from fieldapi import problems
from fieldapi.clock import system_clock
from fieldapi.domain.access import Principal
from fieldapi.house import House
from fieldapi.jobs import Job
from fieldapi.keyring import Keyring
from fieldapi.models import Device, Original, Photo, Upload
from fieldapi.models.bulk import among
from fieldapi.models.insert import insert_once
from fieldapi.problems import (
    ChecksumMismatch,
    EvidenceKept,
    NotFound,
    PhotoHashMismatch,
    TooLarge,
    Unavailable,
    UploadGone,
)
from fieldapi.services import photos
from fieldapi.services.photos import File, Sender, spool_of
from fieldapi.storage import (
    CHECKED_LIMIT,
    ChecksumDiffers,
    Held,
    LimitReached,
    Locked,
    OffsetMismatch,
    PieceTooLarge,
    Spool,
    SpoolFile,
    UploadMissing,
)
from fieldapi.storage.spool import Readable
from fieldapi.unit import Unit

LIFETIME = timedelta(days=7)
_RENEWED_DAILY = LIFETIME - timedelta(days=1)
_CRUMBS = timedelta(days=1)
_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class NewUpload:
    """What a phone wants to send: `size` bytes with this SHA-256 (hex), for this photo."""

    photo_id: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes of an upload from `offset` on. `length`: as announced, None in chunks. `sha256`: 32
    bytes, if the piece is to be kept only whole.
    """

    stream: Readable
    offset: int
    length: int | None
    sha256: bytes | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """How far an upload has come: `offset` of `size` bytes, kept until `expires_at`."""

    id: str
    photo_id: str
    sha256: str
    size: int
    offset: int
    expires_at: datetime


def id_of(keys: Keyring, principal: Principal, sha256: str) -> str:
    """Return the id of an upload: the same for a device and a hash, a secret to all others."""
    name = f"upload\n{principal.authority_id}\n{principal.device_id}\n{sha256}"
    return keys.digest(name.encode())[:16].hex()


def create(house: House, principal: Principal, new: NewUpload) -> Standing:
    """Begin an upload, or go on with a known one. Raises `SpoolFull`, `Unavailable`."""
    upload_id = id_of(house.keys, principal, new.sha256)
    row = house.database.transact(lambda unit: _announce(unit, principal, upload_id, new))
    if row.finished_at is not None:
        return _standing(row, row.size)
    with _spoken():
        offset = spool_of(house).create(upload_id)
        if offset > row.size:
            offset = _restart(spool_of(house), row)
    return _standing(row, offset)


def _announce(unit: Unit, principal: Principal, upload_id: str, new: NewUpload) -> Upload:
    key = (principal.authority_id, upload_id)
    expires_at = unit.now + LIFETIME
    original = unit.session.get(Original, (principal.authority_id, new.sha256))
    values = {
        "authority_id": principal.authority_id,
        "id": upload_id,
        "device_id": principal.device_id,
        "photo_id": new.photo_id,
        "sha256": new.sha256,
        "size": new.size,
        "created_at": unit.now,
        "expires_at": expires_at,
    }
    insert_once(unit.session, Upload, values)
    row = unit.session.get_one(Upload, key)
    row.photo_id, row.expires_at, row.size = new.photo_id, expires_at, new.size
    if original is not None:
        row.finished_at, row.size = row.finished_at or unit.now, original.size
    return row


def _restart(spool: Spool, row: Upload) -> int:
    """Forget bytes that cannot belong to an upload of this size."""
    with spool.hold(row.id) as held:
        if held.size > row.size:
            held.restart()
        return held.size


def state(house: House, principal: Principal, upload_id: str) -> Standing:
    """Return how far an upload has come. Raises `NotFound`, `UploadGone`."""
    row = _own(house, principal, upload_id)
    with _spoken():
        offset = row.size if row.finished_at else spool_of(house).offset(row.id)
    if offset < row.size and row.expires_at < house.database.clock():
        raise UploadGone
    return _standing(row, offset)


def offset_in(house: House) -> Callable[[str], int]:
    """Return what tells how many bytes of an upload are in the spool."""
    spool = spool_of(house)

    def offset_of(upload_id: str) -> int:
        try:
            return spool.offset(upload_id)
        except UploadMissing:
            return 0

    return offset_of


def append(house: House, principal: Principal, upload_id: str, piece: Piece) -> Standing:
    """Add a piece; the last one makes the photo evidence.

    Raises `NotFound`, `UploadGone`, `OffsetMismatch`, `ChecksumMismatch`, `TooLarge`,
    `PhotoHashMismatch` (the upload then starts again from 0), and what the store raises: then the
    bytes wait here and become evidence later.
    """
    at = state(house, principal, upload_id)
    if piece.offset != at.offset:
        raise _wrong_offset(at.offset)
    if piece.length is not None and piece.length > at.size - at.offset:
        raise TooLarge("These are more bytes than were announced.", upload_offset=at.offset)
    offset = at.offset
    if offset < at.size:
        with _spoken():
            offset = _write(spool_of(house), at, piece)
        _renew(house, principal, at)
    if offset == at.size:
        row = _own(house, principal, upload_id)
        if row.finished_at is None:
            with _spoken():
                _finish(house, spool_of(house), row, photos.sender_of(principal))
    return Standing(at.id, at.photo_id, at.sha256, at.size, offset, at.expires_at)


def _write(spool: Spool, at: Standing, piece: Piece) -> int:
    if piece.sha256 is None:
        return spool.append(at.id, at.offset, piece.stream, limit=at.size)
    return spool.append_checked(at.id, at.offset, piece.stream, limit=at.size, sha256=piece.sha256)


def _renew(house: House, principal: Principal, at: Standing) -> None:
    """Keep an upload that goes on; written once a day, not with every piece."""
    now = house.database.clock()
    if at.expires_at - now > _RENEWED_DAILY:
        return
    house.database.transact(
        lambda unit: unit.session.execute(
            update(Upload)
            .where(Upload.authority_id == principal.authority_id, Upload.id == at.id)
            .values(expires_at=unit.now + LIFETIME)
        )
    )


def remove(house: House, principal: Principal, upload_id: str) -> None:
    """End an upload that nothing announces. Raises `EvidenceKept`, `NotFound`, `Unavailable`."""
    at = state(house, principal, upload_id)
    with house.database.read() as session:
        if at.offset == at.size or _is_announced(session, principal.authority_id, at):
            raise EvidenceKept
    house.database.transact(lambda unit: _delete(unit, principal.authority_id, upload_id))
    with _spoken(), suppress(UploadMissing):
        spool_of(house).remove(upload_id)


def _is_announced(session: Session, authority_id: str, at: Standing) -> bool:
    query = select(Photo.id).where(
        Photo.authority_id == authority_id,
        (Photo.sha256 == at.sha256) | (Photo.id == at.photo_id),
        Photo.heads != "",
    )
    return session.scalars(query.limit(1)).first() is not None


def _delete(unit: Unit, authority_id: str, upload_id: str) -> None:
    unit.session.execute(
        delete(Upload).where(Upload.authority_id == authority_id, Upload.id == upload_id)
    )


def _own(house: House, principal: Principal, upload_id: str) -> Upload:
    """Return an upload of this very device. Raises `NotFound`."""
    with house.database.read() as session:
        row = session.get(Upload, (principal.authority_id, upload_id))
    if row is None or row.device_id != principal.device_id:
        raise NotFound
    return row


def _standing(row: Upload, offset: int) -> Standing:
    return Standing(row.id, row.photo_id, row.sha256, row.size, offset, row.expires_at)


def _wrong_offset(actual: int) -> problems.OffsetMismatch:
    return problems.OffsetMismatch(f"The upload stands at {actual}.", upload_offset=actual)


@contextmanager
def _spoken() -> Iterator[None]:
    """Speak of the spool's failures as problems."""
    try:
        yield
    except OffsetMismatch as exc:
        raise _wrong_offset(exc.actual) from exc
    except UploadMissing as exc:
        raise NotFound from exc
    except ChecksumDiffers as exc:
        raise ChecksumMismatch from exc
    except PieceTooLarge as exc:
        raise TooLarge(f"A piece with a checksum has at most {CHECKED_LIMIT} bytes.") from exc
    except LimitReached as exc:
        raise TooLarge("More bytes than announced.", upload_offset=exc.offset) from exc
    except Locked as exc:
        raise Unavailable("Another request is busy with this upload.", retry_after=1) from exc


def _finish(house: House, spool: Spool, row: Upload, sender: Sender) -> None:
    """Make a complete upload evidence, or start it again if it is not what was announced.

    Nobody appends meanwhile. Raises `PhotoHashMismatch`, what the spool and what the store raises.
    """
    with spool.hold(row.id) as held:
        if held.size != row.size:
            return
        file = File(held.path, held.size, held.sha256())
        if file.sha256 != row.sha256:
            _reject(house, held, row, said=(sender, file))
        announced = photos.announced_sha256(house.database, sender, row.photo_id)
        try:
            photos.require_announced(house, sender, row.photo_id, file, announced=announced)
        except PhotoHashMismatch:
            house.database.transact(lambda unit: _delete(unit, row.authority_id, row.id))
            held.remove()
            raise
        photos.keep(house, sender, row.photo_id, file, upload_id=row.id)
        held.remove()


def _reject(house: House, held: Held, row: Upload, *, said: tuple[Sender, File]) -> NoReturn:
    """Set bytes aside that are not what the upload promised, and start it again."""
    why = (photos.MISMATCHED, row.sha256)
    photos.set_aside(house, said[0], row.photo_id, said[1], said=why)
    held.restart()
    raise PhotoHashMismatch(
        "The bytes received are not the ones announced. Start again from 0.", upload_offset=0
    )


# ---- pending work --------------------------------------------------------------------------------


def finishing(house: House) -> Job:
    """Return the job that finishes what a crash, or a store that was down, left complete."""
    # It never waits for a request that is busy with an upload: that one finishes it.
    spool = Spool(house.settings.spool, lock_wait_s=0)

    def run(subject: str) -> None:
        authority_id, _, upload_id = subject.partition("/")
        with suppress(Locked, UploadMissing, PhotoHashMismatch):
            _sweep(house, spool, authority_id, upload_id)

    return Job("uploads", lambda session: _complete(session, spool), run)


def _complete(session: Session, spool: Spool) -> list[str]:
    """Return the uploads whose file is whole, or has no reason to be there any more."""
    files = spool.files()
    found: list[str] = []
    while part := {one.upload_id: one for one in islice(files, _AT_ONCE)}:
        rows = {row.id: row for row in _rows(session, part)}
        for upload_id, file in part.items():
            row = rows.get(upload_id)
            if _is_due(file, row):
                found.append(f"{row.authority_id if row else ''}/{upload_id}")
    return found


def _rows(session: Session, ids: Iterable[str]) -> Iterable[Upload]:
    return session.scalars(select(Upload).where(among(session, Upload.id, [*ids])))


def _is_due(file: SpoolFile, row: Upload | None) -> bool:
    if row is None:
        return file.modified_at < system_clock() - LIFETIME
    return row.finished_at is not None or file.size == row.size


def _sweep(house: House, spool: Spool, authority_id: str, upload_id: str) -> None:
    with house.database.read() as session:
        row = session.get(Upload, (authority_id, upload_id))
        device = None if row is None else session.get(Device, (authority_id, row.device_id))
    if row is None or row.finished_at is not None or device is None:
        spool.remove(upload_id)
        return
    is_confirmed = device.standing == "confirmed"
    sender = Sender(authority_id, device.person_id, device.id, device.actor, is_confirmed)
    _finish(house, spool, row, sender)


def expiring(house: House) -> Job:
    """Return the job that forgets uploads which got no byte for a week.

    A complete one is never forgotten: it becomes evidence, however long the store is down.
    """
    spool = Spool(house.settings.spool, lock_wait_s=0)

    def pending(session: Session) -> list[str]:
        query = (
            select(Upload)
            .where(Upload.expires_at < house.database.clock())
            .order_by(Upload.expires_at)
            .limit(_AT_ONCE)
        )
        rows = session.scalars(query)
        return [f"{row.authority_id}/{row.id}" for row in rows if not _is_whole(spool, row)]

    def run(subject: str) -> None:
        authority_id, _, upload_id = subject.partition("/")
        with suppress(Locked):
            _expire(house, spool, authority_id, upload_id)

    return Job("expired uploads", pending, run)


def _is_whole(spool: Spool, row: Upload) -> bool:
    """Say whether all bytes are here and none of them is evidence yet."""
    try:
        return row.finished_at is None and spool.offset(row.id) == row.size
    except UploadMissing:
        return False


def _expire(house: House, spool: Spool, authority_id: str, upload_id: str) -> None:
    def forget(unit: Unit) -> bool:
        query = delete(Upload).where(
            Upload.authority_id == authority_id,
            Upload.id == upload_id,
            Upload.expires_at < unit.now,
        )
        return unit.session.scalar(query.returning(Upload.id)) is not None

    try:
        with spool.hold(upload_id) as held:
            if house.database.transact(forget):
                held.remove()
    except UploadMissing:
        house.database.transact(forget)


def crumbs(house: House) -> Job:
    """Return the job that removes, once per start, whole bodies that a crash left half-way."""
    todo = ["received"]

    def run(_subject: str) -> None:
        spool_of(house).clear_received(system_clock() - _CRUMBS)
        todo.clear()

    return Job("half-received photos", lambda _session: list(todo), run)
