"""Draws animals from the side, each kind by its own build. Used by `specimen.py` alone."""

from __future__ import annotations

import random
from dataclasses import dataclass
from types import MappingProxyType

from PIL import Image, ImageDraw

Colour = tuple[int, int, int]
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Build:
    """How a kind looks: height against a cow's, hides to choose from, horns, hump, hanging tail."""

    height: float
    hides: tuple[Colour, ...]
    horns: float = 0.16
    has_hump: bool = False
    is_spotted: bool = False
    has_long_neck: bool = False


_BROWN, _WHITE, _BLACK, _GREY = (138, 90, 56), (226, 220, 206), (46, 42, 40), (150, 146, 140)
_RED, _SAND = (122, 62, 40), (196, 168, 128)

_COW = Build(1.0, (_BROWN, _WHITE, _RED, _GREY), has_hump=True, is_spotted=True)
_BUILDS = MappingProxyType(
    {
        "cow": _COW,
        "bull": Build(1.15, (_GREY, _WHITE, _BLACK), horns=0.22, has_hump=True),
        "bullock": Build(1.1, (_WHITE, _GREY), horns=0.3, has_hump=True),
        "buffalo": Build(1.08, (_BLACK, (60, 54, 52)), horns=0.34),
        "heifer": Build(0.85, (_BROWN, _RED), horns=0.06, is_spotted=True),
        "calf": Build(0.62, (_BROWN, _WHITE), horns=0.0, is_spotted=True),
        "goat": Build(0.5, (_BLACK, _WHITE, _BROWN), horns=0.14),
        "sheep": Build(0.5, (_WHITE, _SAND), horns=0.0),
        "pig": Build(0.5, (_BLACK, (190, 140, 132)), horns=0.0),
        "donkey": Build(0.85, (_GREY,), horns=0.0, has_long_neck=True),
        "horse": Build(1.2, (_BROWN, _BLACK), horns=0.0, has_long_neck=True),
        "mule": Build(1.05, (_BROWN, _GREY), horns=0.0, has_long_neck=True),
        "camel": Build(1.6, (_SAND,), horns=0.0, has_hump=True, has_long_neck=True),
        "elephant": Build(2.0, (_GREY,), horns=0.0),
        "fowl": Build(0.2, (_RED, _WHITE), horns=0.0),
    }
)


def draw_animal(
    scene: Image.Image, kind: str, foot: Spot, chance: random.Random, *, nearness: float
) -> None:
    """Stand one head with its feet at `foot`; `nearness` from 0, far, to 1. Unknown: a cow."""
    build = _BUILDS.get(kind, _COW)
    unit = scene.height * (0.1 + 0.17 * nearness) * build.height
    body = _Body(ImageDraw.Draw(scene), foot, unit, chance.choice((-1, 1)))
    hide = chance.choice(build.hides)
    body.shadow()
    body.legs(_shade(hide, 0.75))
    body.trunk(hide, has_hump=build.has_hump)
    if build.is_spotted:
        body.spots(_shade(hide, 1.45 if sum(hide) < 400 else 0.6), chance)  # noqa: PLR2004 - dark or light
    body.head(hide, horns=build.horns, has_long_neck=build.has_long_neck)
    body.tail(_shade(hide, 0.6))


class _Body:
    """A pen in an animal's own measure: x forward from its middle, y up from its feet, height 1."""

    def __init__(self, pen: ImageDraw.ImageDraw, foot: Spot, unit: float, forward: int) -> None:
        self._pen = pen
        self._foot = foot
        self._unit = unit
        self._forward = forward

    def shadow(self) -> None:
        self._oval((-0.75, 0.05), (0.75, -0.06), (64, 72, 40))

    def legs(self, colour: Colour) -> None:
        for x in (-0.52, -0.38, 0.34, 0.48):
            self._line([(x, 0.55), (x + 0.02, 0.25), (x, 0.0)], colour, 0.1)
            self._line([(x, 0.04), (x, 0.0)], (40, 34, 30), 0.11)

    def trunk(self, colour: Colour, *, has_hump: bool) -> None:
        self._oval((-0.68, 0.98), (0.62, 0.4), colour)
        self._oval((-0.7, 0.96), (-0.1, 0.46), colour)
        self._oval((0.1, 1.0), (0.66, 0.42), colour)
        self._oval((-0.4, 0.56), (0.4, 0.38), _shade(colour, 0.85))
        if has_hump:
            self._oval((0.22, 1.16), (0.54, 0.84), colour)

    def spots(self, colour: Colour, chance: random.Random) -> None:
        for _ in range(chance.randint(2, 5)):
            x, y, r = (
                chance.uniform(-0.5, 0.4),
                chance.uniform(0.6, 0.85),
                chance.uniform(0.05, 0.13),
            )
            self._oval((x - r, y + r * 0.8), (x + r, y - r * 0.8), colour)

    def head(self, colour: Colour, *, horns: float, has_long_neck: bool) -> None:
        top = 1.3 if has_long_neck else 1.06
        self._line([(0.5, 0.82), (0.86, top - 0.02)], colour, 0.3)
        self._oval((0.74, top + 0.14), (1.06, top - 0.14), colour)
        self._oval((0.92, top + 0.06), (1.2, top - 0.18), _shade(colour, 0.88))
        self._line([(0.78, top + 0.04), (0.64, top)], _shade(colour, 0.7), 0.09)
        self._oval((0.94, top + 0.06), (0.98, top + 0.02), (16, 14, 12))
        if horns:
            tips = [(0.84, top + 0.12), (0.88 + horns / 3, top + 0.14 + horns / 2)]
            self._line([*tips, (0.8 + horns / 6, top + 0.14 + horns)], (206, 196, 170), 0.05)

    def tail(self, colour: Colour) -> None:
        self._line([(-0.66, 0.86), (-0.76, 0.6), (-0.74, 0.3)], colour, 0.04)
        self._oval((-0.78, 0.34), (-0.7, 0.2), colour)

    def _at(self, spot: Spot) -> Spot:
        x, y = spot
        return (self._foot[0] + self._forward * x * self._unit, self._foot[1] - y * self._unit)

    def _oval(self, one: Spot, other: Spot, colour: Colour) -> None:
        (x1, y1), (x2, y2) = self._at(one), self._at(other)
        self._pen.ellipse([min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)], fill=colour)

    def _line(self, spots: list[Spot], colour: Colour, thick: float) -> None:
        width = max(1, round(thick * self._unit))
        self._pen.line([self._at(spot) for spot in spots], fill=colour, width=width, joint="curve")


def _shade(colour: Colour, factor: float) -> Colour:
    red, green, blue = (min(255, round(part * factor)) for part in colour)
    return red, green, blue
