"""A ZIP whose every byte follows from its members: stored, in the order of their names, one fixed
time and no attributes. So the same members are the same file, and any other byte is found.

`verify.py` knows this layout by heart: whoever changes one changes both.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import BinaryIO

TITLE = "fieldapi bundle v1"
MANIFEST, SIGNATURE = "MANIFEST.sha256", "MANIFEST.sig"
LAST = (MANIFEST, SIGNATURE)
# 1 January 1980, 00:00: the first moment that a ZIP can name.
_TIME, _DATE = 0, (1 << 5) | 1
_VERSION, _VERSION_64 = 20, 45
_MAX_16, _MAX_32 = 0xFFFF, 0xFFFFFFFF
_LOCAL = struct.Struct("<IHHHHHIIIHH")
_CENTRAL = struct.Struct("<IHHHHHHIIIHHHHHII")
_END = struct.Struct("<IHHHHIIH")
_END_64 = struct.Struct("<IQHHIIQQQQ")
_LOCATOR = struct.Struct("<IIQI")


@dataclass(frozen=True, slots=True)
class Member:
    """One file in the container, as it was written."""

    name: str
    size: int
    crc: int
    offset: int
    sha256: str


class Container:
    """Writes members one after the other into a file that can be sought; holds no member in memory.

    Names are ASCII and come in their order, each once; what vouches for the others comes last.
    Raises `ValueError` otherwise.
    """

    def __init__(self, file: BinaryIO, *, largest: int = _MAX_32) -> None:
        """`largest`: the greatest number that fits the old form of a ZIP; smaller ones in tests."""
        self._file = file
        self._largest = largest
        self.members: list[Member] = []

    def add(self, name: str, pieces: Iterable[bytes]) -> Member:
        """Write one member from its pieces and return what it turned out to be."""
        if not name.isascii() or (self.members and _turn(name) <= _turn(self.members[-1].name)):
            raise ValueError(f"{name} does not come next")
        offset = self._file.tell()
        self._file.write(_local(Member(name, 0, 0, offset, "")))
        digest, crc, size = hashlib.sha256(), 0, 0
        for piece in pieces:
            digest.update(piece)
            crc = zlib.crc32(piece, crc)
            size += len(piece)
            self._file.write(piece)
        if size >= _MAX_32:
            raise ValueError(f"{name} is too large for one member")
        member = Member(name, size, crc, offset, digest.hexdigest())
        self._file.seek(offset)
        self._file.write(_local(member))
        self._file.seek(0, 2)
        self.members.append(member)
        return member

    def close(self) -> None:
        """Write the directory at the end. The file itself stays open."""
        start = self._file.tell()
        for member in self.members:
            self._file.write(_central(member, self._largest))
        size = self._file.tell() - start
        self._file.write(_end(len(self.members), size, start, self._largest))


def _turn(name: str) -> tuple[bool, str]:
    return name in LAST, name


def _local(member: Member) -> bytes:
    fixed = (0x04034B50, _VERSION, 0, 0, _TIME, _DATE, member.crc, member.size, member.size)
    return _LOCAL.pack(*fixed, len(member.name), 0) + member.name.encode()


def _central(member: Member, largest: int) -> bytes:
    is_far = member.offset >= largest
    extra = struct.pack("<HHQ", 1, 8, member.offset) if is_far else b""
    version = _VERSION_64 if is_far else _VERSION
    fixed = (0x02014B50, version, version, 0, 0, _TIME, _DATE, member.crc)
    sizes = (member.size, member.size, len(member.name), len(extra), 0, 0, 0, 0)
    offset = _MAX_32 if is_far else member.offset
    return _CENTRAL.pack(*fixed, *sizes, offset) + member.name.encode() + extra


def _end(count: int, size: int, start: int, largest: int) -> bytes:
    is_large = count >= _MAX_16 or size >= largest or start >= largest
    end = b""
    if is_large:
        where = start + size
        fixed = (0x06064B50, 44, _VERSION_64, _VERSION_64, 0, 0)
        end = _END_64.pack(*fixed, count, count, size, start)
        end += _LOCATOR.pack(0x07064B50, 0, where, 1)
        count, size, start = _MAX_16, _MAX_32, _MAX_32
    return end + _END.pack(0x06054B50, 0, 0, count, count, size, start, 0)


def manifest_of(members: Iterable[Member]) -> bytes:
    """Return the lines that `sha256sum -c` reads."""
    return "".join(f"{one.sha256}  {one.name}\n" for one in members).encode()


def signature_file(manifest: bytes, public_key: bytes, sign: Callable[[bytes], bytes]) -> bytes:
    """Return who vouches for a manifest: a title, the public key, the signature."""
    signature = sign(signed_text(manifest))
    return f"{TITLE}\n{public_key.hex()}\n{signature.hex()}\n".encode()


def signed_text(manifest: bytes) -> bytes:
    """Return the bytes that the signature of a bundle covers."""
    return f"{TITLE}\n{hashlib.sha256(manifest).hexdigest()}\n".encode()
