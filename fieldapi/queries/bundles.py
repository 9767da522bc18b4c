"""Reads court bundles: what was asked for, how far it is, what it holds; and what one would hold.

Shared by api, console and command line.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from fieldapi.domain.access import Principal
from fieldapi.models import Authority, Bundle, BundleWork, Original, Person, Photo, Seizure
from fieldapi.models.bulk import among
from fieldapi.problems import NotFound
from fieldapi.queries import cases
from fieldapi.queries.pages import Page, Turn, page

_WHOLE, _NEARLY = 100, 99


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that is not there. `what`: `photo/{id}`; `why`: in English."""

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class BundleView:
    """A bundle as it stands. `number`: its turn among the submissions of the case. `progress`: 0 to
    100. `download`: the path of the file, None while there is none. `words`: the hash in groups.
    """

    id: str
    seizure: str
    complaint: str | None
    number: int
    state: str
    progress: int
    missing: list[Missing]
    redact: list[str]
    asked_at: datetime
    asked_by: str
    done_at: datetime | None
    sha256: str | None
    size: int | None
    words: str | None
    cut: int | None
    head: str | None
    contents: dict[str, int]
    download: str | None


@dataclass(frozen=True, slots=True)
class StoredBundle:
    """The file of a bundle, to be given out."""

    sha256: str
    size: int
    name: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What a bundle of the case would hold now. `bytes`: of the photos alone."""

    photos: int
    bytes: int
    missing: list[Missing]


def one(session: Session, authority_id: str, bundle_id: str) -> BundleView:
    """Return one bundle. Raises `NotFound`."""
    return _view(session, _row(session, authority_id, bundle_id))


def of_case(session: Session, authority_id: str, seizure_id: str) -> list[BundleView]:
    """Return the bundles of a case, the newest first."""
    query = (
        select(Bundle)
        .where(Bundle.authority_id == authority_id, Bundle.seizure_id == seizure_id)
        .order_by(Bundle.number.desc())
    )
    return [_view(session, row) for row in session.scalars(query)]


def listed(
    session: Session, authority_id: str, turn: Turn, *, seizure: str | None
) -> Page[BundleView]:
    """Return a page of bundles, of one case or of all."""
    query = select(Bundle).where(Bundle.authority_id == authority_id)
    if seizure is not None:
        query = query.where(Bundle.seizure_id == seizure)
    return page(session, query, turn, by=Bundle.id).map(lambda row: _view(session, row))


def file_of(session: Session, authority_id: str, bundle_id: str) -> StoredBundle:
    """Return the file of a bundle. Raises `NotFound`, also while it is being made."""
    row = _row(session, authority_id, bundle_id)
    if row.state != "ready" or row.sha256 is None or row.size is None:
        raise NotFound("There is no file, or none any more.")
    authority = session.get_one(Authority, authority_id)
    name = f"bundle-{authority.code}-{row.sha256[:16]}.zip"
    return StoredBundle(row.sha256, row.size, name)


def preview(session: Session, principal: Principal, seizure_id: str) -> Preview:
    """Return what a bundle of the case would hold at this moment. Raises `NotFound`."""
    at = principal.authority_id
    rows = [one for one in cases.records(session, at, seizure_id) if isinstance(one, Photo)]
    hashes = {row.sha256 for row in rows if row.sha256}
    query = select(Original.sha256, Original.size).where(
        Original.authority_id == at,
        among(session, Original.sha256, hashes),
        Original.damaged_at.is_(None),
    )
    sizes = {row.sha256: row.size for row in session.execute(query)}
    missing = [
        Missing(f"photo/{row.id}", "its bytes are not here")
        for row in rows
        if row.sha256 not in sizes
    ]
    return Preview(len(sizes), sum(sizes.values()), missing)


def known_hash(session: Session, sha256: str) -> Bundle | None:
    """Return a bundle with this hash, of whichever authority; None if none was made here."""
    return session.scalars(select(Bundle).where(Bundle.sha256 == sha256).limit(1)).first()


def reference_of(session: Session, authority_id: str, seizure_id: str) -> str:
    """Return what the case is called."""
    row = session.get_one(Seizure, (authority_id, seizure_id))
    return row.reference or row.minted_reference or row.id


def submissions(session: Session, authority_id: str, sha256: str) -> int:
    """Return how often this very file was asked for."""
    query = select(func.count()).where(Bundle.authority_id == authority_id, Bundle.sha256 == sha256)
    return session.scalar(query) or 0


def _row(session: Session, authority_id: str, bundle_id: str) -> Bundle:
    row = session.get(Bundle, (authority_id, bundle_id))
    if row is None:
        raise NotFound("There is no such bundle.")
    return row


def _view(session: Session, row: Bundle) -> BundleView:
    person = session.get(Person, (row.authority_id, row.person_id))
    return BundleView(
        id=row.id,
        seizure=row.seizure_id,
        complaint=row.complaint_id,
        number=row.number,
        state=row.state,
        progress=_progress(session, row),
        missing=[Missing(one["what"], one["why"]) for one in json.loads(row.missing)],
        redact=json.loads(row.redact),
        asked_at=row.asked_at,
        asked_by=person.name if person is not None else row.person_id,
        done_at=row.done_at,
        sha256=row.sha256,
        size=row.size,
        words=_grouped(row.sha256),
        cut=row.cut,
        head=row.root,
        contents=json.loads(row.contents),
        download=f"/api/v1/bundles/{row.id}/download" if row.state == "ready" else None,
    )


def _progress(session: Session, row: Bundle) -> int:
    if row.state != "building":
        return _WHOLE
    work = session.get(BundleWork, (row.authority_id, row.id))
    if work is None or not work.total:
        return 0
    return min(_NEARLY, work.done * _WHOLE // work.total)


def _grouped(sha256: str | None) -> str | None:
    return None if sha256 is None else " ".join(sha256[i : i + 4] for i in range(0, 64, 4))
