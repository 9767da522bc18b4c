"""Opens a photo under limits, decodes it strictly and once, and makes it small, upright and sRGB.
Runs in the child process, called by `analyse.py`.
"""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass

import pi_heif
from PIL import Image, ImageCms, ImageFile, PngImagePlugin

from fieldapi.imaging.exif import xmp_orientation
from fieldapi.imaging.facts import Flag, Reason

PIXELS_LIMIT = 120_000_000
SIDE_LIMIT = 30_000
PREVIEW = 1280
_ICC_LIMIT = 4 * 1024 * 1024
_SRGB = ImageCms.createProfile("sRGB")
_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_TURNED = frozenset((5, 6, 7, 8))


class RejectedError(Exception):
    """The file is no photo that can be shown, for a `reason`; `size` as its header says."""

    def __init__(self, reason: Reason, size: tuple[int, int] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.size = size


@dataclass(frozen=True, slots=True)
class Decoded:
    """A photo that was read to its last pixel. `image`: as stored, a JPEG already smaller; `size`:
    pixels of the whole picture as stored; `flags`: what the container says about itself.

    `xmp_orientation` counts where EXIF has none. `turned_from`: what EXIF said before a HEIF
    decoder turned the picture upright by itself; such a picture must not be turned again.
    """

    image: Image.Image
    format: str
    size: tuple[int, int]
    exif: bytes | None
    flags: frozenset[Flag]
    xmp_orientation: int | None = None
    turned_from: int | None = None


def set_up() -> None:
    """Prepare the decoders: the limits are ours, and a part of a photo is not a photo."""
    pi_heif.register_heif_opener(
        thumbnails=False, depth_images=False, aux_images=False, decode_threads=1
    )
    Image.MAX_IMAGE_PIXELS = None  # `_open` has the limit, and a reason to give
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    PngImagePlugin.MAX_TEXT_MEMORY = 8 * 1024 * 1024
    warnings.simplefilter("ignore")


def decode(data: bytes, name: str) -> Decoded:
    """Return the photo of format `name`, decoded strictly. Raises `RejectedError`.

    A JPEG is decoded at half, quarter or eighth size, which still reads every byte.
    """
    image = _open(data, name)
    size = image.size
    flags = _frame_flags(image)
    if name == "JPEG":
        image.draft(None, (PREVIEW, PREVIEW))
    _load(image, size)
    if image.mode == "CMYK":
        flags |= {Flag.CMYK}
    turned_from = image.info.get("original_orientation")
    return Decoded(
        image=image,
        format=image.format or name,
        size=size,
        exif=_exif(image),
        flags=flags,
        xmp_orientation=None if name == "HEIF" else _xmp_orientation(image),
        turned_from=turned_from if isinstance(turned_from, int) else None,
    )


def upright_size(size: tuple[int, int], orientation: int | None) -> tuple[int, int]:
    """Return width and height of the picture as it is looked at."""
    return (size[1], size[0]) if orientation in _TURNED else size


def to_preview(image: Image.Image, orientation: int | None) -> Image.Image:
    """Return the picture at most `PREVIEW` px a side, upright, sRGB, without any metadata."""
    icc = image.info.get("icc_profile")
    small = fit(_resizable(image), PREVIEW)
    small = _to_srgb(_flat(small), icc if isinstance(icc, bytes) else None)
    if orientation in _UPRIGHT:
        small = small.transpose(_UPRIGHT[orientation])
    small.info = {}
    return small


def fit(image: Image.Image, side: int) -> Image.Image:
    """Return the image at most `side` px a side, never larger than it is."""
    scale = side / max(image.size)
    if scale >= 1:
        return image
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    return image.resize(size, Image.Resampling.HAMMING, reducing_gap=2.0)


def _open(data: bytes, name: str) -> ImageFile.ImageFile:
    """Read the header alone, and hold it against the limits before anything else is read."""
    try:
        image = Image.open(io.BytesIO(data), formats=(name,))
    except MemoryError:
        raise
    except Exception as exc:  # decoders raise whatever they like on a broken header
        raise RejectedError(Reason.CORRUPT) from exc
    width, height = image.size
    if width < 1 or height < 1:
        raise RejectedError(Reason.CORRUPT)
    if width * height > PIXELS_LIMIT or max(width, height) > SIDE_LIMIT:
        raise RejectedError(Reason.TOO_MANY_PIXELS, image.size)
    return image


def _load(image: ImageFile.ImageFile, size: tuple[int, int]) -> None:
    try:
        image.load()
    except MemoryError:
        raise
    except Exception as exc:  # as above
        is_cut = "truncated" in str(exc).lower()
        raise RejectedError(Reason.TRUNCATED if is_cut else Reason.CORRUPT, size) from exc


def _frame_flags(image: ImageFile.ImageFile) -> frozenset[Flag]:
    if getattr(image, "n_frames", 1) < 2:  # noqa: PLR2004 - one picture is what a photo has
        return frozenset()
    several = {"MPO": Flag.MULTI_PICTURE, "HEIF": Flag.MULTI_IMAGE}
    return frozenset((several.get(image.format or "", Flag.ANIMATED),))


def _exif(image: Image.Image) -> bytes | None:
    """Return the EXIF block; PNG keeps it behind the pixels, or as hex in a text."""
    block = image.info.get("exif")
    if block is None and isinstance(text := image.info.get("Raw profile type exif"), str):
        try:
            return bytes.fromhex("".join(text.split("\n")[3:]))
        except ValueError:
            return b"?"
    return block if isinstance(block, bytes) else None


def _xmp_orientation(image: Image.Image) -> int | None:
    packet = image.info.get("xmp") or image.info.get("XML:com.adobe.xmp")
    if isinstance(packet, str):
        packet = packet.encode()
    return xmp_orientation(packet if isinstance(packet, bytes) else None)


def _resizable(image: Image.Image) -> Image.Image:
    """Return the image in a mode whose pixels can be averaged."""
    if image.mode in {"P", "PA"}:
        return image.convert("RGBA" if "transparency" in image.info else "RGB")
    if image.mode == "1":
        return image.convert("L")
    if image.mode.startswith("I"):
        return image.convert("F")
    return image


def _flat(image: Image.Image) -> Image.Image:
    """Return the image in L, RGB or CMYK, on white where it was transparent."""
    if image.mode == "F":
        return image.point(lambda value: value * (1 / 256)).convert("L")
    if image.mode in {"LA", "RGBA"}:
        flat = Image.new(image.mode[:-1], image.size, "white")
        flat.paste(image.convert(image.mode[:-1]), mask=image.getchannel("A"))
        return flat
    return image if image.mode in {"L", "RGB", "CMYK"} else image.convert("RGB")


def _to_srgb(image: Image.Image, icc: bytes | None) -> Image.Image:
    """Return the image in sRGB by its profile; a profile that makes no sense is left aside."""
    if icc and len(icc) <= _ICC_LIMIT:
        try:
            profile = ImageCms.ImageCmsProfile(io.BytesIO(icc))
            if "sRGB" not in ImageCms.getProfileDescription(profile) or image.mode != "RGB":
                turned = ImageCms.profileToProfile(image, profile, _SRGB, outputMode="RGB")
                image = turned or image
        except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
            return _as_rgb(image)
    return _as_rgb(image)


def _as_rgb(image: Image.Image) -> Image.Image:
    return image if image.mode == "RGB" else image.convert("RGB")
