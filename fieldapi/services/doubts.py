"""Holds one photo against its report and against other photos, and raises what does not fit.

Called by `derivatives` once the bytes were looked into, and again for a photo whose record came
later than its bytes. A flag never refuses anything.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from fieldapi.clock import INDIA
from fieldapi.imaging import Analysis, ExifFacts, Flag, Reason, Verdict
from fieldapi.imaging.compare import (
    DHASH_CANDIDATE,
    PHASH_CONFIRM,
    Claim,
    Doubt,
    doubts,
    is_same_shot,
    measures,
)
from fieldapi.models import Flag as FlagRow
from fieldapi.models import Original, Photo, Seizure
from fieldapi.models.bulk import among, insert_new
from fieldapi.models.record import Shown, instant, number
from fieldapi.services.authorise import OPERATOR_ACTOR
from fieldapi.unit import Unit
from sync.wire import JSON

# Near pictures are looked for among this many photos of the authority, the newest.
_WINDOW = 2000
_OTHERS = 100
_NAMED = 20
# Raised by `services.ops.flagging`: it follows from the record alone.
_NOT_OURS = frozenset({Doubt.PHOTO_FROM_GALLERY})

Found = dict[str, JSON]


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found in the bytes of one original, and the other originals that repeat it."""

    original: Original
    analysis: Analysis
    similar: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture of one original, as far as it is needed to find its like."""

    sha256: str
    stored_at: datetime
    dhash: int
    phash: int


def newest(session: Session, authority_id: str) -> list[Picture]:
    """Return the pictures of an authority that a new one is held against, the newest first."""
    query = (
        select(Original.sha256, Original.stored_at, Original.dhash, Original.phash)
        .where(
            Original.authority_id == authority_id,
            Original.dhash.is_not(None),
        )
        .order_by(Original.stored_at.desc())
        .limit(_WINDOW + 1)  # of which one may be the picture itself
    )
    return [
        Picture(sha256, stored_at, int(dhash, 16), int(phash, 16))
        for sha256, stored_at, dhash, phash in session.execute(query)
        if dhash is not None and phash is not None
    ]


def look(session: Session, original: Original, pictures: Sequence[Picture]) -> Looked:
    """Read back what the analysis wrote down, and look for its like among the `newest` pictures."""
    analysis = _analysis_of(original)
    return Looked(original, analysis, tuple(_similar(session, original, pictures)))


def check(unit: Unit, looked: Looked, photo: Photo) -> None:
    """Write the flags of a photo, enter what was found, and mark it as checked."""
    original = looked.original
    found: dict[str, Found] = {flag: {} for flag in looked.analysis.flags}
    if looked.analysis.verdict is not Verdict.REJECT:
        found |= _unfitting(unit.session, looked.analysis, photo)
    for doubt, others in _repeated(unit.session, looked, photo).items():
        named: list[JSON] = [*others[:_NAMED]]
        found[doubt] = {"photos": named}
        _raise_on_others(unit, doubt, others, photo)
    _raise(unit, photo.authority_id, {photo.id: found})
    photo.checked_at = unit.now
    enter(unit, original, f"photo/{photo.id}", flags=sorted(found), moves=True)


def enter(
    unit: Unit, original: Original, subject: str, *, flags: Collection[str], moves: bool
) -> None:
    """Enter what the bytes turned out to be."""
    details = {
        "verdict": original.verdict or "",
        "reason": original.reason or "",
        "preview": original.preview_sha256 or "",
    }
    unit.enter(
        original.authority_id,
        "photo.analysed",
        subject=subject,
        actor=OPERATOR_ACTOR,
        moves=moves,
        sha256=original.sha256,
        flags=list(flags),
        **{name: text for name, text in details.items() if text},
    )


def _analysis_of(row: Original) -> Analysis:
    return Analysis(
        Verdict(row.verdict or Verdict.REJECT),
        Reason(row.reason) if row.reason else None,
        flags=tuple(Flag(flag) for flag in json.loads(row.flags)),
        format=row.format,
        width=row.width,
        height=row.height,
        exif=_exif(row.exif),
        raw_exif=json.loads(row.raw_exif or "{}"),
        dhash=row.dhash,
        phash=row.phash,
    )


def _unfitting(session: Session, analysis: Analysis, photo: Photo) -> dict[str, Found]:
    """Return what does not fit between the record and the file, with how far they are apart."""
    claim = _claim(session, photo)
    apart = measures(claim, analysis, zone=INDIA)
    return {
        doubt: {**apart.get(doubt, {})}
        for doubt in doubts(claim, analysis, zone=INDIA)
        if doubt not in _NOT_OURS
    }


def _claim(session: Session, photo: Photo) -> Claim:
    """Return what the record says: the photo's own place, or else its report's."""
    said: Shown = photo.fields
    place = said
    if said.get("location") is None and photo.seizure_id:
        seizure = session.get(Seizure, (photo.authority_id, photo.seizure_id))
        place = seizure.fields if seizure is not None else {}
    source = said.get("source")
    return Claim(
        lat=number(place, "location", "lat"),
        lon=number(place, "location", "lon"),
        accuracy_m=number(place, "location", "accuracy_m"),
        taken_at=instant(said, "taken_at"),
        source=source if isinstance(source, str) else None,
    )


def _similar(session: Session, original: Original, pictures: Sequence[Picture]) -> list[str]:
    """Return the hashes of other originals with nearly the same picture, or of the same shot."""
    if original.dhash is None or original.phash is None:
        return []
    window = [one for one in pictures if one.sha256 != original.sha256][:_WINDOW]
    others: list[ColumnElement[bool]] = [
        Original.authority_id == original.authority_id,
        Original.sha256 != original.sha256,
        Original.dhash.is_not(None),
    ]
    if len(window) == _WINDOW:
        others.append(Original.stored_at >= window[-1].stored_at)
    found = set(_near(int(original.dhash, 16), int(original.phash, 16), window))
    return sorted(found | _same_shots(session, original, others))


def _near(dhash: int, phash: int, others: Iterable[Picture]) -> Iterator[str]:
    """Yield whose pictures are nearly the same; most differ in the first hash."""
    for one in others:
        if (dhash ^ one.dhash).bit_count() > DHASH_CANDIDATE:
            continue
        if (phash ^ one.phash).bit_count() <= PHASH_CONFIRM:
            yield one.sha256


def _same_shots(
    session: Session, original: Original, others: Sequence[ColumnElement[bool]]
) -> set[str]:
    """Return the originals that one camera took at the same second and place."""
    shot = _exif(original.exif)
    if shot.taken_at is None:
        return set()
    # The second narrows it down in the database; the rest of the shot is compared here.
    pattern = Original.exif.contains(f'"taken_at": "{shot.taken_at}"', autoescape=True)
    query = select(Original.sha256, Original.exif).where(*others, pattern).limit(_WINDOW)
    # Of one burst every photo says the same, word for word.
    same: dict[str | None, bool] = {}
    found: set[str] = set()
    for sha256, exif in session.execute(query):
        if exif not in same:
            same[exif] = is_same_shot(shot, _exif(exif))
        if same[exif]:
            found.add(sha256)
    return found


def _exif(text: str | None) -> ExifFacts:
    return ExifFacts(**json.loads(text or "{}"))


def _repeated(session: Session, looked: Looked, photo: Photo) -> dict[Doubt, list[str]]:
    """Return the photos of other reports that this one repeats, by id."""
    found: dict[Doubt, list[str]] = {}
    hashes = {looked.original.sha256, *looked.similar}
    query = (
        select(Photo.id, Photo.sha256, Photo.seizure_id, Photo.aid_id, Photo.intake_id)
        .where(
            Photo.authority_id == photo.authority_id,
            among(session, Photo.sha256, hashes),
            Photo.id != photo.id,
            Photo.heads != "",
        )
        .order_by(Photo.received_at, Photo.id)
        .limit(_OTHERS)
    )
    # What a photo belongs to. Twice in one report is nothing to wonder about.
    report = (photo.seizure_id, photo.aid_id, photo.intake_id)
    for other, sha256, *belongs in session.execute(query):
        if tuple(belongs) != report:
            is_same = sha256 == looked.original.sha256
            doubt = Doubt.PHOTO_REUSED if is_same else Doubt.PHOTO_SIMILAR
            found.setdefault(doubt, []).append(other)
    return found


def _raise_on_others(unit: Unit, doubt: Doubt, others: Collection[str], photo: Photo) -> None:
    """Raise the doubt on those it repeats as well: who looks at one has to know of the other."""
    bearing = select(FlagRow.record_id).where(
        FlagRow.authority_id == photo.authority_id,
        FlagRow.kind == Photo.KIND,
        FlagRow.flag == doubt,
        among(unit.session, FlagRow.record_id, others),
    )
    wanted: dict[str, dict[str, Found]] = {
        other: {doubt: {"photos": [photo.id]}}
        for other in {*others} - {*unit.session.scalars(bearing)}
    }
    for record_id in sorted(_raise(unit, photo.authority_id, wanted)):
        unit.enter(
            photo.authority_id,
            "flag.raised",
            subject=f"photo/{record_id}",
            actor=OPERATOR_ACTOR,
            moves=True,
            flags=[doubt],
        )


def _raise(unit: Unit, authority_id: str, wanted: Mapping[str, Mapping[str, Found]]) -> set[str]:
    """Write flags of photos, by id; return the ids of those that got a new one."""
    rows = [
        {
            "authority_id": authority_id,
            "kind": "photo",
            "record_id": record_id,
            "flag": str(flag),
            "detail": json.dumps(detail),
            "at": unit.now,
        }
        for record_id, flags in wanted.items()
        for flag, detail in flags.items()
    ]
    new = insert_new(unit.session, FlagRow, rows, key=("record_id", "flag"))
    return {record_id for record_id, _ in new}
