"""Whether every stored op is the one that its entry speaks of: payload by hash, and what the
server added by what the entry says. Called by the verifier, page by page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from fieldapi.keyring import Keyring
from fieldapi.ledger import raw
from fieldapi.ledger.findings import MOST_FAULTS, Findings
from fieldapi.ledger.raw import OpKey, RawRow
from sync.op import OpInvalid, parse_op
from sync.wire import JSON, WireError, canonical, loads

Said = dict[str, Any]  # an entry, parsed

_KINDS = frozenset({"op.applied", "op.held", "op.quarantined"})
_QUARANTINED = "op.quarantined"
_ERASED = "person.erased"
_LONGEST_NAME = 64


@dataclass(slots=True)
class Receipts:
    """The ops that entries told of so far. `unexcused`: ops whose values are gone and for which
    no entry of an erasure was met yet, with the `seq` of their receipt; `excused`: what erasures
    name, also ops that come again after a restore.
    """

    authority_id: str
    keys: Keyring
    found: Findings
    ops: int = 0
    erased: int = 0
    unexcused: dict[str, object] = field(default_factory=dict)
    excused: set[str] = field(default_factory=set)

    def check(self, session: Session, entries: Iterable[Said]) -> None:
        """Compare the ops that these entries received with what is stored."""
        entries = list(entries)
        received = {key: said for said in entries if (key := _received(said)) is not None}
        rows = raw.op_rows(session, self.authority_id, list(received))
        for key, said in received.items():
            self._check_one(said, rows.get(key))
        for said in entries:
            if said.get("kind") == _ERASED:
                self._excuse(map(str, said.get("ops") or ()))

    def _excuse(self, names: Iterable[str]) -> None:
        for name in names:
            self.excused.add(name)
            self.unexcused.pop(name, None)

    def close(self, session: Session) -> None:
        """Look for what no entry speaks of."""
        for name, seq in self.unexcused.items():
            self.found.add(seq, "op", f"the values of {name} are gone, and no erasure says so")
        for name in raw.ops_without_entry(session, self.authority_id, limit=MOST_FAULTS):
            self.found.add(None, "op", f"{name} is stored, and no entry says so")

    def _check_one(self, said: Said, row: RawRow | None) -> None:
        if row is None:
            self.found.add(said.get("seq"), "op", f"{said['op']} was received and is not stored")
            return
        self.ops += 1
        is_erased = row["erased"] is not None
        if is_erased:
            self.erased += 1
            if said["op"] not in self.excused:
                self.unexcused[str(said["op"])] = said.get("seq")
        payload = row["bytes"] if row["payload"] is None else row["payload"]
        if not isinstance(payload, bytes):
            self.found.add(said.get("seq"), "op", f"the payload of {said['op']} is not stored")
            return
        wrong = _wrong(said, row, _expected(said, row, payload))
        if not is_erased:
            wrong += _unlike(said, row, payload, keys=self.keys)
        if wrong:
            listed = ", ".join(sorted(set(wrong)))
            self.found.add(said.get("seq"), "op", f"{said['op']} is not as received in: {listed}")


def _received(said: Said) -> OpKey | None:
    """Return the key of the op that an entry received. A later word on it has no `sha256`."""
    name = said.get("op")
    if said.get("kind") not in _KINDS or "sha256" not in said or not isinstance(name, str):
        return None
    actor, _, op = name.partition("/")
    return actor, op


def _wrong(said: Said, row: RawRow, expected: Mapping[str, object]) -> list[str]:
    """Return the names of what is not as expected; `subject` is the entry's."""
    filled = row["filled"]
    base = hashlib.sha256(filled.encode()).hexdigest() if isinstance(filled, str) else filled
    stored = {**row, "subject": said.get("subject"), "filled": base}
    return [name for name, value in expected.items() if stored[name] != value]


def _expected(said: Said, row: RawRow, payload: bytes) -> dict[str, object]:
    """Return what the entry and the payload say of the stored op."""
    is_personal = row["bytes"] is not None
    return {
        "by": said.get("by"),
        "via": said.get("via"),
        "received_at": said.get("clock", said.get("at")),
        "schema": said.get("schema", 1),
        "nobase": said.get("nobase", 0),
        "filled": said.get("base"),
        "is_decision": said.get("decision", 0),
        "is_signed": said.get("signed", 0),
        "is_personal": is_personal,
        "payload": None if is_personal else row["payload"],
        **(_unread(row, payload) if said.get("kind") == _QUARANTINED else _read(said, payload)),
    }


def _read(said: Said, payload: bytes) -> dict[str, object]:
    try:
        op = parse_op(loads(payload))
    except (OpInvalid, WireError):
        return {"subject": None}
    return {
        "op": op.id,
        "kind": op.kind,
        "record_id": op.record,
        "stamp": op.stamp,
        "at": op.at,
        "n": op.n,
        "effective": said.get("effective", op.at),
        "subject": f"{op.kind}/{op.record}",
    }


def _unread(row: RawRow, payload: bytes) -> dict[str, object]:
    """Return what is known of an op that was kept whole and never read."""
    value = _json(payload)
    named = value if isinstance(value, dict) else {}
    return {
        "kind": _short(named.get("kind")),
        "record_id": _short(named.get("id")),
        "stamp": "",
        "at": None,
        "n": None,
        "effective": 0,
        "subject": f"op/{row['op']}",
    }


def _unlike(said: Said, row: RawRow, payload: bytes, *, keys: Keyring) -> list[str]:
    """Return `payload` or `digest` if the bytes are not those that were received."""
    salt = row["salt"] if isinstance(row["salt"], bytes) else b""
    wrong = []
    if hashlib.sha256(salt + payload).hexdigest() != said.get("sha256"):
        wrong.append("payload")
    if not _is_signature(said, row):
        wrong.append("signature")
    value = _json(payload)
    is_by_bytes = value is None or "signature" in said
    known = {keys.digest(payload) if is_by_bytes else keys.digest(canonical(value))}
    if said.get("kind") == _QUARANTINED:
        known.add(keys.digest(payload))
    if row["digest"] not in known:
        wrong.append("digest")
    return wrong


def _is_signature(said: Said, row: RawRow) -> bool:
    """Say whether the signature kept of an op, beside its payload, is the one it came with."""
    here, elsewhere = row["signature"], row["bytes_signature"]
    if row["bytes"] is not None:
        here, elsewhere = elsewhere, here
    if elsewhere is not None:
        return False
    if not isinstance(here, str):
        return here is None and "signature" not in said
    return hashlib.sha256(here.encode(errors="surrogateescape")).hexdigest() == said.get(
        "signature"
    )


def _json(payload: bytes) -> JSON:
    try:
        return loads(payload)
    except WireError:
        return None


def _short(value: JSON) -> str:
    return value[:_LONGEST_NAME] if isinstance(value, str) else ""
