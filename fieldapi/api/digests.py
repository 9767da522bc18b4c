"""Reads the headers that say what bytes should be: `Repr-Digest` (RFC 9530), and tus' own."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as Base64Error

from fieldapi.ids import is_id, is_sha256
from fieldapi.problems import BadRequest, DigestMissing

SHA256 = "sha256"
_BYTES = 32
_MEMBER = re.compile(r"\s*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]*):\s*(?:;[^,]*)?")


def repr_digest(header: str | None) -> str:
    """Return the SHA-256 (hex) that a `Repr-Digest` names. Raises `DigestMissing`.

    >>> repr_digest("sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:")[:8]
    'e3b0c442'
    """
    for member in (header or "").split(","):
        found = _MEMBER.fullmatch(member)
        if found and found[1] == "sha-256":
            return _digest(found[2], DigestMissing).hex()
    raise DigestMissing


def upload_checksum(header: str | None) -> bytes | None:
    """Return the 32 bytes of an `Upload-Checksum`, None without one. Raises `BadRequest`.

    >>> upload_checksum(None) is None
    True
    """
    if header is None:
        return None
    algorithm, _, text = header.strip().partition(" ")
    if algorithm != SHA256:
        raise BadRequest(f"Upload-Checksum is taken with {SHA256} only.")
    return _digest(text.strip(), BadRequest)


def upload_metadata(header: str | None) -> tuple[str, str]:
    """Return the photo id and the SHA-256 (hex) of an `Upload-Metadata`. Raises `BadRequest`.

    What else stands in it is left aside: names of files are of no use here.
    """
    told: dict[str, str] = {}
    for pair in (header or "").split(","):
        name, _, value = pair.strip().partition(" ")
        told[name] = value.strip()
    photo, sha256 = (_text(told.get(name, "")) for name in ("photo", SHA256))
    if not is_id(photo) or not is_sha256(sha256):
        raise BadRequest(
            "Upload-Metadata names the photo and its hash: `photo <base64 of the id>,"
            "sha256 <base64 of 64 hex digits>`."
        )
    return photo, sha256


def _text(value: str) -> str:
    try:
        return b64decode(value, validate=True).decode("ascii")
    except (Base64Error, ValueError):
        return ""


def _digest(text: str, problem: type[BadRequest | DigestMissing]) -> bytes:
    try:
        digest = b64decode(text, validate=True)
    except (Base64Error, ValueError):
        digest = b""
    if len(digest) != _BYTES:
        raise problem("A SHA-256 is 32 bytes in base64.")
    return digest
