"""Rows of a push of documents, and what each changes: a document is compared with the one its
client last had from the server, field by field.

Called by `rxdb`. Knows nothing of the database; `ops.sight` tells what the client knew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fieldapi.domain.records import KINDS, merge_kind
from fieldapi.ids import is_id
from fieldapi.queries.documents import ADDED, DELETED, SYNC_REV
from fieldapi.services.ops.arrival import MAX_OP_BYTES
from fieldapi.services.ops.build import Change
from fieldapi.services.ops.sight import Sight
from fieldapi.services.reports import flatten
from sync.op import EVERYTHING, WITHDRAWN
from sync.wire import JSON, Slice, canonical, equal

REASON = "deleted in app"

Document = Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a push. `assumed`: the document that the client last had from the server, None
    if it never had one.
    """

    record_id: str
    document: Document
    assumed: Document | None

    @property
    def rev(self) -> str:
        """Return the revision that the client had seen, "" if it tells none."""
        rev = (self.assumed or {}).get(SYNC_REV)
        return rev if isinstance(rev, str) else ""

    @property
    def source(self) -> str:
        """Return what names this change: the revision seen, and the new document."""
        return f"{self.rev}{canonical({**self.document}).decode()}"


def read_row(part: Slice) -> Row | None:
    """Return the row in a slice, None for one that no ops can be made of."""
    value = part.value if isinstance(part.value, dict) else {}
    document, assumed = value.get("newDocumentState"), value.get("assumedMasterState")
    if not isinstance(document, dict) or not isinstance(assumed, dict | None):
        return None
    if not isinstance(document.get(DELETED, False), bool):
        return None
    record_id = document.get("id")
    if not is_id(record_id) or len(canonical(document)) > MAX_OP_BYTES:
        return None
    return Row(str(record_id), document, assumed)


def salvage(part: Slice) -> Document | None:
    """Return the document in a row that no ops can be made of, as far as it can be sent back."""
    try:
        value: JSON = json.loads(part.raw)
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    document = value.get("newDocumentState") if isinstance(value, dict) else None
    is_named = isinstance(document, dict) and isinstance(document.get("id"), str)
    return document if isinstance(document, dict) and is_named else None


@dataclass(slots=True)
class Difference:
    """What differs between two documents. `strikes`: set field → keys of the elements gone."""

    fields: dict[str, JSON] = field(default_factory=dict)
    strikes: dict[str, list[JSON]] = field(default_factory=dict)

    @property
    def names(self) -> set[str]:
        """Return the fields that differ."""
        return {*self.fields, *self.strikes}


def difference(kind: str, before: Document, after: Document) -> Difference:
    """Return what a client changed. A field that is gone or null was cleared; an unknown one that
    is gone never was the client's.
    """
    found = Difference()
    old, new = values_of(kind, before), values_of(kind, after)
    for name in dict.fromkeys([*new, *old]):
        row = KINDS[kind].fields.get(name)
        if equal(old.get(name), new.get(name)) or (row is None and name not in new):
            continue
        if row is not None and row.klass == "set":
            _compare_sets(found, kind, name, old=old.get(name), new=new.get(name, []))
        else:
            found.fields[name] = new.get(name)
    if is_deleted(before) is not is_deleted(after):
        found.fields[WITHDRAWN] = {"reason": REASON} if is_deleted(after) else False
    return found


def _compare_sets(found: Difference, kind: str, name: str, *, old: JSON, new: JSON) -> None:
    if not isinstance(new, list):
        found.fields[name] = new
        return
    key_of = merge_kind(kind).fields[name].key_of
    had = old if isinstance(old, list) else []
    added = [one for one in new if not any(equal(one, other) for other in had)]
    keys = [key_of(one) for one in new]
    gone = [key_of(one) for one in had if not any(equal(key_of(one), key) for key in keys)]
    if added:
        found.fields[name] = added
    if gone:
        found.strikes[name] = gone


def values_of(kind: str, document: Document) -> dict[str, JSON]:
    """Return the values of a document by dotted name: neither null nor the server's additions."""
    table = KINDS[kind]
    beside = (ADDED | set(table.server)) - set(table.fields)
    kept = {name: value for name, value in document.items() if not name.startswith("_")}
    return {
        name: value for name, value in flatten(table, kept, {*beside, "id"}) if value is not None
    }


def is_deleted(document: Document) -> bool:
    """Say whether a document is one that its app deleted."""
    return document.get(DELETED) is True


def change_of(kind: str, row: Row, sight: Sight) -> Change | None:
    """Return what a row wants to write, with the base it was made on; None if nothing differs."""
    is_new = row.assumed is None or not sight.has_ops
    found = difference(kind, {} if is_new else row.assumed or {}, row.document)
    if not found.names and not is_new:
        return None
    return Change(
        kind,
        row.record_id,
        found.fields,
        row.source,
        is_new=is_new,
        base=_bases(sight, found),
        strikes={
            name: [{"key": key, "ops": [*sight.adds_of(name, key)]} for key in keys]
            for name, keys in found.strikes.items()
        },
        fixes=sight.parked_in(found.names),
    )


def _bases(sight: Sight, found: Difference) -> dict[str, Sequence[str]]:
    bases: dict[str, Sequence[str]] = {name: sight.base_of(name) for name in found.fields}
    retract = found.fields.get(WITHDRAWN)
    if retract is None and sight.seen is not None and sight.seen.is_withdrawn:
        bases[WITHDRAWN] = sight.base_of(WITHDRAWN)
    if isinstance(retract, dict):
        bases[EVERYTHING] = sight.everything()
    return bases
