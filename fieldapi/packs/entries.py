"""The dated entries of a statute file: sources, versions, and every list whose rows have a source.

Called by `series.py`. Knows where and when an entry counts, not what it says.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

from fieldapi.law.provenance import (
    INFERRED,
    READ_IN_COPY,
    READ_IN_TEXT,
    RECALLED,
    Provenance,
    Source,
)
from fieldapi.packs.table import PackTable

Value_co = TypeVar("Value_co", covariant=True)


@dataclass(frozen=True)
class Version:
    """One state of the statute: its id (`kerala-2000`), its title, its first day."""

    id: str
    name: str
    effective_from: date


@dataclass(frozen=True)
class Entry(Generic[Value_co]):
    """One dated entry: `key` says where it stands, `effective_to` is the first day it is gone."""

    key: str
    effective_from: date
    effective_to: date | None
    provenance: Provenance
    value: Value_co

    def is_in(self, version: Version) -> bool:
        """Say whether the entry counts in this version."""
        begins = version.effective_from
        is_gone = self.effective_to is not None and begins >= self.effective_to
        return self.effective_from <= begins and not is_gone


class EntryReader:
    """Reads lists of entries of one file; keeps them all in `entries`."""

    def __init__(self, table: PackTable) -> None:
        """Read the sources and the versions, which every entry refers to. Raises PackError."""
        self.entries: list[Entry[object]] = []
        self._table = table
        self._sources = dict(_sources(table))
        self.versions = self._versions()

    def read(
        self, key: str, build: Callable[[PackTable, Provenance], Value_co]
    ) -> tuple[Entry[Value_co], ...]:
        """Return the entries of the list `key`, each value made by `build`. Raises PackError."""
        days = [version.effective_from for version in self.versions]
        entries = tuple(self._entry(row, build, days) for row in self._table.tables(key))
        self.entries.extend(entries)
        return entries

    def _entry(
        self, row: PackTable, build: Callable[[PackTable, Provenance], Value_co], days: list[date]
    ) -> Entry[Value_co]:
        begins = _version_day(row, "effective_from", days) or days[0]
        ends = _version_day(row, "effective_to", days)
        if ends is not None and ends <= begins:
            raise row.fault("effective_to", "is not after effective_from")
        provenance = self._provenance(row)
        value = build(row, provenance)
        row.done()
        return Entry(_key(row), begins, ends, provenance, value)

    def _provenance(self, row: PackTable) -> Provenance:
        source = self._sources[row.choice("source", self._sources)]
        is_verified = row.truth("verified")
        if is_verified and not source.was_read:
            raise row.fault("verified", f"nobody read {source.code!r}, so it verifies nothing")
        row.text("note", default="-")
        silent = frozenset(row.texts("silent", default=()))
        return Provenance(row.text("section"), source, is_verified, silent, _key(row))

    def _versions(self) -> tuple[Version, ...]:
        versions: list[Version] = []
        for row in self._table.tables("versions"):
            version = Version(row.text("id"), row.text("name"), row.day("effective_from"))
            provenance = self._provenance(row)
            row.done()
            if versions and version.effective_from <= versions[-1].effective_from:
                raise row.fault("effective_from", "versions must be in the order of their days")
            versions.append(version)
            first_day = version.effective_from
            self.entries.append(Entry(_key(row), first_day, None, provenance, version))
        if not versions:
            raise self._table.fault("versions", "is missing")
        return tuple(versions)


def values_in(version: Version, entries: tuple[Entry[Value_co], ...]) -> tuple[Value_co, ...]:
    """Return the values that count in a version, in the order of the file."""
    return tuple(entry.value for entry in entries if entry.is_in(version))


def _sources(table: PackTable) -> Iterator[tuple[str, Source]]:
    readings = (READ_IN_TEXT, READ_IN_COPY, RECALLED, INFERRED)
    for code, row in table.named("sources"):
        yield code, Source(code, row.text("title"), row.choice("reading", readings))
        row.done()


def _key(row: PackTable) -> str:
    """Return where an entry stands, by its own code rather than by its place in the list."""
    own = next((row.text(key) for key in ("code", "rule", "id") if row.has(key)), None)
    return row.path if own is None else f"{row.path.partition('[')[0]}.{own}"


def _version_day(row: PackTable, key: str, days: list[date]) -> date | None:
    if not row.has(key):
        return None
    day = row.day(key)
    if day not in days:
        raise row.fault(key, f"{day} is not the first day of a version")
    return day
