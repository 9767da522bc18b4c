"""Nobody decides between values of their own: whoever wrote in a record is no reviewer of it.

Called by `push` once the records are locked, before anything is stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fieldapi.services.ops.arrival import NOT_YOURS, Arrival
from fieldapi.services.ops.draft import Draft
from fieldapi.services.ops.store import RecordKey


def refuse_own(arrivals: Sequence[Arrival], drafts: Mapping[RecordKey, Draft]) -> None:
    """Hold decisions by those who wrote what is decided; their corrections are any author's."""
    for arrival in arrivals:
        op = arrival.op
        if op is None or not op.is_decision:
            continue
        beside = {one.by for one in arrivals if _is_plain(one, arrival)}
        if op.by not in beside | _authors(drafts[arrival.kind, arrival.record_id]):
            continue
        if op.decision is not None:
            arrival.held = arrival.held or NOT_YOURS
        else:
            arrival.op = replace(op, is_decision=False)


def _is_plain(one: Arrival, other: Arrival) -> bool:
    """Say whether it is an ordinary op on the record of the other one."""
    is_there = (one.kind, one.record_id) == (other.kind, other.record_id)
    return is_there and one.op is not None and not one.op.is_decision


def _authors(draft: Draft) -> set[str]:
    """Return who created the record, and who said a value of it that no decision was."""
    state = draft.state
    said = (entries for field in (state.heads, state.past) for entries in field.values())
    sources = (state.sources[at] for entries in said for at, _ in entries)
    found = {source.by for source in sources if source.decision is None}
    return found | ({draft.author_id} if draft.author_id else set())
