"""Photo bytes on their way into evidence: proven, stored once under their hash, told in the ledger.

Bytes that are not the announced ones are set aside, never swapped in. Called by `uploads` and the
doors; must never keep a whole photo in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from fieldapi import limits
from fieldapi.domain.access import Principal
from fieldapi.failpoints import failpoint
from fieldapi.house import House
from fieldapi.models import Original, Photo, Upload
from fieldapi.models.bulk import update_many
from fieldapi.models.insert import insert_once
from fieldapi.problems import (
    BadRequest,
    InvalidBody,
    PhotoHashMismatch,
    TooLarge,
    Unavailable,
)
from fieldapi.queries import photos as queries
from fieldapi.queries.photos import Document
from fieldapi.services.authorise import OPERATOR_ACTOR
from fieldapi.services.photos import announcements, aside, damage
from fieldapi.services.photos.announcements import Announcement
from fieldapi.services.photos.files import (
    LIFETIME,
    File,
    Sender,
    media_type_of,
    sender_of,
    spool_of,
    upload_id,
)
from fieldapi.services.photos.quota import require_room
from fieldapi.storage import (
    IntegrityError,
    LimitReached,
    ObjectDiffers,
    ObjectMissing,
    Received,
    Storage,
    StorageDenied,
    StorageUnavailable,
    put_verified,
    replace_damaged,
)
from fieldapi.storage.keys import original_key
from fieldapi.storage.pieces import Readable
from fieldapi.unit import Database, Unit

_WAITING = (
    "The photo store is down. The bytes are kept here and stored as soon as it is back; ask for the"
    " photo later rather than send it again."
)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Body:
    """A request body: `length` in bytes as announced (None: in chunks), `sha256` in hex."""

    stream: Readable
    length: int | None
    sha256: str


@dataclass(frozen=True, slots=True)
class Kept:
    """Bytes that are evidence now. `is_new`: they were not before. `is_linked`: the sender's own
    photo announces them; else they wait, unlinked, until its record arrives. `photo`: the photo
    as the sender may read it, None if they may not.
    """

    sha256: str
    size: int
    is_new: bool
    is_linked: bool
    photo: Document | None = None


def receive(house: House, principal: Principal, photo_id: str, body: Body) -> Kept:
    """Take a whole photo in one request and keep it under its hash.

    Raises `PhotoHashMismatch` for other bytes than the digest or the photo announced (kept aside
    if the photo is the sender's), `InvalidBody` for no bytes, `TooLarge`, `BadRequest` for a cut,
    `QuotaReached`, and `Unavailable` while the store is down: then the bytes wait here.
    """
    sender = sender_of(principal)
    asked = (house.database, sender, photo_id)
    is_fitting = _admit(*asked, body)
    try:
        with spool_of(house).take(body.stream, limit=limits.PHOTO_BYTES) as received:
            file = _whole(body, received)
            failpoint("photo.received")
            announced = body.sha256 if is_fitting else announcements.sha256_of(*asked)
            if file.sha256 != body.sha256:
                if announced is not None:
                    aside.set_aside(
                        house, sender, photo_id, file, said=(aside.MISMATCHED, announced)
                    )
                raise PhotoHashMismatch("The bytes do not fit their digest; nothing was replaced.")
            require_announced(house, sender, photo_id, file, announced=announced)
            failpoint("photo.announced-checked")
            return _keep_or_wait(house, sender, photo_id, file)
    except LimitReached as exc:
        raise TooLarge(f"A photo has at most {limits.PHOTO_BYTES} bytes.") from exc


def _admit(database: Database, sender: Sender, photo_id: str, body: Body) -> bool:
    """Ask the quota, before the body is read, for what this device has not brought yet; say
    whether the photo announced what the digest promises, which it never takes back.
    """
    with database.read() as session:
        is_known = session.get(Original, (sender.authority_id, body.sha256)) is not None
        if not is_known:
            require_room(session, sender, body.length or 0, now=database.clock())
    return announcements.sha256_of(database, sender, photo_id) == body.sha256


def _keep_or_wait(house: House, sender: Sender, photo_id: str, file: File) -> Kept:
    """Keep the bytes; while the store is down they wait in the spool, as an upload that is whole
    does, and the job that finishes those stores them.
    """
    try:
        return keep(house, sender, photo_id, file)
    except (StorageUnavailable, StorageDenied, Unavailable) as exc:
        upload = upload_id(house.keys, sender, file.sha256)
        house.database.transact(lambda unit: _note_sent(unit, sender, photo_id, file))
        with file.path.open("rb") as stream:
            spool_of(house).fill(upload, stream, size=file.size)
        raise Unavailable(_WAITING) from exc


def _note_sent(
    unit: Unit, sender: Sender, photo_id: str, file: File, *, is_done: bool = False
) -> None:
    """Write a row as an upload has: the quota reads it, and the job finishes it."""
    row = {
        "authority_id": sender.authority_id,
        "id": upload_id(unit.keys, sender, file.sha256),
        "device_id": sender.device_id,
        "photo_id": photo_id,
        "sha256": file.sha256,
        "size": file.size,
        "created_at": unit.now,
        "expires_at": unit.now + LIFETIME,
        "finished_at": unit.now if is_done else None,
    }
    if not insert_once(unit.session, Upload, row):
        _finish_upload(unit, sender.authority_id, str(row["id"]), at=row["finished_at"])


def _whole(body: Body, received: Received) -> File:
    if body.length is not None and received.size < body.length:
        raise BadRequest("The connection broke before the photo was whole; send it again.")
    if received.size == 0:
        raise InvalidBody("A photo has at least one byte.")
    return File(received.path, received.size, received.sha256)


def require_announced(
    house: House, sender: Sender, photo_id: str, file: File, *, announced: str | None
) -> None:
    """Set the bytes aside and raise `PhotoHashMismatch` if the photo announced others."""
    if announced is None or announced == file.sha256:
        return
    aside.set_aside(house, sender, photo_id, file, said=(aside.SET_ASIDE, announced))
    raise PhotoHashMismatch(
        "This photo announced other bytes; the ones sent were set aside, nothing was replaced.",
        announced=announced,
    )


def keep(
    house: House, sender: Sender, photo_id: str, file: File, *, upload: str | None = None
) -> Kept:
    """Store bytes that are what they should be, read them back, and say so in the ledger.

    `upload`: the id of the one that ends with it. Raises `StorageUnavailable`, `StorageDenied`,
    `Unavailable`; then nothing is kept and the same call may be made again.
    """
    remains = _put(house.storage, file)
    failpoint("photo.put")

    def record(unit: Unit) -> Kept:
        if remains is not None:
            aside.enter_remains(unit, sender, file, remains)
        if upload is None:
            _note_sent(unit, sender, photo_id, file, is_done=True)
        else:
            _finish_upload(unit, sender.authority_id, upload, at=unit.now)
        kept = _record(unit, sender, photo_id, file, tells=upload is None)
        failpoint("photo.recorded")
        return kept

    stored = house.database.transact(record)
    failpoint("photo.stored")
    return stored


def adopt(unit: Unit, authority_id: str, file: File) -> None:
    """Write down bytes that are in the store already, for the photos that announce them."""
    sender = Sender(authority_id, "", "", OPERATOR_ACTOR, is_confirmed=True)
    _, is_new = _original(unit, sender, file)
    if is_new:
        found = announcements.of_bytes(unit.session, authority_id, file.sha256)
        _enter_stored(unit, sender, file, found)


def _record(unit: Unit, sender: Sender, photo_id: str, file: File, *, tells: bool) -> Kept:
    """Write down what is stored now; the same bytes again change nothing. `tells`: somebody asks
    for the photo as it is then.
    """
    original, is_new = _original(unit, sender, file)
    damage.restored(unit, original, actor=sender.actor)
    found = announcements.of_bytes(unit.session, sender.authority_id, file.sha256)
    if is_new:
        _enter_stored(unit, sender, file, found)
    ours = [one for one in found if one.photo_id == photo_id and one.is_of(sender)]
    told = None
    if tells and any(one.author_id == sender.person_id for one in ours):
        photo = unit.session.get_one(Photo, (sender.authority_id, photo_id))
        told = queries.told(unit.session, photo, original)
    return Kept(file.sha256, file.size, is_new, bool(ours), told)


def _original(unit: Unit, sender: Sender, file: File) -> tuple[Original, bool]:
    """Return the row of these bytes, and whether it is new."""
    key = (sender.authority_id, file.sha256)
    row = {
        "authority_id": sender.authority_id,
        "sha256": file.sha256,
        "size": file.size,
        "media_type": media_type_of(file.path),
        "stored_at": unit.now,
        "flags": "[]",
        "has_derivatives": False,
    }
    if insert_once(unit.session, Original, row):
        return Original(**row), True
    return unit.session.get_one(Original, key), False


def _enter_stored(unit: Unit, sender: Sender, file: File, by: Sequence[Announcement]) -> None:
    """Enter it for every photo that announces the bytes, and for their reports; else for itself."""
    seizures = sorted({one.seizure_id for one in by if one.seizure_id})
    moved = [f"photo/{one.photo_id}" for one in by] + [f"seizure/{one}" for one in seizures]
    for subject in moved or [f"original/{file.sha256}"]:
        unit.enter(
            sender.authority_id,
            "photo.stored",
            subject=subject,
            actor=sender.actor,
            moves=bool(moved),
            sha256=file.sha256,
            size=file.size,
            via=sender.via,
        )


def _put(storage: Storage, file: File) -> str | None:
    """Put the file and prove it; returns the key of what had rotted in its place, if anything."""
    key = original_key(file.sha256)
    try:
        put_verified(
            storage, key, file.path, sha256=file.sha256, is_final=True, is_read=file.is_read
        )
    except ObjectDiffers:
        # The key names its hash: whatever differs from bytes that fit it is damaged.
        log.warning("original_damaged", sha256=file.sha256)
        return _replace(storage, key, file)
    except IntegrityError as exc:
        log.exception("read_back_differs", sha256=file.sha256)
        raise Unavailable("The photo store gave back other bytes than were put.") from exc
    return None


def _replace(storage: Storage, key: str, file: File) -> str:
    try:
        return replace_damaged(storage, key, file.path, sha256=file.sha256)
    except (IntegrityError, ObjectMissing) as exc:
        # Two phones brought the good bytes at once: the other one was here in between.
        raise Unavailable("This photo is being mended; ask for it again.", retry_after=1) from exc


def _finish_upload(unit: Unit, authority_id: str, upload: str, *, at: object) -> None:
    row = {"authority_id": authority_id, "id": upload, "finished_at": at}
    update_many(unit.session, Upload, [row], key=("authority_id", "id"))
