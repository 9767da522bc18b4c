"""Looks at bytes that are no picture: what follows the image, and code hidden anywhere. Runs in the
child process, called by `analyse.py`. It reads and names; it never cuts an original apart.
"""

from __future__ import annotations

import re

from fieldapi.imaging.facts import Flag

_CODE = (b"<?php", b"<script", b"<iframe", b"<!entity", b"<%@page", b"<jsp:")
_FOREIGN = (
    b"PK\x03\x04",
    b"%PDF-",
    b"Rar!\x1a\x07",
    b"7z\xbc\xaf\x27\x1c",
    b"\x7fELF",
    b"MZ\x90\0",
)
_MARKUP = (b"<!doctype", b"<html", b"<svg", b"<?xml", b"<script", b"<?php")
_VIDEO = re.compile(rb"\0\0[\0-\x02].ftyp[ -~]{4}", re.DOTALL)
_MOTION = b"MotionPhoto_Data"
_C2PA, _C2PA_REMOTE = b"jumdc2pa", b"dcterms:provenance"
_START_OF_SCAN, _FILL = 0xDA, 0xFF
_BOX_HEADER, _BOXES_LIMIT = 8, 1000
_ZIP_END = b"PK\x05\x06"
_ZIP_TAIL = 66_000


def find_payloads(data: bytes, name: str) -> frozenset[Flag]:
    """Return flags for what a file of format `name` carries beside its picture."""
    start, end = picture_span(data, name)
    beside = data[:start] + data[end:]
    return _trailer_flags(data, data[end:], name) | _hidden_flags(beside)


def _trailer_flags(data: bytes, trailer: bytes, name: str) -> frozenset[Flag]:
    flags = set()
    has_film = name == "HEIF" and _has_film([kind for kind, _ in _boxes(data)])
    if has_film or _VIDEO.search(trailer) or _MOTION in trailer:
        flags.add(Flag.MOTION_TRAILER)
    start = trailer[:_ZIP_TAIL].lstrip(b"\0 \t\r\n")
    if start.startswith(_FOREIGN) or start[:64].lower().startswith(_MARKUP):
        flags.add(Flag.FOREIGN_TRAILER)
    if _ZIP_END in trailer[-_ZIP_TAIL:]:
        flags.add(Flag.FOREIGN_TRAILER)
    return frozenset(flags)


def _hidden_flags(beside: bytes) -> frozenset[Flag]:
    """Return flags for what may stand in any metadata. Credentials are named, never followed."""
    flags = set()
    lower = beside.lower()
    if any(code in lower for code in _CODE):
        flags.add(Flag.CODE_IN_METADATA)
    if _C2PA in beside:
        flags.add(Flag.C2PA_UNREAD)
    elif _C2PA_REMOTE in beside:
        flags.add(Flag.C2PA_REMOTE_NOT_FETCHED)
    return frozenset(flags)


def picture_span(data: bytes, name: str) -> tuple[int, int]:
    """Return where the pixels start and the picture ends, as far as the format lets us tell."""
    if name == "JPEG":
        return jpeg_scans(data)
    ends = {"PNG": _png_end, "WEBP": _webp_end, "HEIF": _heif_end}
    end = min(ends[name](data), len(data))
    return end, end


def jpeg_scans(data: bytes) -> tuple[int, int]:
    """Walk the segments to the first scan, then find the end marker, which no scan can contain."""
    at = 2
    while data[at : at + 1] == b"\xff" and at + 4 <= len(data):
        marker = data[at + 1]
        if marker == _START_OF_SCAN:
            end = data.find(b"\xff\xd9", at)
            return at, len(data) if end < 0 else end + 2
        # A fill byte stands alone; any other marker here is followed by the size of its segment.
        at += 1 if marker == _FILL else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return len(data), len(data)


def _png_end(data: bytes) -> int:
    at = 8
    while at + 8 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] == b"IEND":
            return at + 12
        at += 12 + size
    return len(data)


def _webp_end(data: bytes) -> int:
    return 8 + int.from_bytes(data[4:8], "little")


def _heif_end(data: bytes) -> int:
    """Return the end of the last box: what no box holds is a trailer."""
    return sum(size for _, size in _boxes(data))


def _has_film(boxes: list[bytes]) -> bool:
    """Say whether a film stands among the outermost boxes: in a box made for it, or as a file."""
    return b"mpvd" in boxes or boxes.count(b"ftyp") > 1


def _boxes(data: bytes) -> list[tuple[bytes, int]]:
    """List type and size of the outermost boxes (ISO/IEC 14496-12 section 4.2)."""
    found: list[tuple[bytes, int]] = []
    at = 0
    while at + 8 <= len(data) and len(found) < _BOXES_LIMIT:
        size, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        if size == 1:
            size = int.from_bytes(data[at + 8 : at + 16], "big")
        elif size == 0:
            size = len(data) - at
        if not kind.isalnum() or not _BOX_HEADER <= size <= len(data) - at:
            break
        found.append((kind, size))
        at += size
    return found
