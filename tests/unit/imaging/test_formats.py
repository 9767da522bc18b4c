"""What is a photo, what is not, and what is odd about it."""

from __future__ import annotations

import pytest
from PIL import Image

from fieldapi.imaging.facts import Flag, Reason, Verdict
from tests.support import images
from tests.support.heic import heic
from tests.unit.imaging.conftest import Look

SCENE = images.scene()
SEVERAL = {"save_all": True, "append_images": [images.scene(2), images.scene(3)]}


def test_a_field_photo_says_all_it_knows(look: Look) -> None:
    found = look(images.field_photo(), "image/jpeg")
    assert (found.verdict, found.flags, found.format) == (Verdict.ACCEPT, (), "JPEG")
    assert (found.width, found.height) == (640, 480)
    assert (found.exif.lat, found.exif.lon) == pytest.approx((22.30391, 70.80216), abs=1e-5)
    assert (found.exif.taken_at, found.exif.offset) == ("2026-11-30T14:05:09", "+05:30")
    assert found.exif.gps_at == "2026-11-30T08:35:09Z"
    assert (found.exif.make, found.exif.model) == ("Fieldphone", "FP-12")


def test_every_tag_is_kept_as_text(look: Look) -> None:
    raw = look(images.field_photo()).raw_exif
    assert raw["DateTimeOriginal"] == "2026:11:30 14:05:09"
    assert raw["GPS.GPSLatitudeRef"] == "N"
    assert raw["ExifImageWidth"] == "640"


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
def test_exif_is_read_from_every_format(look: Look, kind: str) -> None:
    block = images.exif_block(
        [images.text(images.MAKE, "Nokia"), images.short(images.ORIENTATION, 1)],
        exif=[images.text(images.TAKEN_AT, "2026:11:30 14:05:09")],
        gps=images.degrees(-22.30391, -70.80216),
    )
    found = look(images.with_exif(block, kind=kind))
    assert (found.format, found.verdict, found.flags) == (kind, Verdict.ACCEPT, (Flag.TZ_UNKNOWN,))
    assert (found.exif.lat, found.exif.lon) == pytest.approx((-22.30391, -70.80216), abs=1e-5)
    assert found.exif.make == "Nokia"


@pytest.mark.parametrize(
    "data, flag",
    [
        (images.saved(SCENE, "WEBP", **SEVERAL), Flag.ANIMATED),
        (images.saved(SCENE, "PNG", **SEVERAL), Flag.ANIMATED),
        (images.saved(SCENE, "MPO", **SEVERAL), Flag.MULTI_PICTURE),
        (heic(images.scene(size=(64, 64)), copies=3), Flag.MULTI_IMAGE),
        (images.saved(SCENE.convert("CMYK"), "JPEG"), Flag.CMYK),
    ],
)
def test_more_than_one_plain_picture_is_flagged(look: Look, data: bytes, flag: Flag) -> None:
    found = look(data)
    assert (found.verdict, found.flags) == (Verdict.ACCEPT_FLAGGED, (flag,))
    assert found.preview is not None


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "PA", "RGB", "RGBA", "I;16"])
def test_png_of_every_mode_is_shown(look: Look, mode: str) -> None:
    picture = SCENE.convert("RGBA").quantize(64) if mode == "PA" else SCENE
    if mode == "I;16":
        picture = SCENE.convert("L").convert("I").point(lambda value: value * 256)
    found = look(images.saved(picture.convert(mode) if mode != "PA" else picture, "PNG"))
    assert found.verdict == Verdict.ACCEPT
    assert found.thumbnail is not None
    with Image.open(found.thumbnail) as shown:
        grey = shown.convert("L").resize((1, 1)).getpixel((0, 0))
    assert grey == pytest.approx(SCENE.convert("L").resize((1, 1)).getpixel((0, 0)), abs=12)


