"""Whether every photo is still there and still itself: rows are held against the store, and the
bytes against their hash.

Called by the command line, by hand or daily with a share. Short reads, so that it may run for
hours beside a server; must never keep a whole photo in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import InstrumentedAttribute

from fieldapi import ledger
from fieldapi.clock import system_clock
from fieldapi.house import House
from fieldapi.models import AsideBytes, Original
from fieldapi.models.bulk import among
from fieldapi.queries.authorities import all_authorities
from fieldapi.storage import ObjectMissing, Stat
from fieldapi.storage.keys import aside_key, hash_of, original_key, preview_key, thumbnail_key
from fieldapi.storage.verify import sha256_of
from fieldapi.unit import Database

MOST_NAMED = 100
_PAGE = 500
# Bytes are stored before their row is: younger ones may be on their way.
_FRESH = timedelta(hours=1)
_LAST = "~"  # after every hash

Progress = Callable[[int, int], None]  # done, of


@dataclass(slots=True)
class Named:
    """Keys of one fault: the first ones, and how many there are."""

    keys: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, key: str) -> None:
        """Note one more."""
        self.count += 1
        if len(self.keys) < MOST_NAMED:
            self.keys.append(key)


@dataclass(slots=True)
class PhotoAudit:
    """What an audit found. `known`: originals that rows name; `hashed`: objects read whole.

    `missing`: named by a row, not in the store; `damaged`: other bytes than their hash says;
    `unlisted`: stored, says the ledger, and named by no row. `orphaned`: in the store, named by
    nobody (a crash leaves them, the next sending adopts them); `undrawn`: the small pictures of an
    original are gone. These two are no loss of evidence.
    """

    known: int = 0
    hashed: int = 0
    missing: Named = field(default_factory=Named)
    damaged: Named = field(default_factory=Named)
    unlisted: Named = field(default_factory=Named)
    orphaned: Named = field(default_factory=Named)
    undrawn: Named = field(default_factory=Named)

    @property
    def is_sound(self) -> bool:
        """Say whether no evidence is missing or damaged."""
        return not any(one.count for one in (self.missing, self.damaged, self.unlisted))


@dataclass(frozen=True, slots=True)
class Share:
    """The part of all photos that one run reads: 1 of `of`, another one every `day`, so that
    `of` days in a row read them all.
    """

    of: int = 1
    day: int = 0

    def has(self, sha256: str) -> bool:
        """Say whether a photo belongs to it."""
        return int(sha256[:8], 16) % self.of == self.day % self.of


def share_of_today(of: int) -> Share:
    """Return today's share of 1 in `of`."""
    return Share(of, system_clock().toordinal())


def audit(
    house: House,
    share: Share,
    *,
    progress: Progress = lambda _done, _of: None,
) -> PhotoAudit:
    """Hold every row against what the store lists, and the bytes of a share against their hash.

    Raises `StorageUnavailable`, `StorageDenied`.
    """
    found = PhotoAudit()
    total = _count(house.database)
    rows = _rows(house.database, Original.sha256, Original.size)
    for pair in _paired(rows, house.storage.list("originals/")):
        _check_original(house, pair, share, found=found)
        progress(found.known, max(total, found.known))
    for sha256, size in _rows(house.database, AsideBytes.sha256, AsideBytes.size):
        if _is_there(house, aside_key(sha256), size, found):
            _read(house, aside_key(sha256), found, is_due=share.has(sha256))
    _check_ledgers(house.database, found)
    return found


@dataclass(frozen=True, slots=True)
class _Pair:
    """A hash with what names it: the size by its row, its object; None where there is none."""

    sha256: str
    size: int | None
    stat: Stat | None


