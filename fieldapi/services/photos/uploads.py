"""Resumable uploads: bytes gather in the spool, whose file sizes are the offsets, and become
evidence when they are whole.

Called by `api/tus.py`; how an upload begins and ends is in `upload_starts` and `upload_ends`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import and_, bindparam, select, update
from sqlalchemy.orm import Session

from fieldapi import problems
from fieldapi.domain.access import Principal
from fieldapi.failpoints import failpoint
from fieldapi.house import House
from fieldapi.models import Photo, Upload
from fieldapi.problems import (
    ChecksumMismatch,
    EvidenceKept,
    NotFound,
    TooLarge,
    Unavailable,
    UploadGone,
)
from fieldapi.services.photos.files import LIFETIME, Sender, sender_of, spool_of
from fieldapi.services.photos.upload_ends import finish, forget
from fieldapi.services.photos.upload_starts import NewUpload, announce, is_known_to
from fieldapi.storage import (
    CHECKED_LIMIT,
    ChecksumDiffers,
    LimitReached,
    Locked,
    OffsetMismatch,
    PieceTooLarge,
    Spool,
    UploadMissing,
)
from fieldapi.storage.pieces import Readable

_UPLOAD, _PHOTO = Upload.__table__, Photo.__table__
_OWN = (
    select(
        *_UPLOAD.c,
        _PHOTO.c.author_id,
        _PHOTO.c.author_actor,
    )
    .outerjoin(
        _PHOTO,
        and_(
            _PHOTO.c.authority_id == _UPLOAD.c.authority_id,
            _PHOTO.c.id == _UPLOAD.c.photo_id,
            _PHOTO.c.sha256 == _UPLOAD.c.sha256,
            _PHOTO.c.heads != "",
        ),
    )
    .where(_UPLOAD.c.authority_id == bindparam("authority"), _UPLOAD.c.id == bindparam("upload"))
)
_RENEWED_DAILY = LIFETIME - timedelta(days=1)


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


@dataclass(frozen=True, slots=True)
class _Own:
    """An upload of the device that asks. `is_fitting`: the sender's own photo announced these very
    bytes, which it never takes back.
    """

    row: Upload
    is_fitting: bool


def create(house: House, principal: Principal, new: NewUpload) -> Standing:
    """Begin an upload, or go on with a known one.

    Raises `QuotaReached`, `SpoolFull`, `Unavailable`.
    """
    sender = sender_of(principal)
    # Bytes outlive a power cut, and this not: the phone announces them again and goes on with them.
    row = house.database.transact(lambda unit: announce(unit, sender, new), is_lasting=False)
    failpoint("upload.announced")
    if row.finished_at is not None:
        return _standing(row, row.size)
    with _spoken():
        offset = spool_of(house).create(row.id)
        failpoint("spool.created")
        if offset > row.size:
            offset = _restart(spool_of(house), row)
    return _standing(row, offset)


def _restart(spool: Spool, row: Upload) -> int:
    """Forget bytes that cannot belong to an upload of this size."""
    with spool.hold(row.id) as held:
        if held.size > row.size:
            held.restart()
        return held.size


def state(house: House, principal: Principal, upload_id: str) -> Standing:
    """Return how far an upload has come. Raises `NotFound`, `UploadGone`."""
    own, offset = _found(house, principal, upload_id)
    return _standing(own.row, offset)


def _found(house: House, principal: Principal, upload_id: str) -> tuple[_Own, int]:
    own = _own(house, principal, upload_id)
    row = own.row
    try:
        offset = row.size if row.finished_at else spool_of(house).offset(row.id)
    except UploadMissing as exc:
        # Another request may have finished it since: then the file is gone and the photo is there.
        own = _own(house, principal, upload_id)
        row = own.row
        if row.finished_at is None:
            raise NotFound from exc
        offset = row.size
    if offset < row.size and row.expires_at < house.database.clock():
        raise UploadGone
    return own, offset


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
    own, offset = _found(house, principal, upload_id)
    at = _standing(own.row, offset)
    if piece.offset != offset:
        raise _wrong_offset(offset)
    if piece.length is not None and piece.length > at.size - offset:
        raise TooLarge("These are more bytes than were announced.", upload_offset=offset)
    if offset < at.size:
        offset = _written(house, principal, at, piece)
        _renew(house, principal, at)
    if offset == at.size and own.row.finished_at is None:
        _finish(house, own, principal)
    return replace(at, offset=offset)


def _finish(house: House, own: _Own, principal: Principal) -> None:
    """Make the upload evidence; if that fails, make sure that the bytes stay here until then."""
    spool = spool_of(house)
    try:
        with _spoken():
            finish(house, spool, own.row, sender_of(principal), is_fitting=own.is_fitting)
    except NotFound:
        # Its file is gone: the job that looks for whole uploads was here first, or it was ended.
        if _own(house, principal, own.row.id).row.finished_at is None:
            raise
    except BaseException:
        spool.keep(own.row.id)
        raise


def _written(house: House, principal: Principal, at: Standing, piece: Piece) -> int:
    try:
        with _spoken():
            return _write(spool_of(house), at, piece)
    except NotFound:
        # Its file is gone: another request finished it while this one was under way, or nobody did.
        raise _wrong_offset(state(house, principal, at.id).offset) from None


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
        if at.offset == at.size or _is_announced(session, sender_of(principal), at):
            raise EvidenceKept
    house.database.transact(lambda unit: forget(unit, principal.authority_id, upload_id))
    with _spoken(), suppress(UploadMissing):
        spool_of(house).remove(upload_id)


def _is_announced(session: Session, sender: Sender, at: Standing) -> bool:
    photo = session.get(Photo, (sender.authority_id, at.photo_id))
    return sender.announced(photo) or is_known_to(session, sender, at.sha256)


def _own(house: House, principal: Principal, upload_id: str) -> _Own:
    """Return an upload of this very device. Raises `NotFound`."""
    asked = {"authority": principal.authority_id, "upload": upload_id}
    found = house.database.ask(_OWN, asked)
    if not found or found[0]["device_id"] != principal.device_id:
        raise NotFound
    told = dict(found[0])
    author = (told.pop("author_id"), told.pop("author_actor"))
    return _Own(Upload(**told), is_fitting=sender_of(principal).is_author(*author))


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
