"""Photos of reports for the pages: thumbnail, preview, and the original as a file to keep."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, request

from fieldapi.access import session
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.problems import NotFound
from fieldapi.queries import photos as queries
from fieldapi.queries.photos import StoredPhoto
from fieldapi.services.photos import views as photo_views
from fieldapi.storage import ObjectMissing, chunks
from fieldapi.storage.keys import original_key, preview_key, thumbnail_key

JPEG = "image/jpeg"
UNKNOWN = "application/octet-stream"
_ENDINGS = {JPEG: "jpg", "image/png": "png", "image/webp": "webp", "image/heif": "heic"}
# Kept by this browser alone, and asked for again each time: access may have ended.
_CACHED = "private, no-cache"


@blp.get("/photos/<photo_id>/thumbnail")
@session("photo.read")
def thumbnail(photo_id: str) -> Response:
    """Give a photo as lists show it. A list full of them counts as no view."""
    return _picture(_stored(photo_id), "thumbnail", thumbnail_key)


@blp.get("/photos/<photo_id>/preview")
@session("photo.read")
def preview(photo_id: str) -> Response:
    """Give a photo as the page of a report shows it large; the ledger notes who saw it."""
    found = _stored(photo_id)
    response = _picture(found, "preview", preview_key)
    _note_view(found)
    return response


@blp.get("/photos/<photo_id>/original")
@session("photo.read")
def original(photo_id: str) -> Response:
    """Give the very bytes that were received, to be saved, never to be opened in the page."""
    found = _stored(photo_id)
    if found.is_damaged:
        raise NotFound("The stored file is damaged; it is asked for again.")
    _note_view(found)
    media = (None if found.verdict == "reject" else found.media_type) or UNKNOWN
    response = _answer(original_key(found.sha256), media=media, tag=found.sha256)
    name = f"{found.sha256}.{_ENDINGS.get(media, 'bin')}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response


def _stored(photo_id: str) -> StoredPhoto:
    with house().database.read() as database:
        return queries.stored(database, door.principal(), photo_id)


def _note_view(found: StoredPhoto) -> None:
    photo_views.note_view(house().database, door.principal(), found.photo_id)


def _picture(found: StoredPhoto, name: str, key_of: Callable[[str], str]) -> Response:
    """Give what was made of a photo: upright, small, without hidden data."""
    if not found.has_derivatives:
        raise NotFound
    return _answer(key_of(found.sha256), media=JPEG, tag=f"{found.sha256}-{name}")


def _answer(key: str, *, media: str, tag: str) -> Response:
    if tag in request.if_none_match:
        response = Response(status=304)
    else:
        try:
            stream = house().storage.open(key)
        except ObjectMissing as exc:
            raise NotFound from exc
        response = Response(chunks(stream), content_type=media)
        response.call_on_close(stream.close)
    response.set_etag(tag)
    response.headers["Cache-Control"] = _CACHED
    return response
