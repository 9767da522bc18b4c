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
# More than any bundle says at once: what is larger is read in pieces, or is none of its files.
LARGEST = 1 << 25
OLD_ZIP = 0xFFFFFFFF  # from here on, a number does not fit the old form of a ZIP
# What systems leave in folders that somebody looked into.
LEAVINGS = (".DS_Store", "Thumbs.db", "desktop.ini")


class Folder:
    """An unpacked bundle. `leavings`: files of systems, beside those of the bundle."""

    def __init__(self, root):
        self.root, self.sizes, self.leavings = root, {}, []
        waiting = [""]
        while waiting:
            inside = waiting.pop()
            with os.scandir(os.path.join(root, inside)) as found:
                for one in found:
                    self._take(inside + one.name, one, waiting)

    def _take(self, name, one, waiting):
        is_folder, is_file = one.is_dir(follow_symlinks=False), one.is_file(follow_symlinks=False)
        need(is_folder or is_file, name + " is a link or no file: a bundle has none")
        if is_file and one.name in LEAVINGS:
            self.leavings.append(name)
            return
        need(NAME.fullmatch(name), name + ": no bundle gives such a name")
        if is_folder:
            waiting.append(name + "/")
        else:
            self.sizes[name] = one.stat(follow_symlinks=False).st_size

    def _open(self, name):
        return open(os.path.join(self.root, *name.split("/")), "rb")

    def pieces(self, name):
        with self._open(name) as file:
            for piece in iter(lambda: file.read(CHUNK), b""):
                yield piece

    def part(self, name, offset, size):
        with self._open(name) as file:
            file.seek(offset)
            return file.read(size)


class Archive:
    """A bundle as one ZIP. Its every byte outside of the files follows from the files: what the
    directory at its end says is written anew and compared.
    """

    leavings = ()

    def __init__(self, file, old_zip=OLD_ZIP):
        self.file, self.old_zip = file, old_zip
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
        need(size <= LARGEST, "the directory of the ZIP is larger than that of any bundle")
        raw, place, at = self._at(start, size), 0, 0
        for _ in range(count):
            header, taken = self._member(raw, place, at)
            need(raw[place : place + len(header)] == header, "the directory of the ZIP was changed")
            place, at = place + len(header), at + taken
        tail = end_of(count, size, start, self.old_zip)
        fits = (at, place, self.end) == (start, size, start + size + len(tail))
        need(fits and self._at(start + size, len(tail)) == tail, "the end of the ZIP was changed")

    def _member(self, raw, place, at):
        """Take one file in; returns what the directory has to say of it, and how long it is."""
        fixed = struct.unpack("<IHHHHHHIIIHHHHHII", raw[place : place + 46])
        crc, length, name_size = fixed[7], fixed[8], fixed[10]
        name = raw[place + 46 : place + 46 + name_size]
        text, last = name.decode("ascii"), next(reversed(self.sizes), None)
        need(NAME.fullmatch(text), "a file in the ZIP has a name that no bundle gives")
        is_next = last is None or turn(text) > turn(last)
        need(is_next, "the files of the ZIP are out of order")
        header = local_header(name, crc, length)
        need(self._at(at, len(header)) == header, text + ": its header in the ZIP was changed")
        self.sizes[text], self.crcs[text] = length, crc
        self.offsets[text] = at + len(header)
        return central_header(name, crc, length, at, self.old_zip), len(header) + length

    def pieces(self, name):
        at, left, crc = self.offsets[name], self.sizes[name], 0
        while left:
            # Each piece from its place: others read the same file between two pieces.
            piece = self._at(at, min(CHUNK, left))
            need(piece, "the ZIP is cut")
            at, left = at + len(piece), left - len(piece)
            crc = zlib.crc32(piece, crc)
            yield piece
        need(crc == self.crcs[name], name + " was changed in the ZIP")

    def part(self, name, offset, size):
        need(offset <= self.sizes[name], name + " is shorter than it is said to be")
        return self._at(self.offsets[name] + offset, min(size, self.sizes[name] - offset))


def turn(name):
    """What vouches for the other files comes after them."""
    return name in ("MANIFEST.sha256", "MANIFEST.sig"), name


def local_header(name, crc, size):
    fixed = (0x04034B50, 20, 0, 0, 0, 33, crc, size, size, len(name), 0)
    return struct.pack("<IHHHHHIIIHH", *fixed) + name


def central_header(name, crc, size, at, old_zip):
    extra = struct.pack("<HHQ", 1, 8, at) if at >= old_zip else b""
    version, offset = (45, 0xFFFFFFFF) if extra else (20, at)
    fixed = (0x02014B50, version, version, 0, 0, 0, 33, crc, size, size, len(name), len(extra))
    return struct.pack("<IHHHHHHIIIHHHHHII", *fixed, 0, 0, 0, 0, offset) + name + extra


def end_of(count, size, start, old_zip):
    if count < 0xFFFF and size < old_zip and start < old_zip:
        return struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, size, start, 0)
    large = struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, count, count, size, start)
    large += struct.pack("<IIQI", 0x07064B50, 0, start + size, 1)
    full = (0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF)
    return large + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, *full, 0)
