"""Photos of others, by their manifest: phones, cameras, editors, fuzzers, attackers. They may not
be shipped, so what is claimed of them holds where a folder of them is at hand (`PHOTO_CORPUS`).
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.tree import ROOT

CORPUS = Path(os.environ.get("PHOTO_CORPUS", ROOT.parent / "shared" / "photos"))
MANIFEST = CORPUS / "MANIFEST.tsv"
IS_THERE = MANIFEST.exists()

_TYPES = {".jpg": "image/jpeg", ".mpo": "image/jpeg", ".tif": "image/tiff", ".svg": "image/svg+xml"}
# Where the manifest leaves a choice: its tools gave up on a directory that breaks off after this
# entry, and we keep what could be read of it.
_READ_FURTHER = frozenset({"corrupt__hopper_bad_exif.jpg"})
# Reading content credentials is a later matter: they are named as unread.
_CREDENTIALS = {"c2pa_valid_untrusted": "c2pa_unread"}
# Ours for what the manifest calls otherwise: damaged files of the HEIF family, kinds of DjVu.
_FORMATS = {"HEIC": "HEIF", "DJVU (multi-page)": "DJVU"}


@dataclass(frozen=True)
class Expected:
    """What is true of one photo. `place`: degrees; `size`: `640x480`, empty where not told.

    `orientation` None: the manifest leaves it open.
    """

    verdict: str
    reason: str
    flags: frozenset[str]
    format: str
    size: str = ""
    place: tuple[float, float] | None = None
    taken_at: str = ""
    offset: str = ""
    orientation: int | None = 0


@dataclass(frozen=True)
class Specimen:
    """One file: its name, the type that a phone would announce, its bytes, what is true of it."""

    name: str
    media_type: str
    content: bytes
    expected: Expected


def specimens() -> Iterator[Specimen]:
    """Yield every file of the corpus; none where there is no corpus."""
    if not IS_THERE:
        return
    with MANIFEST.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield _specimen(row)


def _specimen(row: dict[str, str]) -> Specimen:
    name = row["file"]
    ending = Path(name).suffix.lower()
    media = _TYPES.get(ending, f"image/{ending[1:].replace('hif', 'heif')}")
    return Specimen(name, media, (CORPUS / name).read_bytes(), _expected(row))


def _expected(row: dict[str, str]) -> Expected:
    flags = [flag for flag in row["expect_flags"].split(";") if flag]
    taken = row["DateTimeOriginal"].replace(":", "-", 2).replace(" ", "T")
    is_open = row["file"] in _READ_FURTHER
    return Expected(
        verdict=row["expect_verdict"],
        reason=row["expect_reason"].partition("(")[0],
        flags=frozenset(_CREDENTIALS.get(flag, flag) for flag in flags),
        format=_FORMATS.get(row["real_format"], row["real_format"]),
        size=row["wxh_after_rotation"],
        place=(float(row["lat"]), float(row["lon"])) if row["lat"] else None,
        taken_at="" if taken.startswith("0000") else taken,
        offset=row["OffsetTimeOriginal"],
        orientation=None if is_open else int(row["exif_orientation"] or 0),
    )
