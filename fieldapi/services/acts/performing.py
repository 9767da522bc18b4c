"""The one way an act comes in: checked, performed or recorded. Called by the api, the command line
and pending work.

The order is fixed: who may, the id, the lock, the facts, the judgement, the rows. A check does all
of it and undoes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from fieldapi import law
from fieldapi.clock import INDIA
from fieldapi.domain.words import sentence
from fieldapi.ids import server_op_id
from fieldapi.models import Act, CaseFile, Custody
from fieldapi.models.bulk import among
from fieldapi.packs import Packs
from fieldapi.problems import (
    ActNeedsReason,
    ActNotAllowed,
    IdReuse,
    InvalidBody,
    NotAllowed,
    NotFound,
    Problem,
)
from fieldapi.queries import acts as queries
from fieldapi.queries.case_facts import Facts, load
from fieldapi.services.acts import papers, registry
from fieldapi.services.acts.bodies import read_act
from fieldapi.services.acts.kinds import ActBody, ActKind, Scene, of_others, refused
from fieldapi.services.acts.opening import open_case, require_visible
from fieldapi.services.acts.storing import (
    answer_of,
    line_of,
    store_act,
    store_deadlines,
    store_heads,
    subject_of,
)
from fieldapi.services.authorise import Principal, keeps, require
from fieldapi.services.ops import audience
from fieldapi.services.requests import RequestId, bind
from fieldapi.unit import Unit
from sync.wire import JSON

_NO_HEADS = sentence("There are not so many heads here with which this can be done.")
_SAID = ("rule", "code", "reason", "section", "source", "not_before", "lines", "total")
_CLOSING = frozenset({"close", "reopen"})


@dataclass(frozen=True, slots=True)
class Turn:
    """Who acts in which case, in one unit of work. `is_arrival`: cattle came to a pound, wherever
    they were sent. `is_ordered`: the act follows from an order on a complaint, which was judged.
    """

    unit: Unit
    principal: Principal
    packs: Packs
    seizure_id: str
    is_arrival: bool = False
    is_ordered: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a body: the answer, and whether an act was stored by it just now."""

    answer: dict[str, JSON]
    is_new: bool
    is_check: bool = False


@dataclass(frozen=True, slots=True)
class _Judged:
    """One case of an act, with the judgement on it."""

    scene: Scene
    body: ActBody
    judgement: law.Judgement


class _Undo(Exception):
    """Ends a check: what it wrote is undone."""


def act(turn: Turn, body: Mapping[str, JSON]) -> Outcome:
    """Take the body of an act on a case.

    Raises `NotFound`, `NotAllowed`, `InvalidBody`, `IdReuse`, `ActNotAllowed`, `ActNeedsReason`.
    """
    unit, principal = turn.unit, turn.principal
    require(principal, "act.perform")
    facts = load(unit.session, turn.packs, principal.authority_id, turn.seizure_id)
    require_visible(principal, facts)
    kind, read = read_act(body, registry.find, kinds=frozenset(turn.packs.kinds))
    if read.mode == "check":
        return Outcome(check(turn, kind, read), is_new=False, is_check=True)
    request = RequestId("act", read.id, {"case": turn.seizure_id, **body})
    if not bind(unit, principal, request, current=lambda: _current(turn, read.id)):
        return Outcome(queries.act(unit.session, principal.authority_id, read.id), is_new=False)
    if unit.session.get(Act, (principal.authority_id, read.id)) is not None:
        raise IdReuse(current=_current(turn, read.id))
    stored = perform(turn, kind, read)
    unit.session.flush()
    return Outcome(queries.act(unit.session, stored.authority_id, stored.id), is_new=True)


def check(turn: Turn, kind: ActKind, body: ActBody) -> dict[str, JSON]:
    """Return what would become of an act, and change nothing."""
    found: dict[str, JSON] = {}
    with suppress(_Undo), turn.unit.savepoint():
        found = _checked(turn, kind, body)
        raise _Undo
    turn.unit.session.expire_all()
    return found