def _paired(rows: Iterator[tuple[str, int]], objects: Iterator[Stat]) -> Iterator[_Pair]:
    """Yield rows and objects side by side; both come in the order of their hashes."""
    row, stat = next(rows, None), next(objects, None)
    while row is not None or stat is not None:
        named = _LAST if row is None else row[0]
        there = _LAST if stat is None else hash_of(stat.key)
        first = min(named, there)
        size = row[1] if row is not None and named == first else None
        yield _Pair(first, size, stat if there == first else None)
        if named == first:
            row = next(rows, None)
        if there == first:
            stat = next(objects, None)


def _check_original(house: House, pair: _Pair, share: Share, *, found: PhotoAudit) -> None:
    key = original_key(pair.sha256)
    if pair.size is None:
        if pair.stat is not None and _is_orphan(house.database, pair.stat):
            found.orphaned.add(key)
        return
    found.known += 1
    is_listed = pair.stat is not None and pair.stat.size == pair.size
    if is_listed or _is_there(house, key, pair.size, found):
        _read(house, key, found, is_due=share.has(pair.sha256))
    if share.has(pair.sha256) and _is_undrawn(house, pair.sha256):
        found.undrawn.add(key)


def _is_there(house: House, key: str, size: int, found: PhotoAudit) -> bool:
    """Look for one object anew: a listing may be older than the row."""
    stat = house.storage.stat(key)
    if stat is None:
        found.missing.add(key)
    elif stat.size != size:
        found.damaged.add(key)
    return stat is not None and stat.size == size


def _read(house: House, key: str, found: PhotoAudit, *, is_due: bool) -> None:
    if not is_due:
        return
    try:
        is_itself = sha256_of(house.storage, key) == hash_of(key)
    except ObjectMissing:
        found.missing.add(key)
        return
    found.hashed += 1
    if not is_itself:
        found.damaged.add(key)


def _is_orphan(database: Database, stat: Stat) -> bool:
    if stat.modified_at > system_clock() - _FRESH:
        return False
    with database.read() as session:
        query = select(Original.sha256).where(Original.sha256 == hash_of(stat.key))
        return session.scalars(query.limit(1)).first() is None


def _is_undrawn(house: House, sha256: str) -> bool:
    with house.database.read() as session:
        query = select(Original.sha256).where(
            Original.sha256 == sha256, Original.has_derivatives.is_(True)
        )
        if session.scalars(query.limit(1)).first() is None:
            return False
    keys = (preview_key(sha256), thumbnail_key(sha256))
    return any(house.storage.stat(key) is None for key in keys)


def _rows(
    database: Database, sha256: InstrumentedAttribute[str], size: InstrumentedAttribute[int]
) -> Iterator[tuple[str, int]]:
    """Yield each hash once, in order, with its size; every page is a read of its own."""
    last = ""
    while True:
        query = select(sha256, func.max(size)).where(sha256 > last).group_by(sha256)
        with database.read() as session:
            page = session.execute(query.order_by(sha256).limit(_PAGE)).all()
        if not page:
            return
        for row in page:
            yield row[0], row[1]
        last = page[-1][0]


def _count(database: Database) -> int:
    with database.read() as session:
        return session.scalar(select(func.count(Original.sha256.distinct()))) or 0


def _check_ledgers(database: Database, found: PhotoAudit) -> None:
    """Look for photos that a ledger says were stored and no row names."""
    with database.read() as session:
        authorities = [one.id for one in all_authorities(session)]
    for authority_id in authorities:
        for sha256 in _unlisted(database, authority_id):
            found.unlisted.add(original_key(sha256))


def _unlisted(database: Database, authority_id: str) -> Iterator[str]:
    after = 0
    while True:
        with database.read() as session:
            page = ledger.entries_of_kind(session, authority_id, "photo.stored", after=after)
            stored = {str(entry["sha256"]) for entry in page}
            query = select(Original.sha256).where(
                Original.authority_id == authority_id, among(session, Original.sha256, stored)
            )
            named = set(session.scalars(query))
        if not page:
            return
        yield from sorted(stored - named)
        after = page[-1]["seq"]
