"""Photos as their readers get them: what became of the bytes, what was found in them, where they
are. Every question is asked in the name of a principal, record by record.

Shared by API and console. Loads no bytes.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from fieldapi.clock import format_instant
from fieldapi.domain.access import Principal
from fieldapi.domain.flags import measured
from fieldapi.models import AsideBytes, Flag, Original, Photo, Upload
from fieldapi.problems import NotFound
from fieldapi.queries import views
from sync.wire import JSON

Document = dict[str, JSON]

ANNOUNCED, RECEIVING, STORED, QUARANTINED = "announced", "receiving", "stored", "quarantined"
_EXIF = ("lat", "lon", "taken_at", "offset", "orientation", "make", "model")


@dataclass(frozen=True, slots=True)
class StoredPhoto:
    """The bytes behind a photo that its reader may see. `media_type`: what the bytes are, None for
    no photo of a kind that is taken. `has_derivatives`: preview and thumbnail are made.
    `is_damaged`: the store lost or changed the bytes; they are given to nobody.
    """

    photo_id: str
    sha256: str
    size: int
    media_type: str | None
    verdict: str | None
    has_derivatives: bool
    stored_at: datetime
    is_damaged: bool = False


@dataclass(frozen=True, slots=True)
class Aside:
    """Bytes that came for a photo and are not the ones it announced. `via`: who brought them."""

    photo_id: str
    announced: str
    sha256: str
    size: int
    via: str
    at: datetime


def of_report(session: Session, authority_id: str, seizure_id: str) -> list[str]:
    """Return the ids of a report's photos, in the order in which its pages number them."""
    query = (
        select(Photo.id)
        .where(
            Photo.authority_id == authority_id, Photo.seizure_id == seizure_id, Photo.heads != ""
        )
        .order_by(Photo.received_at, Photo.id)
    )
    return [*session.scalars(query)]


def one(session: Session, principal: Principal, photo_id: str) -> Document:
    """Return a photo as the API answers it. Raises `NotFound` unless it is seen whole."""
    row, original, flags = _seen(session, principal, photo_id)
    told = _document(session, row, original, flags=flags)
    at = principal.authority_id
    compared = findings(session, at, [photo_id]).get(photo_id, {})
    return {
        **told,
        "findings": {flag: _said(flag, detail) for flag, detail in compared.items()},
        "set_aside": [
            {"sha256": one.sha256, "size": one.size, "at": format_instant(one.at)}
            for one in aside(session, at, [photo_id])
        ],
    }


def _said(flag: str, detail: Document) -> Document:
    """Return the numbers of a finding with their plain sentence, in English."""
    found = measured(flag, detail)
    if found is None:
        return detail
    says, apart, tolerance = found
    return {**detail, "says": says.format(apart=apart, tolerance=tolerance)}


_FLAGGED = select(Flag.flag).where(
    Flag.authority_id == bindparam("authority"),
    Flag.kind == "photo",
    Flag.record_id == bindparam("photo"),
)


def told(session: Session, row: Photo, original: Original) -> Document:
    """Return a photo with its bytes as the API answers it; the caller judged who may see it."""
    asked = {"authority": row.authority_id, "photo": row.id}
    return _document(session, row, original, flags=session.scalars(_FLAGGED, asked))


def _document(
    session: Session, row: Photo, original: Original | None, *, flags: Iterable[str]
) -> Document:
    is_checked = original is not None and row.checked_at is not None
    return {
        "id": row.id,
        "state": _state(session, row, original),
        "stored_at": format_instant(original.stored_at) if original else None,
        "analysed_at": _analysed_at(original) if is_checked else None,
        "verdict": original.verdict if original else None,
        "reason": original.reason if original else None,
        "flags": _flags(flags, original),
        "format": original.format if original else None,
        "width": original.width if original else None,
        "height": original.height if original else None,
        "exif": _exif(original),
        "sha256": row.sha256,
        "size": original.size if original else row.size,
    }


def stored(session: Session, principal: Principal, photo_id: str) -> StoredPhoto:
    """Return the bytes behind a photo. Raises `NotFound`, also while they have yet to arrive."""
    found = bytes_of(session, principal, photo_id)
    if found is None:
        raise NotFound
    return found


def bytes_of(session: Session, principal: Principal, photo_id: str) -> StoredPhoto | None:
    """Return the bytes behind a photo, None while they have yet to arrive. Raises `NotFound`."""
    row, original, _ = _seen(session, principal, photo_id)
    if original is None:
        return None
    return StoredPhoto(
        row.id,
        original.sha256,
        original.size,
        original.media_type,
        original.verdict,
        original.has_derivatives,
        original.stored_at,
        is_damaged=original.damaged_at is not None,
    )


def findings(
    session: Session, authority_id: str, photo_ids: Collection[str]
) -> dict[str, dict[str, Document]]:
    """Return what was compared for the flags of photos, by photo and flag; the caller judged who
    may see it.
    """
    query = select(Flag.record_id, Flag.flag, Flag.detail).where(
        Flag.authority_id == authority_id,
        Flag.kind == "photo",
        Flag.record_id.in_(photo_ids),
        Flag.detail != "{}",
    )
    found: dict[str, dict[str, Document]] = {}
    for photo_id, flag, detail in session.execute(query.order_by(Flag.flag)):
        found.setdefault(photo_id, {})[flag] = json.loads(detail)
    return found


def aside(session: Session, authority_id: str, photo_ids: Collection[str]) -> list[Aside]:
    """Return what was set aside for these photos, oldest first. The caller judged who may see."""
    query = (
        select(AsideBytes)
        .where(AsideBytes.authority_id == authority_id, AsideBytes.photo_id.in_(photo_ids))
        .order_by(AsideBytes.at, AsideBytes.id)
    )
    return [
        Aside(row.photo_id, row.announced, row.sha256, row.size, row.via, row.at)
        for row in session.scalars(query)
    ]


def _seen(
    session: Session, principal: Principal, photo_id: str
) -> tuple[Photo, Original | None, list[str]]:
    """Return a photo that the principal sees whole, its bytes, and the flags of its record.

    Raises `NotFound` for any other id.
    """
    key = ("photo", photo_id)
    loaded = views.load(session, principal.authority_id, [key])
    row = loaded.rows.get(key)
    if not isinstance(row, Photo):
        raise NotFound
    seizure = loaded.seizures.get(row.seizure_id or "")
    if views.visibility(principal, row, seizure) != views.WHOLE:
        raise NotFound
    return row, loaded.originals.get(row.sha256 or ""), loaded.flags.get(key, [])


def _state(session: Session, row: Photo, original: Original | None) -> str:
    if original is not None and original.damaged_at is None:
        return QUARANTINED if original.verdict == "reject" else STORED
    under_way = select(Upload.id).where(
        Upload.authority_id == row.authority_id,
        Upload.sha256 == row.sha256,
        Upload.finished_at.is_(None),
    )
    return RECEIVING if session.scalar(under_way.limit(1)) is not None else ANNOUNCED


def _analysed_at(original: Original | None) -> str | None:
    at = original.analysed_at if original else None
    return format_instant(at) if at else None


def _flags(of_record: Iterable[str], original: Original | None) -> list[JSON]:
    """Return the doubts about the record and about the bytes, each once."""
    of_bytes: list[str] = json.loads(original.flags) if original else []
    return [*sorted({*of_record, *of_bytes})]


def _exif(original: Original | None) -> JSON:
    if original is None or original.exif is None:
        return None
    facts: Document = json.loads(original.exif)
    return {name: facts.get(name) for name in _EXIF}
