"""Records as flat documents for RxDB: one page of what moved, or some by id.

See docs/protocol/sync.md section 6.

A document is the shown record under its dotted names, without nulls, with `_deleted` for a
withdrawn one, `sync_rev`, and `sync_state` where a person has to look.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.domain.access import Principal
from fieldapi.domain.records import KINDS
from fieldapi.keyring import Keyring
from fieldapi.ledger import Move
from fieldapi.models import ParkedOp, RecordRow
from fieldapi.models.bulk import among
from fieldapi.problems import BadRequest, NotFound
from fieldapi.queries import cursors, views
from fieldapi.queries.changes import view_of
from sync.wire import JSON

SYNC_REV, SYNC_STATE = "sync_rev", "sync_state"
# What a document holds beside the fields of its kind. Never read from a client.
ADDED = frozenset(
    {
        SYNC_REV,
        SYNC_STATE,
        "analysed_at",
        "exif",
        "flags",
        "format",
        "found",
        "height",
        "reason",
        "received_at",
        "review",
        "state",
        "trust",
        "verdict",
        "width",
        "withdrawn",
    }
)
_CHUNK = 500

Document = dict[str, JSON]


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a pull. `checkpoint`: what the client hands back to go on."""

    documents: list[Document]
    checkpoint: str


def require_kind(kind: str) -> None:
    """Raise `NotFound` for a kind that no record has."""
    if kind not in KINDS:
        raise NotFound("No record has this kind.")


def set_fields(kind: str) -> frozenset[str]:
    """Return the fields of a kind that are sets of elements."""
    return frozenset(row.name for row in KINDS[kind].fields.values() if row.klass == "set")


def pull(  # noqa: PLR0913 - a reader, a kind and a page
    session: Session, keys: Keyring, principal: Principal, kind: str, *, checkpoint: str, limit: int
) -> Page:
    """Return the next `limit` documents after `checkpoint` ("": from the start), fewer only at the
    end: RxDB takes a short page for the last. A checkpoint of another epoch, view or device starts
    over. An empty page moves nothing.
    """
    head = ledger.head(session, principal.authority_id)
    checkpoint = _plain(checkpoint)
    after = start = _position(keys, principal, kind, checkpoint, epoch=head.epoch)
    found: list[tuple[Move, Document]] = []
    is_more = True
    while is_more and len(found) < limit:
        moves = ledger.moves_after(
            session, principal.authority_id, after, limit=_CHUNK, until=head.size, kind=kind
        )
        found += _documents_of(session, principal, kind, moves, epoch=head.epoch)
        is_more = len(moves) == _CHUNK
        after = moves[-1].seq if moves else after
    if not found:
        return Page(
            [], checkpoint if start else _seal(keys, principal, kind, epoch=head.epoch, seq=0)
        )
    is_last = not is_more and len(found) <= limit
    reached = head.size if is_last else found[:limit][-1][0].seq
    documents = [document for _, document in found[:limit]]
    return Page(documents, _seal(keys, principal, kind, epoch=head.epoch, seq=reached))


def documents(
    session: Session, principal: Principal, kind: str, ids: Collection[str]
) -> dict[str, Document]:
    """Return the documents among `ids` that the principal sees, by id, as they are now."""
    if not ids:
        return {}
    authority_id = principal.authority_id
    epoch = ledger.head(session, authority_id).epoch
    revisions = ledger.revisions(session, authority_id, [f"{kind}/{one}" for one in ids])
    revs = {subject.partition("/")[2]: f"{epoch}.{seq}" for subject, seq in revisions.items()}
    return _visible(session, principal, kind, revs)


def _documents_of(
    session: Session, principal: Principal, kind: str, moves: Iterable[Move], *, epoch: str
) -> list[tuple[Move, Document]]:
    newest = {move.subject.partition("/")[2]: move for move in moves if move.is_newest}
    revs = {record_id: f"{epoch}.{move.seq}" for record_id, move in newest.items()}
    seen = _visible(session, principal, kind, revs)
    return [(move, seen[record_id]) for record_id, move in newest.items() if record_id in seen]


def _visible(
    session: Session, principal: Principal, kind: str, revs: Mapping[str, str]
) -> dict[str, Document]:
    """Return the documents that a principal sees of the records whose revisions are given."""
    loaded = views.load(session, principal.authority_id, [(kind, one) for one in revs])
    states = _waiting(session, principal, kind, revs)
    found: dict[str, Document] = {}
    for (_, record_id), row in loaded.rows.items():
        seizure = loaded.seizures.get(views.seizure_of(row) or "")
        how = views.visibility(principal, row, seizure)
        if how == views.HIDDEN and not views.was_listed(principal, row):
            continue
        document = {} if how == views.HIDDEN else _shown(row, loaded, how)
        state = states.get(record_id) or ("conflict" if row.has_open_review else None)
        if state is not None and how == views.WHOLE:
            document[SYNC_STATE] = state
        document |= {"id": record_id, "_deleted": row.is_withdrawn, SYNC_REV: revs[record_id]}
        found[record_id] = document
    return found


def _shown(row: RecordRow, loaded: views.Loaded, how: str) -> Document:
    record = views.record_of(row, loaded, how)
    return {
        name: value for name, value in record.items() if value is not None and name != "withdrawn"
    }


def _waiting(
    session: Session, principal: Principal, kind: str, ids: Collection[str]
) -> dict[str, str]:
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


def _holder(principal: Principal, kind: str) -> str:
    holder = principal.device_id or principal.person_id
    return f"{principal.authority_id}/{holder}/rxdb/{kind}"


def _seal(keys: Keyring, principal: Principal, kind: str, *, epoch: str, seq: int) -> str:
    position: cursors.Position = {"e": epoch, "s": seq, "v": view_of(principal)}
    return cursors.seal(keys, _holder(principal, kind), position)


def _position(
    keys: Keyring, principal: Principal, kind: str, checkpoint: str, *, epoch: str
) -> int:
    """Return where a checkpoint stands; 0 for none and for one that no longer holds: an error
    would be asked again for ever.
    """
    try:
        position = cursors.unseal(keys, _holder(principal, kind), checkpoint)
    except BadRequest:
        return 0
    seq = position.get("s")
    is_ours = position.get("e") == epoch and position.get("v") == view_of(principal)
    return seq if is_ours and isinstance(seq, int) else 0


def _plain(checkpoint: str) -> str:
    """Return the opaque part, also of a checkpoint that was sent as the object it is."""
    if not checkpoint.startswith("{"):
        return checkpoint
    try:
        return str(json.loads(checkpoint)["c"])
    except (ValueError, KeyError, RecursionError):
        return ""
