"""Who changed what in a case since somebody looked at it: for the answer to who saw an older one.

Called by the services that refuse a stale write. Reads the ledger; says names of fields, no values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.models import Review
from fieldapi.queries import cases
from sync.wire import JSON

_NO_CHANGE = frozenset({"photo.viewed", "record.viewed"})
_MOST = 20


def changes(session: Session, authority_id: str, subjects: Iterable[str], seen: str) -> list[JSON]:
    """Return what was entered about the subjects after the revision `seen`, newest first, at most
    twenty: when, by whom (a person's id, None for the program), which fields.
    """
    _, _, seq = seen.partition(".")
    after = int(seq) if seq.isdigit() else 0
    entries = [
        entry
        for entry in ledger.entries_about(session, authority_id, subjects)
        if int(str(entry["seq"])) > after and entry["kind"] not in _NO_CHANGE
    ][-_MOST:]
    people = _people(session, authority_id, entries)
    return [
        {
            "at": str(entry["at"]),
            "what": str(entry["kind"]),
            "subject": str(entry["subject"]),
            "by": _text(entry.get("by")) or people.get(str(entry["seq"])),
            "fields": _fields(entry.get("fields")),
        }
        for entry in reversed(entries)
    ]


def _people(
    session: Session, authority_id: str, entries: Collection[dict[str, object]]
) -> dict[str, str]:
    """Return who stands behind entries that name no person: whose device, whose review."""
    devices = cases.devices(session, authority_id, {str(one["actor"]) for one in entries})
    named = {str(one["review"]): str(one["seq"]) for one in entries if one.get("review")}
    query = select(Review.id, Review.person_id).where(
        Review.authority_id == authority_id, Review.id.in_(sorted(named))
    )
    found = {
        str(one["seq"]): devices[str(one["actor"])].person_id
        for one in entries
        if str(one["actor"]) in devices
    }
    return found | {named[id]: person for id, person in session.execute(query)}


def _fields(value: object) -> list[JSON]:
    if isinstance(value, dict):
        return [str(one) for one in value]
    return [str(one) for one in value] if isinstance(value, list) else []


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
