"""Photo bytes on their way into evidence: proven, stored once under their hash, told in the ledger.

Bytes that are not the announced ones are set aside, never swapped in. Called by `uploads` and the
doors; must never keep a whole photo in memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import structlog
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from fieldapi import limits
from fieldapi.clock import INDIA
from fieldapi.domain.access import Principal
from fieldapi.house import House
from fieldapi.ids import server_actor
from fieldapi.imaging.sniff import HEAD, MEDIA_TYPES, sniff
from fieldapi.models import AsideBytes, Original, Photo, PhotoView, Upload
from fieldapi.models.insert import insert_once
from fieldapi.problems import (
    BadRequest,
    InvalidBody,
    NotFound,
    PhotoHashMismatch,
    TooLarge,
    Unavailable,
)
from fieldapi.queries import photos as queries
from fieldapi.queries.photos import Document
from fieldapi.storage import (
    IntegrityError,
    LimitReached,
    ObjectDiffers,
    Received,
    Spool,
    Storage,
    put_verified,
    replace_damaged,
)
from fieldapi.storage.keys import aside_key, hash_of, original_key
from fieldapi.storage.spool import Readable
from fieldapi.unit import Database, Unit

MISMATCHED, SET_ASIDE = "photo.mismatched", "bytes.set_aside"
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Sender:
    """Whose bytes these are: the device that brought them, and the person it belongs to."""

    authority_id: str
    person_id: str
    device_id: str
    actor: str
    is_confirmed: bool

    @property
    def via(self) -> str:
        """Return who delivered, as the ledger names it."""
        return f"device/{self.device_id}"

    def announced(self, photo: Photo | None) -> bool:
        """Say whether this photo is the sender's own. To others it is as good as unknown."""
        if photo is None or not photo.heads or not self.is_confirmed:
            return False
        actors = {self.actor, server_actor(self.actor)}
        return photo.author_id == self.person_id or photo.author_actor in actors


@dataclass(frozen=True, slots=True)
class Body:
    """A request body: `length` in bytes as announced (None: in chunks), `sha256` in hex."""

    stream: Readable
    length: int | None
    sha256: str


@dataclass(frozen=True, slots=True)
class File:
    """Bytes on our disk: `size` of them, with this SHA-256 (hex)."""

    path: Path
    size: int
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


def sender_of(principal: Principal) -> Sender:
    """Return the sender behind a request."""
    return Sender(
        principal.authority_id,
        principal.person_id,
        principal.device_id or "",
        principal.actor,
        principal.is_confirmed,
    )


def spool_of(house: House) -> Spool:
    """Return where bytes wait until they are whole."""
    return _spool(house.settings.spool)


@lru_cache(maxsize=64)
def _spool(root: Path) -> Spool:
    return Spool(root)


def receive(house: House, principal: Principal, photo_id: str, body: Body) -> Kept:
    """Take a whole photo in one request and keep it under its hash.

    Raises `PhotoHashMismatch` for other bytes than the digest or the photo announced (kept aside
    if the photo is the sender's), `InvalidBody` for no bytes, `TooLarge`, `BadRequest` for a cut.
    """
    sender = sender_of(principal)
    try:
        with spool_of(house).take(body.stream, limit=limits.PHOTO_BYTES) as received:
            file = _whole(body, received)
            announced = announced_sha256(house.database, sender, photo_id)
            if file.sha256 != body.sha256:
                if announced is not None:
                    set_aside(house, sender, photo_id, file, said=(MISMATCHED, announced))
                raise PhotoHashMismatch("The bytes do not fit their digest; nothing was replaced.")
            require_announced(house, sender, photo_id, file, announced=announced)
            return keep(house, sender, photo_id, file, reader=principal)
    except LimitReached as exc:
        raise TooLarge(f"A photo has at most {limits.PHOTO_BYTES} bytes.") from exc


def _whole(body: Body, received: Received) -> File:
    if body.length is not None and received.size < body.length:
        raise BadRequest("The connection broke before the photo was whole; send it again.")
    if received.size == 0:
        raise InvalidBody("A photo has at least one byte.")
    return File(received.path, received.size, received.sha256)


def announced_sha256(database: Database, sender: Sender, photo_id: str) -> str | None:
    """Return the hash that the sender's own photo announced; None if it announced nothing yet."""
    with database.read() as session:
        return _announced(session, sender, photo_id)


def _announced(session: Session, sender: Sender, photo_id: str) -> str | None:
    photo = session.get(Photo, (sender.authority_id, photo_id))
    return photo.sha256 if photo is not None and sender.announced(photo) else None


def require_announced(
    house: House, sender: Sender, photo_id: str, file: File, *, announced: str | None
) -> None:
    """Set the bytes aside and raise `PhotoHashMismatch` if the photo announced others."""
    if announced is None or announced == file.sha256:
        return
    set_aside(house, sender, photo_id, file, said=(SET_ASIDE, announced))
    raise PhotoHashMismatch(
        "This photo announced other bytes; the ones sent were set aside, nothing was replaced.",
        announced=announced,
    )


def keep(  # noqa: PLR0913 - whose bytes, what they are, and what to do beside keeping them
    house: House,
    sender: Sender,
    photo_id: str,
    file: File,
    *,
    upload_id: str | None = None,
    reader: Principal | None = None,
) -> Kept:
    """Store bytes that are what they should be, read them back, and say so in the ledger.

    `upload_id`: the upload that ends with it. `reader`: who is told what the photo is now.
    Raises `StorageUnavailable`, `StorageDenied`, `Unavailable`; then nothing is kept and the same
    call may be made again.
    """
    remains = _put(house.storage, file)

    def record(unit: Unit) -> Kept:
        if remains is not None:
            _enter_remains(unit, sender, file, remains)
        if upload_id is not None:
            _finish_upload(unit, sender.authority_id, upload_id)
        is_new = _insert(unit, sender, file)
        is_linked = _announced(unit.session, sender, photo_id) == file.sha256
        photo = _read(unit, reader, photo_id) if is_linked and reader else None
        return Kept(file.sha256, file.size, is_new, is_linked, photo)

    return house.database.transact(record)