def _checked(turn: Turn, kind: ActKind, body: ActBody) -> dict[str, JSON]:
    try:
        return _told(_judge(turn, kind, body))
    except ActNotAllowed as exc:
        return {"allowed": "no", "lines": [], "total": None, **_refusal(exc)}


def _refusal(problem: ActNotAllowed) -> dict[str, JSON]:
    said = problem.extensions
    return {
        name: value if value is None or isinstance(value, str) else str(value)
        for name, value in said.items()
    }


def perform(turn: Turn, kind: ActKind, body: ActBody) -> Act:
    """Perform or record an act whose id is bound. Raises as `act` does."""
    judged = _judge(turn, kind, body)
    for one in judged:
        _require_allowed(one)
    acts = [_store(one, index) for index, one in enumerate(judged)]
    if body.mode == "perform":
        papers.mint_for(kind, [(one.scene, one.judgement) for one in judged], acts)
    for one in judged:
        _finish(turn, one)
    return acts[0]


def _current(turn: Turn, act_id: str) -> JSON:
    try:
        return queries.act(turn.unit.session, turn.principal.authority_id, act_id)
    except NotFound:
        return None


def _judge(turn: Turn, kind: ActKind, body: ActBody) -> list[_Judged]:
    """Open what the act speaks of and let the law judge it; of several cases, all together."""
    cases = _cases_of(turn, kind, body)
    opened = {one: _open(turn, one) for one in sorted(cases)}
    for facts in opened.values():
        _require_role(turn, kind, facts)
    scenes = {one: _scene(turn, facts) for one, facts in opened.items()}
    bodies = [
        (scenes[case], _prepared(scenes[case], kind, replace(body, custody=heads)))
        for case, heads in cases.items()
    ]
    return _law(kind, bodies)


def _open(turn: Turn, seizure_id: str) -> Facts:
    return open_case(turn.unit, turn.principal, turn.packs, seizure_id, is_arrival=turn.is_arrival)


def _law(kind: ActKind, bodies: Sequence[tuple[Scene, ActBody]]) -> list[_Judged]:
    pairs = [(scene.case, _proposal(scene.unit.now, kind, body)) for scene, body in bodies]
    if not kind.is_judged:
        return [
            _Judged(scene, body, _noted(proposal, n=scene.file.acts + 1))
            for (scene, body), (_, proposal) in zip(bodies, pairs, strict=True)
        ]
    judgements = (
        law.judge_together(pairs) if len(pairs) > 1 else (law.judge(pairs[0][0], pairs[0][1]),)
    )
    return [
        _Judged(scene, body, judgement)
        for (scene, body), judgement in zip(bodies, judgements, strict=True)
    ]


def _noted(proposal: law.Proposal, *, n: int) -> law.Judgement:
    """Return the judgement on what is only taken note of."""
    done = law.Done(
        id=proposal.id,
        n=n,
        act=proposal.act,
        mode=proposal.mode,
        at=proposal.happened_at,
        party=proposal.party,
        heads=proposal.heads,
        data=proposal.data,
    )
    return law.Judgement(verdict=law.Verdict("yes", ""), done=done)


def _scene(turn: Turn, facts: Facts) -> Scene:
    if facts.file is None:
        raise NotFound(sentence("There is no such case."))
    return Scene(turn.unit, turn.principal, facts.file, facts.case, dict(facts.custody))


def _cases_of(turn: Turn, kind: ActKind, body: ActBody) -> dict[str, tuple[str, ...]]:
    """Return the heads by case, the case of the path first. Raises `NotFound`."""
    seizure_id, session = turn.seizure_id, turn.unit.session
    found: dict[str, list[str]] = {seizure_id: []}
    if not body.custody:
        return {seizure_id: ()}
    rows = session.execute(
        select(Custody.id, Custody.seizure_id).where(
            Custody.authority_id == turn.principal.authority_id,
            among(session, Custody.id, body.custody),
        )
    ).all()
    home: dict[str, str] = {row.id: row.seizure_id for row in rows}
    for head in dict.fromkeys(body.custody):
        case = home.get(head, seizure_id)
        if case != seizure_id and not kind.spans:
            raise NotFound(sentence("This head is in no such case."))
        found.setdefault(case, []).append(head)
    return {case: tuple(heads) for case, heads in found.items() if heads or case == seizure_id}


