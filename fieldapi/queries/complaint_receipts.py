"""The receipt that a complainant takes home: that the complaint was taken in, when, in which words,
and whether it was in time. Drawn from what was written down at intake; shared by api and console.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from fieldapi import law
from fieldapi.clock import format_instant
from fieldapi.documents.parts import person
from fieldapi.documents.sheets import Pair, Sheet, Table, Tongue, moment
from fieldapi.domain.access import Principal, may
from fieldapi.domain.complaint_labels import ALLEGATIONS, IN_TIME, PARTS
from fieldapi.domain.words import sentence
from fieldapi.models import Authority, Complaint
from fieldapi.packs import Packs
from fieldapi.problems import NotFound
from fieldapi.queries import case_facts, cases
from fieldapi.queries.case_facts import Facts
from fieldapi.queries.complaint_facts import complaint_case
from fieldapi.queries.complaints import get

_HERE = sentence("The complaint is decided here.")
_ELSEWHERE = sentence("The complaint is decided by a Magistrate, to whom it is forwarded.")
_ASK = sentence("The code on this paper tells whether it was taken in, and how far it has gone.")


def receipt(
    session: Session, packs: Packs, principal: Principal, complaint_id: str, *, public_url: str
) -> Sheet:
    """Return the receipt of a complaint; a keeper is given those that he took in himself. Raises
    `NotFound`.
    """
    authority_id = principal.authority_id
    row = get(session, authority_id, complaint_id)
    if not may(principal, "complaint.read") and row.taken_by != principal.person_id:
        raise NotFound("There is no such complaint.")
    facts = case_facts.load(session, packs, authority_id, row.seizure_id)
    authority = session.get_one(Authority, authority_id)
    named = [one for one in authority.languages.split() if one != "en"]
    tongue = Tongue(named[0] if named else facts.case.profile.languages[0])
    said: dict[str, Any] = json.loads(row.data)
    reference = facts.seizure.reference or facts.seizure.minted_reference or facts.seizure.id
    told = [*_facts(session, facts, row, said=said, tongue=tongue)]
    is_here = facts.case.profile.value("complaint_decided_here") is True
    return Sheet(
        language=tongue.language,
        title=tongue.pair(sentence("Receipt of a complaint")),
        authority=authority.name,
        serial=f"{reference} / {_number(session, row)}",
        subtitle=facts.case.profile.name,
        facts=[(tongue.both(label), value) for label, value in told if value],
        tables=_alleged(said, tongue),
        notes=[
            text
            for note in (_HERE if is_here else _ELSEWHERE, _ASK)
            for text in tongue.pair(note)
            if text
        ],
        signatures=[tongue.both(one) for one in (sentence("Complainant"), sentence("Officer"))],
        link=f"{public_url.rstrip('/')}/verify?document={row.id}",
        footer=[moment(format_instant(row.created_at))],
    )


def _facts(
    session: Session, facts: Facts, row: Complaint, *, said: dict[str, Any], tongue: Tongue
) -> Iterator[Pair]:
    taker = cases.names(session, row.authority_id, [row.taken_by]).get(row.taken_by, "")
    found = complaint_case(session, facts, row)
    in_time = law.complaints.in_time(found)
    against = [f"{person(one)} ({tongue.both(PARTS[one['part']])})" for one in said["against"]]
    yield sentence("Complainant"), person(said.get("by"))
    yield sentence("Through"), person(said.get("agent"))
    yield sentence("Complaint made on"), moment(format_instant(row.made_at))
    yield sentence("Taken in on"), moment(format_instant(row.created_at))
    yield sentence("Taken in by"), taker
    yield sentence("Within the time of the Act"), tongue.both(IN_TIME[in_time]) if in_time else ""
    yield sentence("Complaint"), str(said["text"])
    yield sentence("If it was said: who wrote it down"), str(said["taken_down_by"] or "")
    yield sentence("Against"), "; ".join(against)


def _alleged(said: dict[str, Any], tongue: Tongue) -> list[Table]:
    rows = [
        [tongue.both(ALLEGATIONS[one["allegation"]]), one["text"]] for one in said["allegations"]
    ]
    columns = [tongue.both(one) for one in (sentence("Allegation"), sentence("In words"))]
    return [Table(columns, rows)] if rows else []


def _number(session: Session, row: Complaint) -> int:
    """Return which complaint about its case it is."""
    query = select(func.count()).where(
        Complaint.authority_id == row.authority_id,
        Complaint.seizure_id == row.seizure_id,
        Complaint.created_at <= row.created_at,
    )
    return session.scalar(query) or 1
