"""Photos whose bytes were found damaged or gone: phones are asked for them again, reviewers see it,
and the bytes that fit put it right.

Called by `audit`, which finds them, and by `receiving`, which stores what comes again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy import delete, select

from fieldapi.house import House
from fieldapi.models import Flag, Original, Photo
from fieldapi.models.bulk import insert_new
from fieldapi.services.authorise import OPERATOR_ACTOR
from fieldapi.unit import Unit

FLAG = "photo_damaged"


def known(house: House) -> set[str]:
    """Return the hashes of originals that are known to be damaged or gone."""
    with house.database.read() as session:
        return set(session.scalars(select(Original.sha256).where(Original.damaged_at.is_not(None))))


def note_damaged(house: House, sha256: str, *, is_missing: bool) -> None:
    """Write down that the bytes are not what was received, for every authority that has them."""
    house.database.transact(lambda unit: _damage(unit, sha256, is_missing=is_missing))


def note_sound(house: House, sha256: str) -> None:
    """Write down that the bytes are themselves again: somebody put them back."""
    house.database.transact(lambda unit: _mend(unit, sha256))


def restored(unit: Unit, original: Original, *, actor: str) -> None:
    """Take back that an original is damaged: bytes that fit were stored again."""
    if original.damaged_at is None:
        return
    original.damaged_at = None
    photos = _announcing(unit, original)
    unit.session.execute(
        delete(Flag).where(
            Flag.authority_id == original.authority_id,
            Flag.kind == "photo",
            Flag.flag == FLAG,
            Flag.record_id.in_([photo.id for photo in photos]),
        )
    )
    _enter(unit, original, photos, "photo.restored", actor=actor)


def _damage(unit: Unit, sha256: str, *, is_missing: bool) -> None:
    what = "missing" if is_missing else "damaged"
    for original in _rows(unit, sha256):
        if original.damaged_at is not None:
            continue
        original.damaged_at = unit.now
        photos = _announcing(unit, original)
        _flag(unit, original, photos, what=what)
        _enter(unit, original, photos, "photo.damaged", actor=OPERATOR_ACTOR, what=what)


def _mend(unit: Unit, sha256: str) -> None:
    for original in _rows(unit, sha256):
        restored(unit, original, actor=OPERATOR_ACTOR)


def _rows(unit: Unit, sha256: str) -> Sequence[Original]:
    query = select(Original).where(Original.sha256 == sha256).order_by(Original.authority_id)
    return unit.session.scalars(query.with_for_update()).all()


def _announcing(unit: Unit, original: Original) -> Sequence[Photo]:
    query = select(Photo).where(
        Photo.authority_id == original.authority_id,
        Photo.sha256 == original.sha256,
        Photo.heads != "",
    )
    return unit.session.scalars(query.order_by(Photo.received_at, Photo.id)).all()


def _flag(unit: Unit, original: Original, photos: Sequence[Photo], *, what: str) -> None:
    rows = [
        {
            "authority_id": original.authority_id,
            "kind": "photo",
            "record_id": photo.id,
            "flag": FLAG,
            "detail": json.dumps({"what": what}),
            "at": unit.now,
        }
        for photo in photos
    ]
    insert_new(unit.session, Flag, rows, key=("record_id", "flag"))


def _enter(
    unit: Unit,
    original: Original,
    photos: Sequence[Photo],
    kind: str,
    *,
    actor: str,
    **said: str,
) -> None:
    for subject in _subjects(original, photos):
        unit.enter(
            original.authority_id,
            kind,
            subject=subject,
            actor=actor,
            moves=bool(photos),
            sha256=original.sha256,
            **said,
        )


def _subjects(original: Original, photos: Sequence[Photo]) -> list[str]:
    """Return what is told to have changed: the photos and their reports, or the bytes alone."""
    seizures = sorted({photo.seizure_id for photo in photos if photo.seizure_id})
    told = [f"photo/{photo.id}" for photo in photos] + [f"seizure/{one}" for one in seizures]
    return told or [f"original/{original.sha256}"]
