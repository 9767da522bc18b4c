"""Seizure reports as people read them: the list with its filters, one report whole, its history.

Shared by API, console and CLI. The number of statements does not grow with the number of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, false, func, literal_column, or_, select
from sqlalchemy.orm import Session, aliased

from fieldapi import ledger
from fieldapi.clock import format_instant, parse_instant
from fieldapi.domain.access import Principal, may_see_in_short, sees_all
from fieldapi.domain.records import merge_kind
from fieldapi.domain.urgency import DUE_FROM
from fieldapi.keyring import Keyring
from fieldapi.models import (
    RECORDS,
    Animal,
    Assignment,
    CaseFile,
    Flag,
    Photo,
    RecordRow,
    Seizure,
    Urgency,
)
from fieldapi.models.bulk import among
from fieldapi.problems import BadRequest, NotFound
from fieldapi.queries import cursors, views
from sync import merge
from sync.wire import JSON

MAX_LAT, MAX_LON = 90, 180
SORTS: Mapping[str, Any] = {
    "received_at": Seizure.received_at,
    "seized_at": Seizure.seized_at,
    "due_at": Urgency.due_at,
}

DUE = "due_at"

Document = dict[str, JSON]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the map, in WGS84 degrees."""

    south: float
    west: float
    north: float
    east: float

    @property
    def is_on_the_globe(self) -> bool:
        """Say whether its sides are degrees, the smaller ones first."""
        return (
            -MAX_LAT <= self.south <= self.north <= MAX_LAT
            and -MAX_LON <= self.west <= self.east <= MAX_LON
        )


