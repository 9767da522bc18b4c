"""Reads a case as a whole: clocks, dues, animals, custody, acts done and acts allowed; a quote for
a person; the deadlines of an authority. Shared by api and console.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from fieldapi import law
from fieldapi.clock import format_instant
from fieldapi.domain.access import Principal, keeps, may_see_seizure, sees_all
from fieldapi.law.profile import StatuteProfile
from fieldapi.models import CaseFile, Custody, Deadline, Flag, Party, Seizure
from fieldapi.packs import Packs
from fieldapi.problems import NotFound
from fieldapi.queries import acts as act_queries
from fieldapi.queries import case_facts
from fieldapi.queries.case_facts import Facts

View = dict[str, Any]
DUE_SOON = timedelta(days=2)
_MOST = 500


def case(
    session: Session, principal: Principal, packs: Packs, seizure_id: str, *, at: datetime
) -> View:
    """Return a case as it stands at an instant: of acts, only those that had happened by then.

    Raises `NotFound`.
    """
    facts = case_facts.load(session, packs, principal.authority_id, seizure_id)
    _require_visible(principal, facts)
    facts_then = replace(facts.case, acts=tuple(one for one in facts.case.acts if one.at <= at))
    now = law.state(facts_then, at)
    seizure, file = facts.seizure, facts.file
    return {
        "id": seizure.id,
        "reference": seizure.reference or seizure.minted_reference,
        "at": format_instant(at),
        "state": "closed" if now.is_closed else "open",
        "is_stayed": now.is_stayed,
        "pound": None if file is None else file.pound_id,
        "statute": _statute(facts),
        "clocks": [clock(one) for one in law.clocks(facts_then, at)],
        "dues": _dues(facts_then, now, at),
        "animals": _animals(now),
        "custody": [_head(one, now) for one in facts_then.heads if one.id in now.heads],
        "flags": _flags(session, facts),
        "money": _money(now),
        "acts": [{"act": name, **verdict_of(one)} for name, one in law.check_acts(facts_then, at)],
        "history": act_queries.views(session, [row for row in facts.acts if row.happened_at <= at]),
    }


def _require_visible(principal: Principal, facts: Facts) -> None:
    seizure, file = facts.seizure, facts.file
    is_seen = may_see_seizure(principal, author_id=seizure.author_id, pound_id=seizure.pound_id)
    is_kept = file is not None and principal.is_confirmed and keeps(principal, file.pound_id)
    if not (is_seen or is_kept):
        raise NotFound("There is no such case.")


def _statute(facts: Facts) -> View:
    profile: StatuteProfile = facts.case.profile
    return {
        "series": profile.series,
        "version": profile.version,
        "name": profile.name,
        "digest": profile.digest,
        "pinned": facts.is_pinned,
        "confirmations": sorted(profile.confirmations),
    }


def clock(one: law.ClockState) -> View:
    """Return a clock as it is read."""
    return {
        "rule": one.rule,
        "starts_at": format_instant(one.starts_at),
        "last_day": one.last_day.isoformat() if one.last_day else None,
        "last_moment": format_instant(one.last_moment),
        "rolled_last_day": one.rolled_last_day.isoformat() if one.rolled_last_day else None,
        "opens_at": format_instant(one.opens_at) if one.opens_at else None,
        "then": one.then,
        "favours": one.favours,
        "section": one.section,
        "source": one.source,
        "verified": one.is_verified,
        "state": one.state,
        "custody": list(one.heads),
        "of": one.of_paise,
    }


def verdict_of(one: law.Verdict) -> View:
    """Return whether an act is allowed, as it is read."""
    return {
        "allowed": one.allowed,
        "rule": one.rule or None,
        "code": one.code or None,
        "reason": one.reason or None,
        "section": one.section or None,
        "source": one.source or None,
        "not_before": format_instant(one.not_before) if one.not_before else None,
        "is_possible": one.is_possible,
    }


def quote_of(one: law.Quote) -> View:
    """Return what a person owes, line by line, as it is read."""
    return {
        "party": one.party,
        "lines": [
            {
                "line": line.line,
                "paise": line.paise,
                "how": line.how,
                "section": line.section,
                "rule": line.rule,
                "source": line.source,
                "verified": line.is_verified,
                "note": line.note,
            }
            for line in one.lines
        ],
        "total": one.total_paise,
        "missing": list(one.missing),
        "notes": list(one.notes),
    }


def _dues(facts: law.Case, now: law.CaseState, at: datetime) -> list[View]:
    liable = {one.liable for one in now.heads.values() if one.is_in_custody}
    return [
        quote_of(law.dues(facts, party, at)) for party in sorted(liable, key=lambda one: one or "")
    ]


def _money(now: law.CaseState) -> View:
    """Return what stands in each account, and what is held for whom since when."""
    held = {"securities": law.holdings.securities(now), "surpluses": law.holdings.surpluses(now)}
    return {
        "accounts": {name: paise for name, paise in now.accounts.items() if paise},
        "balance": now.balance_paise,
        **{
            name: [
                {
                    "id": one.id,
                    "party": one.party,
                    "paise": one.paise,
                    "open": one.open_paise,
                    "since": format_instant(one.since),
                }
                for one in found
            ]
            for name, found in held.items()
        },
    }


def _animals(now: law.CaseState) -> list[View]:
    counts: dict[tuple[str, str], int] = {}
    for one in now.heads.values():
        counts[one.kind, one.state] = counts.get((one.kind, one.state), 0) + 1
    return [{"kind": kind, "state": state, "n": n} for (kind, state), n in sorted(counts.items())]


def _head(head: law.Head, now: law.CaseState) -> View:
    one = now.heads[head.id]
    return {
        "id": one.id,
        "kind": one.kind,
        "state": one.state,
        "lot": head.lot,
        "origin": head.origin,
        "previous": head.previous,
        "owner": one.owner,
        "kept_by": one.keeper,
        "liable": one.liable,
        "pound": one.pound,
        "impounded_at": format_instant(one.impounded_at) if one.impounded_at else None,
        "left_at": format_instant(one.left_at) if one.left_at else None,
        "became": one.became,
    }


def _flags(session: Session, facts: Facts) -> list[str]:
    """Return the doubts about the report and those that acts raised."""
    of_report = session.scalars(
        select(Flag.flag).where(
            Flag.authority_id == facts.seizure.authority_id,
            Flag.record_id == facts.seizure.id,
        )
    )
    of_acts = (flag for act in facts.acts for flag in json.loads(act.flags))
    return sorted({*of_report, *of_acts})


def quote(  # noqa: PLR0913 - whose, where and when
    session: Session,
    principal: Principal,
    packs: Packs,
    party_id: str,
    *,
    pound_id: str | None,
    at: datetime,
) -> View:
    """Return what a person owes in every open case of a pound. Raises `NotFound`."""
    authority_id = principal.authority_id
    if session.get(Party, (authority_id, party_id)) is None:
        raise NotFound("There is no such party.")
    stands = case_facts.through(case_facts.merged_parties(session, authority_id), party_id)
    parts = []
    cases = _cases_of(session, authority_id, str(stands), pound_id)
    for facts in case_facts.load_many(session, packs, authority_id, cases):
        if not _is_seen(principal, facts):
            continue
        then = replace(facts.case, acts=tuple(one for one in facts.case.acts if one.at <= at))
        parts.append({"case": facts.case.id, **quote_of(law.dues(then, stands, at))})
    totals = [part["total"] for part in parts]
    return {
        "party": stands,
        "pound": pound_id,
        "at": format_instant(at),
        "cases": parts,
        "lines": [{"case": part["case"], **line} for part in parts for line in part["lines"]],
        "total": None if None in totals else sum(totals),
        "missing": sorted({one for part in parts for one in part["missing"]}),
    }


def _is_seen(principal: Principal, facts: Facts) -> bool:
    try:
        _require_visible(principal, facts)
    except NotFound:
        return False
    return True


def _cases_of(
    session: Session, authority_id: str, party_id: str, pound_id: str | None
) -> list[str]:
    query = (
        select(Custody.seizure_id)
        .join(
            CaseFile,
            (CaseFile.authority_id == Custody.authority_id) & (CaseFile.id == Custody.seizure_id),
        )
        .where(
            Custody.authority_id == authority_id,
            CaseFile.state == "open",
            or_(Custody.owner_id == party_id, Custody.kept_by_id == party_id),
        )
        .distinct()
    )
    if pound_id is not None:
        query = query.where(Custody.pound_id == pound_id)
    return sorted(session.scalars(query))


def deadlines(
    session: Session, principal: Principal, *, now: datetime, state: str | None = None
) -> list[View]:
    """Return the deadlines of open cases that nobody has met, the nearest first."""
    query = (
        select(Deadline, Seizure, CaseFile)
        .join(
            CaseFile,
            (CaseFile.authority_id == Deadline.authority_id) & (CaseFile.id == Deadline.seizure_id),
        )
        .join(
            Seizure,
            (Seizure.authority_id == Deadline.authority_id) & (Seizure.id == Deadline.seizure_id),
        )
        .where(
            Deadline.authority_id == principal.authority_id,
            Deadline.is_met.is_(False),
            CaseFile.state == "open",
        )
        .order_by(Deadline.last_moment, Deadline.seizure_id, Deadline.n)
        .limit(_MOST)
    )
    found = (
        _deadline(row, seizure, file, now)
        for row, seizure, file in session.execute(query)
        if _may_see(principal, seizure, file)
    )
    return [one for one in found if state in (None, one["state"])]


def _may_see(principal: Principal, seizure: Seizure, file: CaseFile) -> bool:
    return (
        sees_all(principal) or keeps(principal, file.pound_id) or keeps(principal, seizure.pound_id)
    )


def _deadline(row: Deadline, seizure: Seizure, file: CaseFile, now: datetime) -> View:
    return {
        "case": row.seizure_id,
        "reference": seizure.reference or seizure.minted_reference,
        "pound": file.pound_id,
        "rule": row.rule,
        "starts_at": format_instant(row.starts_at),
        "last_moment": format_instant(row.last_moment),
        "opens_at": format_instant(row.opens_at) if row.opens_at else None,
        "then": row.then,
        "favours": row.favours,
        "source": row.source,
        "verified": row.is_verified,
        "state": state_of(row.last_moment, now),
    }


def state_of(last_moment: datetime, now: datetime) -> str:
    """Return `running`, `due_soon` (within two days) or `overdue`."""
    if now > last_moment:
        return "overdue"
    return "due_soon" if last_moment - now <= DUE_SOON else "running"
