"""Enters who saw a photo. Called by every door that gives photos out."""

from __future__ import annotations

from fieldapi.clock import INDIA
from fieldapi.domain.access import Principal
from fieldapi.models import PhotoView
from fieldapi.models.insert import insert_once
from fieldapi.unit import Database, Unit


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
