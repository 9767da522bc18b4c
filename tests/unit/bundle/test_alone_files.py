"""What the stand-alone verifier takes for the files of a bundle, in a ZIP and in a folder."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import pytest

from fieldapi.bundle.alone.faults import Fault, shown
from fieldapi.bundle.alone.files import CHUNK, Archive, Folder, central_header, end_of
from fieldapi.bundle.container import Container

NAMES = ("a.txt", "b/c.txt")


def _zip(largest: int = 0xFFFFFFFF) -> bytes:
    out = io.BytesIO()
    container = Container(out, largest=largest)
    for name in NAMES:
        container.add(name, [name.encode()])
    container.close()
    return out.getvalue()


def _relaid(*, headers: int, end: int) -> bytes:
    """Return the ZIP with the large forms from other numbers on than a container has them."""
    plain = _zip()
    archive = Archive(io.BytesIO(plain))
    start = struct.unpack("<I", plain[-6:-2])[0]
    at, directory = 0, b""
    for name in NAMES:
        size, crc = archive.sizes[name], archive.crcs[name]
        directory += central_header(name.encode(), crc, size, at, headers)
        at += 30 + len(name) + size
    return plain[:start] + directory + end_of(len(NAMES), len(directory), start, end)


@pytest.mark.parametrize("headers, end", [(0, 1 << 32), (1, 1 << 32), (1 << 32, 0)])
def test_large_form_of_a_small_zip_is_another_file_and_is_found(headers: int, end: int) -> None:
    assert _relaid(headers=1 << 32, end=1 << 32) == _zip()
    with pytest.raises(Fault):
        Archive(io.BytesIO(_relaid(headers=headers, end=end)))


def test_large_form_is_read_where_the_container_writes_it() -> None:
    found = Archive(io.BytesIO(_zip(largest=1)), old_zip=1)

    assert {name: b"".join(found.pieces(name)) for name in found.sizes} == {
        name: name.encode() for name in NAMES
    }


def test_part_of_a_file_is_the_same_in_zip_and_folder(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"a.txt")

    parts = [one.part("a.txt", 1, 3) for one in (Archive(io.BytesIO(_zip())), Folder(tmp_path))]

    assert parts == [b".tx", b".tx"]


def test_two_files_of_a_zip_can_be_read_by_turns() -> None:
    out, large = io.BytesIO(), [bytes([n]) * CHUNK for n in (1, 2)]
    container = Container(out)
    container.add("a.bin", large)
    container.add("b.bin", [b"other"])
    container.close()
    archive = Archive(out)

    read = [(piece[:1], archive.part("b.bin", 0, 5)) for piece in archive.pieces("a.bin")]

    assert read == [(b"\x01", b"other"), (b"\x02", b"other")]


def test_links_are_no_files_of_a_bundle(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "linked").symlink_to(tmp_path)

    with pytest.raises(Fault, match="linked is a link"):
        Folder(tmp_path / "here")


def test_caches_of_python_count_and_leavings_of_systems_are_told(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").mkdir()
    for name in ("__pycache__/case-en.pdf", "Thumbs.db", ".DS_Store"):
        (tmp_path / name).write_bytes(b"x")

    found = Folder(tmp_path)

    assert [*found.sizes] == ["__pycache__/case-en.pdf"]
    assert sorted(found.leavings) == [".DS_Store", "Thumbs.db"]


def test_name_that_no_bundle_gives_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "x\x1b[2J").write_bytes(b"")

    with pytest.raises(Fault):
        Folder(tmp_path)


def test_nothing_moves_a_terminal() -> None:
    assert shown("a\x1b[2J\nb\u202e\u0915\x9b") == "a\\x1b[2J\\nb\\u202e\\u0915\\x9b"
