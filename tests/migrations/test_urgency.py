"""Reports that were there before the reviewer's list had an order get their place in it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import create_engine, text

from fieldapi import migrate


def test_every_report_gets_a_place(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'old.sqlite3'}"
    migrate.upgrade(url)
    migrate.downgrade(url, "20261130_complaints")
    planted = (
        "INSERT INTO seizure (authority_id, id, received_at, heads, shown, is_incomplete,"
        " is_withdrawn, has_open_review, is_signed, state)"
        " VALUES ('a', 'one', '2026-11-30T05:00:00.000Z', '', '{}', 1, 0, 0, 0, 'received')"
    )
    with create_engine(url).begin() as old:
        old.execute(text(planted))
    migrate.upgrade(url)

    with create_engine(url).connect() as new:
        found = new.execute(text("SELECT seizure_id, is_ranked FROM urgency")).all()
    assert [tuple(row) for row in found] == [("one", 0)]
