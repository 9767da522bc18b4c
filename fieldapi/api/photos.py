"""Photos over REST: hand one in at once, ask what became of it, get it and the pictures made of it.

Every answer is authorised for the very record; bytes never come by another way.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from flask import Response, make_response, request

from fieldapi import limits
from fieldapi.access import needs, takes
from fieldapi.api import files
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.digests import repr_digest
from fieldapi.api.files import StoredFile
from fieldapi.api.house import house
from fieldapi.api.schemas.photos import PhotoSchema, UnlinkedSchema
from fieldapi.api.streams import line
from fieldapi.api.turns import reading
from fieldapi.ids import is_id
from fieldapi.problems import NotFound
from fieldapi.queries import photos as queries
from fieldapi.queries.photos import StoredPhoto
from fieldapi.services import photos
from fieldapi.services.photos import Body, Kept, previews
from fieldapi.services.photos import views as photo_views
from fieldapi.storage.keys import original_key, preview_key, sent_key, thumbnail_key

UNKNOWN = "application/octet-stream"
JPEG = "image/jpeg"
_ENDINGS = MappingProxyType(
    {JPEG: "jpg", "image/png": "png", "image/webp": "webp", "image/heif": "heic"}
)
_BYTES = {"type": "string", "format": "binary"}

blp = blueprint("photos", "/api/v1/photos", "Photos: their bytes, and what was found in them")


@blp.get("/<photo_id>")
@needs("photo.read")
@blp.response(200, PhotoSchema)
def read(photo_id: str) -> Response:
    """Say what became of a photo and what was found in it."""
    return make_response(reading(lambda session, who: queries.one(session, who, photo_id)))


@blp.put("/<photo_id>/content")
@needs("photo.upload")
@takes(max_bytes=limits.PHOTO_BYTES)
@blp.response(201, PhotoSchema)
@blp.alt_response(200, schema=PhotoSchema, description="These bytes were here before.")
@blp.alt_response(202, schema=UnlinkedSchema, description="Kept until the record arrives.")
def receive(photo_id: str) -> Response:
    """Take the whole photo. `Repr-Digest` names its SHA-256; other bytes replace nothing."""
    if not is_id(photo_id):
        raise NotFound
    digest = repr_digest(request.headers.get("Repr-Digest"))
    body = Body(line(), request.content_length, digest)
    kept = photos.receive(house(), principal(), photo_id, body)
    return _receipt(photo_id, kept)


@blp.get("/<photo_id>/content")
@needs("photo.read")
@blp.response(200, _BYTES, content_type=UNKNOWN)
def content(photo_id: str) -> Response:
    """Give the very bytes that were received, to be saved under their hash."""
    found = _stored(photo_id)
    if found.is_damaged:
        raise NotFound("The stored file is damaged; it is asked for again.")
    _note_view(found)
    media = (None if found.verdict == "reject" else found.media_type) or UNKNOWN
    return files.send(
        StoredFile(
            key=original_key(found.sha256),
            size=found.size,
            media_type=media,
            tag=found.sha256,
            caching=files.HASH_NAMED,
            name=f"{found.sha256}.{_ENDINGS.get(media, 'bin')}",
        )
    )


@blp.put("/<photo_id>/preview")
@needs("photo.upload")
@takes(JPEG, max_bytes=limits.PREVIEW_BYTES)
@blp.response(201)
@blp.alt_response(204, description="Not kept: the photo itself is here.")
def send_ahead(photo_id: str) -> Response:
    """Take a small JPEG that a phone sends ahead of the photo. It is never evidence."""
    if not is_id(photo_id):
        raise NotFound
    is_kept = previews.receive(house(), principal(), photo_id, request.get_data(cache=False))
    return Response(status=201 if is_kept else 204)


@blp.get("/<photo_id>/preview")
@needs("photo.read")
@blp.response(200, _BYTES, content_type=JPEG)
def preview(photo_id: str) -> Response:
    """Give a picture of at most 1280 pixels a side, upright, without hidden data.

    Until it is made, what the phone sent ahead is given, with `Preview-Source: phone`.
    """
    seen = reading(lambda session, who: queries.bytes_of(session, who, photo_id))
    if seen is None or not seen.has_derivatives:
        return _sent_ahead(photo_id)
    picture = _picture(seen, "preview", preview_key)
    _note_view(seen)
    return files.send(picture)


@blp.get("/<photo_id>/thumbnail")
@needs("photo.read")
@blp.response(200, _BYTES, content_type=JPEG)
def thumbnail(photo_id: str) -> Response:
    """Give a picture of at most 320 pixels a side. A list full of them counts as no view."""
    return files.send(_picture(_stored(photo_id), "thumbnail", thumbnail_key))


def _receipt(photo_id: str, kept: Kept) -> Response:
    told = {"id": photo_id, "sha256": kept.sha256, "size": kept.size}
    if not kept.is_linked:
        return make_response({**told, "state": "unlinked"}, 202)
    return make_response(kept.photo or {**told, "state": "stored"}, 201 if kept.is_new else 200)


def _stored(photo_id: str) -> StoredPhoto:
    return reading(lambda session, who: queries.stored(session, who, photo_id))


def _sent_ahead(photo_id: str) -> Response:
    """Answer with what a phone sent ahead of its photo, marked so. The caller judged who sees it.

    Raises `NotFound` if it sent nothing.
    """
    who = principal()
    key = sent_key(who.authority_id, photo_id)
    stat = house().storage.stat(key)
    if stat is None:
        raise NotFound
    tag = f"{photo_id}-{stat.modified_at.timestamp():.0f}-sent"
    response = files.send(StoredFile(key, stat.size, JPEG, tag, caching=files.MADE_HERE))
    response.headers["Preview-Source"] = "phone"
    photo_views.note_view(house().database, who, photo_id)
    return response


def _note_view(found: StoredPhoto) -> None:
    photo_views.note_view(house().database, principal(), found.photo_id)


def _picture(found: StoredPhoto, name: str, key_of: Callable[[str], str]) -> StoredFile:
    """Return what was made of a photo. Raises `NotFound` while it is not made."""
    key = key_of(found.sha256)
    stat = house().storage.stat(key) if found.has_derivatives else None
    if stat is None:
        raise NotFound
    return StoredFile(key, stat.size, JPEG, f"{found.sha256}-{name}", caching=files.MADE_HERE)
