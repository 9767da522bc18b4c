"""Whether every photo is still there and still itself: rows are held against the store, and the
bytes against their hash.

Called by the command line, by hand or daily with a share. Short reads, so that it may run for
hours beside a server; stopped, it goes on where it was. What it finds damaged is asked for again
(`damage`). Must never keep a whole photo in memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import InstrumentedAttribute

from fieldapi import ledger
from fieldapi.clock import system_clock
from fieldapi.house import House
from fieldapi.models import AsideBytes, Original
from fieldapi.models.bulk import among
from fieldapi.queries.authorities import all_authorities
from fieldapi.services.photos import adoption, checkpoints, damage
from fieldapi.services.photos.adoption import Owed
from fieldapi.services.photos.checkpoints import Checkpoint
from fieldapi.storage import ObjectMissing, Stat
from fieldapi.storage.keys import aside_key, hash_of, original_key, preview_key, thumbnail_key
from fieldapi.storage.verify import sha256_of
from fieldapi.unit import Database
from sync.wire import JSON

MOST_NAMED = 100
_PAGE = 500
# Bytes are stored before their row is: younger ones may be on their way.
FRESH = timedelta(hours=1)
_LAST = "~"  # after every hash
_SAVED_EVERY_S = 5.0

Progress = Callable[[int, int], None]  # done, of


@dataclass(slots=True)
class Named:
    """Keys of one fault: the first ones, and how many there are."""

    keys: list[str] = field(default_factory=list)
    count: int = 0

    @classmethod
    def of(cls, kept: Mapping[str, JSON]) -> Named:
        """Read back what `asdict` made of one."""
        keys, count = kept.get("keys"), kept.get("count")
        listed = [str(key) for key in keys] if isinstance(keys, list) else []
        return cls(listed, count if isinstance(count, int) else len(listed))

    def add(self, key: str) -> None:
        """Note one more."""
        self.count += 1
        if len(self.keys) < MOST_NAMED:
            self.keys.append(key)


@dataclass(slots=True)
class PhotoAudit:
    """What an audit found. `known`: originals that rows name; `aside`: other bytes that were sent
    for them and are kept beside them; `hashed`: objects of both read whole.

    `missing`: named by a row, not in the store; `damaged`: other bytes than their hash says;
    `unlisted`: stored, says the ledger, and named by no row. `adopted`: in the store, announced by
    a photo, named by no row until now (a restore to an older point leaves such). `orphaned`: named
    by nobody (a crash leaves them, the next sending adopts them); `undrawn`: the small pictures of
    an original are gone. These three are no loss of evidence.
    """

    known: int = 0
    aside: int = 0
    hashed: int = 0
    missing: Named = field(default_factory=Named)
    damaged: Named = field(default_factory=Named)
    unlisted: Named = field(default_factory=Named)
    adopted: Named = field(default_factory=Named)
    orphaned: Named = field(default_factory=Named)
    undrawn: Named = field(default_factory=Named)

    @classmethod
    def of(cls, kept: Mapping[str, JSON]) -> PhotoAudit:
        """Read back what `asdict` made of one."""
        found = cls()
        for name, value in kept.items():
            setattr(found, name, Named.of(value) if isinstance(value, dict) else value)
        return found

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

    @property
    def name(self) -> str:
        """Return what an audit of the same part is known again by."""
        return f"{self.day % self.of}/{self.of}"

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
    is_anew: bool = False,
) -> PhotoAudit:
    """Hold every row against what the store lists, and the bytes of a share against their hash.

    Goes on where an audit of the same share was stopped, unless `is_anew`. Raises
    `StorageUnavailable`, `StorageDenied`.
    """
    walk = _Walk.started(house, share, is_anew=is_anew)
    total = _count(house.database)
    rows = _rows(house.database, Original.sha256, Original.size, after=walk.after)
    for pair in _paired(rows, _objects(house, walk.after)):
        walk.look(pair)
        progress(walk.found.known, max(total, walk.found.known))
    for sha256, size in _rows(house.database, AsideBytes.sha256, AsideBytes.size):
        walk.look_aside(sha256, size)
    _check_ledgers(house.database, walk.found)
    checkpoints.clear(house.settings.data)
    return walk.found


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


@dataclass(slots=True)
class _Walk:
    """One audit under way. `damaged`: known to be before it; `owed`: announced, without bytes;
    `saved_at`: by a steady clock.
    """

    house: House
    share: Share
    found: PhotoAudit
    after: str
    damaged: set[str]
    owed: Owed
    saved_at: float

    @classmethod
    def started(cls, house: House, share: Share, *, is_anew: bool) -> _Walk:
        folder = house.settings.data
        if is_anew:
            checkpoints.clear(folder)
        kept = checkpoints.load(folder, share.name)
        found = PhotoAudit.of(kept.found) if kept else PhotoAudit()
        after = kept.after if kept else ""
        damaged, owed = damage.known(house), adoption.owed(house)
        return cls(house, share, found, after, damaged, owed, time.monotonic())

    def look(self, pair: _Pair) -> None:
        """Look at one original, or at an object that no row names."""
        key, found = original_key(pair.sha256), self.found
        if pair.size is None:
            self._unnamed(pair)
            return
        found.known += 1
        is_listed = pair.stat is not None and pair.stat.size == pair.size
        fault = None if is_listed else self._fault(key, pair.size)
        is_due = self.share.has(pair.sha256) or pair.sha256 in self.damaged
        if fault is None and is_due:
            fault = self._read(key)
        self._note(pair.sha256, fault)
        if is_due and _is_undrawn(self.house, pair.sha256):
            found.undrawn.add(key)
        self._save(pair.sha256)

    def _unnamed(self, pair: _Pair) -> None:
        """Look at an object that no row names."""
        if pair.stat is None or not _is_orphan(self.house.database, pair.stat):
            return
        is_adopted = adoption.adopt(self.house, pair.sha256, self.owed.get(pair.sha256, ()))
        (self.found.adopted if is_adopted else self.found.orphaned).add(original_key(pair.sha256))

    def look_aside(self, sha256: str, size: int) -> None:
        """Look at bytes that were set aside: they are evidence of a kind, too."""
        key = aside_key(sha256)
        self.found.aside += 1
        if self._fault(key, size) is None and self.share.has(sha256):
            self._read(key)

    def _note(self, sha256: str, fault: Named | None) -> None:
        """Write down what has changed since it was looked at before."""
        was_damaged = sha256 in self.damaged
        if fault is not None and not was_damaged:
            is_missing = fault is self.found.missing
            damage.note_damaged(self.house, sha256, is_missing=is_missing)
        elif fault is None and was_damaged:
            damage.note_sound(self.house, sha256)

    def _fault(self, key: str, size: int) -> Named | None:
        """Look for one object anew: a listing may be older than the row."""
        stat = self.house.storage.stat(key)
        if stat is not None and stat.size == size:
            return None
        fault = self.found.missing if stat is None else self.found.damaged
        fault.add(key)
        return fault

    def _read(self, key: str) -> Named | None:
        try:
            is_itself = sha256_of(self.house.storage, key) == hash_of(key)
        except ObjectMissing:
            self.found.missing.add(key)
            return self.found.missing
        self.found.hashed += 1
        if is_itself:
            return None
        self.found.damaged.add(key)
        return self.found.damaged

    def _save(self, sha256: str) -> None:
        if time.monotonic() - self.saved_at < _SAVED_EVERY_S:
            return
        self.saved_at = time.monotonic()
        checkpoint = Checkpoint(self.share.name, sha256, asdict(self.found))
        checkpoints.save(self.house.settings.data, checkpoint)


def _objects(house: House, after: str) -> Iterator[Stat]:
    """Yield the originals in the store after a hash, in the order of their hashes."""
    if not after:
        yield from house.storage.list("originals/")
        return
    for shard in range(int(after[:2], 16), 256):
        for stat in house.storage.list(f"originals/{shard:02x}/"):
            if hash_of(stat.key) > after:
                yield stat


def _is_orphan(database: Database, stat: Stat) -> bool:
    if stat.modified_at > system_clock() - FRESH:
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
    database: Database,
    sha256: InstrumentedAttribute[str],
    size: InstrumentedAttribute[int],
    *,
    after: str = "",
) -> Iterator[tuple[str, int]]:
    """Yield each hash once, in order, with its size; every page is a read of its own."""
    last = after
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
            page = ledger.page_of_kind(session, authority_id, "photo.stored", after=after)
            stored = {str(entry["sha256"]) for entry in page}
            query = select(Original.sha256).where(
                Original.authority_id == authority_id, among(session, Original.sha256, stored)
            )
            named = set(session.scalars(query))
        if not page:
            return
        yield from sorted(stored - named)
        after = page[-1]["seq"]
