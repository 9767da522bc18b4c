"""What the records of a case show, with the ops that their values come from, less what was chosen
to be left out. Called by the makers of bundles; reads nothing, works on what `evidence` loaded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from fieldapi.clock import format_instant
from fieldapi.domain.records import KINDS, SERVER, SET, merge_kind
from fieldapi.domain.redactions import is_left_out, is_picture_left_out
from fieldapi.models import Photo, RecordRow
from fieldapi.queries import views
from fieldapi.queries.evidence import Evidence, Word
from sync.merge import State, View, view
from sync.op import WITHDRAWN, OpInvalid, parse_op
from sync.reviews import HeadView
from sync.wire import WireError, loads

Document = dict[str, Any]

_ACTOR = 16  # hex digits, the end of a stamp


def records_of(evidence: Evidence, redact: Collection[str]) -> list[Document]:
    """Return every record as it is shown: fields, heads with their ops, conflicts, flags."""
    return [_record(evidence, row, redact) for row in evidence.rows]


def _record(evidence: Evidence, row: RecordRow, redact: Collection[str]) -> Document:
    seen = view(merge_kind(row.KIND), State.loads(row.heads), author=row.author_id)
    shown = views.record_of(row, evidence.loaded, views.WHOLE)
    return {
        "kind": row.KIND,
        "id": row.id,
        "author": row.author_id,
        "received_at": format_instant(row.received_at),
        "shown": {
            name: _value(row.KIND, name, value, redact)
            for name, value in shown.items()
            if name != "review"
        },
        "redacted": sorted(name for name in shown if is_left_out(redact, row.KIND, name)),
        "erased": sorted(seen.erased),
        "heads": {name: list(_heads(row, seen, name, redact)) for name in _names(row, seen)},
        "conflicts": [
            {
                "field": one.field,
                "state": one.state,
                "heads": [_head(row, one.field, head, redact) for head in one.heads],
                "decided": one.decided and _head(row, one.field, one.decided, redact),
            }
            for one in seen.reviews
        ],
        "struck": {
            name: [_value(row.KIND, name, one, redact) for one in listed]
            for name, listed in seen.struck.items()
        },
    }


def _names(row: RecordRow, seen: View) -> list[str]:
    single = [one.name for one in KINDS[row.KIND].fields.values() if one.klass not in {SET, SERVER}]
    return [name for name in (*single, WITHDRAWN) if seen.heads(name)]


def _heads(row: RecordRow, seen: View, name: str, redact: Collection[str]) -> Iterator[Document]:
    return (_head(row, name, head, redact) for head in seen.heads(name))


def _head(row: RecordRow, name: str, head: HeadView, redact: Collection[str]) -> Document:
    told: Document = {
        "op": full_name(head),
        "v": _value(row.KIND, name, head.v, redact),
        "by": head.by,
        "t": head.t,
    }
    if head.decision is not None:
        told["decision"] = head.decision
    if head.is_erased:
        told["erased"] = True
    if is_left_out(redact, row.KIND, name):
        told["redacted"] = True
    return told


def full_name(head: HeadView) -> str:
    """Return the op of a head as `actor/op`."""
    return head.op if "/" in head.op else f"{head.t[-_ACTOR:]}/{head.op}"


def _value(kind: str, name: str, value: Any, redact: Collection[str]) -> Any:  # noqa: ANN401
    return None if is_left_out(redact, kind, name) else value


def words_left_out(evidence: Evidence, redact: Collection[str]) -> dict[str, list[str]]:
    """Return the ops whose payloads stay outside, each with the choices that take it along."""
    found = {}
    for word in evidence.words:
        names = _said(word)
        why = [one for one in redact if any(is_left_out([one], word.kind, name) for name in names)]
        # What nobody could read may hold anything: with any choice about people it stays outside.
        if redact and names == {"?"}:
            why = list(redact)
        if why:
            found[word.name] = sorted(why)
    return found


def _said(word: Word) -> set[str]:
    """Return the fields that an op speaks of, `?` where it cannot be read."""
    try:
        op = parse_op(loads(word.payload))
    except (OpInvalid, WireError):
        return {"?"}
    return {*op.fields}


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
