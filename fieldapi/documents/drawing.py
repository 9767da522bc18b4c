"""Draws sheets: PDF by Typst, and the same as a page of HTML for printers of any kind.

Called by the api and the console. The text goes to Typst as JSON, never as source. Fonts are those
of Debian's `fonts-noto-core` or of a folder of one's own; without them the PDF is refused with the
name of what is missing, and the HTML stays.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path

import segno
import typst

from fieldapi.documents.pages import qr_svg, render
from fieldapi.documents.sheets import Sheet

SIZES = ("a4", "80mm")
PACKAGE = "fonts-noto-core"
DEFAULT_FONTS = Path("/usr/share/fonts/truetype/noto")
_SCRIPTS = {"gu": "Gujarati", "hi": "Devanagari", "kn": "Kannada", "ml": "Malayalam"}


class FontsMissing(Exception):
    """The fonts of a language are not on this machine; `package` brings them."""

    def __init__(self, font: str, package: str = PACKAGE) -> None:
        super().__init__(f"the font {font} is missing: install {package} or set FIELDAPI_FONTS")
        self.font, self.package = font, package


def pdf(sheet: Sheet, *, size: str = "a4", fonts: Path | None = None) -> bytes:
    """Return a sheet as PDF, the same bytes for the same sheet. Raises `FontsMissing`."""
    folder = fonts or DEFAULT_FONTS
    require_fonts(sheet.language, folder)
    return _compiled(json.dumps(_values(sheet, size), sort_keys=True), str(folder))


def require_fonts(language: str, folder: Path) -> None:
    """Raise `FontsMissing` unless the fonts of English and of `language` are in a folder."""
    scripts = ["", *([_SCRIPTS[language]] if language in _SCRIPTS else [])]
    for script in scripts:
        name = f"NotoSans{script}-Regular"
        if not any((folder / f"{name}{end}").is_file() for end in (".ttf", ".otf")):
            raise FontsMissing(name)


def font_names(language: str) -> list[str]:
    """Return the families that a language is set in, English first."""
    script = _SCRIPTS.get(language)
    return ["Noto Sans", *([f"Noto Sans {script}"] if script else [])]


def _values(sheet: Sheet, size: str) -> dict[str, object]:
    fonts = font_names(sheet.language)
    qr = segno.make(sheet.link, error="m", micro=False).svg_inline(border=0, scale=4)
    return {**asdict(sheet), "size": size, "fonts": fonts, "qr": qr if sheet.link else ""}


@lru_cache(maxsize=64)
def _compiled(values: str, folder: str) -> bytes:
    with as_file(files("fieldapi.documents") / "templates" / "sheet.typ") as template:
        drawn: bytes = typst.compile(
            str(template),
            format="pdf",
            font_paths=[folder],
            ignore_system_fonts=True,
            sys_inputs={"sheet": values},
            timestamp=0,
        )
    return drawn


def html(sheet: Sheet, *, size: str = "a4") -> str:
    """Return a sheet as one page of HTML without anything from elsewhere."""
    drawn = qr_svg(sheet.link) if sheet.link else ""
    return render("sheet.html", sheet=sheet, size=size, qr=drawn)


def digest(sheet: Sheet) -> str:
    """Return the SHA-256 of what a sheet says, in hex."""
    return hashlib.sha256(json.dumps(asdict(sheet), sort_keys=True).encode()).hexdigest()
