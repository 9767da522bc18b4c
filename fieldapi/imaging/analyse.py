"""One photo from bytes to facts, pictures and flags. Runs in the child process (`child.py`); it may
be killed at any line, so it leaves nothing behind that its caller does not know of.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from PIL import Image

from fieldapi.imaging.decode import (
    Decoded,
    RejectedError,
    decode,
    fit,
    to_preview,
    upright_size,
)
from fieldapi.imaging.exif import read_exif
from fieldapi.imaging.facts import INFORMATION, Analysis, Flag, Reason, Verdict
from fieldapi.imaging.hashes import dhash, phash
from fieldapi.imaging.outlines import outline
from fieldapi.imaging.sniff import HEAD, MEDIA_TYPES, is_claim_true, sniff
from fieldapi.imaging.trailer import find_payloads, picture_span
from fieldapi.imaging.wholeness import Cut, find_cut

PREVIEW_NAME, THUMBNAIL_NAME = "preview.jpg", "thumbnail.jpg"
_THUMBNAIL = 320
_QUALITY = 80


def analyse(path: Path, *, claimed_type: str | None, out_dir: Path, now: datetime) -> Analysis:
    """Return everything known about the photo; see `child.analyse_photo`. Raises `OSError`."""
    data = path.read_bytes()
    if not data:
        return Analysis(Verdict.REJECT, Reason.EMPTY)
    name = sniff(data[:HEAD])
    if name not in MEDIA_TYPES:
        return _refuse(data, name, now)
    cut = find_cut(data, name, picture_span(data, name)[1])
    try:
        decoded = _decode_whole(data, name, cut)
    except RejectedError as exc:
        width, height = exc.size or (None, None)
        return Analysis(Verdict.REJECT, exc.reason, format=name, width=width, height=height)
    flags = find_payloads(data, name) | decoded.flags
    if cut is Cut.BESIDE:
        flags |= {Flag.TRUNCATED}
    if not is_claim_true(claimed_type, name):
        flags |= {Flag.EXTENSION_MISMATCH}
    return _describe(decoded, flags, out_dir, now)


def _decode_whole(data: bytes, name: str, cut: Cut | None) -> Decoded:
    """Decode a picture that is all there: some decoders fill what is missing with grey."""
    try:
        decoded = decode(data, name)
    except RejectedError as exc:
        # The decoder of WebP wants all of a file before it says how large it is.
        size = exc.size or outline(data, name).size
        if cut is Cut.PICTURE and size and exc.reason is Reason.CORRUPT:
            raise RejectedError(Reason.TRUNCATED, size) from exc
        raise
    if cut is Cut.PICTURE:
        raise RejectedError(Reason.TRUNCATED, decoded.size)
    return decoded


def _refuse(data: bytes, name: str | None, now: datetime) -> Analysis:
    """Say of a file that is taken for no photo what its head tells."""
    told = outline(data, name)
    exif = read_exif(told.exif, now=now)
    size = upright_size(told.size, exif.facts.orientation) if told.size else (None, None)
    return Analysis(
        Verdict.REJECT,
        Reason.UNSUPPORTED_TYPE,
        flags=tuple(sorted(set(exif.flags))),
        format=name,
        width=size[0],
        height=size[1],
        exif=exif.facts,
        raw_exif=exif.raw,
    )


def _describe(decoded: Decoded, flags: frozenset[Flag], out_dir: Path, now: datetime) -> Analysis:
    exif = read_exif(decoded.exif, now=now)
    flags |= frozenset(exif.flags)
    turn = exif.facts.orientation or decoded.xmp_orientation
    width, height = upright_size(decoded.size, turn)
    preview = to_preview(decoded.image, turn)
    thumbnail = fit(preview, _THUMBNAIL)
    return Analysis(
        verdict=Verdict.ACCEPT_FLAGGED if flags - INFORMATION else Verdict.ACCEPT,
        flags=tuple(sorted(flags)),
        format=decoded.format,
        width=width,
        height=height,
        exif=replace(exif.facts, orientation=decoded.turned_from or exif.facts.orientation),
        raw_exif=exif.raw,
        preview=_save(preview, out_dir / PREVIEW_NAME),
        thumbnail=_save(thumbnail, out_dir / THUMBNAIL_NAME),
        dhash=dhash(thumbnail),
        phash=phash(thumbnail),
    )


def _save(image: Image.Image, path: Path) -> Path:
    image.save(path, "JPEG", quality=_QUALITY)
    return path
