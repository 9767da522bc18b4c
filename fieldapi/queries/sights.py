"""What a moving entry brings to one puller: the record as it is now, a whole case that came into
sight, or word that something left it or that its case was closed.

Called by `changes`. State decides, not history: a record is told as the puller may see it now. A
phone holds its person's own records and the open cases; lists and pages show closed ones as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.domain.access import STAFF, Principal, is_among, sees_all
from fieldapi.domain.records import merge_kind
from fieldapi.ledger import CASE_MOVED, Move
from fieldapi.models import RECORDS, Seizure
from fieldapi.queries import views
from fieldapi.queries.plain import Plain
from sync import merge
from sync.wire import JSON

PUT = "put"
_CASE, _SEIZURE = "case", "seizure"

Change = dict[str, JSON]


@dataclass(frozen=True, slots=True)
class Puller:
    """Who pulls. `earlier`: the same person with the views they had when they pulled before."""

    principal: Principal
    earlier: tuple[Principal, ...]
    epoch: str

    def is_own(self, row: views.Row) -> bool:
        """Say whether the puller created the record: it never leaves."""
        return row.author_id == self.principal.person_id

    def is_concerned(self, move: Move) -> bool:
        """Say whether a case came into sight by this move, or went out of it."""
        if move.kind != CASE_MOVED or sees_all(self.principal):
            return False
        return self.has_lost(move, _SEIZURE) or is_among(self.principal, move.gained)

    def has_lost(self, move: Move, kind: str) -> bool:
        """Say whether the puller, now or with an earlier view, saw records of a kind until here."""
        lost = move.lost if views.is_short_kind(kind) else move.lost - {STAFF}
        return any(is_among(one, lost) for one in (self.principal, *self.earlier))


class Brought(NamedTuple):
    """What a move says of one record. `what`: `put`, or how it goes: `leave` or `closed`. Of a put
    `how` much is seen, and its `rev`.
    """

    row: views.Row
    seq: int
    what: str = PUT
    how: str = views.HIDDEN
    rev: str = ""

    def change(self, loaded: views.Loaded) -> Change:
        """Return it as the protocol sends it."""
        if self.what != PUT:
            return told_of(self.row, self.seq, self.what)
        return {**put(self.row, loaded, self.how, self.rev), "seq": self.seq}


@dataclass(frozen=True, slots=True)
class Sight:
    """The records that some moves speak of. `cases`: what belongs to those that came into sight or
    left it, by seizure; `revisions`: of their records; `closed`: the seizures whose case is closed.
    """

    puller: Puller
    loaded: views.Loaded
    cases: dict[str, list[views.Key]]
    revisions: dict[str, int]
    closed: frozenset[str] = frozenset()

    def changes(self, move: Move) -> list[Change]:
        """Return what one move brings, as the protocol sends it."""
        return [one.change(self.loaded) for one in self.brought(move)]

    def brought(self, move: Move) -> list[Brought]:
        """Return what one move brings."""
        kind, _, record_id = move.subject.partition("/")
        if kind == _CASE:
            return list(self._case(move, record_id))
        row = self.loaded.rows.get((kind, record_id)) if move.is_newest else None
        if row is None:
            return []
        change = self._record(row, move) or self._leave(row, move)
        return [] if change is None else [change]

    def _case(self, move: Move, seizure_id: str) -> Iterator[Brought]:
        """Yield the records of a case as they are seen now, and those that are out of sight."""
        seizure = self.loaded.seizures.get(seizure_id)
        if seizure is None:
            return
        if self.puller.is_own(seizure) and not is_among(self.puller.principal, move.gained):
            return
        for key in self.cases.get(seizure_id, ()):
            row = self.loaded.rows.get(key)
            if row is None or self.puller.is_own(row):
                continue
            change = self._record(row, move)
            if change is not None:
                yield change
            elif self.puller.has_lost(move, row.KIND):
                yield self._farewell(row, move)

    def _record(self, row: views.Row, move: Move) -> Brought | None:
        how = self._visibility(self.puller.principal, row)
        if how == views.HIDDEN:
            return None
        seq = self.revisions.get(f"{row.KIND}/{row.id}", move.seq) if self.revisions else move.seq
        return Brought(row, move.seq, how=how, rev=f"{self.puller.epoch}.{seq}")

    def _leave(self, row: views.Row, move: Move) -> Brought | None:
        """Return that a hidden record leaves, if the puller may have seen it until now."""
        if self.puller.is_own(row):
            return None
        principal, earlier = self.puller.principal, self.puller.earlier
        was_seen = (
            any(self._visibility(one, row) != views.HIDDEN for one in earlier)
            or any(views.was_listed(one, row) for one in (principal, *earlier))
            or self.puller.has_lost(move, row.KIND)
        )
        return self._farewell(row, move) if was_seen else None

    def _farewell(self, row: views.Row, move: Move) -> Brought:
        """Return that a record goes: with its closed case, or out of sight."""
        how = views.visibility(self.puller.principal, row, self._seizure(row))
        return Brought(row, move.seq, "leave" if how == views.HIDDEN else "closed")

    def _visibility(self, principal: Principal, row: views.Row) -> str:
        """Return how much of a record a phone holds for a principal."""
        seizure = self._seizure(row)
        if seizure is not None and seizure.id in self.closed and not sees_all(principal):
            is_own = principal.person_id in {row.author_id, seizure.author_id}
            return views.visibility(principal, row, seizure) if is_own else views.HIDDEN
        return views.visibility(principal, row, seizure)

    def _seizure(self, row: views.Row) -> Seizure | Plain | None:
        return self.loaded.seizures.get(views.seizure_of(row) or "")


def look(session: Session, puller: Puller, moves: Iterable[Move]) -> Sight:
    """Load what the moves speak of: a fixed number of statements, however many moves."""
    authority_id = puller.principal.authority_id
    keys: list[views.Key] = []
    moved: set[str] = set()
    for move in moves:
        kind, _, record_id = move.subject.partition("/")
        if kind in RECORDS and move.is_newest:
            keys.append((kind, record_id))
        elif kind == _CASE and puller.is_concerned(move):
            moved.add(record_id)
    cases = views.members(session, authority_id, moved)
    within = [key for members in cases.values() for key in members]
    loaded = views.load_plain(session, authority_id, {*keys, *within})
    revisions = ledger.revisions(session, authority_id, ["/".join(key) for key in within])
    # To whoever sees all a closed case is one like any other.
    asked = () if sees_all(puller.principal) else loaded.seizures
    closed = views.closed_among(session, authority_id, asked)
    return Sight(puller, loaded, cases, revisions, closed)


def put(row: views.Row, loaded: views.Loaded, how: str, rev: str) -> Change:
    """Return the change that brings a record, as it is now, to a puller."""
    record = views.record_of(row, loaded, how)
    change: Change = {
        **told_of(row, int(rev.partition(".")[2]), PUT),
        "rev": rev,
        "record": record,
        "stamps": {},
        "reviews": [],
    }
    if how == views.SHORT:
        return change
    view = merge.view(merge_kind(row.KIND), merge.State.loads(row.heads), author=row.author_id)
    struck: dict[str, JSON] = {name: [*listed] for name, listed in view.struck.items()}
    record["struck"] = struck
    change["stamps"] = {name: [*marks] for name, marks in view.stamps.items()}
    change["reviews"] = [one.as_json(row.authority_id, row.KIND, row.id) for one in view.reviews]
    return change


def told_of(row: views.Row, seq: int, what: str) -> Change:
    """Return what every change says of its record."""
    return {
        "authority": row.authority_id,
        "seq": seq,
        "what": what,
        "kind": row.KIND,
        "id": row.id,
    }
