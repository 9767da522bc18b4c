"""Enters who saw personal data of others. Called by every door that gives a record out whole.

Whoever wrote a report knows what is in it: that is no view.
"""

from __future__ import annotations

from fieldapi.clock import INDIA
from fieldapi.domain.access import Principal, may_see_seizure
from fieldapi.models import RecordView, Seizure
from fieldapi.models.insert import insert_once
from fieldapi.unit import Database, Unit


def note_seizure(database: Database, principal: Principal, seizure_id: str) -> None:
    """Enter that somebody who did not write the report, and sees it whole, saw the people in it."""
    with database.read() as session:
        row = session.get(Seizure, (principal.authority_id, seizure_id))
    if row is None or row.author_id == principal.person_id:
        return
    if may_see_seizure(principal, author_id=row.author_id, pound_id=row.pound_id):
        note_view(database, principal, f"seizure/{seizure_id}")


def note_view(database: Database, principal: Principal, subject: str) -> None:
    """Enter that somebody saw `subject` (`noun/id`): once per actor, subject and day (IST)."""
    day = database.clock().astimezone(INDIA).date()
    key = (principal.authority_id, principal.actor, subject, day)
    with database.read() as session:
        if session.get(RecordView, key) is not None:
            return

    def note(unit: Unit) -> None:
        if unit.session.get(RecordView, key) is not None:
            return
        names = ("authority_id", "actor", "subject", "day")
        if insert_once(unit.session, RecordView, dict(zip(names, key, strict=True))):
            authority_id, actor = principal.authority_id, principal.actor
            unit.enter(authority_id, "record.viewed", subject=subject, actor=actor)

    database.transact(note)