@pytest.mark.parametrize("kind", ["AVIF", "GIF", "TIFF", "BMP", "PPM", "TGA", "ICO", "JPEG2000"])
def test_other_pictures_are_not_taken(look: Look, kind: str) -> None:
    found = look(images.saved(images.scene(size=(64, 64)), kind))
    assert (found.verdict, found.reason) == (Verdict.REJECT, Reason.UNSUPPORTED_TYPE)
    assert found.preview is None


@pytest.mark.parametrize(
    "data",
    [b"this is no photo", b"<svg><script>alert(1)</script></svg>", b"\0" * 5000, b"%PDF-1.7 x"],
)
def test_what_is_no_picture_is_not_taken(look: Look, data: bytes) -> None:
    found = look(data, "image/jpeg")
    assert (found.verdict, found.reason) == (Verdict.REJECT, Reason.UNSUPPORTED_TYPE)


def test_nothing_is_empty(look: Look) -> None:
    assert look(b"").reason == Reason.EMPTY


def test_a_file_of_another_type_than_claimed_is_flagged(look: Look) -> None:
    assert look(images.field_photo(), "image/heic").flags == (Flag.EXTENSION_MISMATCH,)


@pytest.mark.parametrize(
    "trailer, flag",
    [
        (images.mp4(), Flag.MOTION_TRAILER),
        (b"\0" * 200 + b"MotionPhoto_Data" + images.mp4(), Flag.MOTION_TRAILER),
        (images.archive(), Flag.FOREIGN_TRAILER),
        (b"\n<!DOCTYPE html><p>hello", Flag.FOREIGN_TRAILER),
        (b"%PDF-1.7", Flag.FOREIGN_TRAILER),
    ],
)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
def test_what_follows_the_picture_is_named(
    look: Look, kind: str, trailer: bytes, flag: Flag
) -> None:
    picture = images.scene(size=(64, 64))
    data = heic(picture) if kind == "HEIF" else images.saved(picture, kind)
    assert look(data).flags == ()
    assert look(data + trailer).flags == (flag,)


def test_padding_after_the_picture_is_no_payload(look: Look) -> None:
    assert look(images.field_photo() + bytes(4096)).flags == ()


@pytest.mark.parametrize("code", [b"<?php system($_GET['c']); ?>", b"<SCRIPT>alert(1)</script>"])
def test_code_beside_the_picture_is_named(look: Look, code: bytes) -> None:
    png = images.png_with(images.png_chunk(b"tEXt", b"Comment\0" + code))
    jpeg = images.saved(images.scene(size=(64, 48)), "JPEG", comment=code)
    for data in (png, jpeg):
        assert look(data).flags == (Flag.CODE_IN_METADATA,)


def test_content_credentials_are_named_and_not_followed(look: Look) -> None:
    picture = images.scene(size=(64, 48))
    remote = b'<x:xmpmeta dcterms:provenance="https://example.org/manifest.c2pa"/>'
    assert look(images.saved(picture, "JPEG", xmp=remote)).flags == (Flag.C2PA_REMOTE_NOT_FETCHED,)
    embedded = images.saved(picture, "JPEG", comment=b"....jumbJUNKjumdc2pa....")
    assert look(embedded).flags == (Flag.C2PA_UNREAD,)


@pytest.mark.parametrize(
    "block, flag",
    [
        (b"Exif\0\0broken", Flag.METADATA_WARNING),
        (images.exif_block([images.text(0x8825, "x")]), Flag.METADATA_WARNING),
        (images.exif_block(gps=images.degrees(0, 0)), Flag.GPS_ZERO),
        (images.exif_block(gps=images.degrees(99, 0)), Flag.GPS_OUT_OF_RANGE),
        (images.exif_block(gps=images.degrees(9, 9)[:2]), Flag.GPS_UNUSABLE),
        (images.exif_block(exif=[images.text(images.TAKEN_AT, "no")]), Flag.DATE_INVALID),
    ],
)
def test_odd_metadata_never_cost_the_photo(look: Look, block: bytes, flag: Flag) -> None:
    found = look(images.with_exif(block))
    assert (found.verdict, found.flags) == (Verdict.ACCEPT_FLAGGED, (flag,))
    assert (found.exif.lat, found.preview is None) == (None, False)
