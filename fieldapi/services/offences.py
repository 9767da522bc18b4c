"""Offences as they were seen, and what courts made of them: recorded, never decided here.

Called by the api. The caps of the Act warn where a sum is beyond them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import func, select

from fieldapi import law
from fieldapi.clock import INDIA
from fieldapi.domain.values import FREE, LINE, UUID
from fieldapi.domain.words import sentence
from fieldapi.models import Authority, Offence, Seizure
from fieldapi.packs import Packs
from fieldapi.problems import NotFound
from fieldapi.queries import acts as queries
from fieldapi.services import parties
from fieldapi.services.acts import beside
from fieldapi.services.acts.beside import Answered, Body, Book
from fieldapi.services.acts.kinds import ActBody, ActKind
from fieldapi.services.authorise import Principal, require
from fieldapi.services.fields import check_fields, refuse
from fieldapi.unit import Unit
from sync.wire import JSON

_DESK = frozenset({"reviewer", "decider", "admin"})
_ALL = _DESK | {"reporter", "pound_keeper"}
_COURT = ("order_no", "by", "text")
ACTS: Mapping[str, ActKind] = {
    kind.slug: kind
    for kind in (
        ActKind("report_to_police", _ALL, ("fir_no", "officer", "by"), is_fact=True),
        ActKind("record_defence", _DESK, ("text", "by"), is_fact=True),
        ActKind(
            "record_conviction",
            _DESK,
            ("paise", "times", "imprisonment_days", "special_reasons", *_COURT),
            is_fact=True,
        ),
        ActKind("record_compensation", _DESK, ("paise", *_COURT), is_fact=True),
        ActKind("record_acquittal", _DESK, _COURT, is_fact=True),
        ActKind("withdraw", _DESK, ("text",)),
    )
}
_STATES = {
    "report_to_police": "reported_to_police",
    "record_conviction": "convicted",
    "record_acquittal": "acquitted",
    "withdraw": "withdrawn",
}
WHAT = {
    "straying": "offence",
    "rescue": "rescue",
    "keeper": "keeper",
    "damage_by_cattle": "damage_by_cattle",
}


@dataclass(frozen=True, slots=True)
class NewOffence:
    """An offence that was seen. `what`: one of `WHAT`; `section`: of the Act, as it was named."""

    id: str
    what: str
    committed_at: datetime
    section: str = ""
    seizure_id: str | None = None
    accused: str | None = None
    text: str | None = None


def add(unit: Unit, principal: Principal, new: NewOffence) -> Offence:
    """Note an offence. Raises `InvalidBody`, `NotFound` (case, accused)."""
    require(principal, "offence.report")
    check_fields(
        {"id": UUID, "section": LINE, "text": FREE},
        {"id": new.id, "section": new.section, "text": new.text},
    )
    if new.what not in WHAT:
        raise refuse("what", sentence("This must be one of: {codes}.", codes=", ".join(WHAT)))
    if new.committed_at > unit.now:
        raise refuse("committed_at", sentence("This has not happened yet."))
    key = (principal.authority_id, new.seizure_id)
    if new.seizure_id is not None and unit.session.get(Seizure, key) is None:
        raise NotFound(sentence("There is no such case."))
    accused = None if new.accused is None else parties.get(unit, principal, new.accused).id
    row = Offence(
        authority_id=principal.authority_id,
        id=new.id,
        seizure_id=new.seizure_id,
        accused_id=accused,
        section=new.section,
        state="noted",
        committed_at=new.committed_at,
        data=json.dumps({"what": new.what, "text": new.text}, ensure_ascii=False),
        acts=0,
        created_at=unit.now,
    )
    unit.session.add(row)
    subject = f"offence/{row.id}"
    unit.enter(row.authority_id, "offence.reported", subject=subject, actor=principal.actor)
    return row


def act(unit: Unit, principal: Principal, packs: Packs, offence_id: str, *, body: Body) -> Answered:
    """Take the body of an act on an offence. Raises `NotFound` and as `beside.act` does."""
    require(principal, "offence.report")
    key = (principal.authority_id, offence_id)
    row = unit.session.get(Offence, key, with_for_update=True)
    if row is None:
        raise NotFound(sentence("There is no such offence."))
    book = Book("offence", ACTS, lambda read: _judge(unit, packs, row, read))
    found = beside.act(unit, principal, row, book, body=body)
    if found.act is None:
        return found
    row.state = _STATES.get(found.act.act, row.state)
    unit.session.flush()
    return replace(found, answer=queries.act(unit.session, row.authority_id, found.act.id))


def prior_convictions(unit: Unit, row: Offence) -> int:
    """Return how often the accused was convicted of offences before this one."""
    if row.accused_id is None:
        return 0
    query = (
        select(func.count())
        .select_from(Offence)
        .where(
            Offence.authority_id == row.authority_id,
            Offence.accused_id == row.accused_id,
            Offence.state == "convicted",
            Offence.committed_at < row.committed_at,
        )
    )
    return unit.session.scalar(query) or 0


def _judge(unit: Unit, packs: Packs, row: Offence, body: ActBody) -> law.Judgement:
    data: dict[str, JSON] = dict(body.data)
    if body.act == "record_conviction":
        data.setdefault("times", "later" if prior_convictions(unit, row) else "first")
    done = law.Done(
        id=body.id,
        n=row.acts + 1,
        act=body.act,
        at=body.happened_at or unit.now,
        mode="perform" if body.mode == "check" else body.mode,
        party=body.party or row.accused_id,
        data=data,
    )
    return law.Judgement(verdict=_verdict(unit, packs, row, done), done=done)


def _verdict(unit: Unit, packs: Packs, row: Offence, done: law.Done) -> law.Verdict:
    paise = done.data.get("paise")
    if not isinstance(paise, int):
        return law.Verdict("yes", "REGISTER")
    what = str(json.loads(row.data)["what"])
    code = "offence_damage" if done.act == "record_compensation" else WHAT[what]
    if code == "offence":
        code = f"offence_{done.data.get('times')}"
    authority = unit.session.get_one(Authority, row.authority_id)
    on = row.committed_at.astimezone(INDIA).date()
    profile = packs.profile(authority.statute, on=on)
    return law.caps.check_sum(
        profile, code, paise, has_reasons=bool(done.data.get("special_reasons"))
    )