@dataclass(frozen=True, slots=True)
class Filters:
    """What a list is narrowed to. `sort`: a key of `SORTS`, with `-` for newest first.

    `pound`: where the cattle were sent or are. `due_before`: the next deadline ends until then.
    `has_conflict`: a field has two values that nobody decided on. `reviewer`: whose it is.
    """

    state: str | None = None
    kind: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    flag: str | None = None
    box: Box | None = None
    text: str | None = None
    pound: str | None = None
    due_before: datetime | None = None
    has_conflict: bool = False
    reviewer: str | None = None
    sort: str = "-received_at"


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list. `next`: the cursor of the following one, None at the end."""

    items: list[Document]
    next: str | None
    total: int | None = None


@dataclass(slots=True)
class Case:
    """A report with what hangs on it, as loaded for one reader."""

    seizure: Seizure
    how: str
    animals: list[RecordRow] = field(default_factory=list)
    photos: list[RecordRow] = field(default_factory=list)
    intakes: list[RecordRow] = field(default_factory=list)


def search(  # noqa: PLR0913 - a reader, what they ask for, and where they are
    session: Session,
    keys: Keyring,
    principal: Principal,
    filters: Filters,
    *,
    limit: int = 50,
    after: str | None = None,
) -> Page:
    """Return the reports that a reader sees, in the order of `filters.sort`."""
    column, is_descending = order(filters.sort)
    query = narrowed(principal, filters)
    if after is not None:
        query = query.where(_beyond(keys, principal, filters, after))
    ends = (column.desc(), Seizure.id.desc()) if is_descending else (column, Seizure.id)
    rows = session.scalars(query.order_by(*ends).limit(limit + 1)).all()
    shown = rows[:limit]
    items = [_document(case, loaded) for case, loaded in _cases(session, principal, shown)]
    more = len(rows) > limit
    following = _cursor(session, keys, principal, filters, last=shown[-1]) if more else None
    return Page(items, following)


def count(session: Session, principal: Principal, filters: Filters) -> int:
    """Return how many reports the filters leave."""
    unsorted = replace(filters, sort="received_at")
    counted = narrowed(principal, unsorted).with_only_columns(func.count())
    return session.scalar(counted) or 0


def on_map(
    session: Session, principal: Principal, filters: Filters, *, limit: int
) -> list[Seizure]:
    """Return the reports that the filters leave and that name a place, the newest first."""
    query = narrowed(principal, replace(filters, sort="-received_at"))
    query = query.where(Seizure.lat.is_not(None), Seizure.lon.is_not(None))
    return list(session.scalars(query.order_by(Seizure.received_at.desc()).limit(limit)))


def one(session: Session, principal: Principal, seizure_id: str) -> Document:
    """Return one report whole, or in short where that is all the reader sees. Raises `NotFound`."""
    row = session.get(Seizure, (principal.authority_id, seizure_id))
    if row is None or not row.heads:
        raise NotFound
    found = _cases(session, principal, [row])
    if not found:
        raise NotFound
    return _document(*found[0], rev=revision(session, principal.authority_id, seizure_id))


def first(
    session: Session,
    principal: Principal,
    rows: Sequence[RecordRow],
    flags: Mapping[views.Key, Sequence[str]],
) -> Document | None:
    """Return a report as its first answer tells it, without `rev`; None if the reader may not.

    `rows`: the seizure and what came with it, not yet committed, nothing else hanging on it. Says
    what `one` would say, without reading back what was only just written.
    """
    loaded = views.Loaded({(row.KIND, row.id): row for row in rows})
    loaded.flags = {key: [*raised] for key, raised in flags.items()}
    loaded.originals = views.originals_of(session, principal.authority_id, rows)
    seizure = next(row for row in rows if isinstance(row, Seizure))
    case = Case(seizure, views.visibility(principal, seizure, seizure))
    for row in sorted(rows, key=lambda row: row.id):
        _hang({seizure.id: case}, row.KIND, row)
    return None if case.how == views.HIDDEN else _document(case, loaded)


def references(session: Session, authority_id: str, seizure_ids: Iterable[str]) -> dict[str, str]:
    """Return by which reference people know reports, by id; one that has not come is left out."""
    query = select(Seizure.id, Seizure.reference, Seizure.minted_reference).where(
        Seizure.authority_id == authority_id,
        Seizure.heads != "",
        among(session, Seizure.id, {*seizure_ids}),
    )
    return {id: own or minted or id for id, own, minted in session.execute(query)}


def revision(session: Session, authority_id: str, seizure_id: str) -> str:
    """Return the revision of a report, as its ETag carries it."""
    subject = f"seizure/{seizure_id}"
    epoch = ledger.head(session, authority_id).epoch
    return f"{epoch}.{ledger.revisions(session, authority_id, [subject]).get(subject, 0)}"


def history(session: Session, principal: Principal, seizure_id: str) -> list[Document]:
    """Return every ledger entry about a report, its animals, photos and intakes, oldest first.

    Raises `NotFound` for a report that the reader does not see whole.
    """
    row = session.get(Seizure, (principal.authority_id, seizure_id))
    found = _cases(session, principal, [row] if row is not None and row.heads else [])
    if not found or found[0][0].how != views.WHOLE:
        raise NotFound
    case = found[0][0]
    rows = [case.seizure, *case.animals, *case.photos, *case.intakes]
    subjects = [f"{one.KIND}/{one.id}" for one in rows]
    return [
        {name: value for name, value in entry.items() if name != "authority"}  # type: ignore[misc]
        for entry in ledger.entries_about(session, principal.authority_id, subjects)
    ]


def narrowed(principal: Principal, filters: Filters) -> Select[Seizure]:
    """Return the reports that the filters leave of those a reader sees, in no order."""
    wanted: list[ColumnElement[bool]] = [
        Seizure.authority_id == principal.authority_id,
        # Written out, so that the index over what is listed is known to serve.
        Seizure.heads != literal_column("''"),
        _visible(principal),
    ]
    if filters.state:
        wanted.append(Seizure.state == filters.state)
    if filters.since:
        wanted.append(Seizure.seized_at >= filters.since)
    if filters.until:
        wanted.append(Seizure.seized_at <= filters.until)
    if filters.kind:
        wanted.append(_has_animals(filters.kind))
    if filters.flag:
        wanted.append(_flagged(filters.flag))
    if filters.box:
        wanted += _within(filters.box)
    if filters.text:
        wanted.append(_mentions(principal, filters.text))
    wanted += _of_the_case(filters)
    return _ranked(select(Seizure).where(*wanted), filters)


def _of_the_case(filters: Filters) -> list[ColumnElement[bool]]:
    wanted: list[ColumnElement[bool]] = []
    if filters.pound:
        kept = select(CaseFile.id).where(
            CaseFile.authority_id == Seizure.authority_id,
            CaseFile.id == Seizure.id,
            CaseFile.pound_id == filters.pound,
        )
        wanted.append(or_(Seizure.pound_id == filters.pound, kept.exists()))
    if filters.due_before:
        # Another name than that of the order: the list may be in it already.
        place = aliased(Urgency)
        due = select(place.seizure_id).where(
            place.authority_id == Seizure.authority_id,
            place.seizure_id == Seizure.id,
            place.due_at.between(DUE_FROM, filters.due_before),
        )
        wanted.append(due.exists())
    if filters.reviewer:
        given = select(Assignment.seizure_id).where(
            Assignment.authority_id == Seizure.authority_id,
            Assignment.seizure_id == Seizure.id,
            Assignment.person_id == filters.reviewer,
        )
        wanted.append(given.exists())
    if filters.has_conflict:
        lots = select(Animal.id).where(
            Animal.authority_id == Seizure.authority_id,
            Animal.seizure_id == Seizure.id,
            Animal.has_open_review.is_(True),
        )
        wanted.append(or_(Seizure.has_open_review.is_(True), lots.exists()))
    return wanted


def _ranked(query: Select[Seizure], filters: Filters) -> Select[Seizure]:
    """Put each report beside its place in the list, where the list is in that order."""
    if filters.sort.removeprefix("-") != DUE:
        return query
    return query.join(
        Urgency,
        and_(Urgency.authority_id == Seizure.authority_id, Urgency.seizure_id == Seizure.id),
    )


def _visible(principal: Principal) -> ColumnElement[bool]:
    """Return the SQL twin of `views.visibility` for seizures: what is not hidden."""
    if sees_all(principal):
        return Seizure.id.is_not(None)
    seen: list[ColumnElement[bool]] = []
    if principal.is_confirmed and principal.roles:
        seen.append(Seizure.author_id == principal.person_id)
    if may_see_in_short(principal):
        seen.append(and_(Seizure.is_withdrawn.is_(False), Seizure.author_id.is_not(None)))
    if principal.is_confirmed and principal.has("pound_keeper"):
        seen.append(_is_kept(principal))
    return or_(false(), *seen)


def _is_kept(principal: Principal) -> ColumnElement[bool]:
    if principal.pounds is None:
        return Seizure.pound_id.is_not(None)
    return Seizure.pound_id.in_(sorted(principal.pounds))


def _has_animals(
    kind: str,
) -> ColumnElement[bool]:
    return (
        select(Animal.id)
        .where(
            Animal.authority_id == Seizure.authority_id,
            Animal.seizure_id == Seizure.id,
            Animal.is_withdrawn.is_(False),
            Animal.kind == kind,
        )
        .exists()
    )


def _flagged(flag: str) -> ColumnElement[bool]:
    own = select(Flag.flag).where(
        Flag.authority_id == Seizure.authority_id,
        Flag.kind == "seizure",
        Flag.record_id == Seizure.id,
        Flag.flag == flag,
    )
    children = (
        select(Flag.flag)
        .join(Photo, (Photo.authority_id == Flag.authority_id) & (Photo.id == Flag.record_id))
        .where(Photo.seizure_id == Seizure.id, Flag.authority_id == Seizure.authority_id)
    )
    animals = (
        select(Flag.flag)
        .join(Animal, (Animal.authority_id == Flag.authority_id) & (Animal.id == Flag.record_id))
        .where(Animal.seizure_id == Seizure.id, Flag.authority_id == Seizure.authority_id)
    )
    return or_(
        own.exists(),
        children.where(Flag.kind == "photo", Flag.flag == flag).exists(),
        animals.where(Flag.kind == "animal", Flag.flag == flag).exists(),
    )


def _within(box: Box) -> list[ColumnElement[bool]]:
    return [
        Seizure.lat.between(box.south, box.north),
        Seizure.lon.between(box.west, box.east),
    ]


def _mentions(principal: Principal, text: str) -> ColumnElement[bool]:
    """Look in the reference; in the other fields only for readers who see them all."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    pattern = f"%{escaped}%"
    places = [
        Seizure.reference.ilike(pattern, escape="\\"),
        Seizure.minted_reference.ilike(pattern, escape="\\"),
    ]
    if sees_all(principal):
        places.append(Seizure.shown.ilike(pattern, escape="\\"))
    return or_(*places)


