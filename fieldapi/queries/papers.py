"""Reads official papers: the row, who may see it, and the sheet that is drawn from it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from sqlalchemy.orm import Session

from fieldapi.clock import format_instant
from fieldapi.documents.papers import Paper
from fieldapi.domain.access import Principal, keeps, may_see_seizure, sees_all
from fieldapi.models import Document, Seizure
from fieldapi.packs import Packs
from fieldapi.problems import NotFound


def paper(session: Session, principal: Principal, document_id: str) -> Document:
    """Return a paper that the principal may see. Raises `NotFound`."""
    row = session.get(Document, (principal.authority_id, document_id))
    if row is None or not _may_see(session, principal, row):
        raise NotFound("There is no such paper.")
    return row


def _may_see(session: Session, principal: Principal, row: Document) -> bool:
    if sees_all(principal) or (principal.is_confirmed and keeps(principal, row.pound_id)):
        return True
    if row.seizure_id is None:
        return False
    seizure = session.get(Seizure, (row.authority_id, row.seizure_id))
    return seizure is not None and may_see_seizure(
        principal, author_id=seizure.author_id, pound_id=seizure.pound_id
    )


def view(row: Document) -> dict[str, Any]:
    """Return a paper as JSON: what it says, and how often it was printed."""
    return {
        "id": row.id,
        "kind": row.kind,
        "serial": row.serial,
        "act": row.act_id,
        "case": row.seizure_id,
        "pound": row.pound_id,
        "issued_at": format_instant(row.issued_at),
        "prints": row.prints,
        "printed_at": format_instant(row.printed_at) if row.printed_at else None,
        "is_void": row.voided_at is not None,
        "data": json.loads(row.data),
    }


def drawn(row: Document, packs: Packs, *, public_url: str) -> Paper:
    """Return a paper ready to be made a sheet: kinds named in both languages, a link for the QR."""
    data = json.loads(row.data)
    named = [one for one in data["authority"]["languages"] if one != "en"]
    return Paper(
        data,
        prints=row.prints,
        is_void=row.voided_at is not None,
        link=f"{public_url.rstrip('/')}/verify?document={row.id}",
        kind_names=kind_names(packs, named[0] if named else "en"),
    )


def copy_of(row: Document, packs: Packs) -> Paper:
    """Return a paper as it goes into a bundle: a duplicate, with nothing of this hour in it."""
    return replace(drawn(row, packs, public_url=""), prints=1, link="")


def kind_names(packs: Packs, language: str) -> dict[str, str]:
    """Return the names of all kinds of animals, English first."""
    found = {}
    for code, kind in packs.kinds.items():
        names = [kind.labels[one].one for one in ("en", language) if one in kind.labels]
        found[code] = " / ".join(dict.fromkeys(names)) or code
    return found
