"""How uploads end: as evidence, set aside because they are not what they promised, or forgotten.

Called by `uploads` with the last byte; what a crash or a store that was down left, the jobs finish.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta
from itertools import islice
from typing import NoReturn

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from fieldapi.clock import system_clock
from fieldapi.failpoints import failpoint
from fieldapi.house import House
from fieldapi.jobs import Job
from fieldapi.models import Device, Upload
from fieldapi.models.bulk import among
from fieldapi.problems import PhotoHashMismatch
from fieldapi.services.photos import announcements, aside, receiving
from fieldapi.services.photos.files import LIFETIME, File, Sender, spool_of
from fieldapi.storage import Held, Locked, OffsetMismatch, Spool, SpoolFile, UploadMissing
from fieldapi.unit import Unit

_CRUMBS = timedelta(days=1)
_AT_ONCE = 1000


def finish(
    house: House, spool: Spool, row: Upload, sender: Sender, *, is_fitting: bool = False
) -> None:
    """Make a complete upload evidence, or start it again if it is not what was announced.

    `is_fitting`: it is known already that the photo announced what the upload promises.
    Nobody appends meanwhile. Raises `PhotoHashMismatch`, `OffsetMismatch` if somebody else began it
    anew, what the spool and what the store raises.
    """
    with spool.hold(row.id) as held:
        if held.size != row.size:
            raise OffsetMismatch(held.size)
        file = File(held.path, held.size, held.sha256(), is_read=True)
        failpoint("upload.hashed")
        if file.sha256 != row.sha256:
            _reject(house, held, row, said=(sender, file))
        asked = (house.database, sender, row.photo_id)
        announced = row.sha256 if is_fitting else announcements.sha256_of(*asked)
        try:
            receiving.require_announced(house, sender, row.photo_id, file, announced=announced)
        except PhotoHashMismatch:
            house.database.transact(lambda unit: forget(unit, row.authority_id, row.id))
            held.remove()
            raise
        receiving.keep(house, sender, row.photo_id, file, upload=row.id)
        failpoint("upload.finished")
        held.remove()
        failpoint("upload.removed")


def _reject(house: House, held: Held, row: Upload, *, said: tuple[Sender, File]) -> NoReturn:
    """Set bytes aside that are not what the upload promised, and start it again."""
    why = (aside.MISMATCHED, row.sha256)
    aside.set_aside(house, said[0], row.photo_id, said[1], said=why)
    held.restart()
    raise PhotoHashMismatch(
        "The bytes received are not the ones announced. Start again from 0.", upload_offset=0
    )


def forget(unit: Unit, authority_id: str, upload_id: str) -> None:
    """Drop the row of an upload."""
    unit.session.execute(
        delete(Upload).where(Upload.authority_id == authority_id, Upload.id == upload_id)
    )


def finishing(house: House) -> Job:
    """Return the job that finishes what a crash, or a store that was down, left complete."""
    # It never waits for a request that is busy with an upload: that one finishes it.
    spool = Spool(house.settings.spool, lock_wait_s=0)

    def run(subject: str) -> None:
        authority_id, _, upload_id = subject.partition("/")
        with suppress(Locked, OffsetMismatch, UploadMissing, PhotoHashMismatch):
            _sweep(house, spool, authority_id, upload_id)

    return Job("uploads", lambda session: _complete(session, spool), run, is_local=True)


def _complete(session: Session, spool: Spool) -> list[str]:
    """Return the uploads whose file is whole, or has no reason to be there any more, and that no
    request is finishing at this moment.
    """
    files = spool.files()
    found: list[str] = []
    while part := {one.upload_id: one for one in islice(files, _AT_ONCE)}:
        rows = {row.id: row for row in _rows(session, part)}
        for upload_id, file in part.items():
            row = rows.get(upload_id)
            if _is_due(file, row) and not spool.is_in_hand(upload_id):
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
    finish(house, spool, row, sender)


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

    return Job("expired uploads", pending, run, is_local=True)


def _is_whole(spool: Spool, row: Upload) -> bool:
    """Say whether all bytes are here and none of them is evidence yet."""
    try:
        return row.finished_at is None and spool.offset(row.id) == row.size
    except UploadMissing:
        return False


def _expire(house: House, spool: Spool, authority_id: str, upload_id: str) -> None:
    def drop(unit: Unit) -> bool:
        query = delete(Upload).where(
            Upload.authority_id == authority_id,
            Upload.id == upload_id,
            Upload.expires_at < unit.now,
        )
        return unit.session.scalar(query.returning(Upload.id)) is not None

    try:
        with spool.hold(upload_id) as held:
            if house.database.transact(drop):
                held.remove()
    except UploadMissing:
        house.database.transact(drop)


def crumbs(house: House) -> Job:
    """Return the job that removes, once per start, whole bodies that a crash left half-way."""
    todo = ["received"]

    def run(_subject: str) -> None:
        spool_of(house).clear_received(system_clock() - _CRUMBS)
        todo.clear()

    return Job("half-received photos", lambda _session: list(todo), run, is_local=True)
