"""Real photos of others: phones, cameras, editors, fuzzers, attackers. They may not be shipped, so
these claims hold where a folder of them is at hand (`PHOTO_CORPUS`); its MANIFEST.tsv says what two
independent tools found in each. The same kinds, drawn by us, are in the other files of this folder.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from fieldapi.imaging.analyse import analyse
from fieldapi.imaging.decode import set_up
from fieldapi.imaging.facts import Analysis, Verdict
from tests.unit.imaging.conftest import CORPUS, NOW

CLAIMS = {".jpg": "image/jpeg", ".mpo": "image/jpeg", ".tif": "image/tiff", ".svg": "image/svg+xml"}
# Where the manifest leaves a choice: its tools gave up on a directory that breaks off after this
# entry, and we keep what could be read of it.
READ_FURTHER = {"corrupt__hopper_bad_exif.jpg"}
# Reading content credentials is a later matter: they are named as unread.
CREDENTIALS = {"c2pa_valid_untrusted": "c2pa_unread"}


def rows() -> list[dict[str, str]]:
    with (CORPUS / "MANIFEST.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.fixture
def found(row: dict[str, str], tmp_path: Path) -> Analysis:
    set_up()
    photo = CORPUS / row["file"]
    ending = photo.suffix.lower()
    claim = CLAIMS.get(ending, f"image/{ending[1:].replace('hif', 'heif')}")
    return analyse(photo, claimed_type=claim, out_dir=tmp_path, now=NOW)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["file"])
def test_a_real_photo_is_read_right(row: dict[str, str], found: Analysis) -> None:
    assert found.verdict == row["expect_verdict"]
    if found.verdict == Verdict.REJECT:
        assert found.reason == row["expect_reason"].partition("(")[0]
        return
    flags = [flag for flag in row["expect_flags"].split(";") if flag]
    assert set(found.flags) == {CREDENTIALS.get(flag, flag) for flag in flags}
    assert found.format == row["real_format"]
    assert f"{found.width}x{found.height}" == row["wxh_after_rotation"]
    _assert_facts(row, found)


def _assert_facts(row: dict[str, str], found: Analysis) -> None:
    place = (found.exif.lat, found.exif.lon)
    if row["lat"]:
        assert place == pytest.approx((float(row["lat"]), float(row["lon"])), abs=1e-5)
    else:
        assert place == (None, None)
    date = row["DateTimeOriginal"].replace(":", "-", 2).replace(" ", "T")
    is_date = not date.startswith("0000")
    assert (found.exif.taken_at or "") == (date if is_date else "")
    assert (found.exif.offset or "") == row["OffsetTimeOriginal"]
    if row["file"] not in READ_FURTHER:
        assert (found.exif.orientation or 0) == int(row["exif_orientation"] or 0)
