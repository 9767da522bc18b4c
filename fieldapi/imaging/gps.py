"""Turns GPS tags into a place, or says why there is none. Used by `exif.py`; imports no decoder."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fieldapi.imaging.facts import Flag
from fieldapi.imaging.tags import Folder, Value
from fieldapi.imaging.text import clean

_LAT_REF, _LAT, _LON_REF, _LON = 1, 2, 3, 4
_SIGNS = {"N": 1, "S": -1, "E": 1, "W": -1}
_PLACES = 7


@dataclass(frozen=True, slots=True)
class Fix:
    """A place in WGS84 degrees; without one, `flag` says why, unless no place was given at all."""

    lat: float | None = None
    lon: float | None = None
    flag: Flag | None = None


def read_fix(gps: Folder) -> Fix:
    """Return the place: both values with both references, in range, and not (0, 0).

    Cameras without a fix write zeros, apps that strip a place write zeros too: (0, 0) is nowhere.
    """
    if _LAT not in gps and _LON not in gps:
        return Fix()
    lat = _degrees(gps.get(_LAT), clean(gps.get(_LAT_REF)), "NS")
    lon = _degrees(gps.get(_LON), clean(gps.get(_LON_REF)), "EW")
    if lat is None or lon is None:
        return Fix(flag=Flag.GPS_UNUSABLE)
    if abs(lat) > 90 or abs(lon) > 180:  # noqa: PLR2004 - degrees
        return Fix(flag=Flag.GPS_OUT_OF_RANGE)
    if lat == 0 and lon == 0:
        return Fix(flag=Flag.GPS_ZERO)
    return Fix(lat, lon)


def _degrees(value: Value | None, ref: str, refs: str) -> float | None:
    """Return signed degrees, or None if the value or its reference makes no sense."""
    parts = value if isinstance(value, tuple) else (value,)
    sign = _SIGNS.get(ref[:1].upper()) if ref[:1].upper() in refs else None
    if sign is None or not 1 <= len(parts) <= 3:  # noqa: PLR2004 - degrees, minutes, seconds
        return None
    degrees = 0.0
    for part, unit in zip(parts, (1, 60, 3600), strict=False):
        if not isinstance(part, (int, float)) or not math.isfinite(part) or part < 0:
            return None
        degrees += part / unit
    return round(sign * degrees, _PLACES) + 0.0  # -0.0 becomes 0.0
