"""What others decide and the register keeps: complaints, stays, releases by order; and the end of
a case.
"""

from __future__ import annotations

from fieldapi.services.acts.kinds import COUNTER, OFFICE, ActKind
from fieldapi.services.acts.people import somebody

ACTS = (
    ActKind("release_by_order", OFFICE, ("order_no", "by", "fees_from"), prepare=somebody),
    ActKind("stay", OFFICE, ("order_no", "by")),
    ActKind("lift_stay", OFFICE, ("order_no", "by")),
    ActKind(
        "record_complaint",
        COUNTER,
        ("by", "in_person"),
        is_fact=True,
        is_judged=False,
        prepare=somebody,
    ),
    ActKind(
        "record_complaint_outcome",
        OFFICE,
        ("complaint", "outcome", "order_no", "by"),
        is_fact=True,
        is_judged=False,
    ),
    ActKind("close", OFFICE | {"pound_keeper"}),
    ActKind("reopen", OFFICE, ("order_no", "by")),
)