def _require_role(turn: Turn, kind: ActKind, facts: Facts) -> None:
    """Raise `NotAllowed` unless the act is one of this principal's."""
    principal = turn.principal
    if turn.is_ordered:
        return
    is_keeper_elsewhere = (
        principal.roles == {"pound_keeper"}
        and facts.file is not None
        and facts.file.pound_id is not None
        and not keeps(principal, facts.file.pound_id)
    )
    if is_keeper_elsewhere and not turn.is_arrival:
        raise NotAllowed(sentence("This pound is not yours to keep."), reason="pound")
    if principal.roles & kind.roles:
        return
    named = (
        one.names
        for one in facts.case.register.notifications
        if one.kind == kind.appointed and one.is_in_force(turn.unit.now.astimezone(INDIA).date())
    )
    if kind.appointed and any(principal.person_id in names for names in named):
        return
    raise of_others(kind)


def _prepared(scene: Scene, kind: ActKind, body: ActBody) -> ActBody:
    body = _picked(scene, kind, body)
    if kind.prepare is not None:
        body = kind.prepare(scene, body)
    if scene.added:
        heads = (*scene.case.heads, *(_head(row) for row in scene.added))
        scene.case = replace(scene.case, heads=heads)
    return body


def _head(row: Custody) -> law.Head:
    return law.Head(
        id=row.id,
        kind=row.kind,
        previous=row.previous_id,
        since=row.started_at,
        origin=row.origin,
    )


def _picked(scene: Scene, kind: ActKind, body: ActBody) -> ActBody:
    """Turn `pick` into heads: the first of each kind with which the act can be done."""
    if not body.pick or kind.is_pick_new:
        return body
    now = law.state(scene.case, scene.unit.now)
    order = {head.id: n for n, head in enumerate(scene.case.heads)}
    heads = sorted(now.heads.values(), key=lambda head: _first(kind, head, order[head.id]))
    found = list(body.custody)
    for wanted, count in body.pick:
        fit = [
            head.id
            for head in heads
            if head.kind == wanted
            and head.id not in found
            and kind.pickable(head)
            and _is_of(head, body, kind)
        ]
        if len(fit) < count:
            raise refused(_NO_HEADS)
        found += fit[:count]
    return replace(body, custody=tuple(found))


def _first(kind: ActKind, head: law.HeadState, place: int) -> tuple[bool, int]:
    """Return where a head stands in the choice: to be identified, one without anybody first."""
    return (kind.slug == "identify" and head.liable is not None, place)


def _is_of(head: law.HeadState, body: ActBody, kind: ActKind) -> bool:
    if body.party is None:
        return True
    if kind.slug == "identify":
        role = head.keeper if body.data.get("as") == "keeper" else head.owner
        return role is None
    return head.liable in (None, body.party)


def _proposal(now: datetime, kind: ActKind, body: ActBody) -> law.Proposal:
    happened_at = body.happened_at or now
    if happened_at > now:
        raise InvalidBody(errors={"happened_at": [sentence("This has not happened yet.")]})
    if happened_at != now and body.mode == "perform" and not kind.is_fact and not body.intake_id:
        raise InvalidBody(
            errors={"happened_at": [sentence("This act is done now; leave the time out.")]}
        )
    return law.Proposal(
        id=body.id,
        act=body.act,
        at=now,
        happened_at=happened_at,
        mode=body.mode if body.mode != "check" else "perform",
        party=body.party,
        heads=body.custody,
        data=body.data,
    )


