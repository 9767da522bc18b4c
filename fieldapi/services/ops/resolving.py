"""The last word on an op that waited: marked where it is listed, and told in the ledger, from where
its author's phone hears of it. Called by `release`, `corrections` and `deferred`.
"""

from __future__ import annotations

from fieldapi.ledger import Detail
from fieldapi.models import ParkedOp
from fieldapi.unit import Unit


def resolve(  # noqa: PLR0913 - the op, what became of it, and through whom
    unit: Unit,
    row: ParkedOp,
    resolved: str | None,
    *,
    actor: str,
    entry: str = "",
    reason: str | None = None,
    **details: Detail,
) -> None:
    """Mark an op as `resolved` (None: a part still waits); enter `op.<resolved>` or `entry`."""
    row.resolved, row.resolved_at, row.reason = resolved, unit.now, reason
    unit.session.flush()
    unit.enter(
        row.authority_id,
        entry or f"op.{resolved}",
        subject=f"op/{row.op}" if row.status == "quarantined" else f"{row.kind}/{row.record_id}",
        actor=actor,
        op=f"{row.actor}/{row.op}",
        moves=True,
        **details,
    )
