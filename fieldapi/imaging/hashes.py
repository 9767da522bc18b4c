"""Perceptual hashes: 64 bits that stay close when a photo is resized, recompressed or brightened.
Computed from the upright thumbnail in the child process; compared by `compare.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image

_SIDE = 32
_KEPT = 8
_COSINES = [
    [math.cos(math.pi * (2 * x + 1) * u / (2 * _SIDE)) for x in range(_SIDE)] for u in range(_KEPT)
]


def dhash(image: Image.Image) -> str:
    """Return 16 hex digits: for each of 8 x 8 places, whether it gets brighter to the right."""
    grey = _grey(image, _KEPT + 1, _KEPT)
    rows = [grey[at : at + _KEPT + 1] for at in range(0, len(grey), _KEPT + 1)]
    return _hex([row[x] < row[x + 1] for row in rows for x in range(_KEPT)])


def phash(image: Image.Image) -> str:
    """Return 16 hex digits: which of the 64 lowest frequencies are above their median.

    The mean of the picture (frequency 0, 0) takes no part in the median, so brightness does not.
    """
    grey = _grey(image, _SIDE, _SIDE)
    rows = [_cosine(grey[at : at + _SIDE]) for at in range(0, len(grey), _SIDE)]
    columns = [_cosine([row[u] for row in rows]) for u in range(_KEPT)]
    values = [columns[u][v] for v in range(_KEPT) for u in range(_KEPT)]
    middle = sorted(values[1:])[len(values) // 2]
    return _hex([value > middle for value in values])


def _grey(image: Image.Image, width: int, height: int) -> Sequence[int]:
    return image.convert("L").resize((width, height), Image.Resampling.BILINEAR).tobytes()


def _cosine(line: Sequence[float]) -> list[float]:
    """Return the lowest frequencies of a line (DCT-II)."""
    return [sum(map(float.__mul__, cosines, map(float, line))) for cosines in _COSINES]


def _hex(bits: Sequence[bool]) -> str:
    number = 0
    for bit in bits:
        number = number << 1 | bit
    return f"{number:016x}"
