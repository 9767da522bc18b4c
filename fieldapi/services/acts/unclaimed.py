"""Cattle that nobody claims or pays for: default noted, reported, noticed, proclaimed."""

from __future__ import annotations

from fieldapi.services.acts.kinds import COUNTER, KEEPER, ActKind, Paper
from fieldapi.services.acts.people import somebody

ACTS = (
    ActKind("record_owner_default", COUNTER, ("by", "refuses", "appeared"), prepare=somebody),
    ActKind("report_unclaimed", KEEPER, ("dated",), papers=(Paper("unclaimed_report"),)),
    ActKind(
        "post_notice",
        COUNTER,
        ("dated", "particulars", "proclamation", "place"),
        papers=(Paper("notice", "notice"),),
    ),
    ActKind("record_proclamation", COUNTER, ("place", "manner", "witness", "photo"), is_fact=True),
)
