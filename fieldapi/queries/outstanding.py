"""Photos that were announced and whose bytes have yet to come, or to come again because the store
lost them: a phone is told after every sync.

Must never be asked in the name of another device: uploads are known to their own alone.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import Session

from fieldapi.domain.access import Principal
from fieldapi.models import Original, Photo, Upload
from fieldapi.models.once import made_once
from sync.wire import JSON

MOST = 200

# Where an upload stands, by its id; 0 where none of its bytes are here.
Offset = Callable[[str], int]


def photos(session: Session, principal: Principal, offset_of: Offset) -> list[JSON]:
    """Return the photos that this person still owes, oldest first. `upload`: the id under which
    this device has begun to send one, with its `offset` in bytes.
    """
    asked = {
        "authority": principal.authority_id,
        "person": principal.person_id,
        "device": principal.device_id,
    }
    return [
        {
            "id": photo_id,
            "sha256": sha256,
            "size": size,
            "offset": offset_of(upload) if upload else 0,
            "upload": upload,
        }
        for photo_id, sha256, size, upload in session.execute(_owed(session), asked)
    ]


@made_once
def _owed(_session: Session) -> Select[str, str | None, int | None, str]:
    return (
        select(Photo.id, Photo.sha256, Photo.size, Upload.id)
        .outerjoin(
            Original,
            (Original.authority_id == Photo.authority_id) & (Original.sha256 == Photo.sha256),
        )
        .outerjoin(
            Upload,
            (Upload.authority_id == Photo.authority_id)
            & (Upload.sha256 == Photo.sha256)
            & (Upload.device_id == bindparam("device")),
        )
        .where(
            Photo.authority_id == bindparam("authority"),
            Photo.author_id == bindparam("person"),
            Photo.sha256.is_not(None),
            Original.sha256.is_(None) | Original.damaged_at.is_not(None),
        )
        .order_by(Photo.received_at, Photo.id)
        .limit(MOST)
    )
