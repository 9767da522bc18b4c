"""The files of a bundle, in a folder or in its ZIP, of which every byte is accounted for.

Joined into one `verify.py` by `alone.program`; must never import anything but the standard library.
"""

import os
import re
import struct
import zlib

from fieldapi.bundle.alone.faults import need

# ---- where the files are -------------------------------------------------------------------------


NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")
CHUNK = 1 << 18


class Folder:
    """An unpacked bundle."""

    def __init__(self, root):
        self.root = root
        self.sizes = {}
        for folder, folders, names in os.walk(root):
            folders[:] = [one for one in folders if one != "__pycache__"]
            for name in names:
                path = os.path.join(folder, name)
                self.sizes[os.path.relpath(path, root).replace(os.sep, "/")] = os.path.getsize(path)

    def pieces(self, name):
        with open(os.path.join(self.root, *name.split("/")), "rb") as file:
            for piece in iter(lambda: file.read(CHUNK), b""):
                yield piece


class Archive:
    """A bundle as one ZIP. Its every byte outside of the files follows from the files: what the
    directory at its end says is written anew and compared.
    """

    def __init__(self, file):
        self.file = file
        self.end = self.file.seek(0, 2)
        self.sizes, self.offsets, self.crcs = {}, {}, {}
        count, size, start = self._directory()
        self._read(count, size, start)

    def _at(self, offset, size):
        need(offset >= 0 and offset + size <= self.end, "the ZIP is cut, or says it is longer")
        self.file.seek(offset)
        return self.file.read(size)

    def _directory(self):
        said = struct.unpack("<IHHHHIIH", self._at(self.end - 22, 22))
        if said[5] != 0xFFFFFFFF:
            return said[3], said[5], said[6]
        large = struct.unpack("<IQHHIIQQQQ", self._at(self.end - 98, 56))
        return large[7], large[8], large[9]

    def _read(self, count, size, start):
        raw, place, at, rebuilt, last = self._at(start, size), 0, 0, b"", ""
        for _ in range(count):
            fixed = struct.unpack("<IHHHHHHIIIHHHHHII", raw[place : place + 46])
            crc, length, name_size, extra_size = fixed[7], fixed[8], fixed[10], fixed[11]
            name = raw[place + 46 : place + 46 + name_size]
            text = name.decode("ascii")
            need(NAME.fullmatch(text), "a file in the ZIP has a name that no bundle gives")
            need(not self.sizes or turn(text) > turn(last), "the files of the ZIP are out of order")
            last = text
            header = local_header(name, crc, length)
            need(self._at(at, len(header)) == header, text + ": its header in the ZIP was changed")
            rebuilt += central_header(name, crc, length, at, extra_size)
            self.sizes[text], self.crcs[text] = length, crc
            self.offsets[text] = at + len(header)
            at += len(header) + length
            place += 46 + name_size + extra_size
        tail = end_of(count, size, start, self.end - start - size)
        fits = at == start and rebuilt == raw and self._at(start + size, len(tail)) == tail
        need(fits and start + size + len(tail) == self.end, "the directory of the ZIP was changed")

    def pieces(self, name):
        self.file.seek(self.offsets[name])
        left, crc = self.sizes[name], 0
        while left:
            piece = self.file.read(min(CHUNK, left))
            need(piece, "the ZIP is cut")
            left -= len(piece)
            crc = zlib.crc32(piece, crc)
            yield piece
        need(crc == self.crcs[name], name + " was changed in the ZIP")


def turn(name):
    """What vouches for the other files comes after them."""
    return name in ("MANIFEST.sha256", "MANIFEST.sig"), name


def local_header(name, crc, size):
    fixed = (0x04034B50, 20, 0, 0, 0, 33, crc, size, size, len(name), 0)
    return struct.pack("<IHHHHHIIIHH", *fixed) + name


def central_header(name, crc, size, at, extra_size):
    extra = struct.pack("<HHQ", 1, 8, at) if extra_size else b""
    version, offset = (45, 0xFFFFFFFF) if extra else (20, at)
    fixed = (0x02014B50, version, version, 0, 0, 0, 33, crc, size, size, len(name), len(extra))
    return struct.pack("<IHHHHHHIIIHHHHHII", *fixed, 0, 0, 0, 0, offset) + name + extra


def end_of(count, size, start, room):
    if room == 22:
        return struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, size, start, 0)
    large = struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, count, count, size, start)
    large += struct.pack("<IIQI", 0x07064B50, 0, start + size, 1)
    full = (0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF)
    return large + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, *full, 0)
