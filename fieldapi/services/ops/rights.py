"""Who may write what into which record: `domain/records.py`'s rights, applied to one op once the
record is locked and its author is known. Called by `push` and `release`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fieldapi.domain.records import AT_POUND, KINDS, OWN, Right
from fieldapi.services.ops.arrival import NOT_YOURS, Arrival

if TYPE_CHECKING:
    from fieldapi.services.ops.writers import Standing, Writer
    from sync.op import Op


def judge(arrival: Arrival, op: Op, writer: Writer, standing: Standing) -> None:
    """Hold the op, or park those of its fields, that its writer has no right to.

    A reviewer writes by decision or correction alone. An ordinary op on a record without an
    author is let through: it is judged again when the create arrives.
    """
    if op.is_decision:
        return
    if op.is_new and standing.author_id not in {None, op.by}:
        arrival.held = NOT_YOURS
        return
    allowed = allowed_fields(op, writer, standing)
    if allowed is None:
        return
    foreign = op.fields - allowed
    if foreign == op.fields:
        arrival.held = NOT_YOURS
        return
    arrival.faults.update(dict.fromkeys(foreign, NOT_YOURS))


def allowed_fields(op: Op, writer: Writer, standing: Standing) -> frozenset[str] | None:
    """Return the fields the writer may write there; None for all of them."""
    fields: set[str] = set()
    for right in KINDS[op.kind].rights:
        if not _applies(right, op, writer, standing):
            continue
        if right.fields is None:
            return None
        fields |= right.fields
    return frozenset(fields)


def _applies(right: Right, op: Op, writer: Writer, standing: Standing) -> bool:
    if right.role not in writer.roles:
        return False
    if right.capacities is not None and writer.capacity not in right.capacities:
        return False
    if right.where == OWN:
        return standing.author_id in {None, op.by}
    if right.where == AT_POUND:
        # Where it stands is not known before its create: judged again then, like what is one's own.
        is_unknown = standing.author_id is None and not op.is_new
        return is_unknown or writer.pounds is None or bool(writer.pounds & set(standing.pounds))
    raise ValueError(f"records.py names a place that rights.py does not know: {right.where}")
