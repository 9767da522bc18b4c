"""What the records of a case show, with the ops that their values come from, less what was chosen
to be left out. Called by the makers of bundles; reads nothing, works on what `evidence` loaded.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fieldapi.clock import format_instant
from fieldapi.domain.records import KINDS, SERVER, SET, merge_kind
from fieldapi.domain.redactions import is_left_out, is_picture_left_out, takes_reasons
from fieldapi.models import Photo, RecordRow
from fieldapi.queries import views
from fieldapi.queries.evidence import Evidence, Word
from sync.merge import State, View, view
from sync.op import WITHDRAWN, Op, OpInvalid, parse_op
from sync.reviews import HeadView
from sync.wire import WireError, loads

Document = dict[str, Any]

_ACTOR = 16  # hex digits, the end of a stamp
_UNREAD, _REASON = "?", "reason"
# Values of another form than asked for may say anything, in whichever field.
_NOT_TAKEN_IN = frozenset({"quarantined", "partial", "deferred", "corrected", "rejected"})


@dataclass(frozen=True, slots=True)
class Outside:
    """What stays outside of a bundle. `redact`: the choices; `ops`: payloads, by `actor/op`."""

    redact: Collection[str]
    ops: Collection[str]

    def value(self, kind: str, name: str, value: Any) -> Any:  # noqa: ANN401 - any field
        """Return a value, or None for one that stays outside, as a reason does."""
        if name == WITHDRAWN and isinstance(value, dict) and takes_reasons(self.redact):
            return {part: one for part, one in value.items() if part != "reason"}
        return None if is_left_out(self.redact, kind, name) else value


def records_of(
    evidence: Evidence, redact: Collection[str], ops_out: Collection[str]
) -> list[Document]:
    """Return every record as it is shown: fields, heads with their ops, conflicts, flags. A value
    whose op stays outside (`ops_out`) for another value's sake is marked `unproven`.
    """
    return [_record(evidence, row, Outside(redact, ops_out)) for row in evidence.rows]


def _record(evidence: Evidence, row: RecordRow, out: Outside) -> Document:
    seen = view(merge_kind(row.KIND), State.loads(row.heads), author=row.author_id)
    shown = views.record_of(row, evidence.loaded, views.WHOLE)
    return {
        "kind": row.KIND,
        "id": row.id,
        "author": row.author_id,
        "received_at": format_instant(row.received_at),
        "shown": {
            name: out.value(row.KIND, name, value)
            for name, value in shown.items()
            if name != "review"
        },
        "redacted": sorted(name for name in shown if is_left_out(out.redact, row.KIND, name)),
        "erased": sorted(seen.erased),
        "heads": {name: list(_heads(row, seen, name, out)) for name in _names(row, seen)},
        "conflicts": [
            {
                "field": one.field,
                "state": one.state,
                "heads": [_head(row, one.field, head, out) for head in one.heads],
                "decided": one.decided and _head(row, one.field, one.decided, out),
            }
            for one in seen.reviews
        ],
        "struck": {
            name: [out.value(row.KIND, name, one) for one in listed]
            for name, listed in seen.struck.items()
        },
    }


def _names(row: RecordRow, seen: View) -> list[str]:
    single = [one.name for one in KINDS[row.KIND].fields.values() if one.klass not in {SET, SERVER}]
    return [name for name in (*single, WITHDRAWN) if seen.heads(name)]


def _heads(row: RecordRow, seen: View, name: str, out: Outside) -> Iterator[Document]:
    return (_head(row, name, head, out) for head in seen.heads(name))


def _head(row: RecordRow, name: str, head: HeadView, out: Outside) -> Document:
    told: Document = {
        "op": full_name(head),
        "v": out.value(row.KIND, name, head.v),
        "by": head.by,
        "t": head.t,
    }
    if head.decision is not None:
        told["decision"] = _decision(head.decision, out)
    if head.is_erased:
        told["erased"] = True
    if is_left_out(out.redact, row.KIND, name):
        told["redacted"] = True
    elif told["op"] in out.ops:
        told["unproven"] = True
    return told


def _decision(said: Mapping[str, Any], out: Outside) -> Document:
    hidden = {"reason"} if takes_reasons(out.redact) else set()
    return {name: value for name, value in said.items() if name not in hidden}


def full_name(head: HeadView) -> str:
    """Return the op of a head as `actor/op`."""
    return head.op if "/" in head.op else f"{head.t[-_ACTOR:]}/{head.op}"


def without_names(evidence: Evidence, redact: Collection[str]) -> Evidence:
    """Return a case in which whoever reported it has no name, if who seized stays outside: often
    that is the same person.
    """
    if "seizer" not in redact:
        return evidence
    author = evidence.seizure.author_id
    names = {one: name for one, name in evidence.names.items() if one != author}
    return replace(evidence, names=names)


def words_left_out(evidence: Evidence, redact: Collection[str]) -> dict[str, list[str]]:
    """Return the ops whose payloads stay outside, each with the choices that take it along."""
    found = {}
    for word in evidence.words:
        names = _said(word)
        why = [one for one in redact if any(is_left_out([one], word.kind, name) for name in names)]
        # What nobody here can read may say anything: with any choice it stays outside.
        if _UNREAD in names:
            why = list(redact)
        elif _REASON in names:
            why = [one for one in redact if one in why or takes_reasons([one])]
        if why:
            found[word.name] = sorted(why)
    return found


def reasons_before(evidence: Evidence, erased: int, ops_out: Collection[str]) -> list[str]:
    """Return the ops inside that give a reason older than the erasure at entry `erased`."""
    older = {
        str(said["op"])
        for seq, text in evidence.texts
        if seq < erased and '"op":' in text and (said := json.loads(text)).get("op")
    }
    return [
        one.name
        for one in evidence.words
        if one.name in older and one.name not in ops_out and _REASON in _said(one)
    ]


def _said(word: Word) -> set[str]:
    """Return the fields that an op speaks of; `_UNREAD` beside them if not all of it is known here,
    `_REASON` if it gives one.
    """
    try:
        op = parse_op(loads(word.payload))
    except (OpInvalid, WireError):
        return {_UNREAD}
    known = {*KINDS[op.kind].fields, WITHDRAWN} if op.kind in KINDS else set()
    said = {*op.fields, *([_REASON] if _gives_reason(op) else [])}
    is_read = known.issuperset(op.fields) and word.parked not in _NOT_TAKEN_IN
    return said if is_read else {*said, _UNREAD}


def _gives_reason(op: Op) -> bool:
    if op.decision is not None and op.decision.reason:
        return True
    return isinstance(op.retract, dict) and bool(op.retract.get("reason"))


def originals_left_out(evidence: Evidence, redact: Collection[str]) -> set[str]:
    """Return the hashes of photos whose pictures stay outside: a record of theirs is chosen."""
    subjects: dict[str, list[str | None]] = {}
    for row in evidence.photos:
        if row.sha256:
            subjects.setdefault(row.sha256, []).append(row.fields.get("subject"))
    return {
        sha256
        for sha256, named in subjects.items()
        if any(is_picture_left_out(redact, subject) for subject in named)
    }


def missing_of(evidence: Evidence) -> list[dict[str, str]]:
    """Return what was announced and is not there: photo by photo, with the reason in English."""
    found = []
    for row in evidence.photos:
        original = evidence.originals.get(row.sha256 or "")
        if original is not None and original.damaged_at is None:
            continue
        damaged = original is not None
        found.append(
            {
                "what": f"photo/{row.id}",
                "sha256": row.sha256 or "",
                "why": _DAMAGED if damaged else _AWAITED,
            }
        )
    return found


def erased_of(evidence: Evidence) -> dict[str, list[str]]:
    """Return the ops of which values were erased, each with the fields."""
    return {one.name: list(one.erased) for one in evidence.words if one.erased is not None}


def about_devices(evidence: Evidence) -> list[Mapping[str, object]]:
    """Return the devices that wrote in the case, as their rows tell."""
    return [
        {
            "id": one.id,
            "number": one.number,
            "actor": one.actor,
            "person": evidence.names.get(one.person_id),
            "make": one.make,
            "model": one.model,
            "colour": one.colour,
            "os": one.os,
            "app_version": one.app_version,
            "enrolled_at": format_instant(one.enrolled_at),
            "standing": one.standing,
            "public_key": one.public_key,
        }
        for one in evidence.devices
    ]


def extension_of(media_type: str | None) -> str:
    """Return how the name of an original ends, by what its bytes are."""
    return _EXTENSIONS.get(media_type or "", "bin")


def is_picture(row: Photo, evidence: Evidence) -> bool:
    """Say whether there is something to show of a photo."""
    original = evidence.originals.get(row.sha256 or "")
    return (
        original is not None
        and original.damaged_at is None
        and original.has_derivatives
        and original.verdict != "reject"
    )


_EXTENSIONS = {
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/webp": "webp",
    "image/heic": "heic",
    "image/heif": "heif",
}
_AWAITED = "announced by the phone, and its bytes never arrived"
_DAMAGED = "stored once, and found damaged or missing since"
