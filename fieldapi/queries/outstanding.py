"""Photos that were announced and whose bytes have yet to come: a phone is told after every sync."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.domain.access import Principal
from fieldapi.models import Original, Photo
from sync.wire import JSON

MOST = 200


def photos(session: Session, principal: Principal) -> list[JSON]:
    """Return the photos that this person still owes, oldest first."""
    query = (
        select(Photo.id, Photo.sha256, Photo.size)
        .outerjoin(
            Original,
            (Original.authority_id == Photo.authority_id) & (Original.sha256 == Photo.sha256),
        )
        .where(
            Photo.authority_id == principal.authority_id,
            Photo.author_id == principal.person_id,
            Photo.sha256.is_not(None),
            Original.sha256.is_(None),
        )
        .order_by(Photo.received_at, Photo.id)
        .limit(MOST)
    )
    return [{"id": i, "sha256": sha256, "size": size} for i, sha256, size in session.execute(query)]
