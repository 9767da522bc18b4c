"""Reads merge vectors and says what a view holds in the words of a vector. For the tests here."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sync.merge import WITHDRAWN, Field, Kind, View
from sync.op import Op, parse_op
from sync.wire import equal, equality_key

ROOT = Path(__file__).resolve().parents[3]
OWN = ROOT / "sync" / "vectors"
JUDGED = ("e", "role", "nobase", "parked", "erased", "beside")


@dataclass(frozen=True)
class Vector:
    """One case: every op of a record, and what must come of them in any order."""

    name: str
    kind: str
    author: str | None
    ops: Sequence[Op]
    expect: Mapping[str, Any]


def read(name: str) -> dict[str, Any]:
    """Return one of our own files of vectors."""
    document: dict[str, Any] = json.loads((OWN / name).read_text())
    return document


def merge_vectors(document: Mapping[str, Any]) -> list[Vector]:
    """Return the merge cases of a document."""
    return [
        Vector(case["name"], case["kind"], case["author"], [*map(_op, case["ops"])], case["expect"])
        for case in document["vectors"]
    ]


def kinds(document: Mapping[str, Any]) -> dict[str, Kind]:
    """Return the kinds that a document brings along."""
    return {name: Kind(name, _fields(rows)) for name, rows in document["kinds"].items()}


def shared() -> list[Vector]:
    """Return the cases at MERGE_VECTORS, else those beside the project, else none."""
    named = os.environ.get("MERGE_VECTORS")
    path = Path(named) if named else ROOT.parent / "shared" / "vectors-merge.json"
    if not named and not path.is_file():
        return []
    return merge_vectors(json.loads(path.read_text()))


def expected(vector: Vector) -> dict[str, object]:
    """Return what a vector expects, comparable with `found`."""
    expect = vector.expect
    sets = {name: sorted(map(_row, rows)) for name, rows in expect["sets"].items()}
    return {
        "fields": {name: _field(said) for name, said in expect["fields"].items()},
        "withdrawn": _field(expect["withdrawn"]),
        "sets": sets,
        "reviews": sorted(expect["reviews"]),
    }


def found(kind: Kind, view: View) -> dict[str, object]:
    """Return what a view shows, comparable with `expected`."""
    sets = {name for name in view.shown if name in kind.fields and kind.fields[name].klass == "set"}
    withdrawn = {**_seen(view, WITHDRAWN), "shown": view.is_withdrawn}
    return {
        "fields": {n: _field(_seen(view, n)) for n in view.shown if n not in {*sets, WITHDRAWN}},
        "withdrawn": _field(withdrawn),
        "sets": {name: sorted(map(_row, _listed(kind.fields[name], view))) for name in sets},
        "reviews": sorted(review.field for review in view.open_reviews),
    }


def _op(wire: Mapping[str, Any]) -> Op:
    op = parse_op({name: part for name, part in wire.items() if name not in JUDGED})
    return replace(
        op,
        effective=wire["e"],
        is_decision=wire.get("role") == "reviewer",
        nobase=wire.get("nobase", False),
        parked=frozenset(wire.get("parked", ())),
        erased=frozenset(wire.get("erased", ())),
        beside=frozenset(wire.get("beside", ())),
    )


def _fields(rows: Mapping[str, Any]) -> dict[str, Field]:
    return {
        name: Field(name, row["class"], competes=row.get("competes", False), key=row.get("key"))
        for name, row in rows.items()
    }


def _field(said: Mapping[str, Any]) -> tuple[object, ...]:
    shown = equality_key(said["shown"])
    return sorted(said["heads"]), shown, said["review_open"], said.get("erased", False)


def _row(said: Mapping[str, Any]) -> tuple[object, ...]:
    key, shown = equality_key(said["key"]), equality_key(said["shown"])
    return key, shown, said["struck"], sorted(said["ops"])


def _seen(view: View, name: str) -> dict[str, Any]:
    heads = [head.op for head in view.heads(name)]
    assert heads == [mark["op"] for mark in view.stamps.get(name, ())]
    return {
        "heads": heads,
        "shown": view.shown.get(name),
        "review_open": name in {review.field for review in view.open_reviews},
        "erased": name in view.erased,
    }


def _listed(field: Field, view: View) -> Iterator[dict[str, Any]]:
    marks = [mark for mark in view.stamps[field.name] if "key" in mark]
    shown = view.shown[field.name]
    assert isinstance(shown, list)
    listed = [(one, False) for one in shown]
    listed += [(one, True) for one in view.struck.get(field.name, ())]
    for element, is_struck in listed:
        key = field.key_of(element)
        ops = [mark["op"] for mark in marks if equal(mark["key"], key)]
        yield {"key": key, "shown": element, "struck": is_struck, "ops": ops}
