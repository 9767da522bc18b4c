"""A file is what its bytes say, not what it is called."""

from __future__ import annotations

import pytest

from fieldapi.imaging.sniff import is_claim_true, sniff
from tests.support import images


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF", "GIF", "TIFF", "BMP"])
def test_pictures_are_told_apart(kind: str) -> None:
    assert sniff(images.saved(images.scene(size=(64, 48)), kind)) == kind


@pytest.mark.parametrize(
    "brands, name",
    [
        (b"heic\0\0\0\0mif1heic", "HEIF"),
        (b"mif1\0\0\0\0mif1heic", "HEIF"),
        (b"msf1\0\0\0\0hevcmsf1", "HEIF"),
        (b"mif1\0\0\0\0mif1avif", "AVIF"),
        (b"avif\0\0\0\0avifmif1", "AVIF"),
        (b"isom\0\0\0\0isomavc1", "MP4"),
    ],
)
def test_the_media_family_is_told_apart_by_its_brands(brands: bytes, name: str) -> None:
    assert sniff((8 + len(brands)).to_bytes(4, "big") + b"ftyp" + brands) == name


@pytest.mark.parametrize(
    "head, name",
    [
        (b'<?xml version="1.0"?><svg xmlns="x">', "SVG"),
        (b"\xef\xbb\xbf\n <!DOCTYPE html><p>", "HTML"),
        (b"<note/>", "XML"),
        (b"%PDF-1.7", "PDF"),
        (b"PK\x03\x04", "ZIP"),
        (b"hello, I am a photo", None),
        (b"", None),
    ],
)
def test_what_is_no_picture_is_named_or_not(head: bytes, name: str | None) -> None:
    assert sniff(head) == name


@pytest.mark.parametrize(
    "claimed", ["image/jpeg", "IMAGE/JPG", "image/jpeg; q=1", "", None, "application/octet-stream"]
)
def test_an_honest_claim_stands(claimed: str | None) -> None:
    assert is_claim_true(claimed, "JPEG")
    assert is_claim_true(claimed, "MPO")


@pytest.mark.parametrize("claimed", ["image/heic", "image/png", "text/html", "image/jpegx"])
def test_another_claim_does_not(claimed: str) -> None:
    assert not is_claim_true(claimed, "JPEG")
