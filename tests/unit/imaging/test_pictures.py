"""The pictures we show: small, upright, sRGB, and silent about whoever took them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from fieldapi.imaging.facts import Analysis
from tests.support import images
from tests.support.heic import heic
from tests.unit.imaging.conftest import Look

TURNS = {
    1: (),
    2: (Image.Transpose.FLIP_LEFT_RIGHT,),
    3: (Image.Transpose.ROTATE_180,),
    4: (Image.Transpose.FLIP_TOP_BOTTOM,),
    5: (Image.Transpose.TRANSPOSE,),
    6: (Image.Transpose.ROTATE_90,),
    7: (Image.Transpose.TRANSVERSE,),
    8: (Image.Transpose.ROTATE_270,),
}


def opened(path: Path | None) -> Image.Image:
    assert path is not None
    with Image.open(path) as image:
        image.load()
    return image


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the mean difference of colours, 0 to 255."""
    assert one.size == other.size
    return max(ImageStat.Stat(ImageChops.difference(one, other)).mean)


def turned(orientation: int) -> Image.Image:
    """Return the scene as a camera held that way stores it."""
    scene = images.scene(size=(640, 480))
    for turn in TURNS[orientation]:
        scene = scene.transpose(turn)
    return scene


@pytest.mark.parametrize("size, small", [((1600, 1200), (1280, 960)), ((900, 1800), (640, 1280))])
def test_pictures_fit_their_sides(
    look: Look, size: tuple[int, int], small: tuple[int, int]
) -> None:
    found = look(images.field_photo(size=size))
    assert (found.width, found.height) == size
    assert opened(found.preview).size == small
    assert opened(found.thumbnail).size == (small[0] // 4, small[1] // 4)


def test_a_small_photo_is_not_blown_up(look: Look) -> None:
    found = look(images.field_photo(size=(200, 100)))
    assert opened(found.preview).size == opened(found.thumbnail).size == (200, 100)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", list(TURNS))
def test_every_orientation_is_shown_upright(look: Look, kind: str, orientation: int) -> None:
    block = images.exif_block([images.short(images.ORIENTATION, orientation)])
    found = look(images.saved(turned(orientation), kind, exif=block))
    assert (found.width, found.height, found.exif.orientation) == (640, 480, orientation)
    assert difference(opened(found.preview), images.scene()) < 6


def test_orientation_in_xmp_counts_where_exif_has_none(look: Look) -> None:
    packet = b'<x:xmpmeta><rdf:Description tiff:Orientation="8"/></x:xmpmeta>'
    found = look(images.saved(turned(8), "JPEG", xmp=packet))
    assert (found.width, found.height, found.exif.orientation) == (640, 480, None)
    assert difference(opened(found.preview), images.scene()) < 6


def test_exif_counts_before_xmp(look: Look) -> None:
    block = images.exif_block([images.short(images.ORIENTATION, 6)])
    packet = b"<tiff:Orientation>3</tiff:Orientation>"
    found = look(images.saved(turned(6), "JPEG", exif=block, xmp=packet))
    assert difference(opened(found.preview), images.scene()) < 6


def test_heic_is_turned_once(look: Look) -> None:
    """The decoder turns it by the container; EXIF says the same thing again."""
    block = images.exif_block([images.short(images.ORIENTATION, 6)])
    stored = images.scene(size=(640, 480)).transpose(Image.Transpose.ROTATE_90)
    found = look(heic(stored, exif=block, quarter_turns=3))
    assert (found.width, found.height, found.exif.orientation) == (640, 480, 6)
    assert difference(opened(found.preview), images.scene()) < 16


def test_nothing_of_the_camera_is_left_in_a_picture(look: Look) -> None:
    packet = b"<x:xmpmeta>22.30391</x:xmpmeta>"
    data = images.saved(
        images.scene(),
        "JPEG",
        exif=images.exif_block([images.text(images.MAKE, "Fieldphone")]),
        xmp=packet,
        comment=b"made by asha",
        icc_profile=images.p3_profile(),
    )
    found = look(data)
    for path in (found.preview, found.thumbnail):
        assert set(opened(path).info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
        assert path is not None
        assert not any(word in path.read_bytes() for word in (b"Exif", b"asha", b"xmp", b"ICC"))


def test_pictures_are_baseline_jpeg(look: Look) -> None:
    found = look(images.saved(images.scene(), "PNG"))
    for picture in (opened(found.preview), opened(found.thumbnail)):
        assert (picture.format, picture.mode) == ("JPEG", "RGB")
        assert "progressive" not in picture.info


def test_a_colour_profile_is_applied(look: Look) -> None:
    red = Image.new("RGB", (64, 64), (200, 10, 10))
    found = look(images.saved(red, "JPEG", icc_profile=images.p3_profile()))
    red_part, green_part, _ = opened(found.preview).resize((1, 1)).tobytes()
    assert green_part > 150 > red_part


@pytest.mark.parametrize("profile", [b"garbage", b"\0" * 128, bytes(900_000)])
def test_a_broken_profile_is_left_aside(look: Look, profile: bytes) -> None:
    found = look(images.saved(images.scene(), "PNG", icc_profile=profile))
    assert difference(opened(found.preview), images.scene()) < 6


def test_cmyk_is_not_inverted(look: Look) -> None:
    found = look(images.saved(images.scene().convert("CMYK"), "JPEG"))
    assert difference(opened(found.preview), images.scene()) < 8


def test_transparency_is_shown_on_white(look: Look) -> None:
    found = look(images.saved(Image.new("RGBA", (64, 64), (0, 0, 0, 0)), "PNG"))
    assert opened(found.preview).getpixel((32, 32)) == (255, 255, 255)


def test_an_analysis_survives_the_way_between_processes(look: Look) -> None:
    found = look(images.field_photo())
    assert Analysis.from_json(found.to_json()) == found
