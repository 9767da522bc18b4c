"""Writes tables of reports as files: streamed, counted and hashed as they go, told in the ledger
before the first byte and after the last one.

Called by the api and the command line. The last line of a file carries the number of rows and the
SHA-256 of everything above it: `head -n -1 FILE | sha256sum`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, fields
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from fieldapi.documents.cells import csv_lines
from fieldapi.domain.access import Principal, require
from fieldapi.ids import new_id
from fieldapi.problems import NotFound
from fieldapi.queries import exports as queries
from fieldapi.queries.exports import Line, Wanted
from fieldapi.unit import Database

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

_AT_ONCE = 200

Rows = Callable[[Session, Principal, Wanted], Generator[Line, None, None]]


@dataclass(frozen=True, slots=True)
class Format:
    """One file that can be asked for. `noun`: what its rows are."""

    noun: str
    media_type: str
    rows: Rows


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "seizures.csv": Format("seizures", "text/csv; charset=utf-8", queries.seizures),
        "animals.csv": Format("animals", "text/csv; charset=utf-8", queries.animals),
        "seizures.geojson": Format("seizures", "application/geo+json", queries.seizures),
    }
)


@dataclass(slots=True)
class _Tally:
    """What went out so far. `whole` is over every byte of it."""

    rows: int = 0
    whole: Hash = field(default_factory=hashlib.sha256)

    def out(self, piece: bytes) -> bytes:
        self.whole.update(piece)
        return piece


def take_out(database: Database, who: Principal, name: str, wanted: Wanted) -> Iterator[bytes]:
    """Return the bytes of an export, after it was entered who takes out what.

    Raises `NotAllowed`, `NotFound` for a file that there is none of, `BadRequest`.
    """
    require(who, "export.read")
    if name not in FORMATS:
        raise NotFound("There is no such export.")
    export = new_id()
    database.transact(
        lambda unit: unit.enter(
            who.authority_id,
            "export.begun",
            subject=f"export/{export}",
            actor=who.actor,
            name=name,
            filters=_used(wanted),
            personal=int(wanted.is_personal),
        )
    )
    return _told(database, who, export, _File(name, FORMATS[name], wanted))


@dataclass(frozen=True, slots=True)
class _File:
    name: str
    format: Format
    wanted: Wanted


def _told(database: Database, who: Principal, export: str, file: _File) -> Iterator[bytes]:
    """Yield the file and enter, whatever becomes of it, how much of it went out."""
    tally, is_whole = _Tally(), False
    write = _geojson if file.name.endswith(".geojson") else _csv
    try:
        with (
            database.read() as session,
            closing(file.format.rows(session, who, file.wanted)) as rows,
        ):
            yield from write(rows, tally, file)
        is_whole = True
    finally:
        database.transact(
            lambda unit: unit.enter(
                who.authority_id,
                "export.ended",
                subject=f"export/{export}",
                actor=who.actor,
                rows=tally.rows,
                sha256=tally.whole.hexdigest(),
                whole=int(is_whole),
            )
        )


def _csv(rows: Iterable[Line], tally: _Tally, file: _File) -> Iterator[bytes]:
    names = queries.columns(file.format.noun, is_personal=file.wanted.is_personal)
    yield tally.out(csv_lines([names]))
    for lines in _batches(rows):
        tally.rows += len(lines)
        yield tally.out(csv_lines([line[name] for name in names] for line in lines))
    above = tally.whole.hexdigest()
    yield tally.out(csv_lines([["# rows", tally.rows, "sha256 of the lines above", above]]))


def _geojson(rows: Iterable[Line], tally: _Tally, _file: _File) -> Iterator[bytes]:
    yield tally.out(b'{"type":"FeatureCollection","features":[\n')
    for lines in _batches(rows):
        said = ",\n".join(_feature(line) for line in lines)
        yield tally.out((",\n" if tally.rows else "").encode() + said.encode())
        tally.rows += len(lines)
    yield tally.out(b"\n")
    end = {"count": tally.rows, "sha256_of_lines_above": tally.whole.hexdigest()}
    yield tally.out(f"],{json.dumps(end)[1:]}\n".encode())


def _feature(line: Line) -> str:
    lat, lon = line["lat"], line["lon"]
    point = None if lat is None else {"type": "Point", "coordinates": [lon, lat]}
    kept = {name: value for name, value in line.items() if name not in {"id", "lat", "lon"}}
    feature = {"type": "Feature", "id": line["id"], "geometry": point, "properties": kept}
    return json.dumps(feature, ensure_ascii=False, separators=(",", ":"))


def _batches(rows: Iterable[Line]) -> Iterator[list[Line]]:
    upcoming = iter(rows)
    while batch := list(islice(upcoming, _AT_ONCE)):
        yield batch


def _used(wanted: Wanted) -> list[str]:
    """Return the names of the filters that narrow: what was searched for may name a person."""
    used = {one.name for one in fields(wanted.filters) if getattr(wanted.filters, one.name)}
    return sorted(used - {"sort"})
