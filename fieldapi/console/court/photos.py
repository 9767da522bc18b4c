"""The photos of a court bundle, one page each: picture, caption, what was found in the file, hash.
Flask-free; called by `drawing`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from fieldapi.clock import format_instant, parse_instant
from fieldapi.console.court.case import CourtCase
from fieldapi.documents.casebook import PhotoPage, Row, grouped
from fieldapi.domain import labels
from fieldapi.domain.flags import FLAGS
from fieldapi.domain.words import sentence
from fieldapi.queries.evidence_records import is_picture

_NAMES = ("caption", "subject", "taken_at", "source", "size")


def pages_of(cases: Sequence[CourtCase]) -> list[PhotoPage]:
    """Return a page for each photo; labels in every language of `cases`, values in the last."""
    case = cases[-1]
    shown = {one["id"]: one for one in case.report["photos"]}
    total = len(case.evidence.photos)
    return [
        _page(cases, row, shown.get(row.id) or {**row.fields, "id": row.id}, (number, total))
        for number, row in enumerate(case.evidence.photos, 1)
    ]


def without_picture(cases: Sequence[CourtCase], page: PhotoPage) -> PhotoPage:
    """Return a page whose picture is not the one that was made of the photo."""
    said = sentence(
        "The picture for this page was found changed or missing. The photo itself is in originals/."
    )
    return replace(page, file="", why=_both(cases, said))


def _page(cases: Sequence[CourtCase], row: Any, photo: Any, place: tuple[int, int]) -> PhotoPage:  # noqa: ANN401
    case, (number, total) = cases[-1], place
    is_out = (row.sha256 or "") in case.content.originals_out
    has_picture = is_picture(row, case.evidence) and not is_out
    title = _both(cases, sentence("Photo {number} of {total}"), number=number, total=total)
    return PhotoPage(
        title=title,
        file=f"{row.sha256}.jpg" if has_picture else "",
        why="" if has_picture else _why(cases, row, is_out=is_out),
        says=[*_says(cases, row, photo)],
        code=grouped(row.sha256 or ""),
    )


def _why(cases: Sequence[CourtCase], row: Any, *, is_out: bool) -> str:  # noqa: ANN401
    if is_out:
        return _both(cases, sentence("Left out of this bundle by choice."))
    original = cases[-1].evidence.originals.get(row.sha256 or "")
    if original is None:
        return _both(cases, sentence("Missing: the phone announced it, its bytes never arrived."))
    if original.damaged_at is not None:
        return _both(cases, sentence("Missing: it was stored once and was found damaged since."))
    reason = labels.PHOTO_REASONS.get(original.reason or "", "")
    rejected = sentence("Rejected: kept in originals/, but it cannot be shown as a picture.")
    return "\n".join([_both(cases, rejected), *([_both(cases, reason)] if reason else [])])


def _says(cases: Sequence[CourtCase], row: Any, photo: Any) -> Iterator[Row]:  # noqa: ANN401
    case = cases[-1]
    for name in _NAMES:
        if photo.get(name):
            yield _label(cases, name), case.values.say(name, photo[name])
    if photo.get("location"):
        yield _label(cases, "location"), case.values.place(photo["location"])
    original = case.evidence.originals.get(row.sha256 or "")
    if original is not None:
        stored = case.words.moment(parse_instant(format_instant(original.stored_at)))
        yield _both(cases, sentence("Stored at the server")), stored
        yield from _exif(cases, photo)
    flags = [one.flag for one in case.evidence.flags if one.record_id == row.id]
    flags += [one for one in photo.get("found") or [] if one not in flags]
    said = [case.words.gettext(FLAGS[one].says) for one in flags if one in FLAGS]
    if said:
        yield _both(cases, sentence("Doubts")), "\n".join(said)


def _exif(cases: Sequence[CourtCase], photo: Any) -> Iterator[Row]:  # noqa: ANN401
    found = photo.get("exif") or {}
    said = [str(found[name]) for name in ("make", "model", "taken_at") if found.get(name)]
    if found.get("lat") is not None and found.get("lon") is not None:
        said.append(f"{found['lat']:.5f}, {found['lon']:.5f}")
    if said:
        yield _both(cases, sentence("The file itself says")), " · ".join(said)


def _label(cases: Sequence[CourtCase], name: str) -> str:
    return " / ".join(dict.fromkeys(case.words.field(name) for case in cases))


def _both(cases: Sequence[CourtCase], message: str, **params: str | int) -> str:
    return " / ".join(dict.fromkeys(case.words.gettext(message, **params) for case in cases))
