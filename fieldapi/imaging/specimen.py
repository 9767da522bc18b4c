"""Draws a photo as a phone would take it in the field: cattle in a crop, with full EXIF. For the
demo and for tests, which may not use photos of others. The same specimen gives the same bytes with
one version of Pillow.
"""

from __future__ import annotations

import io
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from PIL import ExifTags, Image, ImageChops, ImageDraw, ImageFont

from fieldapi.imaging.herd import draw_animal

Colour = tuple[int, int, int]

_HORIZON = 0.36
_GRAIN = 16
_SKIES: tuple[tuple[Colour, Colour], ...] = (
    ((96, 150, 214), (222, 232, 238)),
    ((120, 140, 160), (212, 204, 190)),
    ((232, 160, 96), (250, 226, 170)),
)
_FIELDS: tuple[tuple[Colour, Colour], ...] = (
    ((122, 142, 74), (88, 120, 44)),
    ((176, 152, 92), (134, 104, 58)),
    ((150, 168, 84), (70, 112, 50)),
)
_TURNED_BACK = {
    3: Image.Transpose.ROTATE_180,
    6: Image.Transpose.ROTATE_90,
    8: Image.Transpose.ROTATE_270,
}


@dataclass(frozen=True, slots=True)
class Specimen:
    """What the photo shows and says. `lat`, `lon`: WGS84 degrees; None: a phone without a fix.

    `taken_at`: aware; its zone is what the phone writes as the offset. `cattle`: heads by kind,
    e.g. `{"cow": 3, "buffalo": 1}`. `orientation`: 1, or 3, 6, 8 for a phone held otherwise,
    which stores the picture turned and says so.
    """

    seed: int
    taken_at: datetime
    lat: float | None = None
    lon: float | None = None
    cattle: Mapping[str, int] = field(default_factory=lambda: {"cow": 3})
    caption: str = ""
    size: tuple[int, int] = (1600, 1200)
    make: str = "Fieldphone"
    model: str = "FP-12"
    orientation: int = 1


def draw(specimen: Specimen) -> bytes:
    """Return the photo as JPEG with place, time, zone, make and model in its EXIF."""
    scene = draw_scene(specimen)
    if specimen.orientation in _TURNED_BACK:
        scene = scene.transpose(_TURNED_BACK[specimen.orientation])
    file = io.BytesIO()
    scene.save(file, "JPEG", quality=85, exif=exif_of(specimen, scene.size))
    return file.getvalue()


