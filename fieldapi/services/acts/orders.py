"""What others decide and the register keeps: stays, releases by order; and the end of a case."""

from __future__ import annotations

from fieldapi.services.acts.kinds import OFFICE, ActKind
from fieldapi.services.acts.people import somebody

ACTS = (
    ActKind("release_by_order", OFFICE, ("order_no", "by", "fees_from"), prepare=somebody),
    ActKind("stay", OFFICE, ("order_no", "by")),
    ActKind("lift_stay", OFFICE, ("order_no", "by")),
    ActKind("close", OFFICE | {"pound_keeper"}),
    ActKind("reopen", OFFICE, ("order_no", "by")),
)
