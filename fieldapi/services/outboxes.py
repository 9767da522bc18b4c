"""A phone's outbox that comes as a file: its ops go the way of a push, its photos that of an
upload, and the signatures on them are what is believed, not whoever carries the file.

A resend does nothing twice: ops and bytes that are here answer as they did. Called by
`api/imports.py` and the command line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fieldapi import limits
from fieldapi.domain.access import Principal
from fieldapi.domain.records import SCHEMA_VERSION
from fieldapi.failpoints import failpoint
from fieldapi.house import House
from fieldapi.ids import is_id, new_id
from fieldapi.models import Device
from fieldapi.problems import InvalidBody, PhotoHashMismatch, TooLarge
from fieldapi.services import deliveries, keys, outbox_files, photos
from fieldapi.services.keys import BadSignature
from fieldapi.services.ops.results import Result, results_of
from fieldapi.services.outbox_files import OutboxFile, PhotoEntry
from fieldapi.services.photos import Body
from fieldapi.services.photos.files import sender_of, spool_of
from fieldapi.services.sync import Ask
from fieldapi.storage import LimitReached, Received
from fieldapi.storage.pieces import Readable
from sync.wire import Slice

STORED, REFUSED = "stored", "refused"
_AT_ONCE = limits.SYNC_OPS
_AT_ONCE_BYTES = limits.MIB


@dataclass(frozen=True, slots=True)
class PhotoOutcome:
    """What became of one photo of the file. `ids`: the photos that announce it, as the phone says;
    `code`: why it was refused. `is_new` is for the ledger: whoever carries a file is not told which
    bytes were here before.
    """

    sha256: str
    size: int
    ids: tuple[str, ...]
    state: str
    is_new: bool = False
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a file. `sha256`: of all of it. `device`: whose manifest signature holds,
    None if nobody's does. `results`: op by op as of a push.
    """

    sha256: str
    device: str | None
    results: list[Result]
    photos: list[PhotoOutcome]


def hand_in(house: House, principal: Principal, stream: Readable) -> Imported:
    """Take the file that `stream` gives. Raises `TooLarge`, `InvalidBody` for no such file, and
    what the store raises; what was taken by then stays, and the same file may be sent again.
    """
    try:
        with spool_of(house).take(stream, limit=limits.IMPORT_BYTES) as received:
            return _take(house, principal, received)
    except LimitReached as exc:
        raise TooLarge(f"A file has at most {limits.IMPORT_BYTES} bytes.") from exc


def _take(house: House, principal: Principal, received: Received) -> Imported:
    with outbox_files.opened(received.path, received.size) as file:
        device = _sealed_by(house, principal, file)
        results = [*_ops(house, principal, file)]
        failpoint("outbox.ops-taken")
        taken = [_photo(house, principal, file, entry) for entry in file.photos]
        imported = Imported(received.sha256, device, results, taken)
    _enter(house, principal, imported)
    return imported


def _sealed_by(house: House, principal: Principal, file: OutboxFile) -> str | None:
    """Return the device of this authority whose key signed the manifest."""
    if file.seal is None:
        return None
    try:
        jws = keys.read_jws(file.seal)
        kid = jws.header.get("kid")
        with house.database.read() as session:
            row = session.get(Device, (principal.authority_id, str(kid)))
            key = row.public_key if row is not None else None
        if key is None or jws.payload != file.manifest:
            return None
        keys.verify(key, jws)
    except BadSignature:
        return None
    return str(kid)


def _ops(house: House, principal: Principal, file: OutboxFile) -> Iterator[Result]:
    """Push the ops batch by batch, and yield what became of each by its place in the file."""
    schema = file.about.get("schema")
    known = schema if isinstance(schema, int) and schema > 0 else SCHEMA_VERSION
    done = 0
    for batch in _batches(file.ops):
        ask = Ask(int(known), None, None, limits.PAGE_DEFAULT, batch)
        taken = deliveries.take(house, principal, ask)
        with house.database.read() as session:
            results = results_of(session, principal.authority_id, *taken)
        yield from ({**result, "i": done + at} for at, result in enumerate(results))
        done += len(batch)


def _batches(ops: Sequence[Slice]) -> Iterator[list[Slice]]:
    batch: list[Slice] = []
    room = _AT_ONCE_BYTES
    for part in ops:
        if batch and (len(batch) == _AT_ONCE or len(part.raw) > room):
            yield batch
            batch, room = [], _AT_ONCE_BYTES
        batch.append(part)
        room -= len(part.raw)
    if batch:
        yield batch


def _photo(house: House, principal: Principal, file: OutboxFile, entry: PhotoEntry) -> PhotoOutcome:
    """Take one photo the way any photo comes; one that cannot be taken stops no other."""
    known = [one for one in entry.ids if is_id(one)]
    photo_id = known[0] if known else new_id()
    told = (entry.sha256, entry.size, tuple(known))
    try:
        with file.photo(entry) as stream:
            body = Body(stream, entry.size, entry.sha256)
            kept = photos.receive(house, principal, photo_id, body)
    except (PhotoHashMismatch, InvalidBody) as exc:
        return PhotoOutcome(*told, REFUSED, code=exc.slug)
    return PhotoOutcome(*told, STORED, is_new=kept.is_new)


def _enter(house: House, principal: Principal, imported: Imported) -> None:
    """Say in the ledger that a file brought something; a resend says nothing again."""
    fresh = [one for one in imported.results if not one.get("replayed")]
    photos_new = [one for one in imported.photos if one.is_new]
    if not fresh and not photos_new:
        return
    house.database.transact(
        lambda unit: unit.enter(
            principal.authority_id,
            "outbox.imported",
            subject=f"outbox/{imported.sha256}",
            actor=principal.actor,
            via=sender_of(principal).via,
            device=imported.device or "",
            ops=len(fresh),
            photos=len(photos_new),
        )
    )
