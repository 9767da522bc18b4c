"""Orders that cattle leave a local area (Gujarat s. 190): drafted, issued, and what follows them.

Called by the api. `law.removals` judges; whether a paper is minted follows from the act.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from fieldapi import law
from fieldapi.clock import INDIA, format_instant
from fieldapi.domain.values import UUID
from fieldapi.domain.words import sentence
from fieldapi.ids import server_op_id
from fieldapi.law.profile import StatuteProfile
from fieldapi.models import Act, Authority, Document, Party, RemovalOrder
from fieldapi.packs import Packs
from fieldapi.problems import NotFound
from fieldapi.queries import acts as queries
from fieldapi.queries.case_facts import acts_of, done_of, merged_parties, register_of
from fieldapi.services import parties, serials
from fieldapi.services.acts import beside, papers
from fieldapi.services.acts.beside import Answered, Body, Book
from fieldapi.services.acts.hashes import enter_paper
from fieldapi.services.acts.kinds import PARTICULARS, ActBody, ActKind
from fieldapi.services.authorise import Principal, require
from fieldapi.services.fields import check_fields, refuse
from fieldapi.unit import Unit
from sync.wire import JSON

_OFFICE = frozenset({"decider", "admin"})
_COUNTER = _OFFICE | {"pound_keeper"}
_ISSUE = (
    "kind",
    "ground",
    "is_resident",
    "owns_head",
    "finding",
    "animals",
    "place",
    "place_in_state",
    "period_until",
    "order_no",
    "by",
)
ACTS: Mapping[str, ActKind] = {
    kind.slug: kind
    for kind in (
        ActKind("issue_removal_order", _OFFICE, _ISSUE),
        ActKind("record_order_made_elsewhere", _OFFICE, _ISSUE),
        ActKind("serve", _COUNTER, ("by", "witness"), is_fact=True),
        ActKind("comply", _COUNTER, ("by",), is_fact=True),
        ActKind("record_default", _OFFICE, ("by",)),
        ActKind("direct_police_removal", _OFFICE, ("officer_rank", "officer", "by")),
        ActKind("impose_fine", _OFFICE, ("paise", "on", "as", "pay_by", "by", "order_no")),
        ActKind("receive_payment", _COUNTER, ("paid_paise", "by")),
        ActKind("sell_for_fine", _OFFICE, ("lot", "is_in_order", "price_paise", "buyer")),
    )
}


@dataclass(frozen=True, slots=True)
class NewOrder:
    """An order to be drafted. `data`: what of its particulars is known already."""

    id: str
    kind: str
    owner: str | None
    data: Mapping[str, JSON]


def add(unit: Unit, principal: Principal, packs: Packs, new: NewOrder) -> RemovalOrder:
    """Draft an order. Raises `InvalidBody`, `NotFound` (the owner)."""
    require(principal, "removal_order.make")
    check_fields({"id": UUID, "kind": PARTICULARS["kind"]}, {"id": new.id, "kind": new.kind})
    unknown = sorted(set(new.data) - set(_ISSUE))
    if unknown:
        raise refuse(f"data.{unknown[0]}", sentence("This is not part of an order."))
    check_fields({name: PARTICULARS[name] for name in new.data}, new.data)
    owner = None if new.owner is None else parties.get(unit, principal, new.owner).id
    authority = unit.session.get_one(Authority, principal.authority_id)
    today = unit.now.astimezone(INDIA).date()
    row = RemovalOrder(
        authority_id=principal.authority_id,
        id=new.id,
        kind=new.kind,
        owner_id=owner,
        state="draft",
        version=packs.profile(authority.statute, on=today).version,
        data=json.dumps({**new.data, "kind": new.kind}, sort_keys=True, ensure_ascii=False),
        acts=0,
        created_at=unit.now,
    )
    unit.session.add(row)
    unit.enter(
        row.authority_id,
        "removal_order.added",
        subject=f"removal_order/{row.id}",
        actor=principal.actor,
    )
    return row


def act(unit: Unit, principal: Principal, packs: Packs, order_id: str, *, body: Body) -> Answered:
    """Take the body of an act under an order. Raises `NotFound` and as `beside.act` does."""
    require(principal, "removal_order.make")
    row = unit.session.get(RemovalOrder, (principal.authority_id, order_id), with_for_update=True)
    if row is None:
        raise NotFound(sentence("There is no such order."))
    order = order_of(unit, packs, row)
    book = Book("removal_order", ACTS, lambda read: _judge(unit, order, row, read))
    found = beside.act(unit, principal, row, book, body=body)
    if found.act is None:
        return found
    unit.session.flush()
    after = order.after(*done_of(unit.session, row.authority_id, [found.act], {}))
    row.state = law.removals.removal_state(after, unit.now).state
    if found.act.act == "issue_removal_order" and found.act.mode == "perform":
        _mint(unit, row, found.act, order.profile)
    unit.session.flush()
    return replace(found, answer=queries.act(unit.session, row.authority_id, found.act.id))


def order_of(unit: Unit, packs: Packs, row: RemovalOrder) -> law.removals.RemovalCase:
    """Return an order as the law sees it."""
    session, authority_id = unit.session, row.authority_id
    merged = merged_parties(session, authority_id)
    acts = acts_of(session, authority_id, "removal_order", row.id)
    return law.removals.RemovalCase(
        id=row.id,
        profile=packs.profile(row.version, on=unit.now.date()),
        acts=done_of(session, authority_id, acts, merged),
        register=register_of(session, authority_id),
    )


def _judge(
    unit: Unit, order: law.removals.RemovalCase, row: RemovalOrder, body: ActBody
) -> law.Judgement:
    draft: dict[str, JSON] = json.loads(row.data)
    is_issue = body.act in {"issue_removal_order", "record_order_made_elsewhere"}
    data = {**draft, **body.data} if is_issue else dict(body.data)
    if row.owner_id is not None and is_issue:
        data.setdefault("owner", row.owner_id)
        data.setdefault("is_resident", _is_resident(unit, row))
    happened_at = body.happened_at or unit.now
    mode = "perform" if body.mode == "check" else body.mode
    party = body.party or (row.owner_id if is_issue else None)
    proposal = law.Proposal(
        body.id, body.act, unit.now, happened_at, mode, party, body.custody, data
    )
    return law.removals.judge_removal(order, proposal)


def _is_resident(unit: Unit, row: RemovalOrder) -> bool | None:
    """Return what the register of people says of the owner."""
    owner = unit.session.get(Party, (row.authority_id, row.owner_id))
    return None if owner is None else owner.is_resident


def _mint(unit: Unit, row: RemovalOrder, issued: Act, profile: StatuteProfile) -> None:
    """Mint the order itself, numbered by the office."""
    serial = serials.mint(unit, issued, "order").text
    authority = unit.session.get_one(Authority, row.authority_id)
    owner = unit.session.get(Party, (row.authority_id, row.owner_id)) if row.owner_id else None
    data: dict[str, JSON] = {
        "kind": "removal_order",
        "serial": serial,
        "issued_at": format_instant(unit.now),
        "happened_at": format_instant(issued.happened_at),
        "authority": papers.authority_of(authority, profile),
        "statute": {"name": profile.name, "version": profile.version},
        "section": json.loads(issued.answer).get("section"),
        "party": None if owner is None else {"name": owner.name, "residence": owner.residence},
        "act": {"id": issued.id, "act": issued.act, "data": json.loads(issued.data)},
        "heads": [],
        "lines": [],
        "parts": [],
    }
    paper = Document(
        authority_id=row.authority_id,
        id=server_op_id(b"paper", f"{issued.id}/removal_order"),
        act_id=issued.id,
        seizure_id=None,
        pound_id=None,
        kind="removal_order",
        serial=serial,
        data=json.dumps(data, ensure_ascii=False, sort_keys=True),
        issued_at=unit.now,
        printed_at=None,
        voided_at=None,
    )
    unit.session.add(paper)
    enter_paper(unit, paper, issued)