def order(sort: str) -> tuple[Any, bool]:
    """Return the column of an order, and whether it falls. Raises `BadRequest`."""
    name = sort.removeprefix("-")
    if name not in SORTS:
        raise BadRequest(f"sort is one of {', '.join(SORTS)}, with - for newest first.")
    if name != "seized_at":
        return SORTS[name], sort.startswith("-")
    # A report without a time of its own comes at the old end, not outside of the order.
    column = func.coalesce(SORTS[name], Seizure.received_at)
    return column, sort.startswith("-")


def _holder(principal: Principal, filters: Filters) -> str:
    return f"{principal.authority_id}/{principal.person_id}/{filters}"


def _cursor(
    session: Session, keys: Keyring, principal: Principal, filters: Filters, *, last: Seizure
) -> str:
    name = filters.sort.removeprefix("-")
    row = session.get_one(Urgency, (last.authority_id, last.id)) if name == DUE else last
    at = getattr(row, name) or last.received_at
    position = {"at": format_instant(at), "id": last.id}
    return cursors.seal(keys, _holder(principal, filters), position)


def _beyond(
    keys: Keyring, principal: Principal, filters: Filters, after: str
) -> ColumnElement[bool]:
    position = cursors.unseal(keys, _holder(principal, filters), after)
    column, is_descending = order(filters.sort)
    at, last = parse_instant(str(position["at"])), str(position["id"])
    if is_descending:
        return or_(column < at, and_(column == at, Seizure.id < last))
    return or_(column > at, and_(column == at, Seizure.id > last))


