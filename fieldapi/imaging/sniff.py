"""Tells what a file is from its first bytes, whatever its name or sender says. Used by `analyse.py`
and by whoever must serve a type for stored bytes; imports nothing.
"""

from __future__ import annotations

HEAD = 4096
"""How many bytes from the start of a file `sniff` wants."""

MEDIA_TYPES = {
    "JPEG": "image/jpeg",
    "MPO": "image/jpeg",
    "PNG": "image/png",
    "WEBP": "image/webp",
    "HEIF": "image/heif",
}
"""The types that are taken as photos, and the media type each is served as."""

_ALIASES = {
    "image/jpeg": ("image/jpg", "image/pjpeg", "image/mpo"),
    "image/png": ("image/x-png",),
    "image/heif": ("image/heic", "image/heic-sequence", "image/heif-sequence"),
}
_UNSAID = ("", "application/octet-stream", "binary/octet-stream", "image/*")
_MAGIC = (
    (b"\xff\xd8\xff", "JPEG"),
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"II+\0", "TIFF"),
    (b"MM\0+", "TIFF"),
    (b"AT&TFORM", "DJVU"),
    (b"BM", "BMP"),
    (b"8BPS", "PSD"),
    (b"%PDF-", "PDF"),
    (b"%!PS", "EPS"),
    (b"PK\x03\x04", "ZIP"),
    (b"\0\0\0\x0cjP  ", "JP2"),
    (b"\xff\x0a", "JXL"),
    (b"\0\0\0\x0cJXL ", "JXL"),
)
_HEIF_BRANDS = frozenset((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"))
_HEIF_FAMILY = frozenset((b"mif1", b"msf1", b"mif2", b"mif3", b"1pic"))
_AVIF_BRANDS = frozenset((b"avif", b"avis", b"avio"))


def sniff(head: bytes) -> str | None:
    """Return the name of the format that `head` starts like, or None.

    >>> sniff(b"GIF89a"), sniff(b"RIFF....WEBPVP8 "), sniff(b"hello")
    ('GIF', 'WEBP', None)
    """
    for magic, name in _MAGIC:
        if head.startswith(magic):
            return name
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "WEBP"
    if head[4:8] == b"ftyp":
        return _media_file(head)
    return _markup(head)


def is_claim_true(claimed_type: str | None, name: str) -> bool:
    """Say whether a media type claimed by a sender fits the format found; no claim always does."""
    claimed = (claimed_type or "").partition(";")[0].strip().lower()
    real = MEDIA_TYPES[name]
    return claimed in (*_UNSAID, real, *_ALIASES.get(real, ()))


def _media_file(head: bytes) -> str:
    """Tell the members of the ISO media file family apart by their brands (ISO/IEC 14496-12)."""
    size = int.from_bytes(head[:4], "big")
    brands = {head[8:12], *(head[at : at + 4] for at in range(16, min(size, len(head)), 4))}
    if brands & _AVIF_BRANDS:
        return "AVIF"
    if brands & _HEIF_BRANDS or head[8:12] in _HEIF_FAMILY:
        return "HEIF"
    return "MP4"


def _markup(head: bytes) -> str | None:
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not text.startswith(b"<"):
        return None
    if b"<svg" in text:
        return "SVG"
    return "HTML" if b"<html" in text or b"<!doctype html" in text else "XML"
