"""Reads what lists and pages show alike off a report as `queries.seizures` gives it: its herd, its
photos, its flags. Flask-free.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fieldapi.clock import parse_instant
from fieldapi.console.words import Words
from fieldapi.domain import labels
from fieldapi.domain.flags import FLAGS, WARN, measured

Report = Mapping[str, Any]
Found = Mapping[str, Mapping[str, Report]]

_CHILDREN = ("animals", "photos", "intakes")


@dataclass(frozen=True, slots=True)
class Picture:
    """One photo. `state`: announced, receiving, stored, quarantined; `said`: that in words. `alt`:
    what a screen reader says. `is_viewable`: there is a picture. `reason`: why there is none.
    """

    id: str
    number: int
    alt: str
    state: str
    said: str
    is_viewable: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """One flag. `about`: which record of the case it is on; `measured`: what was compared, in
    numbers, if it was.
    """

    code: str
    is_warning: bool
    about: str
    says: str
    measured: str
    does_not_prove: str


def herd(report: Report) -> dict[str, int]:
    """Return the head by kind, as the lots that stand show it."""
    found: dict[str, int] = {}
    for lot in report["animals"]:
        if not lot["withdrawn"] and lot.get("kind"):
            found[lot["kind"]] = found.get(lot["kind"], 0) + (lot.get("count") or 0)
    return found


def pictures(report: Report, words: Words) -> list[Picture]:
    """Return the photos of a report in their order."""
    photos = report.get("photos", [])
    return [_picture(photo, number, len(photos), words) for number, photo in enumerate(photos, 1)]


def _picture(photo: Report, number: int, total: int, words: Words) -> Picture:
    alt = [words.gettext("Photo {number} of {total}", number=number, total=total)]
    if photo.get("subject"):
        alt.append(words.gettext(labels.PHOTO_SUBJECTS.get(photo["subject"], photo["subject"])))
    if photo.get("taken_at"):
        alt.append(words.moment(parse_instant(photo["taken_at"])))
    state = photo["state"]
    is_viewable = state == "stored" and bool(photo.get("analysed_at")) and bool(photo.get("width"))
    return Picture(
        id=photo["id"],
        number=number,
        alt=", ".join(alt),
        state=state,
        said=words.gettext(labels.PHOTO_STATES.get(state, state)),
        is_viewable=is_viewable,
        reason=words.gettext(labels.PHOTO_REASONS.get(photo.get("reason") or "", "")),
    )


def doubts(report: Report, words: Words, found: Found) -> list[Doubt]:
    """Return the flags of a report and of what hangs on it, warnings first.

    `found`: what was compared for the flags of photos, as `queries.photos.findings` gives it.
    """
    listed = [
        _doubt(code, about, found.get(record_id, {}).get(code, {}), words)
        for record_id, about, code in _flags(report, words)
        if code in FLAGS
    ]
    return sorted(listed, key=lambda one: not one.is_warning)


def _flags(report: Report, words: Words) -> Iterator[tuple[str, str, str]]:
    for code in report.get("flags", []):
        yield report["id"], words.record("seizure"), code
    for name in _CHILDREN:
        for number, child in enumerate(report.get(name, []), 1):
            about = _name(name, child, number, words)
            yield from ((child["id"], about, code) for code in child.get("flags", []))


def _name(name: str, child: Report, number: int, words: Words) -> str:
    if name == "photos":
        return words.gettext("Photo {number}", number=number)
    if name == "animals" and child.get("kind"):
        return words.herd({child["kind"]: child.get("count") or 0})
    return words.record("intake" if name == "intakes" else "animal")


def _doubt(code: str, about: str, detail: Report, words: Words) -> Doubt:
    flag = FLAGS[code]
    numbers = measured(code, detail)
    said = ""
    if numbers is not None:
        said = words.gettext(
            numbers[0], apart=words.number(numbers[1]), tolerance=words.number(numbers[2])
        )
    return Doubt(
        code=code,
        is_warning=flag.severity == WARN,
        about=about,
        says=words.gettext(flag.says),
        measured=said,
        does_not_prove=words.gettext(flag.does_not_prove),
    )


def called(report: Report, words: Words) -> dict[str, str]:
    """Return what each record of the case is called in a sentence, by `kind/id`."""
    called = {f"seizure/{report['id']}": words.record("seizure")}
    for lot in report["animals"]:
        known = {lot["kind"]: lot.get("count") or 0} if lot.get("kind") else {}
        called[f"animal/{lot['id']}"] = words.herd(known) or words.record("animal")
    for number, photo in enumerate(report["photos"], 1):
        called[f"photo/{photo['id']}"] = words.gettext("Photo {number}", number=number)
    for intake in report["intakes"]:
        called[f"intake/{intake['id']}"] = words.record("intake")
    return called