def _cases(
    session: Session, principal: Principal, seizures: Sequence[Seizure]
) -> list[tuple[Case, views.Loaded]]:
    """Return the cases a reader sees, with everything about them loaded at once."""
    if not seizures:
        return []
    ids = [row.id for row in seizures]
    rows: list[RecordRow] = [*seizures]
    for kind in ("animal", "photo", "intake"):
        rows += _children(session, principal.authority_id, kind, ids)
    loaded = views.around(session, principal.authority_id, rows)
    cases = {row.id: Case(row, views.visibility(principal, row, row)) for row in seizures}
    for row in rows:
        _hang(cases, row.KIND, row)
    return [(case, loaded) for case in cases.values() if case.how != views.HIDDEN]


def _children(
    session: Session, authority_id: str, kind: str, ids: Sequence[str]
) -> Iterable[RecordRow]:
    model: Any = RECORDS[kind]
    mine = among(session, model.seizure_id, ids)
    return session.scalars(
        select(model)
        .where(model.authority_id == authority_id, mine, model.heads != "")
        .order_by(model.received_at, model.id)
    )


def _hang(cases: dict[str, Case], kind: str, row: RecordRow) -> None:
    case = cases.get(views.seizure_of(row) or "")
    if case is None or kind == "seizure":
        return
    {"animal": case.animals, "photo": case.photos, "intake": case.intakes}[kind].append(row)


def _document(case: Case, loaded: views.Loaded, *, rev: str | None = None) -> Document:
    """Return a report as the API answers it: fields nested, children beside, counts of photos."""
    seizure = case.seizure
    fields = {"id": seizure.id, **views.nest(views.record_of(seizure, loaded, case.how))}
    fields["animals"] = [_child(row, loaded, case.how) for row in case.animals]
    if case.how == views.SHORT:
        return fields
    fields["photos"] = [_child(row, loaded, case.how) for row in case.photos]
    fields["intakes"] = [_child(row, loaded, case.how) for row in case.intakes]
    fields["by"] = seizure.author_id
    fields["is_incomplete"] = seizure.is_incomplete
    fields["photos_announced"] = len(case.photos)
    fields["photos_stored"] = sum(views.has_bytes(row, loaded) for row in case.photos)
    fields["reviews"] = [review for row in (seizure, *case.animals) for review in open_reviews(row)]
    if rev is not None:
        fields["rev"] = rev
    return fields


def _child(row: RecordRow, loaded: views.Loaded, how: str) -> Document:
    shown = views.record_of(row, loaded, how)
    return {"id": row.id, **views.nest({k: v for k, v in shown.items() if k != "seizure_id"})}


def open_reviews(row: RecordRow) -> list[JSON]:
    """Return the open conflicts of a record, each with all its values."""
    if not row.has_open_review:
        return []
    state = merge.State.loads(row.heads)
    view = merge.view(merge_kind(row.KIND), state, author=row.author_id)
    return [one.as_json(row.authority_id, row.KIND, row.id) for one in view.open_reviews]
