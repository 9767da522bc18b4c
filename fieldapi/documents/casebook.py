"""A case as a book to read: sections of facts, tables, notes, drawings; and photos, one to a page.
PDF by Typst, the same as a page of HTML where fonts are missing.

Called by whoever puts a bundle together. Text goes to Typst as JSON, never as source.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path

import typst

from fieldapi.documents.drawing import DEFAULT_FONTS, font_names, require_fonts
from fieldapi.documents.embedding import Picture, embed, placeholder
from fieldapi.documents.pages import render

Row = Sequence[str]
# From so many characters on a book is set in a process of its own, which has so long for it.
LARGE, LONGEST_S = 20_000, 600
_APART = """
import sys, typst
source, target, root, fonts = sys.argv[1:]
typst.compile(source, output=target, format="pdf", root=root, font_paths=[fonts],
              ignore_system_fonts=True, timestamp=0)
"""


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a section. `kind`: `facts` (label, value), `table`, `notes`, `drawing` (an SVG),
    `form` (lines as they are, with blanks to fill). `widths`: parts of a line for each column.
    `mono`: the columns that hold hashes.
    """

    kind: str
    title: str = ""
    columns: Row = ()
    rows: Sequence[Row] = ()
    widths: Sequence[int] = ()
    mono: Sequence[int] = ()
    svg: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter of the book, on a page of its own. `is_draft`: stamped so on every page."""

    title: str
    blocks: Sequence[Block]
    is_draft: bool = False


@dataclass(frozen=True, slots=True)
class Casebook:
    """The book. `foot`: at the foot of every page. `contents`: the word over the index."""

    language: str
    title: str
    authority: str
    under: str
    facts: Sequence[Row]
    notes: Row
    contents: str
    draft: str
    sections: Sequence[Section]
    foot: str


@dataclass(frozen=True, slots=True)
class PhotoPage:
    """One photo. `file`: of the picture in the folder, empty for none; `why` then says why.

    `says`: label and value; `code`: the SHA-256 in groups.
    """

    title: str
    file: str
    why: str
    says: Sequence[Row]
    code: str


@dataclass(frozen=True, slots=True)
class Album:
    """Photos of a case, as many as go into one file."""

    language: str
    title: str
    foot: str
    photos: Sequence[PhotoPage]


def book_pdf(book: Casebook, target: Path, *, fonts: Path | None = None) -> None:
    """Write a book as PDF, the same bytes for the same book. Raises `FontsMissing`."""
    _compile("casebook.typ", asdict(book), target, fonts=fonts)


def album_pdf(album: Album, target: Path, *, fonts: Path | None = None) -> None:
    """Write photos as PDF; their pictures lie beside `target`. Raises `FontsMissing`.

    The pages are set with placeholders, and the pictures put in as they are: no picture is decoded.
    """
    pictures: list[Picture] = []
    photos = []
    for photo in album.photos:
        values: dict[str, object] = asdict(photo)
        if photo.file:
            picture = Picture.of(target.with_name(photo.file))
            name = f"placeholder-{len(pictures)}.jpg"
            target.with_name(name).write_bytes(placeholder(len(pictures)))
            values |= {"file": name, "ratio": picture.height / picture.width}
            pictures.append(picture)
        photos.append(values)
    _compile("photos.typ", {**asdict(album), "photos": photos}, target, fonts=fonts)
    embed(target, pictures)


def book_html(book: Casebook, albums: Sequence[Album]) -> str:
    """Return the book and its photos as one page; pictures are files beside it."""
    return render("casebook.html", book=book, albums=albums)


def _compile(template: str, values: dict[str, object], target: Path, *, fonts: Path | None) -> None:
    folder, language = fonts or DEFAULT_FONTS, str(values["language"])
    require_fonts(language, folder)
    source = target.with_name(template)
    source.write_bytes((files("fieldapi.documents") / "templates" / template).read_bytes())
    data = {**values, "fonts": font_names(language)}
    data_text = json.dumps(data, sort_keys=True)
    target.with_name("book.json").write_text(data_text, encoding="utf-8")
    if len(data_text) >= LARGE:
        _set_apart(source, target, folder)
        return
    typst.compile(
        str(source),
        output=str(target),
        format="pdf",
        root=str(target.parent),
        font_paths=[str(folder)],
        ignore_system_fonts=True,
        timestamp=0,
    )


def _set_apart(source: Path, target: Path, fonts: Path) -> None:
    """Do the same in a process of its own: what Typst needs for hundreds of pages goes with it."""
    done = subprocess.run(  # noqa: S603 - this very program
        [sys.executable, "-c", _APART, *map(str, (source, target, source.parent, fonts))],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LONGEST_S,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"Typst ended with {done.returncode}: {done.stderr[-400:]!r}")


def grouped(sha256: str) -> str:
    """Return a hash in groups of four, to be read aloud and compared."""
    return " ".join(sha256[i : i + 4] for i in range(0, len(sha256), 4))
