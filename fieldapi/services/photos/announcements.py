"""Which photos announce which bytes, and whose they are. Every upload asks this several times: by
the few columns it takes, never by whole records.

Called by `receiving` and `uploads`. Must never write.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from fieldapi.models import Photo
from fieldapi.services.photos.files import Sender
from fieldapi.unit import Database

_PHOTO = Photo.__table__.c
_ASKED = select(
    _PHOTO.id.label("photo_id"),
    _PHOTO.seizure_id,
    _PHOTO.sha256,
    _PHOTO.author_id,
    _PHOTO.author_actor,
).where(_PHOTO.authority_id == bindparam("authority"), _PHOTO.heads != "")
_OF_BYTES = _ASKED.where(_PHOTO.sha256 == bindparam("sha256")).order_by(
    _PHOTO.received_at, _PHOTO.id
)
_OF_PHOTO = _ASKED.where(_PHOTO.id == bindparam("photo"))


@dataclass(frozen=True, slots=True)
class Announcement:
    """What a photo said of its bytes: their SHA-256 in hex, None if nothing yet."""

    photo_id: str
    seizure_id: str | None
    sha256: str | None
    author_id: str | None
    author_actor: str | None

    def is_of(self, sender: Sender) -> bool:
        """Say whether the photo is the sender's own."""
        return sender.is_author(self.author_id, self.author_actor)


def of_bytes(session: Session, authority_id: str, sha256: str) -> list[Announcement]:
    """Return what announces these bytes, oldest first."""
    asked = {"authority": authority_id, "sha256": sha256}
    found = session.connection().execute(_OF_BYTES, asked).mappings()
    return [Announcement(**row) for row in found]


def sha256_of(database: Database, sender: Sender, photo_id: str) -> str | None:
    """Return the hash that the sender's own photo announced; None if it announced nothing yet."""
    asked = {"authority": sender.authority_id, "photo": photo_id}
    found = [Announcement(**row) for row in database.ask(_OF_PHOTO, asked)]
    return next((one.sha256 for one in found if one.is_of(sender)), None)
