"""A case as a book to read: sections of facts, tables, notes, drawings; and photos, one to a page.
PDF by Typst, the same as a page of HTML where fonts are missing.

Called by whoever puts a bundle together. Text goes to Typst as JSON, never as source.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path

import typst

from fieldapi.documents.drawing import DEFAULT_FONTS, font_names, require_fonts
from fieldapi.documents.pages import render

Row = Sequence[str]


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
    """Write photos as PDF; their pictures lie beside `target`. Raises `FontsMissing`."""
    _compile("photos.typ", asdict(album), target, fonts=fonts)


def book_html(book: Casebook, albums: Sequence[Album]) -> str:
    """Return the book and its photos as one page; pictures are files beside it."""
    return render("casebook.html", book=book, albums=albums)


def _compile(template: str, values: dict[str, object], target: Path, *, fonts: Path | None) -> None:
    folder, language = fonts or DEFAULT_FONTS, str(values["language"])
    require_fonts(language, folder)
    source = target.with_name(template)
    source.write_bytes((files("fieldapi.documents") / "templates" / template).read_bytes())
    data = {**values, "fonts": font_names(language)}
    target.with_name("book.json").write_text(json.dumps(data, sort_keys=True), encoding="utf-8")
    typst.compile(
        str(source),
        output=str(target),
        format="pdf",
        root=str(target.parent),
        font_paths=[str(folder)],
        ignore_system_fonts=True,
        timestamp=0,
    )


def grouped(sha256: str) -> str:
    """Return a hash in groups of four, to be read aloud and compared."""
    return " ".join(sha256[i : i + 4] for i in range(0, len(sha256), 4))
