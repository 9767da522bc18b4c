"""Draws the papers of a court bundle: the case as a book in English and in the language of the
place, and its photos, one to a page. In the words of the console; Flask-free.

Handed to the job that makes bundles (`pending.py`). Everything here follows from the snapshot it is
given: no clock is read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import structlog

from fieldapi.console.court.case import CourtCase, read
from fieldapi.console.court.papers import draw_papers
from fieldapi.console.court.photos import pages_of, without_picture
from fieldapi.console.court.sections import book_of, foot_of
from fieldapi.console.words import Words
from fieldapi.documents.casebook import Album, Casebook, PhotoPage, album_pdf, book_html, book_pdf
from fieldapi.documents.drawing import FontsMissing
from fieldapi.locale import LANGUAGES
from fieldapi.services.bundles.content import Content, Desk, Papers, Progress
from fieldapi.storage import IntegrityError, ObjectMissing, Storage, chunks
from fieldapi.storage.keys import preview_key

log = structlog.get_logger(__name__)

PDF, HTML = "pdf", "html"
# So many photos go into one file.
IN_ONE_FILE = 100
_HALF = 50

Cases = Mapping[str, CourtCase]
# Pages, and the hashes of the pictures on them by those of their photos.
Shown = tuple[Sequence[PhotoPage], Mapping[str, str]]


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
    """Set the books beside the albums, each in turn: two cores are used, and never the memory of
    two books at once.
    """
    content = [*cases.values()][-1].content
    files = _written(desk, draw_papers(desk, content, as_html=False))
    with ThreadPoolExecutor(1) as lane:
        setting = lane.submit(_books, desk, books)
        albums, shown, pages = _albums(desk, cases, progress)
        files |= setting.result()
    return Papers({**files, **albums}, shown, pages, PDF)


def _books(desk: Desk, books: Mapping[str, Casebook]) -> dict[str, Path]:
    files = {}
    for language, book in books.items():
        path = desk.folder / f"case-{language}.pdf"
        book_pdf(book, path, fonts=desk.house.settings.fonts)
        files[path.name] = path
    return files


def _albums(
    desk: Desk, cases: Cases, progress: Progress
) -> tuple[dict[str, Path], dict[str, str], int]:
    """Return the files of the photos, the hashes of the pictures in them, and how many pages."""
    aside = replace(desk, folder=desk.folder / "albums")
    aside.folder.mkdir()
    files: dict[str, Path] = {}
    shown: dict[str, str] = {}
    drawn, photos = 0, pages_of([*cases.values()])
    for number, start in enumerate(range(0, len(photos), IN_ONE_FILE), 1):
        path = aside.folder / f"photos-{number:03d}.pdf"
        with _pictures(aside, cases, photos[start : start + IN_ONE_FILE]) as (some, previews):
            album_pdf(_album(cases, some), path, fonts=desk.house.settings.fonts)
        files[path.name] = path
        shown |= previews
        drawn += len(some)
        progress(drawn * _HALF // len(photos), 2 * _HALF)
    return files, shown, drawn


def _written(desk: Desk, papers: Mapping[str, bytes]) -> dict[str, Path]:
    """Write papers into the folder of `desk`; returns their files by their names in the bundle."""
    files = {}
    for name, page in papers.items():
        files[name] = desk.folder / name.replace("/", "-")
        files[name].write_bytes(page)
    return files


def _album(cases: Cases, photos: Sequence[PhotoPage]) -> Album:
    case = [*cases.values()][-1]
    return Album(case.words.language, case.reference, foot_of(case), photos)


@contextmanager
def _pictures(desk: Desk, cases: Cases, photos: Sequence[PhotoPage]) -> Iterator[Shown]:
    """Lay the pictures of some pages beside them, for as long as they are drawn."""
    try:
        yield _copied(desk, cases, photos)
    finally:
        for photo in photos:
            if photo.file:
                (desk.folder / photo.file).unlink(missing_ok=True)


def _copied(desk: Desk, cases: Cases, photos: Sequence[PhotoPage]) -> Shown:
    """Copy the pictures of pages out. Returns the pages, without a picture where it is not the one
    that was made, and the hashes of those that are shown.
    """
    several = [*cases.values()]
    originals = several[-1].evidence.originals
    shown: dict[str, str] = {}
    for name in {photo.file for photo in photos if photo.file}:
        target = desk.folder / name
        digest = _copy_out(desk.house.storage, target)
        if digest is not None and originals[target.stem].preview_sha256 in {None, digest}:
            shown[target.stem] = digest
        else:
            log.warning("preview_changed", sha256=target.stem)
    pages = [
        one if not one.file or Path(one.file).stem in shown else without_picture(several, one)
        for one in photos
    ]
    return pages, shown


def _copy_out(storage: Storage, target: Path) -> str | None:
    """Copy the preview of the photo after whose hash `target` is named; returns its own hash, None
    if it is not there.
    """
    digest = hashlib.sha256()
    try:
        with target.open("wb") as file:
            for piece in chunks(storage.open(preview_key(target.stem))):
                digest.update(piece)
                file.write(piece)
    except (ObjectMissing, IntegrityError):
        return None
    return digest.hexdigest()


def _html(desk: Desk, cases: Cases, books: Mapping[str, Casebook], *, why: str) -> Papers:
    """Draw the same as pages of HTML; the pictures lie in a folder of their own in the bundle."""
    several = [*cases.values()]
    files = _written(desk, draw_papers(desk, several[-1].content, as_html=True))
    photos, shown = _copied(desk, cases, pages_of(several))
    files |= {f"previews/{one}.jpg": desk.folder / f"{one}.jpg" for one in shown}
    beside = [_beside(photo) for photo in photos]
    for language, book in books.items():
        path = desk.folder / f"case-{language}.html"
        path.write_text(book_html(book, [_album(cases, beside)]), encoding="utf-8")
        files[path.name] = path
    return Papers(files, shown, len(photos), HTML, why)


def _beside(photo: PhotoPage) -> PhotoPage:
    return replace(photo, file=f"previews/{photo.file}") if photo.file else photo