def _told(judged: Sequence[_Judged]) -> dict[str, JSON]:
    """Return the answer to a check: of several cases, the strictest, with the lines of all."""
    order = ("no", "warn", "yes")
    worst = min(judged, key=lambda one: order.index(one.judgement.verdict.allowed))
    answer = answer_of(worst.judgement)
    answer["lines"] = [line_of(line) for one in judged for line in one.judgement.lines]
    totals = [one.judgement.total_paise for one in judged]
    answer["total"] = None if None in totals else sum(total or 0 for total in totals)
    return answer


def _require_allowed(one: _Judged) -> None:
    """Raise `ActNotAllowed` or `ActNeedsReason` where the judgement asks for it."""
    verdict, body = one.judgement.verdict, one.body
    told = answer_of(one.judgement)
    said: dict[str, object] = {name: told[name] for name in _SAID}
    is_refused = verdict.allowed == "no" and (body.mode == "perform" or not verdict.is_possible)
    if is_refused:
        raise _problem(ActNotAllowed, verdict.reason, said)
    needs_reason = verdict.allowed == "warn" or (verdict.allowed == "no" and body.mode == "record")
    if needs_reason and not body.reason:
        raise _problem(ActNeedsReason, verdict.reason, said)


def _problem(kind: type[Problem], detail: str, said: dict[str, object]) -> Problem:
    problem = kind(detail)
    problem.extensions.update(said)
    return problem


def _store(one: _Judged, index: int) -> Act:
    """Write one case's part of an act; the parts after the first get ids of their own."""
    scene, body, judgement = one.scene, one.body, one.judgement
    if judgement.verdict.allowed == "no" and "contrary_to_rule" not in judgement.flags:
        judgement = replace(judgement, flags=(*judgement.flags, "contrary_to_rule"))
    if index:
        body = replace(body, id=server_op_id(b"act", f"{body.id}/{scene.file.id}"))
    scene.file.acts += 1
    row = store_act(
        scene.unit,
        scene.principal,
        subject_of(scene.file),
        body,
        judged=judgement,
        n=scene.file.acts,
    )
    after = law.state(scene.case.after(replace(judgement.done, id=row.id)), scene.unit.now)
    try:
        store_heads(scene, row, after)
    except IntegrityError as exc:
        raise refused(_NO_HEADS) from exc
    return row


def _finish(turn: Turn, one: _Judged) -> None:
    if one.body.act in _CLOSING:
        _follow_state(turn, one.scene.file, is_closed=one.body.act == "close")
    settle(turn, one.scene.file, name=one.body.id, may_close=one.body.act != "reopen")


def settle(turn: Turn, file: CaseFile, *, name: str, may_close: bool = True) -> None:
    """Close the case if nothing is left to do in it, and tell its deadlines anew.

    `name`: of what was done, from which the id of the closing follows.
    """
    unit = turn.unit
    facts = load(unit.session, turn.packs, file.authority_id, file.id)
    if file.state == "open" and file.acts and may_close:
        closing = _closing(unit, name, facts)
        if closing.verdict.allowed == "yes":
            file.acts += 1
            closed = ActBody(closing.done.id, "close")
            store_act(unit, turn.principal, subject_of(file), closed, judged=closing, n=file.acts)
            _follow_state(turn, file, is_closed=True)
            facts = load(unit.session, turn.packs, file.authority_id, file.id)
    store_deadlines(unit, file, law.clocks(facts.case, unit.now))


def _closing(unit: Unit, name: str, facts: Facts) -> law.Judgement:
    name = server_op_id(b"act", f"{name}/{facts.case.id}/close")
    return law.judge(facts.case, law.Proposal(name, "close", unit.now, unit.now))


def _follow_state(turn: Turn, file: CaseFile, *, is_closed: bool) -> None:
    unit = turn.unit
    file.state, file.closed_at = ("closed", unit.now) if is_closed else ("open", None)
    unit.enter(
        file.authority_id,
        "case.closed" if is_closed else "case.reopened",
        subject=f"seizure/{file.id}",
        actor=turn.principal.actor,
    )
    audience.enter(unit, audience.closing(unit.session, file), actor=turn.principal.actor)
