"""Work that follows the feed of an authority: what moved since the last look, some hundred at once.

Used by jobs that hold one record against others, which a push has no time for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.models import Animal, Intake, LedgerHead, Original, Photo, Scan, Seizure
from fieldapi.models.bulk import among
from fieldapi.unit import Unit

_AT_ONCE = 500
# A doubt changes nothing that was reported: scans raise doubts, and do not follow their own. Nor
# do bytes: what they must be was reported before them.
_NO_REPORTS = ("flag.dropped", "flag.raised", "photo.stored")


def behind(name: str) -> Callable[[Session], list[str]]:
    """Return the query for the authorities whose ledger went on since the scan `name` looked."""

    def authorities(session: Session) -> list[str]:
        query = (
            select(LedgerHead.authority_id)
            .outerjoin(Scan, (Scan.authority_id == LedgerHead.authority_id) & (Scan.name == name))
            .where(or_(Scan.seq.is_(None), Scan.seq < LedgerHead.size))
        )
        return list(session.scalars(query))

    return authorities


def newest_bytes(session: Session) -> object:
    """Return what changes while photos come in: work that may wait lets a burst of them pass."""
    return session.scalar(
        select(func.max(Original.stored_at)).where(Original.analysed_at.is_(None))
    )


@contextmanager
def moved_reports(unit: Unit, authority_id: str, name: str) -> Iterator[set[str]]:
    """Give the reports that moved since the last look, themselves or by what hangs on them; the
    scan has seen them once the block ends.
    """
    head = ledger.head(unit.session, authority_id)
    scan = _scan(unit.session, authority_id, name)
    moves = ledger.moved_subjects(
        unit.session,
        authority_id,
        scan.seq,
        limit=_AT_ONCE,
        until=head.size,
        but_for=_NO_REPORTS,
    )
    yield _reports_of(unit.session, authority_id, {subject for _, subject in moves})
    scan.seq = head.size if len(moves) < _AT_ONCE else moves[-1][0]


def _scan(session: Session, authority_id: str, name: str) -> Scan:
    """Return how far the feed was read, its row locked."""
    found = session.get(Scan, (authority_id, name), with_for_update=True)
    if found is None:
        found = Scan(authority_id=authority_id, name=name, seq=0)
        session.add(found)
    return found


def _reports_of(session: Session, authority_id: str, subjects: Collection[str]) -> set[str]:
    """Return the reports that subjects of the ledger are, or hang on."""
    named: dict[str, set[str]] = {}
    for kind, _, record_id in (one.partition("/") for one in subjects):
        named.setdefault(kind, set()).add(record_id)
    found = set(named.get(Seizure.KIND, ()))
    for model in (Animal, Photo, Intake):
        if model.KIND not in named:
            continue
        query = select(model.seizure_id).where(
            model.authority_id == authority_id, among(session, model.id, named[model.KIND])
        )
        found |= {one for one in session.scalars(query) if one is not None}
    return found
