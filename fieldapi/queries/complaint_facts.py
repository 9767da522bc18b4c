"""Loads a complaint as the law sees it, on the facts of its case.

Called by the service, which acts, and by the reads of a complaint: both judge by the same facts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from fieldapi import law
from fieldapi.models import Complaint
from fieldapi.queries.case_facts import Facts, acts_of, done_of, through

ComplaintCase = law.complaints.ComplaintCase


def complaint_case(session: Session, facts: Facts, row: Complaint) -> ComplaintCase:
    """Return a complaint with the case that it is about and what was done about it."""
    said: Mapping[str, Any] = json.loads(row.data)
    acts = acts_of(session, row.authority_id, "complaint", row.id)
    return ComplaintCase(
        id=row.id,
        case=facts.case,
        made_at=row.made_at,
        by=through(facts.merged, row.by_id) or row.by_id,
        agent=through(facts.merged, row.agent_id),
        is_acquainted=row.is_acquainted,
        is_verbal=row.is_verbal,
        is_taken_down=bool(said.get("taken_down_by")) and bool(said.get("text")),
        heads=tuple(json.loads(row.heads)),
        against={
            str(through(facts.merged, one["party"])): str(one["part"]) for one in said["against"]
        },
        said={str(one["allegation"]): str(one["text"]) for one in said["allegations"]},
        acts=done_of(session, row.authority_id, acts, facts.merged),
    )