def draw_scene(specimen: Specimen) -> Image.Image:
    """Return the picture, upright and without metadata."""
    chance = random.Random(specimen.seed)  # noqa: S311 - a drawing, not a secret
    scene = Image.new("RGB", specimen.size)
    _paint_sky(scene, chance)
    _paint_field(scene, chance)
    _paint_trees(ImageDraw.Draw(scene), specimen.size, chance)
    _paint_cattle(scene, specimen.cattle, chance)
    scene = ImageChops.add(scene, _grain(scene.size, chance), scale=1, offset=-_GRAIN // 2)
    _paint_caption(scene, specimen)
    return scene


def exif_of(specimen: Specimen, size: tuple[int, int]) -> Image.Exif:
    """Return the tags that a phone writes. `size`: pixels as stored."""
    exif = Image.Exif()
    exif[ExifTags.Base.Make] = specimen.make
    exif[ExifTags.Base.Model] = specimen.model
    exif[ExifTags.Base.Orientation] = specimen.orientation
    exif[ExifTags.Base.DateTime] = _exif_time(specimen.taken_at)
    exif[ExifTags.IFD.Exif] = {
        ExifTags.Base.ExifVersion: b"0232",
        ExifTags.Base.DateTimeOriginal: _exif_time(specimen.taken_at),
        ExifTags.Base.DateTimeDigitized: _exif_time(specimen.taken_at),
        ExifTags.Base.OffsetTimeOriginal: _exif_offset(specimen.taken_at),
        ExifTags.Base.ExifImageWidth: size[0],
        ExifTags.Base.ExifImageHeight: size[1],
    }
    if specimen.lat is not None and specimen.lon is not None:
        exif[ExifTags.IFD.GPSInfo] = _gps(specimen.lat, specimen.lon, specimen.taken_at)
    return exif


def _gps(lat: float, lon: float, at: datetime) -> dict[int, object]:
    utc = at.astimezone(UTC)
    return {
        ExifTags.GPS.GPSVersionID: b"\2\3\0\0",
        ExifTags.GPS.GPSLatitudeRef: "S" if lat < 0 else "N",
        ExifTags.GPS.GPSLatitude: _sexagesimal(lat),
        ExifTags.GPS.GPSLongitudeRef: "W" if lon < 0 else "E",
        ExifTags.GPS.GPSLongitude: _sexagesimal(lon),
        ExifTags.GPS.GPSTimeStamp: (float(utc.hour), float(utc.minute), float(utc.second)),
        ExifTags.GPS.GPSDateStamp: utc.strftime("%Y:%m:%d"),
    }


def _sexagesimal(degrees: float) -> tuple[float, float, float]:
    """Return degrees, minutes and seconds; seconds to 1e-4, which is 3 mm."""
    seconds = round(abs(degrees) * 3600, 4)
    return seconds // 3600, seconds % 3600 // 60, round(seconds % 60, 4)


def _exif_time(at: datetime) -> str:
    return at.strftime("%Y:%m:%d %H:%M:%S")


def _exif_offset(at: datetime) -> str:
    minutes = int((at.utcoffset() or timedelta()).total_seconds()) // 60
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def _blend(size: tuple[int, int], top: Colour, bottom: Colour) -> Image.Image:
    """Return a surface that runs from one colour to another, downwards."""
    mask = Image.linear_gradient("L").resize(size)
    return Image.composite(Image.new("RGB", size, bottom), Image.new("RGB", size, top), mask)


def _paint_sky(scene: Image.Image, chance: random.Random) -> None:
    height = round(scene.height * _HORIZON)
    scene.paste(_blend((scene.width, height), *chance.choice(_SKIES)), (0, 0))


def _paint_field(scene: Image.Image, chance: random.Random) -> None:
    """Paint the crop in rows that run away from the camera, and the ruts between them."""
    horizon = round(scene.height * _HORIZON)
    far, near = chance.choice(_FIELDS)
    scene.paste(_blend((scene.width, scene.height - horizon), far, near), (0, horizon))
    pen = ImageDraw.Draw(scene)
    vanishing = scene.width * chance.uniform(0.3, 0.7)
    rut = tuple(round(part * 0.82) for part in near)
    for step in range(-30, 31):
        foot = vanishing + step * scene.width * 0.11
        width = scene.width * 0.006
        pen.polygon(
            [(vanishing, horizon), (foot - width, scene.height), (foot + width, scene.height)],
            fill=rut,
        )
    for _ in range(900):
        depth = chance.random() ** 2
        x, y = chance.uniform(0, scene.width), horizon + depth * (scene.height - horizon)
        tall = scene.height * (0.004 + 0.03 * depth)
        shade = chance.uniform(0.7, 1.15)
        colour = tuple(min(255, round(part * shade)) for part in near)
        pen.line([(x, y), (x + tall * chance.uniform(-0.3, 0.3), y - tall)], fill=colour, width=2)


def _paint_trees(pen: ImageDraw.ImageDraw, size: tuple[int, int], chance: random.Random) -> None:
    horizon = size[1] * _HORIZON
    for _ in range(chance.randint(5, 11)):
        x, tall = chance.uniform(0, size[0]), size[1] * chance.uniform(0.03, 0.1)
        green = (chance.randint(40, 70), chance.randint(78, 110), chance.randint(40, 60))
        pen.line([(x, horizon), (x, horizon - tall)], fill=(84, 66, 48), width=round(tall / 9) + 1)
        for _ in range(7):
            crown = tall * chance.uniform(0.3, 0.55)
            cx, cy = x + tall * chance.uniform(-0.4, 0.4), horizon - tall * chance.uniform(0.8, 1.2)
            pen.ellipse([cx - crown, cy - crown * 0.7, cx + crown, cy + crown * 0.7], fill=green)


def _paint_cattle(scene: Image.Image, cattle: Mapping[str, int], chance: random.Random) -> None:
    """Stand the heads side by side, the far ones first, none hiding another whole."""
    heads = [kind for kind, count in sorted(cattle.items()) for _ in range(count)]
    chance.shuffle(heads)
    width = 0.84 / max(1, len(heads))
    places = [0.08 + (index + chance.uniform(0.3, 0.7)) * width for index in range(len(heads))]
    depths = sorted(chance.uniform(0.25, 1) for _ in heads)
    chance.shuffle(places)
    for kind, place, depth in zip(heads, places, depths, strict=True):
        foot = scene.height * (_HORIZON + 0.1 + 0.42 * depth)
        draw_animal(scene, kind, (scene.width * place, foot), chance, nearness=depth)


def _grain(size: tuple[int, int], chance: random.Random) -> Image.Image:
    """Return sensor noise: grey, 0 to `_GRAIN`, from one tile turned about."""
    tile = Image.frombytes("L", (256, 256), chance.randbytes(256 * 256))
    tile = tile.point(lambda value: round(value * _GRAIN / 255))
    turns = (None, Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180)
    tiles = [tile if turn is None else tile.transpose(turn) for turn in turns]
    grain = Image.new("L", size)
    for x in range(0, size[0], 256):
        for y in range(0, size[1], 256):
            grain.paste(chance.choice(tiles), (x, y))
    return grain.convert("RGB")


def _paint_caption(scene: Image.Image, specimen: Specimen) -> None:
    """Write what the photo is of across its foot, as report apps do. Latin letters only."""
    if not specimen.caption:
        return
    tall = max(12, scene.height // 34)
    pen = ImageDraw.Draw(scene, "RGBA")
    pen.rectangle([0, scene.height - 2 * tall, scene.width, scene.height], fill=(0, 0, 0, 150))
    text = f"{specimen.caption}  {specimen.taken_at:%d.%m.%Y %H:%M}"
    if specimen.lat is not None and specimen.lon is not None:
        text += f"  {specimen.lat:.5f}, {specimen.lon:.5f}"
    at = (tall, scene.height - 1.6 * tall)
    pen.text(at, text, font=ImageFont.load_default(tall), fill=(255, 255, 255, 255))
