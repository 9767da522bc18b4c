"""Everything that one case consists of, read in one snapshot: what a bundle is made from.

Called by the makers of bundles. Loads the words that phones wrote, never the bytes of photos.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.clock import parse_instant
from fieldapi.keyring import Keyring
from fieldapi.ledger import TreeHead
from fieldapi.models import (
    Act,
    Aid,
    Authority,
    Complaint,
    Device,
    Document,
    Flag,
    OpPayload,
    OpRow,
    Original,
    ParkedOp,
    Photo,
    Pound,
    RecordRow,
    Seizure,
)
from fieldapi.models.bulk import among
from fieldapi.queries import cases, photos, views
from fieldapi.queries.cases import ReviewView
from fieldapi.queries.photos import Aside
from fieldapi.queries.views import Loaded

_JWS_PARTS = 3
_DEVICE, _ERASED = "device/", "person.erased"


@dataclass(frozen=True, slots=True)
class Word:
    """One op as it is kept. `erased`: the fields whose values are gone, None if none were."""

    name: str
    kind: str
    record_id: str
    by: str
    payload: bytes
    salt: bytes
    signature: str | None
    erased: tuple[str, ...] | None
    parked: str | None
    code: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """One case at the last entry that speaks of it (`head`). `texts`: those entries, by `seq`.

    `names`: people by id; `actors`: person ids by actor. `pounds`: names by id.
    """

    authority: Authority
    seizure: Seizure
    rows: Sequence[RecordRow]
    loaded: Loaded
    words: Sequence[Word]
    texts: Sequence[tuple[int, str]]
    head: TreeHead
    devices: Sequence[Device]
    originals: Mapping[str, Original]
    aside: Sequence[Aside]
    reviews: Sequence[ReviewView]
    acts: Sequence[Act]
    complaints: Sequence[Complaint]
    papers: Sequence[Document]
    flags: Sequence[Flag]
    names: Mapping[str, str]
    actors: Mapping[str, str]
    pounds: Mapping[str, Pound]

    @property
    def photos(self) -> list[Photo]:
        """Return the photos, in order of receipt."""
        return [row for row in self.rows if isinstance(row, Photo)]

    @property
    def erased_at(self) -> datetime | None:
        """Return when values of the case were erased last, None if none ever were."""
        # Few of many entries: only those are read.
        told = (json.loads(text) for _, text in self.texts if _ERASED in text)
        moments = [parse_instant(one["at"]) for one in told if one["kind"] == _ERASED]
        return max(moments, default=None)

    @property
    def reference(self) -> str:
        """Return what the case is called."""
        return self.seizure.reference or self.seizure.minted_reference or self.seizure.id


def gather(
    session: Session,
    authority_id: str,
    seizure_id: str,
    *,
    keys: Keyring,
    desk: Mapping[str, str],
) -> Evidence:
    """Return everything about a case. `desk`: people by the actors of the console. Raises
    `NotFound`.
    """
    rows = [*cases.records(session, authority_id, seizure_id)]
    rows += _beside(session, authority_id, seizure_id, rows)
    seizure = next(row for row in rows if isinstance(row, Seizure))
    words = _words(session, authority_id, seizure_id, rows)
    papers = _papers(session, authority_id, seizure_id)
    originals = views.originals_of(session, authority_id, rows)
    complaints = _complaints(session, authority_id, seizure_id)
    subjects = _subjects(rows, words, papers=papers, originals=originals)
    subjects |= {f"complaint/{one.id}" for one in complaints}
    devices, texts = _told(session, authority_id, subjects, words=words, rows=rows)
    head = ledger.head_at(session, authority_id, texts[-1][0], keys)
    acts = _acts(session, authority_id, seizure_id)
    acts += [act for one in complaints for act in _acts(session, authority_id, one.id)]
    reviews = cases.reviews(session, authority_id, seizure_id)
    people = _people(rows, words, acts, reviews) | {one.person_id for one in devices}
    actors = {one.actor: one.person_id for one in acts}
    actors |= _actors(session, authority_id, texts, desk)
    return Evidence(
        authority=session.get_one(Authority, authority_id),
        seizure=seizure,
        rows=rows,
        loaded=views.around(session, authority_id, rows),
        words=words,
        texts=texts,
        head=head,
        devices=devices,
        originals=originals,
        aside=photos.aside(session, authority_id, [one.id for one in rows]),
        reviews=reviews,
        acts=acts,
        complaints=complaints,
        papers=papers,
        flags=_flags(session, authority_id, rows),
        names=cases.names(session, authority_id, sorted(people | {*actors.values()})),
        actors=actors,
        pounds=_pounds(session, authority_id),
    )


def _beside(
    session: Session, authority_id: str, seizure_id: str, rows: Sequence[RecordRow]
) -> list[RecordRow]:
    """Return police aid of the case, and photos of that aid and of its arrivals."""
    aids = session.scalars(
        select(Aid)
        .where(Aid.authority_id == authority_id, Aid.seizure_id == seizure_id, Aid.heads != "")
        .order_by(Aid.received_at, Aid.id)
    ).all()
    known = {row.id for row in rows}
    parents = [row.id for row in (*rows, *aids) if row.KIND in {"intake", "aid"}]
    found = session.scalars(
        select(Photo)
        .where(
            Photo.authority_id == authority_id,
            or_(among(session, Photo.intake_id, parents), among(session, Photo.aid_id, parents)),
            Photo.heads != "",
        )
        .order_by(Photo.received_at, Photo.id)
    )
    return [*aids, *(row for row in found if row.id not in known)]


def _words(
    session: Session, authority_id: str, seizure_id: str, rows: Sequence[RecordRow]
) -> list[Word]:
    """Return every op on the records, and those kept aside that name the case, by name."""
    parked = {
        (row.actor, row.op): row
        for row in session.scalars(select(ParkedOp).where(ParkedOp.authority_id == authority_id))
    }
    is_here = among(session, OpRow.record_id, {row.id for row in rows})
    query = _with_payload().where(
        OpRow.authority_id == authority_id,
        or_(is_here, among(session, OpRow.op, {op for _, op in parked})),
    )
    ids = {row.id for row in rows}
    told = [
        _word(row, beside, parked.get((row.actor, row.op)))
        for row, beside in session.execute(query)
    ]
    found = [one for one in told if one.record_id in ids]
    writers = {one.name.partition("/")[0] for one in found} | {row.author_actor for row in rows}
    authors = {row.author_id for row in rows}
    # Who wrote nothing in a case does not get into it by naming it.
    found += [
        one
        for one in told
        if one.record_id not in ids
        and (one.name.partition("/")[0] in writers or one.by in authors)
        and _mentions(one.payload, seizure_id)
    ]
    return sorted(found, key=lambda one: one.name)


def _mentions(payload: bytes, seizure_id: str) -> bool:
    """Say whether what nobody could read names the case, also inside of a signed envelope."""
    if seizure_id.encode() in payload:
        return True
    parts = payload.split(b".")
    if len(parts) != _JWS_PARTS:
        return False
    try:
        inner = base64.urlsafe_b64decode(parts[1] + b"=" * (-len(parts[1]) % 4))
    except ValueError:
        return False
    return seizure_id.encode() in inner


def _with_payload() -> Any:  # noqa: ANN401 - a statement of two models
    is_its = (
        (OpPayload.authority_id == OpRow.authority_id)
        & (OpPayload.actor == OpRow.actor)
        & (OpPayload.op == OpRow.op)
    )
    return select(OpRow, OpPayload).outerjoin(OpPayload, is_its)


def _word(row: OpRow, beside: OpPayload | None, parked: ParkedOp | None) -> Word:
    erased = json.loads(beside.erased) if beside is not None and beside.erased else None
    return Word(
        name=f"{row.actor}/{row.op}",
        kind=row.kind,
        record_id=row.record_id,
        by=row.by,
        payload=(beside.payload if beside is not None else row.payload) or b"",
        salt=beside.salt if beside is not None else b"",
        signature=beside.signature if beside is not None else row.signature,
        erased=None if beside is None or beside.erased is None else tuple(erased or ()),
        parked=None if parked is None else parked.resolved or parked.status,
        code="" if parked is None else parked.code,
    )


def _told(
    session: Session,
    authority_id: str,
    subjects: set[str],
    *,
    words: Collection[Word],
    rows: Iterable[RecordRow],
) -> tuple[list[Device], list[tuple[int, str]]]:
    """Return the devices that wrote in a case or carried to it, and the entries with theirs."""
    names = [one.name for one in words]
    texts = ledger.texts_about(session, authority_id, subjects, names)
    devices = _devices(session, authority_id, words, rows=rows, named=_via(texts))
    if devices:
        more = subjects | {f"device/{one.id}" for one in devices}
        texts = ledger.texts_about(session, authority_id, more, names)
    return devices, texts


def _via(texts: Iterable[tuple[int, str]]) -> set[str]:
    """Return the ids of devices that entries came by: over REST a device has a pen of its own."""
    told = (str(json.loads(text).get("via", "")) for _, text in texts if _DEVICE in text)
    return {one.removeprefix(_DEVICE) for one in told if one.startswith(_DEVICE)}


def _devices(
    session: Session,
    authority_id: str,
    words: Iterable[Word],
    *,
    rows: Iterable[RecordRow],
    named: Collection[str],
) -> list[Device]:
    actors = {one.name.partition("/")[0] for one in words}
    actors |= {row.author_actor for row in rows if row.author_actor}
    is_its = or_(among(session, Device.actor, actors), among(session, Device.id, named))
    query = (
        select(Device).where(Device.authority_id == authority_id, is_its).order_by(Device.number)
    )
    return list(session.scalars(query))


def _papers(session: Session, authority_id: str, seizure_id: str) -> list[Document]:
    query = (
        select(Document)
        .where(Document.authority_id == authority_id, Document.seizure_id == seizure_id)
        .order_by(Document.issued_at, Document.id)
    )
    return list(session.scalars(query))


def _complaints(session: Session, authority_id: str, seizure_id: str) -> list[Complaint]:
    query = (
        select(Complaint)
        .where(Complaint.authority_id == authority_id, Complaint.seizure_id == seizure_id)
        .order_by(Complaint.made_at, Complaint.id)
    )
    return list(session.scalars(query))


def _acts(session: Session, authority_id: str, subject_id: str) -> list[Act]:
    """Return the acts of a case or of a complaint, in their order."""
    query = (
        select(Act)
        .where(
            Act.authority_id == authority_id,
            Act.subject_kind.in_(("case", "complaint")),
            Act.subject_id == subject_id,
        )
        .order_by(Act.n)
    )
    return list(session.scalars(query))


def _flags(session: Session, authority_id: str, rows: Sequence[RecordRow]) -> list[Flag]:
    query = (
        select(Flag)
        .where(
            Flag.authority_id == authority_id,
            among(session, Flag.record_id, {row.id for row in rows}),
        )
        .order_by(Flag.kind, Flag.record_id, Flag.flag)
    )
    return list(session.scalars(query))


def _subjects(
    rows: Iterable[RecordRow],
    words: Iterable[Word],
    *,
    papers: Iterable[Document],
    originals: Collection[str],
) -> set[str]:
    """Return what the entries of a case are about."""
    found = {f"{row.KIND}/{row.id}" for row in rows}
    found |= {f"case/{row.id}" for row in rows if row.KIND == "seizure"}
    found |= {f"op/{one.name.partition('/')[2]}" for one in words if one.parked}
    found |= {f"document/{one.id}" for one in papers}
    return found | {f"original/{one}" for one in originals}


def _people(
    rows: Iterable[RecordRow],
    words: Iterable[Word],
    acts: Iterable[Act],
    reviews: Iterable[ReviewView],
) -> set[str]:
    found = {row.author_id for row in rows if row.author_id} | {one.by for one in words}
    return found | {one.person_id for one in acts} | {one.person_id for one in reviews}


def _actors(
    session: Session, authority_id: str, texts: Iterable[tuple[int, str]], desk: Mapping[str, str]
) -> dict[str, str]:
    """Return the people behind the actors of entries: by their devices, or as the desk has them."""
    wanted = {str(json.loads(text)["actor"]) for _, text in texts}
    known = {actor: person for actor, person in desk.items() if actor in wanted}
    found = cases.devices(session, authority_id, wanted)
    return known | {actor: device.person_id for actor, device in found.items()}


def _pounds(session: Session, authority_id: str) -> dict[str, Pound]:
    query = select(Pound).where(Pound.authority_id == authority_id)
    return {row.id: row for row in session.scalars(query)}
