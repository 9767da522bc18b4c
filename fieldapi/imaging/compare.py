"""Holds what a report claims against what its photo says, and one photo against others. Pure: takes
values and returns flags; services fetch the values. It decodes nothing and asks no clock.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum

from fieldapi.imaging.facts import Analysis, ExifFacts

DHASH_CANDIDATE = 6
PHASH_CONFIRM = 10
"""Bits that may differ between two pictures of one shot (resized, recompressed, brightened)."""

_FAR_M = 1000.0
_LATE = timedelta(minutes=15)
_RESIZED = 0.8
_EARTH_M = 6_371_008.8


class Doubt(StrEnum):
    """What a reviewer should know about a photo within its report."""

    EXIF_GPS_ABSENT = "exif_gps_absent"
    EXIF_GPS_MISMATCH = "exif_gps_mismatch"
    EXIF_TIME_MISMATCH = "exif_time_mismatch"
    PHOTO_FROM_GALLERY = "photo_from_gallery"
    CLIENT_RESIZED = "client_resized"
    PHOTO_REUSED = "photo_reused"
    PHOTO_SIMILAR = "photo_similar"


@dataclass(frozen=True, slots=True)
class Claim:
    """What the report says about the photo. Degrees WGS84, metres, aware time; None: not said."""

    lat: float | None = None
    lon: float | None = None
    accuracy_m: float | None = None
    taken_at: datetime | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Print:
    """What one stored photo is recognised by: its bytes, its picture, its shot."""

    photo_id: str
    sha256: str
    dhash: str | None = None
    phash: str | None = None
    exif: ExifFacts = field(default_factory=ExifFacts)


@dataclass(frozen=True, slots=True)
class Match:
    """Another photo that this one repeats: `photo_reused` or `photo_similar`."""

    photo_id: str
    doubt: Doubt


def doubts(claim: Claim, analysis: Analysis, *, zone: tzinfo) -> tuple[Doubt, ...]:
    """Return what does not fit between claim and photo, sorted.

    `zone`: where the report was made; a camera that does not know its zone is read in it. A photo
    without a place is no reason for suspicion: many phones strip it when they hand a photo over.
    """
    found: set[Doubt] = set()
    exif = analysis.exif
    if exif.lat is None or exif.lon is None:
        found.add(Doubt.EXIF_GPS_ABSENT)
    found |= measures(claim, analysis, zone=zone).keys()
    if claim.source == "gallery":
        found.add(Doubt.PHOTO_FROM_GALLERY)
    if _is_resized(analysis):
        found.add(Doubt.CLIENT_RESIZED)
    return tuple(sorted(found))


def measures(claim: Claim, analysis: Analysis, *, zone: tzinfo) -> dict[Doubt, dict[str, int]]:
    """Return how far claim and photo are apart where they do not fit, and what would have been
    taken as one: `metres` and `tolerance_m`, `minutes` and `tolerance_min`.
    """
    found: dict[Doubt, dict[str, int]] = {}
    away = _away_m(claim, analysis.exif)
    if away is not None and away > _far_m(claim):
        found[Doubt.EXIF_GPS_MISMATCH] = {
            "metres": round(away),
            "tolerance_m": round(_far_m(claim)),
        }
    apart = _apart(claim.taken_at, analysis.exif, zone)
    if apart is not None and apart > _LATE:
        found[Doubt.EXIF_TIME_MISMATCH] = {
            "minutes": round(apart / timedelta(minutes=1)),
            "tolerance_min": round(_LATE / timedelta(minutes=1)),
        }
    return found


def matches(photo: Print, others: Iterable[Print]) -> Iterator[Match]:
    """Yield the others that repeat this photo: the same bytes, picture or shot.

    The same bytes are certain; the rest is for a person to judge, never a reason to reject.
    """
    for other in others:
        if other.photo_id == photo.photo_id:
            continue
        if other.sha256 == photo.sha256:
            yield Match(other.photo_id, Doubt.PHOTO_REUSED)
        elif is_same_picture(photo, other) or is_same_shot(photo.exif, other.exif):
            yield Match(other.photo_id, Doubt.PHOTO_SIMILAR)


def is_same_picture(one: Print, other: Print) -> bool:
    """Say whether both hashes are so close that the pictures are likely one."""
    if one.dhash is None or other.dhash is None or one.phash is None or other.phash is None:
        return False
    return (
        hamming(one.dhash, other.dhash) <= DHASH_CANDIDATE
        and hamming(one.phash, other.phash) <= PHASH_CONFIRM
    )


def is_same_shot(one: ExifFacts, other: ExifFacts) -> bool:
    """Say whether one camera took both at the same second and place."""
    shot = (one.make, one.model, one.taken_at, one.lat, one.lon)
    return None not in shot and shot == (
        *(other.make, other.model, other.taken_at, other.lat, other.lon),
    )


def hamming(one: str, other: str) -> int:
    """Return how many bits differ between two hashes in hex.

    >>> hamming("00000000000000ff", "0000000000000000")
    8
    """
    return (int(one, 16) ^ int(other, 16)).bit_count()


def distance_m(lat: float, lon: float, *, to_lat: float, to_lon: float) -> float:
    """Return metres along the great circle (haversine, mean earth radius).

    >>> round(distance_m(22.3039, 70.8022, to_lat=22.3039, to_lon=70.8122))
    1029
    """
    north, east = math.radians(to_lat - lat) / 2, math.radians(to_lon - lon) / 2
    shrink = math.cos(math.radians(lat)) * math.cos(math.radians(to_lat))
    half = math.sin(north) ** 2 + shrink * math.sin(east) ** 2
    return 2 * _EARTH_M * math.asin(math.sqrt(min(1.0, half)))


def _far_m(claim: Claim) -> float:
    """Return from how many metres on two places are two; a poor fix counts for the reporter."""
    return _FAR_M + (claim.accuracy_m or 0)


def _away_m(claim: Claim, exif: ExifFacts) -> float | None:
    if claim.lat is None or claim.lon is None or exif.lat is None or exif.lon is None:
        return None
    return distance_m(claim.lat, claim.lon, to_lat=exif.lat, to_lon=exif.lon)


def _apart(claimed: datetime | None, exif: ExifFacts, zone: tzinfo) -> timedelta | None:
    """Return how far the claimed time is from the nearer of the camera's clock and the
    satellites'.
    """
    told = [moment for moment in (_camera_time(exif, zone), _gps_time(exif)) if moment]
    if claimed is None or not told:
        return None
    return min(abs(moment - claimed) for moment in told)


def _camera_time(exif: ExifFacts, zone: tzinfo) -> datetime | None:
    if exif.taken_at is None:
        return None
    here = datetime.fromisoformat(exif.taken_at).replace(tzinfo=zone).astimezone(UTC)
    return exif.instant() or here


def _gps_time(exif: ExifFacts) -> datetime | None:
    return datetime.fromisoformat(exif.gps_at) if exif.gps_at else None


def _is_resized(analysis: Analysis) -> bool:
    """Say whether the camera wrote many more pixels than the file has."""
    said = [analysis.raw_exif.get(f"ExifImage{side}", "") for side in ("Width", "Height")]
    if not all(side.isdecimal() and len(side) < 7 for side in said):  # noqa: PLR2004 - digits of a side
        return False
    pixels = (analysis.width or 0) * (analysis.height or 0)
    return 0 < pixels < _RESIZED * int(said[0]) * int(said[1])
