"""Draws the papers of a court bundle: the case as a book in English and in the language of the
place, and its photos, one to a page. In the words of the console; Flask-free.

Handed to the job that makes bundles (`pending.py`). Everything here follows from the snapshot it is
given: no clock is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from fieldapi.console.court_case import CourtCase, read
from fieldapi.console.court_photos import pages_of
from fieldapi.console.court_sections import book_of, foot_of
from fieldapi.console.words import Words
from fieldapi.documents.casebook import Album, Casebook, PhotoPage, album_pdf, book_html, book_pdf
from fieldapi.documents.drawing import FontsMissing
from fieldapi.locale import LANGUAGES
from fieldapi.services.bundle_content import Content, Desk, Papers, Progress
from fieldapi.storage import Storage, chunks
from fieldapi.storage.keys import preview_key

PDF, HTML = "pdf", "html"
# So many photos go into one file.
IN_ONE_FILE = 100
_HALF = 50

Cases = Mapping[str, CourtCase]


def draw(desk: Desk, content: Content, progress: Progress) -> Papers:
    """Draw the papers into the folder of `desk`. Without fonts they come as HTML, and say why."""
    cases = {one: read(desk, content, Words(one, desk.house.packs)) for one in _languages(content)}
    books = {one: book_of(case) for one, case in cases.items()}
    try:
        return _pdf(desk, cases, books, progress)
    except FontsMissing as missing:
        return _html(desk, cases, books, why=str(missing))


def _languages(content: Content) -> list[str]:
    """Return English and the first other language of the authority."""
    named = content.evidence.authority.languages.split()
    return ["en", *[one for one in named if one in LANGUAGES and one != "en"][:1]]


def _pdf(desk: Desk, cases: Cases, books: Mapping[str, Casebook], progress: Progress) -> Papers:
    fonts, files = desk.house.settings.fonts, {}
    for language, book in books.items():
        path = desk.folder / f"case-{language}.pdf"
        book_pdf(book, path, fonts=fonts)
        files[path.name] = path
    drawn, photos = 0, pages_of([*cases.values()])
    for number, start in enumerate(range(0, len(photos), IN_ONE_FILE), 1):
        some = photos[start : start + IN_ONE_FILE]
        path = desk.folder / f"photos-{number:03d}.pdf"
        with _pictures(desk, some):
            album_pdf(_album(cases, some), path, fonts=fonts)
        files[path.name] = path
        drawn += len(some)
        progress(drawn * _HALF // len(photos), 2 * _HALF)
    return Papers(files, drawn, PDF)


def _album(cases: Cases, photos: Sequence[PhotoPage]) -> Album:
    case = [*cases.values()][-1]
    return Album(case.words.language, case.reference, foot_of(case), photos)


@contextmanager
def _pictures(desk: Desk, photos: Sequence[PhotoPage]) -> Iterator[None]:
    """Lay the pictures of some pages beside them, for as long as they are drawn."""
    named = {photo.file for photo in photos if photo.file}
    try:
        for name in named:
            _copy_out(desk.house.storage, desk.folder / name)
        yield
    finally:
        for name in named:
            (desk.folder / name).unlink(missing_ok=True)


def _copy_out(storage: Storage, target: Path) -> None:
    """Copy the preview of the photo after whose hash `target` is named."""
    with target.open("wb") as file:
        for piece in chunks(storage.open(preview_key(target.stem))):
            file.write(piece)


def _html(desk: Desk, cases: Cases, books: Mapping[str, Casebook], *, why: str) -> Papers:
    """Draw the same as pages of HTML; the pictures lie in a folder of their own in the bundle."""
    photos, files = pages_of([*cases.values()]), {}
    for photo in photos:
        if photo.file:
            path = desk.folder / photo.file
            _copy_out(desk.house.storage, path)
            files[f"previews/{photo.file}"] = path
    beside = [_beside(photo) for photo in photos]
    for language, book in books.items():
        path = desk.folder / f"case-{language}.html"
        path.write_text(book_html(book, [_album(cases, beside)]), encoding="utf-8")
        files[path.name] = path
    return Papers(files, len(photos), HTML, why)


def _beside(photo: PhotoPage) -> PhotoPage:
    if not photo.file:
        return photo
    return PhotoPage(photo.title, f"previews/{photo.file}", photo.why, photo.says, photo.code)
