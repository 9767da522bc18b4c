"""Tree heads that phones carry away and bring back: every phone is a witness of the ledger.

Called by `sync`. A head that does not fit is an alarm: in the log, in the ledger, and at the phone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.domain.access import Principal
from fieldapi.ledger import Comparison, KeptHead, LedgerError, TreeHead
from fieldapi.models import LedgerEntry
from fieldapi.services import attempts
from fieldapi.services.attempts import Limit
from fieldapi.unit import Database, Unit
from sync.wire import JSON

MOST = 20
WITNESSED, CONTRADICTED = "ledger.witnessed", "ledger.contradicted"
# A phone can say what it likes; what it says beyond this goes to the log alone.
_PER_DEVICE = Limit("ledger.heads", tries=20, window=timedelta(days=1))

log = structlog.get_logger(__name__)


def read_heads(value: JSON, authority_id: str) -> tuple[KeptHead, ...]:
    """Return the heads of this authority in the `tree_heads` of a request. What is none is passed
    over: no phone shall be stranded by it.
    """
    found = []
    for one in value[:MOST] if isinstance(value, list) else ():
        try:
            head = ledger.kept_of(one) if isinstance(one, dict) else None
        except LedgerError:
            continue
        if head is not None and head.authority_id == authority_id:
            found.append(head)
    return tuple(found)


def compare(session: Session, head: TreeHead, kept: Iterable[KeptHead]) -> list[Comparison]:
    """Return what each head that came back says of the ledger."""
    return [ledger.compare(session, head, one) for one in kept]


def told_of(head: TreeHead, compared: Iterable[Comparison]) -> dict[str, JSON]:
    """Return the present head as the answer tells it: with the proof that it continues the one
    that the phone kept, or with `"fits": false`.
    """
    members: dict[str, JSON] = {
        "authority": head.authority_id,
        "epoch": head.epoch,
        "size": head.size,
        "root": head.root.hex(),
        "at": head.as_json()["at"],  # type: ignore[dict-item]
        "signature": head.signature.hex(),
        "consistency": [],
    }
    for one in compared:
        if not one.fits:
            return {**members, "consistency": [], "fits": False}
        if one.proof:
            members["consistency"] = [node.hex() for node in one.proof]
    return members


def note(database: Database, principal: Principal, compared: Sequence[Comparison]) -> None:
    """Enter the heads of epochs that are over, once each, and raise the alarm for those that do
    not fit.
    """
    unusual = [one for one in compared if one.is_over or not one.fits]
    for one in unusual:
        if not one.fits:
            kept = one.kept
            log.error(
                "tree_head_contradicted",
                epoch=kept.epoch,
                size=kept.size,
                root=kept.root.hex(),
                actor=principal.actor,
            )
    if unusual:
        database.transact(lambda unit: _enter(unit, principal, unusual))


def _enter(unit: Unit, principal: Principal, unusual: Iterable[Comparison]) -> None:
    at = principal.authority_id
    for one in unusual:
        kind = WITNESSED if one.fits else CONTRADICTED
        kept = one.kept
        subject = f"head/{kept.epoch}.{kept.size}.{kept.root.hex()}"
        if _is_known(unit.session, at, kind, subject) or _is_too_much(unit, principal):
            continue
        unit.enter(
            at,
            kind,
            subject=subject,
            actor=principal.actor,
            epoch=kept.epoch,
            size=kept.size,
            root=kept.root.hex(),
        )


def _is_known(session: Session, authority_id: str, kind: str, subject: str) -> bool:
    query = select(LedgerEntry.seq).where(
        LedgerEntry.authority_id == authority_id,
        LedgerEntry.subject == subject,
        LedgerEntry.kind == kind,
    )
    return session.scalars(query.limit(1)).first() is not None


def _is_too_much(unit: Unit, principal: Principal) -> bool:
    window = _PER_DEVICE.window_at(unit.now)
    return attempts.note(unit, _PER_DEVICE.scope, principal.actor, window_at=window) > (
        _PER_DEVICE.tries
    )
