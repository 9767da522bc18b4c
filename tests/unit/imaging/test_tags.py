"""The reader of tags meets whatever a camera, an editor or an attacker wrote, and never raises."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldapi.imaging.tags import read_tags
from fieldapi.imaging.text import clean, shown
from tests.support.images import (
    MAKE,
    ORIENTATION,
    TAKEN_AT,
    degrees,
    exif_block,
    rationals,
    short,
    text,
)

BLOCK = exif_block(
    [text(MAKE, "Fieldphone"), short(ORIENTATION, 6)],
    exif=[text(TAKEN_AT, "2026:11:30 14:05:09")],
    gps=degrees(22.30391, 70.80216),
)


def test_a_sound_block_is_read_without_damage() -> None:
    tags = read_tags(BLOCK)
    assert tags.damage == []
    assert tags.main == {MAKE: b"Fieldphone\0", ORIENTATION: 6}
    assert tags.exif == {TAKEN_AT: b"2026:11:30 14:05:09\0"}
    assert tags.gps[2] == pytest.approx((22, 18, 14.076))


def test_the_header_may_be_missing() -> None:
    assert read_tags(BLOCK.removeprefix(b"Exif\0\0")) == read_tags(BLOCK)


def test_a_division_by_zero_is_no_number() -> None:
    tags = read_tags(exif_block(gps=[rationals(2, (0, 0), (1, 0), (1, 2))]))
    value = tags.gps[2]
    assert isinstance(value, tuple)
    assert [math.isnan(part) for part in value] == [True, True, False]


@pytest.mark.parametrize(
    "block", [b"", b"Exif\0\0", b"II*\0", b"garbage garbage", b"Exif\0\0XX*\0" * 9]
)
def test_a_block_that_is_none_is_damage(block: bytes) -> None:
    assert read_tags(block).damage == ["header"]


@pytest.mark.parametrize("pointer", [0x8769, 0x8825])
def test_a_pointer_of_the_wrong_type_is_damage(pointer: int) -> None:
    tags = read_tags(exif_block([text(pointer, "not a number")]))
    assert tags.damage
    assert tags.exif == tags.gps == {}


@pytest.mark.parametrize(
    "tag",
    [
        (0x0100, 99, 1, bytes(4)),  # an unknown type
        (0x0100, 4, 0xFFFFFFFF, bytes(4)),  # four billion numbers
        (0x0100, 5, 100, bytes(4)),  # more numbers than the block has bytes
    ],
)
def test_an_entry_that_lies_is_left_out(tag: tuple[int, int, int, bytes]) -> None:
    tags = read_tags(exif_block([tag, short(ORIENTATION, 3)]))
    assert tags.damage
    assert tags.main == {ORIENTATION: 3}


def test_a_folder_that_points_at_itself_ends() -> None:
    block = exif_block([(0x8769, 4, 1, struct.pack(">I", 8)), (0x8825, 4, 1, struct.pack(">I", 8))])
    assert read_tags(block).damage == []


def test_a_folder_of_65535_entries_is_cut_short() -> None:
    assert read_tags(b"MM\0*\0\0\0\x08\xff\xff" + bytes(200_000)).damage


@given(st.binary(max_size=300))
def test_noise_never_raises(noise: bytes) -> None:
    read_tags(b"MM\0*\0\0\0\x08" + noise)


@given(st.integers(0, len(BLOCK) - 1), st.binary(min_size=1, max_size=4), st.integers(0, 400))
def test_a_damaged_block_never_raises(at: int, change: bytes, cut: int) -> None:
    damaged = BLOCK[:at] + change + BLOCK[at + len(change) :]
    for folder in (tags := read_tags(damaged[: len(damaged) - cut])).main, tags.exif, tags.gps:
        for value in folder.values():
            assert len(shown(value)) <= 1024
            assert len(clean(value)) <= 1024


@pytest.mark.parametrize(
    "raw, expected",
    [
        (b"Nokia 8.3\0", "Nokia 8.3"),
        (b"HD2 \0\x9f\xfe\0\1", "HD2"),
        (b"\xff\xfeA", "��A"),
        ("फ़ोन\0".encode(), "फ़ोन"),
        ("a\u202eb\x1b[31m\0".encode(), "ab[31m"),
        (b"\0\0\0", ""),
        (b"x" * 5000, "x" * 1024),
    ],
)
def test_text_is_safe_to_keep(raw: bytes, expected: str) -> None:
    assert clean(raw) == expected
