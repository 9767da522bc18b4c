"""Complaints of illegal seizure or detention: taken in, examined, decided here or forwarded, and
what an order brings about in the case.

Called by the api and the console. `law.complaint_acts` judges; who may is judged here: nobody with
a stake in the seizure, and a second person for dismissals and releases.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import select

from fieldapi import law
from fieldapi.clock import format_instant
from fieldapi.domain.values import FREE, LINE, UUID
from fieldapi.domain.words import sentence
from fieldapi.ids import server_op_id
from fieldapi.models import Act, Complaint, Party
from fieldapi.packs import Packs
from fieldapi.problems import InvalidBody, NotAllowed, NotFound
from fieldapi.queries import acts as act_queries
from fieldapi.queries import cases
from fieldapi.queries.case_facts import Facts
from fieldapi.queries.complaint_evidence import known_refs
from fieldapi.queries.complaint_facts import ComplaintCase, complaint_case
from fieldapi.services import complaint_papers
from fieldapi.services.acts import beside, performing, registry
from fieldapi.services.acts.beside import Answered, Body, Book
from fieldapi.services.acts.hashes import hash_of, new_salt
from fieldapi.services.acts.kinds import ActBody, ActKind, Scene
from fieldapi.services.acts.opening import open_case
from fieldapi.services.acts.people import known_party
from fieldapi.services.acts.performing import Turn
from fieldapi.services.authorise import Principal, require
from fieldapi.services.fields import check_fields, refuse
from fieldapi.unit import Unit
from sync.wire import JSON

_DESK = frozenset({"reviewer", "decider"})
_OFFICE = _DESK | {"admin"}
_DECIDER = frozenset({"decider"})
_COMPLAINT = law.complaints
_REDRESS = ("compensation", "expenses_paise", "reimbursed_by", "release")
_ORDER = ("outcome", "order_no", "text", *_REDRESS)
ACTS: Mapping[str, ActKind] = {
    kind.slug: kind
    for kind in (
        ActKind("add_allegation", _DESK, ("allegation", "text"), is_fact=True),
        ActKind("attach_evidence", _DESK, ("allegation", "evidence")),
        ActKind("find", _DESK, ("allegation", "found", "text", "evidence")),
        ActKind("name_respondent", _DESK, ("part",)),
        ActKind("examine", _DECIDER, ("well_founded", "text"), is_fact=True),
        ActKind("summon", _DECIDER, ("dated", "appear_on", "letter_no", "text"), is_fact=True),
        ActKind("hold_inquiry", _DECIDER, ("text",), is_fact=True),
        ActKind("forward", _DESK, ("to", "letter_no", "dated"), is_fact=True),
        ActKind("order", _DECIDER, _ORDER),
        ActKind("record_order", _OFFICE, (*_ORDER, "by", "dated"), is_fact=True),
        ActKind("confirm_order", _DESK, ("text",)),
        ActKind("return_order", _DESK, ("text",)),
        ActKind("recover", _OFFICE, ("paid_paise", "by", "is_direct", "text")),
        ActKind("pay_complainant", _OFFICE, ("by", "text")),
        ActKind("withdraw", _OFFICE, ("text",), is_fact=True),
    )
}
# Who does these weighs the complaint, and must have no part in what it is about.
_WEIGHING = frozenset(
    {
        "find",
        "examine",
        "summon",
        "hold_inquiry",
        "order",
        "record_order",
        "confirm_order",
        "return_order",
    }
)
_SECOND = frozenset({"confirm_order", "return_order"})


@dataclass(frozen=True, slots=True)
class NewComplaint:
    """A complaint as it is taken in. `by`: who complains; `agent`: who came instead, and whether
    he knows the circumstances himself. `is_verbal`: said, and written down by `taken_down_by`.

    `heads`: empty for all of `by`. `against`: party and part (`seizer`, `detainer`);
    `allegations`: what is alleged and in which words.
    """

    id: str
    seizure_id: str
    by: str
    text: str
    agent: str | None = None
    is_acquainted: bool = False
    is_verbal: bool = False
    taken_down_by: str | None = None
    made_at: datetime | None = None
    heads: Sequence[str] = ()
    against: Sequence[tuple[str, str]] = ()
    allegations: Sequence[tuple[str, str]] = ()


def add(unit: Unit, principal: Principal, packs: Packs, new: NewComplaint) -> Complaint:
    """Take a complaint in, a late one too. Raises `NotFound` (case), `InvalidBody`."""
    require(principal, "complaint.take")
    _check(new)
    made_at = new.made_at or unit.now
    if made_at > unit.now:
        raise refuse("made_at", sentence("This has not happened yet."))
    facts = open_case(unit, principal, packs, new.seizure_id)
    if facts.file is None:
        raise NotFound(sentence("There is no such case."))
    if set(new.heads) - set(facts.custody):
        raise refuse("heads", sentence("One of these heads is not in this case."))
    row = _row(unit, principal, new, made_at=made_at)
    unit.session.add(row)
    unit.session.flush()
    unit.enter(
        row.authority_id,
        "complaint.received",
        subject=f"complaint/{row.id}",
        actor=principal.actor,
        case=row.seizure_id,
        data=hash_of(row.salt, row.data),
    )
    turn = Turn(unit, principal, packs, row.seizure_id)
    performing.settle(turn, facts.file, name=row.id)
    return row


def _check(new: NewComplaint) -> None:
    check_fields(
        {"id": UUID, "text": FREE, "taken_down_by": LINE},
        {"id": new.id, "text": new.text, "taken_down_by": new.taken_down_by},
    )
    for place, (_, text) in enumerate(new.allegations):
        check_fields({f"allegations.{place}.text": FREE}, {f"allegations.{place}.text": text})
    if new.is_verbal and not (new.text.strip() and (new.taken_down_by or "").strip()):
        raise refuse("taken_down_by", sentence("Write down what was said, and who wrote it down."))
    if len({what for what, _ in new.allegations}) < len(new.allegations):
        raise refuse("allegations", sentence("Each allegation is named once."))


def _row(unit: Unit, principal: Principal, new: NewComplaint, *, made_at: datetime) -> Complaint:
    by = known_party(unit, principal, new.by, where="by")
    agent = None
    if new.agent is not None:
        agent = known_party(unit, principal, new.agent, where="agent")
    against = [
        {"party": known.id, "name": known.name, "residence": known.residence, "part": part}
        for party, part in new.against
        for known in [known_party(unit, principal, party, where="against")]
    ]
    said = {
        "id": new.id,
        "case": new.seizure_id,
        "by": _named(by),
        "agent": _named(agent),
        "is_acquainted": new.is_acquainted,
        "is_verbal": new.is_verbal,
        "made_at": format_instant(made_at),
        "heads": list(dict.fromkeys(new.heads)),
        "text": new.text.strip(),
        "taken_down_by": new.taken_down_by,
        "against": against,
        "allegations": [{"allegation": what, "text": text} for what, text in new.allegations],
    }
    return Complaint(
        authority_id=principal.authority_id,
        id=new.id,
        seizure_id=new.seizure_id,
        by_id=by.id,
        agent_id=agent.id if agent is not None else None,
        is_acquainted=new.is_acquainted,
        is_verbal=new.is_verbal,
        made_at=made_at,
        heads=json.dumps(list(dict.fromkeys(new.heads))),
        data=json.dumps(said, ensure_ascii=False, sort_keys=True),
        salt=new_salt(),
        state="received",
        outcome=None,
        decided_at=None,
        taken_by=principal.person_id,
        acts=0,
        created_at=unit.now,
    )


def _named(party: Party | None) -> JSON:
    """Return who somebody is at this hour: parties are renamed and merged later."""
    if party is None:
        return None
    return {"id": party.id, "name": party.name, "residence": party.residence}


def act(
    unit: Unit, principal: Principal, packs: Packs, complaint_id: str, *, body: Body
) -> Answered:
    """Take the body of an act on a complaint. Raises `NotFound`, `NotAllowed` (a part in it; the
    same person twice) and as `beside.act` does.
    """
    require(principal, "complaint.take")
    key = (principal.authority_id, complaint_id)
    row = unit.session.get(Complaint, key, with_for_update=True)
    if row is None:
        raise NotFound(sentence("There is no such complaint."))
    facts = open_case(unit, principal, packs, row.seizure_id)
    row = unit.session.get_one(Complaint, key)
    one = complaint_case(unit.session, facts, row)
    judged: list[law.Judgement] = []

    def judge(read: ActBody) -> law.Judgement:
        judged.append(_judge(unit, principal, facts, (one, read)))
        return judged[-1]

    found = beside.act(unit, principal, row, Book("complaint", ACTS, judge), body=body)
    if found.act is None:
        return found
    unit.session.flush()
    turn = Turn(unit, principal, packs, row.seizure_id, is_ordered=True)
    _print(turn, facts, row, (judged[-1], found.act))
    _follow(turn, facts, row, found.act)
    unit.session.flush()
    answer = act_queries.act(unit.session, row.authority_id, found.act.id)
    return replace(found, answer=answer)


def _judge(
    unit: Unit, principal: Principal, facts: Facts, asked: tuple[ComplaintCase, ActBody]
) -> law.Judgement:
    one, body = asked
    _require_impartial(unit, principal, facts, one, act=body.act)
    if body.act in _SECOND:
        _require_second(unit, principal, one)
    happened_at = body.happened_at or unit.now
    if happened_at > unit.now:
        raise refuse("happened_at", sentence("This has not happened yet."))
    if happened_at != unit.now and body.mode == "perform" and not ACTS[body.act].is_fact:
        raise refuse("happened_at", sentence("This act is done now; leave the time out."))
    mode = "perform" if body.mode == "check" else body.mode
    data = _resolved(unit, principal, body)
    _require_evidence(unit, facts, data)
    party = None
    if body.party is not None:
        party = known_party(unit, principal, body.party, where="party").id
    heads = _meant(facts, one, body)
    proposal = law.Proposal(body.id, body.act, unit.now, happened_at, mode, party, heads, data)
    return law.complaint_acts.judge_complaint(one, proposal)


def _meant(facts: Facts, one: ComplaintCase, body: ActBody) -> tuple[str, ...]:
    """Return the heads for which an order upholds a complaint, if it does so in part alone."""
    if not body.custody and not body.pick:
        return ()
    known = set(one.heads or facts.custody)
    if body.act not in _COMPLAINT.ORDERS or body.pick or set(body.custody) - known:
        field = "pick" if body.pick else "custody"
        raise refuse(field, sentence("An order may name heads complained of; nothing else does."))
    if body.data.get("outcome") != _COMPLAINT.ILLEGAL:
        raise refuse("custody", sentence("Heads are named where their seizure is found illegal."))
    return tuple(dict.fromkeys(body.custody))


def _resolved(unit: Unit, principal: Principal, body: ActBody) -> dict[str, JSON]:
    """Return the particulars with every party read through merges. Raises `InvalidBody`."""
    data: dict[str, JSON] = dict(body.data)
    payer, rows = data.get("reimbursed_by"), data.get("compensation")
    if isinstance(payer, str):
        data["reimbursed_by"] = known_party(unit, principal, payer, where="reimbursed_by").id
    if isinstance(rows, list):
        data["compensation"] = [
            {**one, "party": known_party(unit, principal, str(one["party"]), where=where).id}
            for n, one in enumerate(rows)
            if isinstance(one, dict) and (where := f"compensation.{n}.party")
        ]
    return data


def _require_evidence(unit: Unit, facts: Facts, data: Mapping[str, JSON]) -> None:
    named = data.get("evidence")
    if not isinstance(named, list):
        return
    unknown = sorted({str(one) for one in named} - known_refs(unit.session, facts))
    if unknown:
        raise InvalidBody(
            errors={"evidence": [sentence("This is no part of the case: {what}", what=unknown[0])]}
        )


def may_weigh(unit: Unit, principal: Principal, facts: Facts, parties: Iterable[str]) -> bool:
    """Say whether a principal has no part in a case: wrote nothing in it, took no cattle in, and
    is none of the parties of the complaint.
    """
    authority_id = principal.authority_id
    rows = cases.records(unit.session, authority_id, facts.seizure.id)
    arrivals = cases.takers(unit.session, authority_id, facts.seizure.id)
    query = select(Party.person_id).where(
        Party.authority_id == authority_id, Party.id.in_(sorted(parties))
    )
    named = {person for person in unit.session.scalars(query) if person is not None}
    return principal.person_id not in cases.authors(rows) | arrivals | named


def _require_impartial(
    unit: Unit, principal: Principal, facts: Facts, one: ComplaintCase, *, act: str
) -> None:
    if act not in _WEIGHING:
        return
    now = _COMPLAINT.complaint_state(one, unit.now)
    parties = {one.by, *now.against} | ({one.agent} if one.agent else set())
    if not may_weigh(unit, principal, facts, parties):
        raise NotAllowed(
            sentence("Who seized, kept or complained has no part in the decision."), reason="author"
        )


def _require_second(unit: Unit, principal: Principal, one: ComplaintCase) -> None:
    draft = _COMPLAINT.complaint_state(one, unit.now).draft
    if draft is None:
        return
    first = unit.session.get_one(Act, (principal.authority_id, draft.id))
    if first.person_id == principal.person_id:
        raise NotAllowed(
            sentence("Another person has to look at this order."), reason="second-person"
        )


def _print(turn: Turn, facts: Facts, row: Complaint, done: tuple[law.Judgement, Act]) -> None:
    if facts.file is None:
        return
    custody = dict(facts.custody)
    scene = Scene(turn.unit, turn.principal, facts.file, facts.case, custody)
    one = complaint_case(turn.unit.session, facts, row)
    complaint_papers.mint(complaint_papers.Performed(scene, row, one, *done))


def _follow(turn: Turn, facts: Facts, row: Complaint, done: Act) -> None:
    """Bring the complaint up to its acts, and the case up to the complaint."""
    unit, was_open = turn.unit, row.outcome is None
    one = complaint_case(unit.session, facts, row)
    now = _COMPLAINT.complaint_state(one, unit.now)
    row.state, row.outcome, row.decided_at = now.state, now.outcome, now.decided_at
    unit.session.flush()
    if was_open and now.decision is not None and now.decision.data.get("release") is True:
        _set_free(turn, one, now.decision, name=done.id)
    if facts.file is not None:
        unit.session.refresh(facts.file)
        performing.settle(turn, facts.file, name=done.id)


def _set_free(turn: Turn, one: ComplaintCase, order: law.Done, *, name: str) -> None:
    """Release what is still held, as the order says; its fees are the seizer's."""
    at = turn.unit.now
    now = law.Proposal("", "", at, at, heads=order.heads)
    heads = law.complaint_acts.held_heads(one, now)
    kind = registry.find("release_by_order")
    if not heads or kind is None:
        return
    data: dict[str, JSON] = {
        "order_no": str(order.data.get("order_no") or order.id),
        "by": str(order.data.get("by") or "") or None,
        "fees_from": "seizer",
    }
    body = ActBody(
        id=server_op_id(b"act", f"{name}/release"),
        act="release_by_order",
        custody=heads,
        reason="by the order on a complaint",
        data={key: value for key, value in data.items() if value is not None},
    )
    performing.perform(turn, kind, body)
