"""Takes what a keeper counted in at a pound into the register: the act `impound`, in the keeper's
name, at the time of the arrival.

An arrival by REST is taken in with its request; one that came by sync, or before its report, is
pending work. An arrival is taken in once: a unique index says so.
"""

from __future__ import annotations

from dataclasses import replace

import structlog
from sqlalchemy import Select, and_, select
from sqlalchemy.orm import Session

from fieldapi import law
from fieldapi.house import House
from fieldapi.ids import server_op_id
from fieldapi.jobs import Job
from fieldapi.models import Act, Intake, Pound, Seizure
from fieldapi.packs import Packs
from fieldapi.problems import ActNeedsReason, ActNotAllowed
from fieldapi.queries.case_facts import COUNT_AGAIN
from fieldapi.services.acts import performing, registry
from fieldapi.services.acts.kinds import ActBody, ActKind, Scene
from fieldapi.services.acts.opening import open_case
from fieldapi.services.acts.performing import Turn
from fieldapi.services.acts.storing import store_act, subject_of
from fieldapi.services.acts.transit import rows_free_to_link
from fieldapi.services.authorise import Principal
from fieldapi.unit import Unit
from sync.wire import JSON

_AT_ONCE = 200
_COUNTED_IN = "Counted in at the pound."

log = structlog.get_logger(__name__)


def taking_in(house: House) -> Job:
    """Return the job that takes arrivals into the register."""
    return Job(
        "arrivals at pounds",
        _pending,
        lambda subject: _take(house, subject),
    )


def _take(house: House, subject: str) -> None:
    authority_id, intake_id = subject.split("/")
    house.database.transact(lambda unit: take_in(unit, house.packs, authority_id, intake_id))


def _pending(session: Session) -> list[str]:
    """Return the arrivals, as `authority/intake`, of known seizures that no act took in yet."""
    seizure = and_(Seizure.authority_id == Intake.authority_id, Seizure.id == Intake.seizure_id)
    taken = select(Act.id).where(
        Act.authority_id == Intake.authority_id, Act.intake_id == Intake.id
    )
    query = (
        select(Intake.authority_id, Intake.id)
        .join(Seizure, seizure)
        .join(Pound, and_(Pound.authority_id == Intake.authority_id, Pound.id == Intake.pound_id))
        .where(
            Intake.heads != "",
            Intake.is_withdrawn.is_(False),
            Intake.is_incomplete.is_(False),
            Seizure.heads != "",
            Seizure.seized_at.is_not(None),
            ~taken.exists(),
        )
        .order_by(Intake.received_at, Intake.id)
        .limit(_AT_ONCE)
    )
    return ["/".join(row) for row in session.execute(query)]


def take_in(unit: Unit, packs: Packs, authority_id: str, intake_id: str) -> Act | None:
    """Take an arrival into the register; None if it has to wait, or was taken in before."""
    intake = unit.session.get(Intake, (authority_id, intake_id))
    if intake is None or not _is_ready(unit, intake):
        return None
    keeper = _keeper_of(intake)
    turn = Turn(unit, keeper, packs, str(intake.seizure_id), is_arrival=True)
    body = _body(unit, intake)
    kind = registry.ACTS["impound"]
    facts = open_case(unit, keeper, packs, turn.seizure_id, is_arrival=True)
    if unit.session.scalar(_taken(intake)) is not None or facts.file is None:
        return None
    scene = Scene(unit, keeper, facts.file, facts.case, dict(facts.custody))
    counts = body.data["counts"]
    linked = rows_free_to_link(scene, counts if isinstance(counts, list) else [])
    if linked is not None:
        for row in linked:
            row.intake_id = intake.id
        return _count_again(scene, body)
    return _impound(turn, kind, scene, body)


def _impound(turn: Turn, kind: ActKind, scene: Scene, body: ActBody) -> Act:
    """Perform the act; where the law has doubts the arrival is a fact all the same."""
    for mode, reason in (("perform", ""), ("perform", _COUNTED_IN), ("record", _COUNTED_IN)):
        try:
            with turn.unit.savepoint():
                return performing.perform(turn, kind, replace(body, mode=mode, reason=reason))
        except (ActNeedsReason, ActNotAllowed) as exc:
            turn.unit.session.expire_all()
            log.info("arrival_doubtful", rule=exc.extensions.get("rule"), mode=mode)
    return _count_again(scene, body)


def _count_again(scene: Scene, body: ActBody) -> Act:
    """Note that an arrival was counted which the register has already, or cannot take in."""
    scene.file.acts += 1
    done = law.Done(
        id=body.id,
        n=scene.file.acts,
        act=COUNT_AGAIN,
        at=body.happened_at or scene.unit.now,
        mode="record",
        data=body.data,
    )
    noted = law.Judgement(verdict=law.Verdict("yes", ""), done=done)
    subject = subject_of(scene.file)
    return store_act(scene.unit, scene.principal, subject, body, judged=noted, n=scene.file.acts)


def _is_ready(unit: Unit, intake: Intake) -> bool:
    seizure = unit.session.get(Seizure, (intake.authority_id, intake.seizure_id))
    is_known = seizure is not None and bool(seizure.heads) and seizure.seized_at is not None
    has_pound = unit.session.get(Pound, (intake.authority_id, intake.pound_id)) is not None
    is_whole = bool(intake.heads) and not intake.is_withdrawn and not intake.is_incomplete
    return is_known and has_pound and is_whole and unit.session.scalar(_taken(intake)) is None


def _taken(intake: Intake) -> Select[str]:
    return select(Act.id).where(Act.authority_id == intake.authority_id, Act.intake_id == intake.id)


def _keeper_of(intake: Intake) -> Principal:
    """Return the keeper who counted, as one of that pound: the write path judged it."""
    return Principal(
        authority_id=intake.authority_id,
        person_id=intake.author_id or "",
        device_id=None,
        actor=intake.author_actor or "",
        roles=frozenset({"pound_keeper"}),
        pounds=frozenset({str(intake.pound_id)}),
        is_confirmed=True,
    )


def _body(unit: Unit, intake: Intake) -> ActBody:
    fields = intake.fields
    counts: JSON = fields.get("counts") or []
    arrived = intake.intake_at or unit.now
    return ActBody(
        id=server_op_id(b"act", f"intake/{intake.authority_id}/{intake.id}"),
        act="impound",
        happened_at=min(arrived, unit.now),
        data={"pound": intake.pound_id, "counts": counts},
        intake_id=intake.id,
    )
