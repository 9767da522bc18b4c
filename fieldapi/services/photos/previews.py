"""Small pictures that phones send ahead of their photos, so that a reviewer on the same day sees
something: never evidence, hashed into nothing, gone when the photo's own pictures are made.

Called by `api/photos.py` and by `derivatives`.
"""

from __future__ import annotations

import io
from collections.abc import Iterable

from fieldapi.domain.access import Principal
from fieldapi.house import House
from fieldapi.imaging.sniff import HEAD, MEDIA_TYPES, sniff
from fieldapi.models import Original, Photo
from fieldapi.problems import NotFound, UnsupportedMedia
from fieldapi.services.photos.files import sender_of
from fieldapi.storage.keys import sent_key

JPEG = "image/jpeg"


def receive(house: House, principal: Principal, photo_id: str, picture: bytes) -> bool:
    """Keep the picture in place of an earlier one; False if the photo itself is here already.

    Raises `NotFound` unless the photo is the sender's own, `UnsupportedMedia` for no JPEG.
    """
    if MEDIA_TYPES.get(sniff(picture[:HEAD]) or "") != JPEG:
        raise UnsupportedMedia("A preview is a JPEG.")
    with house.database.read() as session:
        photo = session.get(Photo, (principal.authority_id, photo_id))
        if photo is None or not sender_of(principal).announced(photo):
            raise NotFound
        original = session.get(Original, (principal.authority_id, photo.sha256 or ""))
    if original is not None:
        return False
    key = sent_key(principal.authority_id, photo_id)
    house.storage.put(key, io.BytesIO(picture), len(picture), replace=True)
    return True


def forget(house: House, authority_id: str, photos: Iterable[str]) -> None:
    """Let go of what was sent ahead of photos whose own pictures are made."""
    for photo_id in photos:
        house.storage.delete(sent_key(authority_id, photo_id))
