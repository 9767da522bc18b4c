"""How uploads begin: with a row that says what is promised, before any byte of it is taken.

Called by `uploads`.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from fieldapi.models import Original, Upload
from fieldapi.models.insert import insert_once
from fieldapi.services.photos import announcements
from fieldapi.services.photos.files import LIFETIME, Sender, upload_id
from fieldapi.services.photos.quota import require_room
from fieldapi.unit import Unit

_UPLOAD, _ORIGINAL = Upload.__table__.c, Original.__table__.c
_KNOWN = select(
    select(_UPLOAD.id)
    .where(
        _UPLOAD.authority_id == bindparam("authority"),
        _UPLOAD.id == bindparam("upload"),
    )
    .scalar_subquery(),
    select(_ORIGINAL.size)
    .where(
        _ORIGINAL.authority_id == bindparam("authority"),
        _ORIGINAL.sha256 == bindparam("sha256"),
        _ORIGINAL.damaged_at.is_(None),
    )
    .scalar_subquery(),
)


@dataclass(frozen=True, slots=True)
class NewUpload:
    """What a phone wants to send: `size` bytes with this SHA-256 (hex), for this photo."""

    photo_id: str
    sha256: str
    size: int


def announce(unit: Unit, sender: Sender, new: NewUpload) -> Upload:
    """Write down what is to come, or what has become of it. Raises `QuotaReached`."""
    key = upload_id(unit.keys, sender, new.sha256)
    is_begun, kept = _known(unit.session, sender, key, new.sha256)
    if not is_begun:
        require_room(unit.session, sender, new.size, now=unit.now)
        row = _row(unit, sender, key, new)
        if kept is not None and is_known_to(unit.session, sender, new.sha256):
            row |= {"size": kept, "finished_at": unit.now}
        if insert_once(unit.session, Upload, row):
            return Upload(**row)
    known = unit.session.get_one(Upload, (sender.authority_id, key))
    known.photo_id, known.expires_at, known.size = new.photo_id, unit.now + LIFETIME, new.size
    if kept is None:
        known.finished_at = None
    elif known.finished_at or is_known_to(unit.session, sender, new.sha256):
        known.finished_at, known.size = known.finished_at or unit.now, kept
    return known


def _known(session: Session, sender: Sender, key: str, sha256: str) -> tuple[bool, int | None]:
    """Say whether the upload was begun, and how many bytes are kept if they are here, and sound."""
    asked = {"authority": sender.authority_id, "upload": key, "sha256": sha256}
    begun, kept = session.connection().execute(_KNOWN, asked).one()
    return begun is not None, kept


def _row(unit: Unit, sender: Sender, key: str, new: NewUpload) -> dict[str, object]:
    return {
        "authority_id": sender.authority_id,
        "id": key,
        "device_id": sender.device_id,
        "photo_id": new.photo_id,
        "sha256": new.sha256,
        "size": new.size,
        "created_at": unit.now,
        "expires_at": unit.now + LIFETIME,
        "finished_at": None,
    }


def is_known_to(session: Session, sender: Sender, sha256: str) -> bool:
    """Say whether the sender's own photo announces these bytes. Nobody else learns from us that
    somebody's photo is here: they send the bytes, as if it were not.
    """
    found = announcements.of_bytes(session, sender.authority_id, sha256)
    return any(one.is_of(sender) for one in found)
