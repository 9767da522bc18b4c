"""Reads acts and the papers they minted. Shared by api, console and cli."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from fieldapi.clock import format_instant
from fieldapi.domain.words import sentence
from fieldapi.models import Act, Document
from fieldapi.models.bulk import among
from fieldapi.problems import NotFound

View = dict[str, Any]


def act(session: Session, authority_id: str, act_id: str) -> View:
    """Return one act with its serials and papers. Raises `NotFound`."""
    row = session.get(Act, (authority_id, act_id))
    if row is None:
        raise NotFound("There is no such act.")
    return views(session, [row])[0]


def views(session: Session, acts: Sequence[Act]) -> list[View]:
    """Return acts as they are read, with their papers loaded at once."""
    if not acts:
        return []
    papers: dict[str, list[Document]] = {}
    query = (
        select(Document)
        .where(
            Document.authority_id == acts[0].authority_id,
            among(session, Document.act_id, [row.id for row in acts]),
        )
        .order_by(Document.issued_at, Document.id)
    )
    for paper in session.scalars(query):
        papers.setdefault(paper.act_id, []).append(paper)
    return [_view(row, papers.get(row.id, [])) for row in acts]


def count(session: Session, authority_id: str, seizure_id: str) -> int:
    """Return how many official acts stand in a case."""
    query = select(func.count(Act.id)).where(
        Act.authority_id == authority_id, Act.subject_kind == "case", Act.subject_id == seizure_id
    )
    return session.scalar(query) or 0


def papers(session: Session, authority_id: str, seizure_id: str) -> int:
    """Return how many numbered papers a case has."""
    query = select(func.count(Document.id)).where(
        Document.authority_id == authority_id, Document.seizure_id == seizure_id
    )
    return session.scalar(query) or 0


def _view(row: Act, papers: Sequence[Document]) -> View:
    said = _spoken(json.loads(row.answer))
    return {
        "id": row.id,
        "act": row.act,
        "mode": row.mode,
        row.subject_kind: row.subject_id,
        "n": row.n,
        "happened_at": format_instant(row.happened_at),
        "performed_at": format_instant(row.performed_at),
        "by": row.person_id,
        "pound": row.pound_id,
        "party": row.party_id,
        "custody": json.loads(row.heads),
        "data": json.loads(row.data),
        "written_reason": row.reason or None,
        **said,
        "flags": json.loads(row.flags),
        "serials": list(dict.fromkeys(one.serial for one in papers if one.serial)),
        "documents": [{"id": one.id, "kind": one.kind, "serial": one.serial} for one in papers],
    }


def _spoken(said: dict[str, Any]) -> dict[str, Any]:
    """Return a stored answer whose words of the law are sentences again: they are stored in English
    and read in the language of whoever asks.
    """
    reason, notes = said.get("reason"), said.get("notes") or []
    return {
        **said,
        "reason": reason and sentence(reason),
        "notes": [sentence(one) for one in notes],
    }
