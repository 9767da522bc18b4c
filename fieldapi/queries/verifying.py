"""What the server says to anybody who holds something and asks whether it is of here: a hash, a
head of the ledger, the code on a receipt. It names no person, no report and no place.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.ids import is_id, is_sha256
from fieldapi.keyring import Keyring
from fieldapi.ledger import Comparison, KeptHead, LedgerError
from fieldapi.models import Authority, Bundle, Complaint, Document, Original

_IN_LINK = re.compile(r"[?&](?:document|hash|q)=([^&\s]+)")
MOST = 4000
PROOF = "fieldapi proof 1"


@dataclass(frozen=True, slots=True)
class Finding:
    """One answer. `what`: `bundle`, `photo`, `head`, `paper`, `complaint` or `nothing`; of heads
    also `forged` (its signature is none of ours), `unsigned` (it does not fit, and nothing shows
    that it was ours) and `lost` (a restore lost what it tells of). `fits`: it is of here. `facts`:
    code → what it is, to be said in words.
    """

    what: str
    fits: bool
    authority: str = ""
    at: datetime | None = None
    facts: tuple[tuple[str, str], ...] = ()


def asked(session: Session, text: str, keys: Keyring) -> list[Finding]:
    """Return what is known of a text that somebody typed, scanned or followed as a link."""
    said = text[:MOST].strip()
    link = _IN_LINK.search(said)
    if link is not None:
        said = link[1]
    compact = re.sub(r"[\s-]+", "", said).lower()
    if is_sha256(compact):
        return _of_hash(session, compact)
    if is_id(said.lower()):
        return _of_paper(session, said.lower())
    kept = _heads(said)
    return [_of_head(session, one, keys) for one in kept] or [Finding("nothing", fits=False)]


def _of_hash(session: Session, sha256: str) -> list[Finding]:
    query_names = select(Authority.id, Authority.name)
    names = {row.id: row.name for row in session.execute(query_names)}
    found = [
        Finding(
            "bundle",
            fits=True,
            authority=names.get(row.authority_id, ""),
            at=row.done_at,
            facts=(("size", str(row.size)), ("cut", str(row.cut)), ("head", row.root or "")),
        )
        for row in session.scalars(
            select(Bundle).where(Bundle.sha256 == sha256).order_by(Bundle.done_at).limit(1)
        )
    ]
    query = select(Original).where(
        Original.authority_id.in_(sorted(names)), Original.sha256 == sha256
    )
    for row in session.scalars(query):
        size = (("size", str(row.size)),)
        found.append(Finding("photo", True, names[row.authority_id], row.stored_at, size))
    return found or [Finding("nothing", fits=False)]


def _of_paper(session: Session, document_id: str) -> list[Finding]:
    query = select(Document).where(Document.id == document_id)
    found = []
    for row in session.scalars(query):
        authority = session.get_one(Authority, row.authority_id)
        lines = json.loads(row.data).get("lines") or []
        facts = [("kind", row.kind), ("serial", row.serial or "")]
        if lines:
            facts.append(("total", str(sum(one["paise"] for one in lines))))
        facts.append(("void", "yes" if row.voided_at else "no"))
        fits = row.voided_at is None
        found.append(Finding("paper", fits, authority.name, row.issued_at, tuple(facts)))
    for one in session.scalars(select(Complaint).where(Complaint.id == document_id)):
        name = session.get_one(Authority, one.authority_id).name
        found.append(Finding("complaint", True, name, one.created_at, (("state", one.state),)))
    return found or [Finding("nothing", fits=False)]


def _heads(said: str) -> list[KeptHead]:
    """Return the heads in a text: codes of a pound board, texts of heads, or the JSON of one."""
    try:
        return ledger.read_pair(said)
    except LedgerError:
        return []


def _of_head(session: Session, kept: KeptHead, keys: Keyring) -> Finding:
    authority = _authority(session, kept)
    if authority is None:
        return Finding("nothing", fits=False)
    now = ledger.head(session, authority.id)
    told = ledger.compare(session, now, kept)
    facts = (("kept", f"{kept.epoch}.{kept.size}"), ("now", f"{now.epoch}.{now.size}"))
    what = what_it_is(kept, told, keys)
    return Finding(what, told.fits and what == "head", authority.name, now.at, facts)


def _authority(session: Session, kept: KeptHead) -> Authority | None:
    query = select(Authority).where(
        or_(Authority.id == kept.authority_id, Authority.code == kept.authority_id)
    )
    return session.scalars(query.order_by(Authority.id).limit(1)).first()


def proof(session: Session, text: str, keys: Keyring) -> dict[str, object] | None:
    """Return the proof that a head which somebody kept is continued: by the second one in the text,
    or else by the present one. None where there is nothing to prove, or it is not so.
    """
    kept = sorted(_heads(text[:MOST]), key=lambda one: one.size)
    findings = [_of_head(session, one, keys) for one in kept]
    authority = _authority(session, kept[0]) if kept else None
    if authority is None or not all(one.what == "head" and one.fits for one in findings):
        return None
    if any(_authority(session, one) is not authority for one in kept):
        return None
    now = ledger.head(session, authority.id)
    sizes = [kept[0].size, kept[1].size if len(kept) > 1 else now.size]
    if not sizes[0]:
        return None
    newer = now if sizes[1] == now.size else ledger.head_at(session, authority.id, sizes[1], keys)
    path = ledger.consistency(session, authority.id, *sizes)
    return {
        "format": PROOF,
        "older": {
            "authority": authority.id,
            "epoch": kept[0].epoch,
            "size": sizes[0],
            "root": kept[0].root.hex(),
        },
        "newer": newer.as_json(),
        "consistency": [one.hex() for one in path],
        "public_key": keys.public_key.hex(),
    }


def what_it_is(kept: KeptHead, told: Comparison, keys: Keyring) -> str:
    """Return what a head is. Anybody can write one down: only a signature shows whose it was."""
    is_ours = kept.is_signed(keys)
    if kept.signature is not None and not is_ours:
        return "forged"
    if told.is_lost:
        return "lost"
    return "head" if told.fits or is_ours else "unsigned"
