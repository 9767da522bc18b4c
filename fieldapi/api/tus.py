"""Resumable uploads of photos: tus 1.0.0 with creation, creation-with-upload, checksum, expiration
and termination. The bytes and all rules are in `services/photos/uploads.py`.
"""

from __future__ import annotations

from base64 import b64encode

from flask import Response, request
from werkzeug.http import http_date

from fieldapi import limits
from fieldapi.access import needs, public, takes
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.bodies import has_body
from fieldapi.api.digests import SHA256, upload_checksum, upload_metadata
from fieldapi.api.house import house
from fieldapi.api.streams import line
from fieldapi.problems import (
    BadRequest,
    InvalidBody,
    MethodNotAllowed,
    TooLarge,
    UnsupportedMedia,
    UnsupportedTusVersion,
)
from fieldapi.services.photos import uploads
from fieldapi.services.photos.upload_starts import NewUpload
from fieldapi.services.photos.uploads import Piece, Standing

VERSION = "1.0.0"
MEDIA = "application/offset+octet-stream"
_EXTENSIONS = "creation,creation-with-upload,checksum,expiration,termination"
_DIGITS = 15

blp = blueprint("uploads", "/api/v1/uploads", "Resumable uploads of photos (tus 1.0.0)")


@blp.route("", methods=["OPTIONS"])
@public
@blp.response(204)
def options() -> Response:
    """Say what this server speaks."""
    return _empty(
        {
            "Tus-Version": VERSION,
            "Tus-Extension": _EXTENSIONS,
            "Tus-Checksum-Algorithm": SHA256,
            "Tus-Max-Size": str(limits.PHOTO_BYTES),
        }
    )


@blp.post("")
@needs("photo.upload")
@takes(MEDIA, max_bytes=limits.PHOTO_BYTES)
@blp.response(201)
def create() -> Response:
    """Begin an upload, or learn how far a known one has come. The body may bring first bytes."""
    _require_version()
    new = _new_upload()
    checksum = upload_checksum(request.headers.get("Upload-Checksum"))
    at = uploads.create(house(), principal(), new)
    if has_body() and at.offset == 0:
        at = _append(at.id, offset=0, checksum=checksum)
    response = _empty(_progress(at), 201)
    response.headers["Location"] = f"{blp.url_prefix}/{at.id}"
    return response


@blp.route("/<upload_id>", methods=["HEAD"])
@needs("photo.upload")
@blp.response(200)
def read(upload_id: str) -> Response:
    """Say how far an upload has come."""
    _require_version()
    at = uploads.state(house(), principal(), upload_id)
    photo, sha256 = (b64encode(text.encode()).decode() for text in (at.photo_id, at.sha256))
    headers = {
        "Upload-Length": str(at.size),
        "Upload-Metadata": f"photo {photo},sha256 {sha256}",
        "Cache-Control": "no-store",
    }
    return _empty({**_progress(at), **headers}, 200)


@blp.patch("/<upload_id>")
@needs("photo.upload")
@takes(MEDIA, max_bytes=limits.PHOTO_BYTES)
@blp.response(204)
def append(upload_id: str) -> Response:
    """Add bytes where the upload stands. What came before a cut is kept, unless a checksum was
    sent: then all of the piece is, or nothing.
    """
    return _patch(upload_id)


@blp.delete("/<upload_id>")
@needs("photo.upload")
@blp.response(204)
def remove(upload_id: str) -> Response:
    """End an upload that no report announces."""
    return _delete(upload_id)


@blp.post("/<upload_id>")
@needs("photo.upload")
@takes(MEDIA, max_bytes=limits.PHOTO_BYTES)
@blp.response(204)
def override(upload_id: str) -> Response:
    """Do what `X-HTTP-Method-Override` says, for networks that let no PATCH through."""
    verbs = {"PATCH": _patch, "DELETE": _delete}
    verb = verbs.get(request.headers.get("X-HTTP-Method-Override", "").upper())
    if verb is None:
        raise MethodNotAllowed(allow="DELETE, HEAD, PATCH")
    return verb(upload_id)


@blp.after_request
def _sign(response: Response) -> Response:
    """Name the protocol on every answer, and its versions where ours was not asked for."""
    response.headers["Tus-Resumable"] = VERSION
    if response.status_code == UnsupportedTusVersion.status:
        response.headers["Tus-Version"] = VERSION
    return response


def _patch(upload_id: str) -> Response:
    _require_version()
    if request.mimetype != MEDIA:
        raise UnsupportedMedia(f"Send the bytes as {MEDIA}.")
    offset = _number("Upload-Offset")
    checksum = upload_checksum(request.headers.get("Upload-Checksum"))
    return _empty(_progress(_append(upload_id, offset=offset, checksum=checksum)))


def _delete(upload_id: str) -> Response:
    _require_version()
    uploads.remove(house(), principal(), upload_id)
    return _empty({})


def _append(upload_id: str, *, offset: int, checksum: bytes | None) -> Standing:
    piece = Piece(line(), offset, request.content_length, checksum)
    return uploads.append(house(), principal(), upload_id, piece)


def _require_version() -> None:
    if request.headers.get("Tus-Resumable") != VERSION:
        raise UnsupportedTusVersion


def _new_upload() -> NewUpload:
    if "Upload-Length" not in request.headers:
        raise BadRequest("Upload-Length is needed: a photo's size is known when it is taken.")
    size = _number("Upload-Length")
    if size > limits.PHOTO_BYTES:
        raise TooLarge(f"A photo has at most {limits.PHOTO_BYTES} bytes.")
    if size == 0:
        raise InvalidBody("A photo has at least one byte.")
    photo, sha256 = upload_metadata(request.headers.get("Upload-Metadata"))
    return NewUpload(photo, sha256, size)


def _number(header: str) -> int:
    text = request.headers.get(header, "")
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS):
        raise BadRequest(f"{header} is a whole number of bytes.")
    return int(text)


def _progress(at: Standing) -> dict[str, str]:
    return {"Upload-Offset": str(at.offset), "Upload-Expires": http_date(at.expires_at)}


def _empty(headers: dict[str, str], status: int = 204) -> Response:
    return Response(status=status, headers=headers)
