"""Fields of which more than one value was ever said: each value with who said it, when it came,
and how it stands: conflicts, decisions and corrections, with what was there before. Flask-free;
called by `sections`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fieldapi.clock import parse_instant
from fieldapi.console.court.case import CourtCase
from fieldapi.documents.casebook import Row
from fieldapi.domain.records import KINDS, SET, merge_kind
from fieldapi.domain.redactions import is_left_out
from fieldapi.queries.evidence_records import full_name
from sync.merge import State, view
from sync.op import OpInvalid, parse_op
from sync.wire import JSON, WireError, loads


@dataclass(frozen=True, slots=True)
class _Said:
    op: str
    kind: str
    record_id: str
    field: str
    value: JSON
    by: str
    reason: str
    is_decision: bool


def several(case: CourtCase) -> list[Row]:
    """Return a row for each value of a field that has had several: field, value, who, when, how."""
    groups: dict[tuple[str, str, str], list[_Said]] = {}
    for one in _said(case):
        groups.setdefault((one.kind, one.record_id, one.field), []).append(one)
    seqs, standing = _received(case), _standing(case)
    rows: list[Row] = []
    for said in groups.values():
        if len({json.dumps(one.value, sort_keys=True) for one in said}) > 1:
            ordered = sorted(said, key=lambda one: seqs.get(one.op, ("", 0))[1])
            rows += [_row(case, one, seqs, standing) for one in ordered]
    return rows


def _said(case: CourtCase) -> Iterator[_Said]:
    redact = case.content.wanted.redact
    for word in case.evidence.words:
        rows = KINDS[word.kind].fields if word.kind in KINDS else {}
        try:
            op = parse_op(loads(word.payload))
        except (OpInvalid, WireError):
            continue
        reason = op.decision.reason if op.decision is not None else ""
        for name, value in op.set.items():
            is_told = name in rows and rows[name].klass != SET
            if is_told and not is_left_out(redact, word.kind, name):
                yield _Said(
                    word.name,
                    word.kind,
                    op.record,
                    name,
                    value,
                    word.by,
                    reason or "",
                    op.decision is not None,
                )


def _received(case: CourtCase) -> dict[str, tuple[str, int]]:
    """Return when each op was received, and at which entry."""
    found: dict[str, tuple[str, int]] = {}
    for _, text in case.evidence.texts:
        said = json.loads(text)
        if said.get("op") and "sha256" in said:
            found.setdefault(str(said["op"]), (str(said["at"]), int(said["seq"])))
    return found


def _standing(case: CourtCase) -> Mapping[tuple[str, str], bool]:
    """Return the ops that stand in a field, and whether they are what is shown."""
    found: dict[tuple[str, str], bool] = {}
    for row in case.evidence.rows:
        seen = view(merge_kind(row.KIND), State.loads(row.heads), author=row.author_id)
        for name, value in row.fields.items():
            if name in KINDS[row.KIND].fields and KINDS[row.KIND].fields[name].klass != SET:
                for head in seen.heads(name):
                    found[full_name(head), name] = head.v == value
    return found


def _row(
    case: CourtCase,
    one: _Said,
    seqs: Mapping[str, tuple[str, int]],
    standing: Mapping[tuple[str, str], bool],
) -> Row:
    about = case.subjects.get(f"{one.kind}/{one.record_id}") or case.words.record(one.kind)
    at = seqs.get(one.op)
    erased = one.field in case.content.erased.get(one.op, ())
    value = case.words.gettext("Erased") if erased else case.values.say(one.field, one.value)
    return (
        f"{about}: {case.words.field(one.field)}",
        value,
        case.people.named(one.by),
        case.words.moment(parse_instant(at[0])) if at else "–",
        "\n".join(filter(None, (_how(case, one, standing), case.reason(one.reason)))),
    )


def _how(case: CourtCase, one: _Said, standing: Mapping[tuple[str, str], bool]) -> str:
    gettext = case.words.gettext
    shown = standing.get((one.op, one.field))
    parked = next((word.parked for word in case.evidence.words if word.name == one.op), None)
    if parked is not None and shown is None:
        return gettext("Not taken in")
    if shown is None:
        return gettext("Replaced since")
    if one.is_decision:
        return gettext("Shown, by decision") if shown else gettext("Decided once, kept beside it")
    return gettext("Shown") if shown else gettext("Kept beside it")
