"""What became of each op, as the ledger tells it: the one word on outcomes that nobody can change
without a trace.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.ledger import Entry
from fieldapi.services.ops.store import waits_as

ID_REUSE = "id-reuse"
_AT_ONCE = 5000
_APPLIED, _HELD, _QUARANTINED = "op.applied", "op.held", "op.quarantined"
_RELEASED, _REJECTED, _CORRECTED = "op.released", "op.rejected", "op.corrected"
_DEFERRED_APPLIED = "op.deferred_applied"
_RESOLVED = {_RELEASED: "released", _REJECTED: "rejected", _CORRECTED: "corrected"}


@dataclass(slots=True)
class Told:
    """One op by its entries. `received_seq`: of its receipt; `merged_seq`: since when it is part
    of the record, None if it is not. `status`: how it waits, None if all of it was merged.
    """

    received_seq: int
    is_readable: bool
    by: str
    code: str = ""
    merged_seq: int | None = None
    status: str | None = None
    faults: dict[str, str] = field(default_factory=dict)
    resolved: str | None = None

    @property
    def names_record(self) -> bool:
        """Say whether its receipt gave the record it names a row."""
        return self.is_readable or self.code == ID_REUSE


def told_of(session: Session, authority_id: str, names: Collection[str]) -> dict[str, Told]:
    """Return what the ledger tells of the ops `actor/op`; nothing of those it does not know."""
    told: dict[str, Told] = {}
    for some in _batches(names):
        for entry in ledger.entries_of_ops(session, authority_id, some):
            _follow(told, entry)
    return told


def _batches(names: Collection[str]) -> Iterable[list[str]]:
    listed = sorted(names)
    return (listed[i : i + _AT_ONCE] for i in range(0, len(listed), _AT_ONCE))


def _follow(told: dict[str, Told], entry: Entry) -> None:
    name, kind, seq = entry["op"], entry["kind"], entry["seq"]
    if name not in told:
        told[name] = Told(seq, kind != _QUARANTINED, entry.get("by", ""))
    one = told[name]
    if kind in {_APPLIED, _HELD, _QUARANTINED, _DEFERRED_APPLIED}:
        one.code = entry.get("code", one.code)
        one.faults = _faults(entry, one.faults)
    if kind in {_APPLIED, _RELEASED}:
        one.merged_seq = one.merged_seq or seq
    if kind in {_HELD, _QUARANTINED}:
        one.merged_seq = None
        one.status = kind.removeprefix("op.")
    if kind == _APPLIED or (kind == _DEFERRED_APPLIED and one.faults):
        one.status = waits_as(one.faults)
    one.resolved = None if kind == _HELD else _RESOLVED.get(kind, one.resolved)
    if kind == _RELEASED and "parked" in entry:
        # Let in without these fields, which wait on by themselves.
        one.code, one.faults, one.resolved = "", dict(entry["parked"]), None
        one.status = waits_as(one.faults)
    if kind == _DEFERRED_APPLIED and not one.faults:
        one.resolved = "merged"


def _faults(entry: Entry, known: Mapping[str, str]) -> dict[str, str]:
    """Return the parked fields: a later word on an op without any leaves them as they are."""
    is_receipt = "sha256" in entry or entry["kind"] == _DEFERRED_APPLIED
    return dict(entry.get("parked", {})) if is_receipt else dict(known)
