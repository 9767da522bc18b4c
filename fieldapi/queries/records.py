"""One captured record that is no seizure, as the API answers it: an aid or an intake with its
photos.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.domain.access import Principal
from fieldapi.models import Photo
from fieldapi.problems import NotFound
from fieldapi.queries import views
from sync.wire import JSON

Document = dict[str, JSON]


def one(session: Session, principal: Principal, kind: str, record_id: str) -> Document:
    """Return an aid or an intake with its photos. Raises `NotFound` unless it is seen whole."""
    key = (kind, record_id)
    photos = [("photo", one) for one in _photos(session, principal.authority_id, kind, record_id)]
    loaded = views.load(session, principal.authority_id, [key, *photos])
    row = loaded.rows.get(key)
    if row is None:
        raise NotFound
    seizure = loaded.seizures.get(views.seizure_of(row) or "")
    if views.visibility(principal, row, seizure) != views.WHOLE:
        raise NotFound
    listed: list[JSON] = [
        {"id": photo.id, **views.nest(views.record_of(photo, loaded, views.WHOLE))}
        for (held, _), photo in loaded.rows.items()
        if held == "photo"
    ]
    return {
        "id": record_id,
        **views.nest(views.record_of(row, loaded, views.WHOLE)),
        "by": row.author_id,
        "is_incomplete": row.is_incomplete,
        "photos": listed,
    }


def _photos(session: Session, authority_id: str, kind: str, record_id: str) -> Sequence[str]:
    link = {"aid": Photo.aid_id, "intake": Photo.intake_id}[kind]
    return session.scalars(
        select(Photo.id)
        .where(Photo.authority_id == authority_id, link == record_id, Photo.heads != "")
        .order_by(Photo.received_at, Photo.id)
    ).all()