def _read(unit: Unit, reader: Principal, photo_id: str) -> Document | None:
    """Return the photo as it is now; None for one that somebody else captured on this phone."""
    try:
        return queries.one(unit.session, reader, photo_id)
    except NotFound:
        return None


def _put(storage: Storage, file: File) -> str | None:
    """Put the file and prove it; returns the key of what had rotted in its place, if anything."""
    key = original_key(file.sha256)
    try:
        put_verified(storage, key, file.path, sha256=file.sha256)
    except ObjectDiffers:
        # The key names its hash: whatever differs from bytes that fit it is damaged.
        log.warning("original_damaged", sha256=file.sha256)
        return replace_damaged(storage, key, file.path, sha256=file.sha256)
    except IntegrityError as exc:
        log.exception("read_back_differs", sha256=file.sha256)
        raise Unavailable("The photo store gave back other bytes than were put.") from exc
    return None


def _insert(unit: Unit, sender: Sender, file: File) -> bool:
    at = sender.authority_id
    if unit.session.get(Original, (at, file.sha256)) is not None:
        return False
    row = {
        "authority_id": at,
        "sha256": file.sha256,
        "size": file.size,
        "media_type": media_type_of(file.path),
        "stored_at": unit.now,
        "flags": "[]",
        "has_derivatives": False,
    }
    if not insert_once(unit.session, Original, row):
        return False
    photos = announcing(unit.session, at, file.sha256)
    seizures = sorted({photo.seizure_id for photo in photos if photo.seizure_id})
    moved = [f"photo/{photo.id}" for photo in photos] + [f"seizure/{one}" for one in seizures]
    for subject in moved or [f"original/{file.sha256}"]:
        unit.enter(
            at,
            "photo.stored",
            subject=subject,
            actor=sender.actor,
            moves=bool(moved),
            sha256=file.sha256,
            size=file.size,
            via=sender.via,
        )
    return True


def media_type_of(path: Path) -> str | None:
    """Return the type that the first bytes of a file say; None for no photo that is taken here."""
    with path.open("rb") as file:
        return MEDIA_TYPES.get(sniff(file.read(HEAD)) or "")


def announcing(session: Session, authority_id: str, sha256: str) -> Iterable[Photo]:
    """Return the photos that announce these bytes, oldest first."""
    return session.scalars(
        select(Photo)
        .where(Photo.authority_id == authority_id, Photo.sha256 == sha256, Photo.heads != "")
        .order_by(Photo.received_at, Photo.id)
    ).all()


def _finish_upload(unit: Unit, authority_id: str, upload_id: str) -> None:
    unit.session.execute(
        update(Upload)
        .where(Upload.authority_id == authority_id, Upload.id == upload_id)
        .values(finished_at=unit.now)
    )


def _enter_remains(unit: Unit, sender: Sender, file: File, remains: str) -> None:
    """Say that damaged bytes lay where the original belongs, and where they are now."""
    unit.enter(
        sender.authority_id,
        SET_ASIDE,
        subject=f"original/{file.sha256}",
        actor=sender.actor,
        announced=file.sha256,
        sha256=hash_of(remains),
        via=sender.via,
    )


def set_aside(
    house: House, sender: Sender, photo_id: str, file: File, *, said: tuple[str, str]
) -> None:
    """Keep bytes that are not the announced ones, where nobody takes them for the photo.

    `said`: the kind of ledger entry, and the hash that was announced. The same bytes again change
    nothing. Raises what the store raises.
    """
    put_verified(house.storage, aside_key(file.sha256), file.path, sha256=file.sha256)
    house.database.transact(lambda unit: _record_aside(unit, sender, photo_id, file, said=said))


def _record_aside(
    unit: Unit, sender: Sender, photo_id: str, file: File, *, said: tuple[str, str]
) -> None:
    kind, announced = said
    at = sender.authority_id
    row_id = unit.keys.op_id(f"aside/{at}/{photo_id}/{file.sha256}")
    if unit.session.get(AsideBytes, (at, row_id)) is not None:
        return
    row = {
        "authority_id": at,
        "id": row_id,
        "photo_id": photo_id,
        "announced": announced,
        "sha256": file.sha256,
        "size": file.size,
        "via": sender.via,
        "at": unit.now,
    }
    if insert_once(unit.session, AsideBytes, row):
        unit.enter(
            at,
            kind,
            subject=f"photo/{photo_id}",
            actor=sender.actor,
            announced=announced,
            sha256=file.sha256,
            size=file.size,
            via=sender.via,
        )


def note_view(database: Database, principal: Principal, photo_id: str) -> None:
    """Enter that somebody saw a photo: once per actor, photo and day (IST)."""
    day = database.clock().astimezone(INDIA).date()
    key = (principal.authority_id, principal.actor, photo_id, day)
    with database.read() as session:
        if session.get(PhotoView, key) is not None:
            return

    def note(unit: Unit) -> None:
        if unit.session.get(PhotoView, key) is not None:
            return
        names = ("authority_id", "actor", "photo_id", "day")
        if insert_once(unit.session, PhotoView, dict(zip(names, key, strict=True))):
            subject = f"photo/{photo_id}"
            unit.enter(
                principal.authority_id, "photo.viewed", subject=subject, actor=principal.actor
            )

    database.transact(note)
