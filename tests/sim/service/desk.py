"""What happens at the desk, through the public doors: fields are decided, reports judged and
corrected, held ops let in, roles ended, phones judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select

from fieldapi.ids import new_id
from fieldapi.models import Device, Membership, ParkedOp
from fieldapi.problems import Conflict, NotAllowed, NotFound
from fieldapi.services import devices, people
from fieldapi.services.authorise import operator
from fieldapi.services.ops import release
from fieldapi.services.people import Grant
from fieldapi.unit import Unit
from sync.simulated.stage import Dice
from tests.sim.service.world import Held, World
from tests.support.house import client_with


def decide(world: World, dice: Dice) -> None:
    """The reviewer decides a field in which two values stand, and says so twice."""
    bina = client_with(world.installation.app, world.village["bina"].token)
    listed = bina.get("/api/v1/reviews?about=field&limit=50").json["items"]
    if not listed:
        return
    review = dice.pick(sorted(listed, key=lambda one: (_nth_of(world, one), one["field"])))
    said: dict[str, Any] = {"op": new_id(), "reason": "as photographed"}
    heads = sorted(review["heads"], key=lambda one: one["t"])
    said["head"] = dice.pick(heads)["op"]
    answer = bina.post(f"/api/v1/reviews/{review['id']}/decision", json=said)
    again = bina.post(f"/api/v1/reviews/{review['id']}/decision", json=said)
    world.tell(f"bina decides {review['field']} of {_nth_of(world, review)}: {answer.status_code}")
    assert answer.status_code == again.status_code or answer.status_code >= 400, again.json


def _nth_of(world: World, review: Mapping[str, Any]) -> int:
    keys = [key for key, _ in world.records]
    return keys.index((review["kind"], review["record"]))


def review(world: World, dice: Dice) -> None:
    """The reviewer judges a report."""
    bina = client_with(world.installation.app, world.village["bina"].token)
    seizures = [key[1] for key, _ in world.records if key[0] == "seizure"]
    if seizures:
        outcome = dice.pick(("accepted", "correction_asked", "rejected"))
        said = {
            "id": new_id(),
            "seizure": dice.pick(seizures),
            "outcome": outcome,
            "reason": "seen",
        }
        answer = bina.post("/api/v1/reviews", json=said)
        world.tell(f"bina says {outcome}: {answer.status_code}")


def correct(world: World, dice: Dice) -> None:
    """An author corrects a report over REST, and says so twice."""
    asha = client_with(world.installation.app, world.village["asha"].token)
    seizures = [key[1] for key, by in world.records if key[0] == "seizure"]
    if not seizures:
        return
    url = f"/api/v1/seizures/{dice.pick(seizures)}"
    etag = asha.get(url).headers.get("ETag")
    if etag is None:
        return
    said: dict[str, Any] = {"op": new_id(), "survey_no": dice.pick(("12", "13"))}
    said |= {"owner": {"name": "Kanji"}} if dice.chance(30) else {}
    answers = [asha.patch(url, json=said, headers={"If-Match": etag}) for _ in range(2)]
    world.tell(f"asha corrects by REST: {[answer.status_code for answer in answers]}")
    assert answers[0].status_code < 500, answers[0].json


def judge(world: World, dice: Dice) -> None:
    """A reviewer lets a held op in, or turns it down."""
    with world.house.database.read() as session:
        query = select(ParkedOp.actor, ParkedOp.op).where(
            ParkedOp.authority_id == world.village.rjk,
            ParkedOp.status == "held",
            ParkedOp.resolved.is_(None),
            ParkedOp.by != world.village["bina"].person_id,  # nobody judges what they wrote
        )
        rows = session.execute(query.order_by(ParkedOp.received_at))
        waiting = [(actor, op) for actor, op in rows]
    if not waiting:
        return
    key, verdict = dice.pick(waiting), dice.pick(("released", "rejected"))
    bina = world.village["bina"].principal(world.house.database)
    world.tell(f"the desk: {verdict}")
    world.house.database.transact(
        lambda unit: release.judge_op(unit, bina, key, verdict, reason="seen")
    )


def change_access(world: World, dice: Dice) -> None:
    """A role ends or is given back, or a phone is confirmed, rejected or revoked."""
    if dice.chance(60):
        _change_role(world, dice.pick(("ravi", "kanta")))
    else:
        held = dice.pick([one for one in world.phones if one.owner.name in {"kanta", "ravi"}])
        _judge_phone(world, held, dice.pick(("confirm", "confirm", "reject", "revoke")))


def _change_role(world: World, name: str) -> None:
    persona = world.village[name]
    boss = operator(persona.authority_id)

    def end(unit: Unit) -> None:
        query = select(Membership.id).where(
            Membership.person_id == persona.person_id, Membership.ends_at.is_(None)
        )
        for one in unit.session.scalars(query).all():
            people.end(unit, boss, one)

    def give(unit: Unit) -> None:
        people.grant(unit, boss, Grant("reporter"), person_id=persona.person_id)

    world.installation.clock.move(seconds=1)
    is_over = name in world.ended
    world.house.database.transact(give if is_over else end)
    world.ended ^= {name}
    world.tell(f"{name}'s role {'is given back' if is_over else 'ends'}")
    see_anew(world)


def _judge_phone(world: World, held: Held, verdict: str) -> None:
    boss = operator(held.owner.authority_id)
    name = held.phone.device.id
    try:
        world.house.database.transact(
            lambda unit: devices.judge(unit, boss, name, verdict=verdict, reason="seen")
        )
    except (Conflict, NotAllowed, NotFound):
        return
    world.tell(f"phone {held.at}: {verdict}")
    see_anew(world)


def see_anew(world: World) -> None:
    """Note which phones may read and which are let in at all, as the database has it."""
    with world.house.database.read() as session:
        query = select(Device.id, Device.standing)
        standings = {one.id: one.standing for one in session.execute(query)}
    for held in world.phones:
        standing = standings[held.phone.device.id]
        held.is_revoked = standing in {"revoked", "rejected"}
        held.may_read = standing == "confirmed" and held.owner.name not in world.ended
