"""Reads the ledger as tests ask about it: what was entered on one subject."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import text

from fieldapi.unit import Database


def entries_of(database: Database, subject: str, kind: str | None = None) -> list[dict[str, Any]]:
    """Return the entries on a subject, in order, of one kind if it is given."""
    with database.read() as session:
        rows = session.scalars(
            text("SELECT entry FROM ledger WHERE subject = :subject ORDER BY seq"),
            {"subject": subject},
        )
        found = [json.loads(row) for row in rows]
    return [entry for entry in found if kind in {None, entry["kind"]}]


def whole_ledger(database: Database) -> str:
    """Return the text of every entry of every authority."""
    with database.read() as session:
        return "\n".join(session.scalars(text("SELECT entry FROM ledger")))
