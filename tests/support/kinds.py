"""The kinds of photos that phones, editors and attackers send, drawn here: for whoever has no
folder of real ones. Each comes with what is true of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image

from tests.support import images
from tests.support.corpus import Expected, Specimen
from tests.support.heic import heic

JPEG = "image/jpeg"
_SMALL = (64, 64)


def kinds() -> Iterator[Specimen]:
    """Yield one file of every kind."""
    yield from _sound()
    yield from _places()
    yield from _odd()
    yield from _refused()


def _ok(kind: str = "JPEG", size: str = "64x64", *flags: str, **known: object) -> Expected:
    verdict = "accept_flagged" if set(flags) - {"tz_unknown"} else "accept"
    return Expected(verdict, "", frozenset(flags), kind, size, **known)  # type: ignore[arg-type]


def _no(reason: str, kind: str, size: str = "", *flags: str, **known: object) -> Expected:
    return Expected("reject", reason, frozenset(flags), kind, size, **known)  # type: ignore[arg-type]


def _saved(kind: str = "JPEG", **options: object) -> bytes:
    return images.saved(images.scene(size=_SMALL), kind, **options)


def _tagged(block: bytes) -> bytes:
    return images.with_exif(block, size=_SMALL)


def _sound() -> Iterator[Specimen]:
    place, taken = tuple(images.RAJKOT.values()), images.TAKEN.replace(tzinfo=None).isoformat()
    of_phone = _ok(size="640x480", place=place, taken_at=taken, offset="+05:30", orientation=1)
    yield Specimen("phone.jpg", JPEG, images.field_photo(11), of_phone)
    turned = _ok(size="480x640", place=place, taken_at=taken, offset="+05:30", orientation=6)
    # The picture is stored lying and is looked at upright.
    upright = images.field_photo(12, size=(480, 640), orientation=6)
    yield Specimen("turned.jpg", JPEG, upright, turned)
    for kind in ("PNG", "WEBP"):
        content = images.saved(images.scene(seed=len(kind), size=(96, 64)), kind)
        yield Specimen(
            f"plain.{kind.lower()}", f"image/{kind.lower()}", content, _ok(kind, "96x64")
        )
    turned_once = heic(images.scene(seed=8, size=(96, 64)), quarter_turns=1)
    yield Specimen("turned.heic", "image/heic", turned_once, _ok("HEIF", "64x96"))
    series = heic(images.scene(seed=9, size=_SMALL), copies=2)
    yield Specimen("series.heic", "image/heic", series, _ok("HEIF", "64x64", "multi_image"))
    two = images.saved(
        images.scene(seed=10, size=_SMALL), "MPO", save_all=True, append_images=[images.scene()]
    )
    yield Specimen("two.mpo", JPEG, two, _ok("MPO", "64x64", "multi_picture"))
    progressive = _saved(progressive=True, quality=60)
    yield Specimen("progressive.jpg", JPEG, progressive, _ok())
    print_made = images.scene(seed=13, size=_SMALL).convert("CMYK")
    yield Specimen(
        "print.jpg", JPEG, images.saved(print_made, "JPEG"), _ok("JPEG", "64x64", "cmyk")
    )


def _places() -> Iterator[Specimen]:
    for name, lat, lon in (
        ("south-west", -22.95191, -43.21049),
        ("south-east", -33.85678, 151.21530),
    ):
        block = images.exif_block(gps=images.degrees(lat, lon))
        yield Specimen(f"{name}.jpg", JPEG, _tagged(block), _ok(place=(lat, lon)))
    nowhere = images.exif_block(gps=images.degrees(0, 0))
    yield Specimen("zero.jpg", JPEG, _tagged(nowhere), _ok("JPEG", "64x64", "gps_zero"))
    beyond = images.exif_block(gps=images.degrees(95, 10))
    yield Specimen("beyond.jpg", JPEG, _tagged(beyond), _ok("JPEG", "64x64", "gps_out_of_range"))
    divided = images.exif_block(
        gps=[
            images.text(images.LAT_REF, "N"),
            images.rationals(images.LAT, (0, 0), (0, 0), (0, 0)),
            images.text(images.LON_REF, "E"),
            images.rationals(images.LON, (0, 0), (0, 0), (0, 0)),
        ]
    )
    yield Specimen("0-by-0.jpg", JPEG, _tagged(divided), _ok("JPEG", "64x64", "gps_unusable"))


def _odd() -> Iterator[Specimen]:
    blind = images.exif_block(exif=[images.text(images.TAKEN_AT, "2026:11:30 14:05:09")])
    zoneless = _ok("JPEG", "64x64", "tz_unknown", taken_at="2026-11-30T14:05:09")
    yield Specimen("no-zone.jpg", JPEG, _tagged(blind), zoneless)
    edited = images.exif_block(
        exif=[
            images.text(images.TAKEN_AT, "2026:11:30 14:05:09"),
            images.text(0x9010, "+09:00"),  # the zone of editing
        ]
    )
    yield Specimen("edited.jpg", JPEG, _tagged(edited), zoneless)
    wrong = images.exif_block(exif=[images.text(images.TAKEN_AT, "yesterday")])
    yield Specimen("no-date.jpg", JPEG, _tagged(wrong), _ok("JPEG", "64x64", "date_invalid"))
    old = images.exif_block(exif=[images.text(images.TAKEN_AT, "1904:01:01 00:00:00")])
    dated = _ok("JPEG", "64x64", "date_implausible", taken_at="1904-01-01T00:00:00")
    yield Specimen("old.jpg", JPEG, _tagged(old), dated)
    broken = _ok("JPEG", "64x64", "metadata_warning")
    yield Specimen("broken-exif.jpg", JPEG, _tagged(b"Exif\0\0broken"), broken)
    film = _saved(quality=70) + images.mp4()
    yield Specimen("film.jpg", JPEG, film, _ok("JPEG", "64x64", "motion_trailer"))
    half_a_film = _saved(quality=72) + images.mp4()[:24] + b"\0\1\0\0mdat" + bytes(99)
    cut = _ok("JPEG", "64x64", "motion_trailer", "truncated")
    yield Specimen("half-a-film.jpg", JPEG, half_a_film, cut)
    page = _saved(quality=71) + b"\n<!DOCTYPE html><p>hello"
    yield Specimen("page.jpg", JPEG, page, _ok("JPEG", "64x64", "foreign_trailer"))
    code = _saved(comment=b"<?php system($_GET['c']); ?>")
    yield Specimen("code.jpg", JPEG, code, _ok("JPEG", "64x64", "code_in_metadata"))
    renamed = _ok("PNG", "64x64", "extension_mismatch")
    yield Specimen("renamed.jpg", JPEG, _saved("PNG"), renamed)


def _refused() -> Iterator[Specimen]:
    for kind in ("GIF", "BMP", "TIFF"):
        file = images.saved(Image.new("L", (70, 50)), kind)
        yield Specimen(
            f"other.{kind.lower()}",
            f"image/{kind.lower()}",
            file,
            _no("unsupported_type", kind, "70x50"),
        )
    yield Specimen(
        "drawing.svg", "image/svg+xml", b"<svg onload='x()'/>", _no("unsupported_type", "SVG")
    )
    yield Specimen("note.jpg", JPEG, b"no photo\n", _no("unsupported_type", "?"))
    yield Specimen(
        "bomb.png", "image/png", images.bomb_png(), _no("too_many_pixels", "PNG", "65500x65500")
    )
    yield Specimen(
        "bomb.jpg", JPEG, images.bomb_jpeg(), _no("too_many_pixels", "JPEG", "64250x64250")
    )
    half = images.field_photo(14)
    cut = _no("truncated", "JPEG", "640x480")
    yield Specimen("half.jpg", JPEG, half[: len(half) // 2], cut)
    tail = heic(images.scene(seed=15, size=_SMALL))
    yield Specimen("tail.heic", "image/heic", tail[:-4], _no("truncated", "HEIF", "64x64"))
