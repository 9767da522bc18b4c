"""Writes HEIC files for tests: no encoder that may be shipped makes them. Pixels are stored raw in
HEVC's PCM blocks, which needs no compression and the smallest part of its arithmetic coder.

Sources: ITU-T H.265 (7.3 syntax, 9.3.5 encoding), ISO/IEC 23008-12 (HEIF), ISO/IEC 14496-15 (hvcC).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from PIL import Image

BLOCK = 32
# The least probable range of each state for a coder whose range is just below 512: 9.3.4.3.2.
_LEAST = bytes.fromhex(
    "f0e3d8cdc3b9afa69e968e8780 7a746e68635e5955504c4845413e3b3835"
    "3230 2d2b 2927 2523 211f1e 1c1b 1918 1716 1514 1312 1110 0f 0e 0e 0d 0c 0c 0b 0b 0a 09"
)


def heic(
    image: Image.Image, *, exif: bytes | None = None, quarter_turns: int = 0, copies: int = 1
) -> bytes:
    """Return a HEIC of the image, whose sides must be multiples of 32.

    `quarter_turns`: anticlockwise, done by the reader (irot). `copies`: how many images it holds.
    """
    picture = _picture(image)
    items = [("hvc1", picture)] * copies
    if exif is not None:
        items.append(("Exif", struct.pack(">I", 0) + exif))
    ftyp = _box("ftyp", b"heic" + bytes(4) + b"mif1heic")
    size = len(ftyp) + len(_meta(items, image.size, quarter_turns, 0))
    meta = _meta(items, image.size, quarter_turns, size + 8)
    return ftyp + meta + _box("mdat", b"".join(data for _, data in items))


# ---- the container


def _box(kind: str, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I4s", 8 + len(body), kind.encode()) + body


def _full(kind: str, version: int, *parts: bytes) -> bytes:
    return _box(kind, struct.pack(">I", version << 24), *parts)


def _meta(
    items: Sequence[tuple[str, bytes]], size: tuple[int, int], turns: int, start: int
) -> bytes:
    numbers = range(1, len(items) + 1)
    pictures = [n for n, (kind, _) in zip(numbers, items, strict=True) if kind == "hvc1"]
    names = [
        _full("infe", 2, struct.pack(">HH4s", n, 0, kind.encode()), b"\0")
        for n, (kind, _) in zip(numbers, items, strict=True)
    ]
    places, at = b"", start
    for n, (_, data) in zip(numbers, items, strict=True):
        places += struct.pack(">HHHII", n, 0, 1, at, len(data))
        at += len(data)
    links = (
        b"" if len(pictures) == len(items) else _box("cdsc", struct.pack(">HHH", len(items), 1, 1))
    )
    used = [b"\x81", b"\x02", *([b"\x83"] if turns else [])]
    uses = b"".join(struct.pack(">HB", n, len(used)) + b"".join(used) for n in pictures)
    return _full(
        "meta",
        0,
        _full("hdlr", 0, bytes(4), b"pict", bytes(13)),
        _full("pitm", 0, struct.pack(">H", 1)),
        _full("iinf", 0, struct.pack(">H", len(items)), *names),
        _full("iref", 0, links) if links else b"",
        _box(
            "iprp",
            _box(
                "ipco",
                _box("hvcC", _configuration(size)),
                _full("ispe", 0, struct.pack(">II", *size)),
                _box("irot", bytes([turns])),
            ),
            _full("ipma", 0, struct.pack(">I", len(pictures)), uses),
        ),
        _full("iloc", 0, b"\x44\x00", struct.pack(">H", len(items)), places),
    )


def _configuration(size: tuple[int, int]) -> bytes:
    head = bytes.fromhex("01 01 60000000 900000000000 1e f000 fc fd f8 f8 0000 0f")
    units = [(32, _vps()), (33, _sps(size)), (34, _pps())]
    lists = [struct.pack(">BHH", 0x80 | kind, 1, len(unit)) + unit for kind, unit in units]
    return head + bytes([len(units)]) + b"".join(lists)


# ---- the bitstream


class _Bits:
    """Bits in writing order, most significant first."""

    def __init__(self) -> None:
        self._text: list[str] = []

    def u(self, count: int, value: int) -> None:
        self._text.append(f"{value:0{count}b}")

    def ue(self, *values: int) -> None:
        """Write Exp-Golomb codes."""
        for value in values:
            code = f"{value + 1:b}"
            self._text.append("0" * (len(code) - 1) + code)

    def align(self) -> None:
        self._text.append("0" * (-len("".join(self._text)) % 8))

    def data(self) -> bytes:
        text = "".join(self._text)
        return int(text, 2).to_bytes(len(text) // 8, "big")


def _unit(kind: int, body: bytes) -> bytes:
    """Return a NAL unit: header, and the body with its start codes broken up."""
    out, zeros = bytearray([kind << 1, 1]), 0
    for byte in body:
        if zeros >= 2 and byte <= 3:
            out.append(3)
            zeros = 0
        out.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return bytes(out)


def _profile(bits: _Bits) -> None:
    bits.u(8, 1)  # Main
    bits.u(32, 0x60000000)
    bits.u(48, 0x900000000000)
    bits.u(8, 30)  # level 1, of no matter here


def _end(bits: _Bits) -> bytes:
    bits.u(1, 1)
    bits.align()
    return bits.data()


def _vps() -> bytes:
    bits = _Bits()
    bits.u(16, 0b0000_11_000000_000_1)
    bits.u(16, 0xFFFF)
    _profile(bits)
    bits.u(1, 1)
    bits.ue(0, 0, 0)
    bits.u(6, 0)
    bits.ue(0)
    bits.u(2, 0)
    return _unit(32, _end(bits))


def _sps(size: tuple[int, int]) -> bytes:
    bits = _Bits()
    bits.u(8, 0b0000_000_1)
    _profile(bits)
    bits.ue(0, 1, *size)  # 4:2:0
    bits.u(1, 0)
    bits.ue(0, 0, 0)  # 8 bits, and 4 bits of picture order
    bits.u(1, 1)
    bits.ue(0, 0, 0)
    bits.ue(2, 0)  # one size of coding block: 32
    bits.ue(0, 3, 0, 0)  # transforms of 4 to 32
    bits.u(4, 0b0001)  # no scaling lists, no odd parts, no offsets; PCM
    bits.u(8, 0x77)
    bits.ue(2, 0)  # PCM blocks of 32
    bits.u(1, 1)
    bits.ue(0)
    bits.u(5, 0)
    return _unit(33, _end(bits))


def _pps() -> bytes:
    bits = _Bits()
    bits.ue(0, 0)
    bits.u(7, 0)
    bits.ue(0, 0, 0)
    bits.u(3, 0)
    bits.ue(0, 0)
    bits.u(7, 0)  # weights, bypass, tiles, wavefronts, filter across slices
    bits.u(3, 0b101)  # deblocking is controlled, and off
    bits.u(2, 0)
    bits.ue(0)
    bits.u(2, 0)
    return _unit(34, _end(bits))


def _picture(image: Image.Image) -> bytes:
    """Return the one slice of an intra picture, length first."""
    bits = _Bits()
    bits.u(2, 0b10)
    bits.ue(0, 2, 0)  # parameter set 0, an I slice, its quality untouched
    slice_data = _end(bits) + b"".join(_blocks(image))
    unit = _unit(19, slice_data)
    return struct.pack(">I", len(unit)) + unit


def _blocks(image: Image.Image) -> list[bytes]:
    luma, blue, red = image.convert("YCbCr").split()
    half = (image.width // 2, image.height // 2)
    blue, red = blue.resize(half, Image.Resampling.BOX), red.resize(half, Image.Resampling.BOX)
    corners = [(x, y) for y in range(0, image.height, BLOCK) for x in range(0, image.width, BLOCK)]
    blocks = []
    for number, (x, y) in enumerate(corners):
        square = (x, y, x + BLOCK, y + BLOCK)
        small = (x // 2, y // 2, (x + BLOCK) // 2, (y + BLOCK) // 2)
        planes = (luma.crop(square), blue.crop(small), red.crop(small))
        blocks.append(_flags(number) + b"".join(plane.tobytes() for plane in planes))
    return [*blocks, _flushed(508)]


def _flags(number: int) -> bytes:
    """Return the coded flags before a block's samples: not the last, one part, samples follow."""
    span = 510 if number == 0 else 508
    return _flushed(span - _LEAST[min(number, len(_LEAST) - 1)] - 2)


def _flushed(low: int) -> bytes:
    """Return what a coder puts out that ends by a flush at `low`, its range never renormalised."""
    return bytes([low >> 1, 0x80])
