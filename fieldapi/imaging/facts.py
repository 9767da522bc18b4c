"""The values that an analysis is made of, and their JSON form between processes. Services store
them; nothing here decodes anything or imports Pillow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, cast

JSON = str | int | float | bool | None | list["JSON"] | dict[str, "JSON"]


class Verdict(StrEnum):
    """What becomes of a photo. `reject` keeps the original; it gets no pictures to show."""

    ACCEPT = "accept"
    ACCEPT_FLAGGED = "accept_flagged"
    REJECT = "reject"


class Reason(StrEnum):
    """Why a photo was rejected."""

    EMPTY = "empty"
    UNSUPPORTED_TYPE = "unsupported_type"
    TOO_MANY_PIXELS = "too_many_pixels"
    TRUNCATED = "truncated"
    CORRUPT = "corrupt"
    DECODER_CRASHED = "decoder_crashed"
    DECODER_TIMEOUT = "decoder_timeout"


class Flag(StrEnum):
    """What a reviewer should know about the file itself. Flags that need the report's own claims
    are in `compare.py`.
    """

    ANIMATED = "animated"
    C2PA_REMOTE_NOT_FETCHED = "c2pa_remote_not_fetched"
    C2PA_UNREAD = "c2pa_unread"
    CMYK = "cmyk"
    CODE_IN_METADATA = "code_in_metadata"
    DATE_IMPLAUSIBLE = "date_implausible"
    DATE_INVALID = "date_invalid"
    EXTENSION_MISMATCH = "extension_mismatch"
    FOREIGN_TRAILER = "foreign_trailer"
    GPS_OUT_OF_RANGE = "gps_out_of_range"
    GPS_UNUSABLE = "gps_unusable"
    GPS_ZERO = "gps_zero"
    METADATA_WARNING = "metadata_warning"
    MOTION_TRAILER = "motion_trailer"
    MULTI_IMAGE = "multi_image"
    MULTI_PICTURE = "multi_picture"
    TRUNCATED = "truncated"
    TZ_UNKNOWN = "tz_unknown"


_PICTURES = ("preview", "thumbnail")
INFORMATION = frozenset({Flag.TZ_UNKNOWN})
"""Flags that explain a value and cast no doubt: they leave the verdict at `accept`."""


@dataclass(frozen=True, slots=True)
class ExifFacts:
    """What the camera says, checked for sense; None where it says nothing usable.

    `lat`, `lon`: WGS84 degrees to 1e-5 or better, never (0, 0). `taken_at`: wall clock where the
    photo was taken, `2026-11-30T14:05:09`, and `offset` its zone, `+05:30`, if the camera knew.
    `gps_at`: the satellites' time in UTC, `…Z`. `orientation`: as written in the file, before
    the derivatives were turned upright by it.
    """

    lat: float | None = None
    lon: float | None = None
    taken_at: str | None = None
    offset: str | None = None
    gps_at: str | None = None
    orientation: int | None = None
    make: str | None = None
    model: str | None = None

    def instant(self) -> datetime | None:
        """Return when the photo was taken, aware UTC; None without a date or its zone."""
        if self.taken_at is None or self.offset is None:
            return None
        return datetime.fromisoformat(self.taken_at + self.offset).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Analysis:
    """All that is known from the bytes of one photo.

    `format`: JPEG, MPO, PNG, WEBP, HEIF, or what a rejected file seems to be. `width`, `height`:
    pixels of the whole picture, upright. `raw_exif`: every tag read, as text, for the record.
    `preview`, `thumbnail`: JPEG files of at most 1280 and 320 px in the caller's `out_dir`.
    `dhash`, `phash`: 64 bits as 16 hex digits.
    """

    verdict: Verdict
    reason: Reason | None = None
    flags: tuple[Flag, ...] = ()
    format: str | None = None
    width: int | None = None
    height: int | None = None
    exif: ExifFacts = field(default_factory=ExifFacts)
    raw_exif: Mapping[str, str] = field(default_factory=dict)
    preview: Path | None = None
    thumbnail: Path | None = None
    dhash: str | None = None
    phash: str | None = None

    def to_json(self) -> dict[str, JSON]:
        """Return the analysis as plain JSON values; pictures as paths."""
        plain = asdict(self)
        for name in _PICTURES:
            plain[name] = None if plain[name] is None else str(plain[name])
        return cast("dict[str, JSON]", {**plain, "flags": list(self.flags)})

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Analysis:
        """Read what `to_json` wrote. Raises `KeyError`, `TypeError` or `ValueError`."""
        return cls(
            **{
                **plain,
                "verdict": Verdict(plain["verdict"]),
                "reason": None if plain["reason"] is None else Reason(plain["reason"]),
                "flags": tuple(Flag(flag) for flag in plain["flags"]),
                "exif": ExifFacts(**plain["exif"]),
                **{name: plain[name] and Path(plain[name]) for name in _PICTURES},
            }
        )
