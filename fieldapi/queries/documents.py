"""Records as flat documents: the shown record under its dotted names, without nulls; `_deleted` for
a withdrawn one, `sync_rev`, and `sync_state` where a person has to look.

Called by `rxdb` and by the services that take such documents in. See docs/protocol/rxdb.md.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.domain.access import Principal
from fieldapi.domain.records import KINDS
from fieldapi.models import ParkedOp
from fieldapi.models.bulk import among
from fieldapi.problems import NotFound
from fieldapi.queries import sights, views
from fieldapi.queries.sights import Change
from sync.wire import JSON

DELETED, SYNC_REV, SYNC_STATE = "_deleted", "sync_rev", "sync_state"
_UNTOLD = frozenset({"struck", "withdrawn"})
# What a document may hold beside the fields of its kind. Never read from a client.
ADDED = (views.ADDED - {"reference"}) | {SYNC_REV, SYNC_STATE}

Document = dict[str, JSON]


def require_kind(kind: str) -> None:
    """Raise `NotFound` for a kind that no record has."""
    if kind not in KINDS:
        raise NotFound("No record has this kind.")


def set_fields(kind: str) -> frozenset[str]:
    """Return the fields of a kind that are sets of elements."""
    return frozenset(row.name for row in KINDS[kind].fields.values() if row.klass == "set")


def documents(
    session: Session, principal: Principal, kind: str, ids: Collection[str]
) -> dict[str, Document]:
    """Return the documents among `ids` that the principal sees, by id, as they are now."""
    if not ids:
        return {}
    authority_id = principal.authority_id
    epoch = ledger.head(session, authority_id).epoch
    seqs = ledger.revisions(session, authority_id, [f"{kind}/{one}" for one in ids])
    loaded = views.load(session, authority_id, [(kind, one) for one in ids])
    puts = []
    for row in loaded.rows.values():
        how = views.visibility(principal, row, loaded.seizures.get(views.seizure_of(row) or ""))
        if how != views.HIDDEN:
            puts.append(sights.put(row, loaded, how, f"{epoch}.{seqs[f'{kind}/{row.id}']}"))
    return {str(one["id"]): one for one in as_documents(session, principal, kind, puts)}


def as_documents(
    session: Session, principal: Principal, kind: str, changes: Sequence[Change]
) -> list[Document]:
    """Return a document for each of the changes of a pull, all about records of one kind.

    What leaves a puller's sight is a deleted document.
    """
    states = _waiting(session, principal, kind, {str(one["id"]) for one in changes})
    epoch = ledger.head(session, principal.authority_id).epoch
    return [_document(one, epoch, states.get(str(one["id"]))) for one in changes]


def _document(change: Change, epoch: str, state: str | None) -> Document:
    record, reviews = change.get("record"), change.get("reviews")
    shown = record if isinstance(record, dict) else {"withdrawn": True}
    document: Document = {
        name: value for name, value in shown.items() if value is not None and name not in _UNTOLD
    }
    told = reviews if isinstance(reviews, list) else []
    if any(isinstance(one, dict) and one["state"] == "open" for one in told):
        state = state or "conflict"
    if state is not None:
        document[SYNC_STATE] = state
    return {
        **document,
        "id": change["id"],
        DELETED: shown.get("withdrawn") is True,
        SYNC_REV: change.get("rev") or f"{epoch}.{change['seq']}",
    }


def _waiting(
    session: Session, principal: Principal, kind: str, ids: Collection[str]
) -> Mapping[str, str]:
    """Return, by record id, how ops of the principal wait there: `quarantined`, also in part, or
    `held`.
    """
    query = select(ParkedOp.record_id, ParkedOp.status).where(
        ParkedOp.authority_id == principal.authority_id,
        ParkedOp.kind == kind,
        among(session, ParkedOp.record_id, ids),
        ParkedOp.by == principal.person_id,
        ParkedOp.resolved.is_(None),
        ParkedOp.status != "deferred",
    )
    found: dict[str, str] = {}
    for record_id, status in session.execute(query):
        if found.get(record_id) != "quarantined":
            found[record_id] = "held" if status == "held" else "quarantined"
    return found
