"""The zip that a phone writes of its outbox: opened with suspicion, checked whole before anything
of it is believed (docs/protocol/export.md).

Only stored entries of known names, none twice, none over another, each as its manifest says: so
nothing inflates, nothing is written outside, and no byte is read twice. Called by `outboxes`.
Knows no database.
"""

from __future__ import annotations

import hashlib
import re
import struct
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from fieldapi import limits
from fieldapi.services.fields import refuse
from sync.wire import JSON, Slice, WireError, loads

OPS, ABOUT, MANIFEST, SEAL = "ops.jsonl", "phone.json", "MANIFEST.sha256", "MANIFEST.jws"
FORMAT = "fieldapi outbox 1"
_PHOTO = re.compile(r"photos/([0-9a-f]{64})")
_LINE = re.compile(r"([0-9a-f]{64})  ([!-~]+)")
_MOST = {
    OPS: limits.IMPORT_OPS_BYTES,
    ABOUT: 8 * limits.MIB,
    MANIFEST: 1 * limits.MIB,
    SEAL: 2 * limits.MIB,
}
_NEEDED = frozenset({OPS, ABOUT, MANIFEST})
_END = struct.Struct("<4s4H2LH")
_DAMAGED = "This is no zip, or it is damaged."
_END_MARK = b"PK\x05\x06"
_LOCAL_HEADER = 30
_DIRECTORY_BYTES = 2 * limits.MIB
_IS_ENCRYPTED = 1


@dataclass(frozen=True, slots=True)
class PhotoEntry:
    """A photo in the file. `ids`: of the photos that announce these bytes, as the phone says."""

    sha256: str
    size: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutboxFile:
    """A file that was checked. `ops`: as sent, oldest first. `about`: what the phone says of
    itself, believed by nobody. `seal`: the JWS over the manifest, None if it was not signed.
    """

    ops: list[Slice]
    about: Mapping[str, JSON]
    photos: tuple[PhotoEntry, ...]
    manifest: bytes
    seal: str | None
    _zip: zipfile.ZipFile

    @contextmanager
    def photo(self, entry: PhotoEntry) -> Iterator[IO[bytes]]:
        """Give the bytes of a photo as a stream; whoever reads it hashes it."""
        with self._zip.open(f"photos/{entry.sha256}") as stream:
            yield stream


@contextmanager
def opened(path: Path, size: int) -> Iterator[OutboxFile]:
    """Give what a file of `size` bytes holds. Raises `InvalidBody` for any other file."""
    _check_end(path, size)
    try:
        with _archive(path) as archive:
            entries = _entries(archive, size)
            yield _read(archive, entries)
    except (zipfile.BadZipFile, EOFError) as exc:
        raise _no(_DAMAGED) from exc


def _archive(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except RuntimeError as exc:  # of a kind, or a version, that the library does not know
        raise _no(_DAMAGED) from exc


def _check_end(path: Path, size: int) -> None:
    """Look at the end of the file alone: a huge directory is refused before it is read."""
    if size < _END.size:
        raise _no("This is no zip.")
    with path.open("rb") as file:
        file.seek(size - _END.size)
        mark, *numbers, length, start, comment = _END.unpack(file.read(_END.size))
    here, at, count, total = numbers
    is_one = (here, at, comment) == (0, 0, 0) and count == total
    if mark != _END_MARK or not is_one or start + length != size - _END.size:
        raise _no("This is no zip of one part without comment.")
    if total > limits.IMPORT_ENTRIES or length > _DIRECTORY_BYTES:
        raise _no(f"At most {limits.IMPORT_ENTRIES} entries.")


def _entries(archive: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    entries: dict[str, zipfile.ZipInfo] = {}
    at = 0
    for info in sorted(archive.infolist(), key=lambda one: one.header_offset):
        if info.filename in entries:
            raise _no("A name stands twice.")
        if info.header_offset < at:
            raise _no("Two entries share bytes.")
        _check_entry(info)
        at = info.header_offset + _LOCAL_HEADER + len(info.filename) + info.file_size
        entries[info.filename] = info
    if at > size:
        raise _no("An entry is longer than the file.")
    if missing := _NEEDED - entries.keys():
        raise _no(f"It lacks {', '.join(sorted(missing))}.")
    return entries


def _check_entry(info: zipfile.ZipInfo) -> None:
    most = _MOST.get(info.filename)
    if most is None and _PHOTO.fullmatch(info.filename) is None:
        raise _no("It holds a file of another name.")
    is_plain = info.compress_type == zipfile.ZIP_STORED and info.compress_size == info.file_size
    if not is_plain or info.flag_bits & _IS_ENCRYPTED:
        raise _no("Entries are stored as they are: not compressed, not encrypted.")
    if info.file_size > (limits.PHOTO_BYTES if most is None else most):
        raise _no("An entry is too large.")


def _read(archive: zipfile.ZipFile, entries: Mapping[str, zipfile.ZipInfo]) -> OutboxFile:
    manifest = archive.read(MANIFEST)
    hashes = _hashes(manifest)
    if hashes.keys() != entries.keys() - {MANIFEST, SEAL}:
        raise _no("The manifest names other files.")
    ops, about = (_checked(archive, name, hashes) for name in (OPS, ABOUT))
    told = _about(about)
    return OutboxFile(
        ops=_ops(ops),
        about=told,
        photos=_photos(entries, told),
        manifest=manifest,
        seal=archive.read(SEAL).decode(errors="replace") if SEAL in entries else None,
        _zip=archive,
    )


def _hashes(manifest: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in manifest.decode(errors="replace").splitlines():
        match = _LINE.fullmatch(line)
        if match is None or match[2] in found:
            raise _no("The manifest has a line that is none.")
        found[match[2]] = match[1]
    return found


def _checked(archive: zipfile.ZipFile, name: str, hashes: Mapping[str, str]) -> bytes:
    content = archive.read(name)
    if hashlib.sha256(content).hexdigest() != hashes[name]:
        raise _no(f"{name} is not what the manifest says.")
    return content


def _about(content: bytes) -> Mapping[str, JSON]:
    try:
        told = loads(content)
    except WireError as exc:
        raise _no(f"{ABOUT} is no JSON.") from exc
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise _no(f"{ABOUT} is not of the form {FORMAT}.")
    return told


def _ops(content: bytes) -> list[Slice]:
    """Return the ops as they would stand in a push: one that cannot be read is that one's fault."""
    lines = [line for line in content.split(b"\n") if line.strip()]
    if len(lines) > limits.IMPORT_OPS:
        raise _no(f"At most {limits.IMPORT_OPS} ops.")
    return [_slice(line) for line in lines]


def _slice(line: bytes) -> Slice:
    try:
        return Slice(line, loads(line))
    except WireError as exc:
        return Slice(line, None, exc)


def _photos(
    entries: Mapping[str, zipfile.ZipInfo], about: Mapping[str, JSON]
) -> tuple[PhotoEntry, ...]:
    named = about.get("photos")
    ids: dict[str, list[str]] = {}
    for photo_id, sha256 in named.items() if isinstance(named, dict) else ():
        ids.setdefault(str(sha256), []).append(photo_id)
    return tuple(
        PhotoEntry(match[1], info.file_size, tuple(ids.get(match[1], ())))
        for name, info in sorted(entries.items())
        if (match := _PHOTO.fullmatch(name))
    )


def _no(message: str) -> Exception:
    return refuse("file", message)
