"""Reads complaints: what was said beside what the record shows, findings, order, money, clocks.

Shared by api and console. The law judges by `complaint_facts`; here is only how it is told.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi import law
from fieldapi.clock import format_instant
from fieldapi.domain.access import Principal
from fieldapi.law.clocks import COMPLAINT_DAYS, FOLLOW_UP
from fieldapi.models import Act, Complaint
from fieldapi.packs import Packs
from fieldapi.problems import NotFound
from fieldapi.queries import acts as act_queries
from fieldapi.queries import case_facts, case_views, complaint_evidence
from fieldapi.queries.case_facts import Facts, acts_of
from fieldapi.queries.complaint_facts import ComplaintCase, complaint_case
from fieldapi.queries.complaint_record import Seen, shown
from fieldapi.queries.pages import Page, Turn, page

View = dict[str, Any]


def page_of(
    session: Session, authority_id: str, turn: Turn, *, case: str | None = None
) -> Page[View]:
    """Return a page of complaints in short; `case`: those about one seizure."""
    query = select(Complaint).where(Complaint.authority_id == authority_id)
    if case is not None:
        query = query.where(Complaint.seizure_id == case)
    return page(session, query, turn, by=Complaint.id).map(short)


def get(session: Session, authority_id: str, complaint_id: str) -> Complaint:
    """Return a complaint's row. Raises `NotFound`."""
    row = session.get(Complaint, (authority_id, complaint_id))
    if row is None:
        raise NotFound("There is no such complaint.")
    return row


def one(
    session: Session, packs: Packs, authority_id: str, complaint_id: str, *, at: datetime
) -> View:
    """Return a complaint whole, as it stands at an instant. Raises `NotFound`."""
    row = get(session, authority_id, complaint_id)
    facts = case_facts.load(session, packs, authority_id, row.seizure_id)
    found = complaint_case(session, facts, row)
    now = law.complaints.complaint_state(found, at)
    acts = acts_of(session, authority_id, "complaint", row.id)
    seizure = facts.seizure
    return {
        **short(row),
        "reference": seizure.reference or seizure.minted_reference,
        "statute": {"version": facts.version, "name": facts.case.profile.name},
        **_form(found, row),
        "in_time": law.complaints.in_time(found),
        "doubts": [case_views.verdict_of(doubt) for doubt in law.complaints.doubts(found)],
        "clocks": _clocks(facts, at),
        "decides": facts.case.profile.value("complaint_to"),
        "is_decided_here": facts.case.profile.value("complaint_decided_here") is True,
        "against": [{"party": party, "part": part} for party, part in now.against.items()],
        "allegations": _allegations(session, facts, found, now=now, at=at),
        "order": _order(acts, now.decision),
        "draft": _order(acts, now.draft),
        "money": _money(found, now),
        "acts": _allowed(found, at),
        "history": act_queries.views(session, acts),
    }


def short(row: Complaint) -> View:
    """Return a complaint as a list tells it."""
    return {
        "id": row.id,
        "case": row.seizure_id,
        "by": row.by_id,
        "agent": row.agent_id,
        "state": row.state,
        "outcome": row.outcome,
        "made_at": format_instant(row.made_at),
        "decided_at": format_instant(row.decided_at) if row.decided_at else None,
        "created_at": format_instant(row.created_at),
        "taken_by": row.taken_by,
    }


def evidence(session: Session, packs: Packs, authority_id: str, complaint_id: str) -> list[View]:
    """Return what of the case can be picked as evidence. Raises `NotFound`."""
    row = get(session, authority_id, complaint_id)
    facts = case_facts.load(session, packs, authority_id, row.seizure_id)
    return complaint_evidence.evidence(session, facts)


def of_case(session: Session, principal: Principal, seizure_id: str) -> list[View]:
    """Return the complaints about a seizure in short, oldest first."""
    query = select(Complaint).where(
        Complaint.authority_id == principal.authority_id, Complaint.seizure_id == seizure_id
    )
    return [short(row) for row in session.scalars(query.order_by(Complaint.made_at, Complaint.id))]


def _form(found: ComplaintCase, row: Complaint) -> View:
    said: Mapping[str, Any] = json.loads(row.data)
    return {
        "text": said["text"],
        "is_verbal": found.is_verbal,
        "taken_down_by": said.get("taken_down_by"),
        "is_acquainted": found.is_acquainted,
        "heads": list(found.heads),
    }


def _clocks(facts: Facts, at: datetime) -> list[View]:
    rules = (COMPLAINT_DAYS, FOLLOW_UP)
    return [case_views.clock(one) for one in law.clocks(facts.case, at) if one.rule in rules]


def _allegations(
    session: Session,
    facts: Facts,
    found: ComplaintCase,
    *,
    now: law.complaints.ComplaintState,
    at: datetime,
) -> list[View]:
    records = complaint_evidence.records_of(session, facts)
    seen = Seen(facts, records, law.state(facts.case, at), found.by)
    return [
        {
            "allegation": what,
            "said": text,
            "record": shown(seen, what),
            "evidence": list(now.evidence.get(what, ())),
            "finding": _finding(now.findings.get(what)),
        }
        for what, text in now.said.items()
    ]


def _finding(one: law.complaints.Finding | None) -> View | None:
    if one is None:
        return None
    return {"found": one.finding, "reason": one.reason, "act": one.act}


def _order(acts: list[Act], order: law.Done | None) -> View | None:
    """Return an order with whoever made it, or None."""
    made = next((row for row in acts if order is not None and row.id == order.id), None)
    if order is None or made is None:
        return None
    return {
        "act": order.id,
        "is_recorded": order.act == "record_order",
        "by": made.person_id,
        "at": format_instant(order.at),
        "data": dict(order.data),
    }


def _money(found: ComplaintCase, now: law.complaints.ComplaintState) -> View:
    cap = found.profile.cap(law.complaint_acts.CAP)
    return {
        "owed": [
            {"party": party, "line": line, "paise": paise, "paid": now.paid.get((party, line), 0)}
            for (party, line), paise in now.owed.items()
        ],
        "outstanding": now.outstanding(),
        "held": now.held_paise,
        "cap": None
        if cap is None
        else {
            "paise": cap.most_paise,
            "rule": cap.rule,
            "section": cap.provenance.section,
            "source": cap.provenance.source.title,
            "verified": found.profile.may_block(cap.provenance),
        },
    }


def _allowed(found: ComplaintCase, at: datetime) -> list[View]:
    asked = law.Proposal("", "", at, at)
    checked = law.complaint_acts.check_complaint(found, asked)
    return [{"act": name, **case_views.verdict_of(verdict)} for name, verdict in checked]
