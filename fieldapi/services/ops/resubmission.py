"""An author's answer to "please correct this": what they write next hands the report in again.

Called by `push` at its end. The state is the server's own, so it is no op.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import select, update

from fieldapi.domain.reviews import CORRECTION_ASKED, RESUBMITTED
from fieldapi.models import Seizure
from fieldapi.services.ops.arrival import Arrival, Delivery
from fieldapi.services.ops.draft import Draft
from fieldapi.services.ops.store import RecordKey
from fieldapi.unit import Unit

_ANSWERS = frozenset({"seizure", "animal", "photo"})

Drafts = dict[RecordKey, Draft]


def resubmit_after_correction(
    unit: Unit, delivery: Delivery, arrivals: Iterable[Arrival], drafts: Drafts
) -> None:
    """Move every report to `resubmitted` that waits for a correction and got one by its author."""
    written = _written(arrivals, drafts)
    if not written:
        return
    authority_id = delivery.principal.authority_id
    waiting = unit.session.execute(
        select(Seizure.id, Seizure.author_id)
        .where(
            Seizure.authority_id == authority_id,
            Seizure.id.in_(sorted({seizure_id for seizure_id, _ in written})),
            Seizure.state == CORRECTION_ASKED,
        )
        .order_by(Seizure.id)
    ).all()
    for seizure_id, author_id in waiting:
        if (seizure_id, author_id) in written:
            _resubmit(unit, delivery, seizure_id)


def _written(arrivals: Iterable[Arrival], drafts: Drafts) -> set[tuple[str, str]]:
    """Return which report was written in by whom. A report that is new here waits for nothing."""
    merged = [one for one in arrivals if one.is_merged and one.kind in _ANSWERS]
    new = {one.record_id for one in merged if one.kind == "seizure" and one.op and one.op.is_new}
    found = {(_seizure_of(one, drafts), one.by) for one in merged}
    return {(seizure_id, by) for seizure_id, by in found if seizure_id and seizure_id not in new}


def _seizure_of(arrival: Arrival, drafts: Drafts) -> str:
    if arrival.kind == "seizure":
        return arrival.record_id
    return str(drafts[arrival.kind, arrival.record_id].shown.get("seizure_id") or "")


def _resubmit(unit: Unit, delivery: Delivery, seizure_id: str) -> None:
    authority_id = delivery.principal.authority_id
    unit.session.execute(
        update(Seizure)
        .where(Seizure.authority_id == authority_id, Seizure.id == seizure_id)
        .values(state=RESUBMITTED)
        .execution_options(synchronize_session=False)
    )
    unit.enter(
        authority_id,
        "seizure.resubmitted",
        subject=f"seizure/{seizure_id}",
        actor=delivery.principal.actor,
        moves=True,
    )
