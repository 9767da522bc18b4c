"""The papers of a complaint: summons, the letter to whoever decides, an order made here, receipts.

Called by `complaints` when an act was performed; what a paper says never changes afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from fieldapi import law
from fieldapi.clock import format_instant
from fieldapi.models import Act, Complaint
from fieldapi.queries.complaint_facts import ComplaintCase
from fieldapi.services.acts.kinds import ActKind, Paper, Scene
from fieldapi.services.acts.papers import mint_for, party_of
from sync.wire import JSON

PAPERS: Mapping[str, Paper] = {
    "summon": Paper("summons", "letter"),
    "forward": Paper("forwarding", "letter"),
    "order": Paper("complaint_order", "order"),
    "confirm_order": Paper("complaint_order", "order"),
    "recover": Paper("money_receipt", "receipt"),
    "pay_complainant": Paper("payment_voucher"),
}


@dataclass(frozen=True, slots=True)
class Performed:
    """An act that was performed on a complaint. `one`: the complaint with it."""

    scene: Scene
    row: Complaint
    one: ComplaintCase
    judged: law.Judgement
    act: Act


def mint(done: Performed) -> None:
    """Mint what the act prints, if it prints anything."""
    paper = PAPERS.get(done.act.act)
    if paper is None or done.act.mode != "perform" or not _is_to_print(done):
        return
    kind = ActKind(done.act.act, frozenset(), papers=(paper,))
    judged = done.judged
    if done.act.act == "pay_complainant":
        judged = replace(judged, done=replace(judged.done, party=done.one.by))
    more: dict[str, JSON] = {"complaint": _told(done)}
    mint_for(kind, [(done.scene, judged)], [done.act], more=more)


def _is_to_print(done: Performed) -> bool:
    """An order is printed when it comes into force, and only one that was made here."""
    if done.act.act == "recover":
        return json.loads(done.act.data).get("is_direct") is not True
    if done.act.act not in {"order", "confirm_order"}:
        return True
    decision = _now(done).decision
    return decision is not None and decision.act == "order"


def _now(done: Performed) -> law.complaints.ComplaintState:
    return law.complaints.complaint_state(done.one, done.scene.unit.now)


def _told(done: Performed) -> JSON:
    now, scene = _now(done), done.scene
    said = json.loads(done.row.data)
    against: list[JSON] = [
        {**(party_of(scene, party) or {}), "part": part} for party, part in now.against.items()
    ]
    owed: list[JSON] = [
        {"party": party_of(scene, party), "line": line, "paise": paise}
        for (party, line), paise in now.owed.items()
    ]
    return {
        "id": done.row.id,
        "made_at": format_instant(done.row.made_at),
        "by": party_of(scene, done.one.by),
        "agent": party_of(scene, done.one.agent),
        "text": said["text"],
        "against": against,
        "allegations": [_allegation(now, what, text) for what, text in now.said.items()],
        "order": None if now.decision is None else dict(now.decision.data),
        "upheld": 0 if now.decision is None else len(now.decision.heads),
        "owed": owed,
    }


def _allegation(now: law.complaints.ComplaintState, what: str, text: str) -> JSON:
    found = now.findings.get(what)
    return {
        "allegation": what,
        "text": text,
        "found": None if found is None else found.finding,
        "reason": None if found is None else found.reason,
    }
