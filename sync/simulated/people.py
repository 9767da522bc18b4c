"""What people do: they write, leave screens open, look at what is new, and judge what waits."""

from __future__ import annotations

from sync.client.record import Ground
from sync.op import Op
from sync.simulated.authors import Moment, decision, honest, lie, unbased
from sync.simulated.phone import LIAR, UNBASED, Phone
from sync.simulated.server import CONFIRMED, ENDED
from sync.simulated.sight import see
from sync.simulated.stage import Dice, record_id
from sync.simulated.world import World

MOST_RECORDS = 4
_MERGED = frozenset({"applied", "quarantined"})


def write(world: World, dice: Dice) -> None:
    """Somebody writes an op."""
    phone = dice.pick(world.phones)
    if phone.is_reviewer and not phone.records():
        return
    name, is_new = _record(world, phone, dice)
    moment = Moment(phone, name, len(world.ops) + 1, world.now)
    if phone.manner == LIAR:
        op = lie(moment, dice, _foreign(world, phone, name), is_new=is_new)
    elif phone.manner == UNBASED:
        op = unbased(moment, dice, is_new=is_new)
    else:
        op = _honest(world, moment, dice, is_new=is_new)
    world.ops[op.key] = op
    phone.keep(op)
    world.tell(lambda: f"phone {phone.at} writes {_in_words(op)}")


def _record(world: World, phone: Phone, dice: Dice) -> tuple[str, bool]:
    """Return what somebody writes on: mostly a record that is on the phone, else a new one."""
    shown = phone.records()
    if phone.is_reviewer:
        return dice.pick(shown), False
    if phone.manner == LIAR and world.records and dice.chance(70):
        return dice.pick(world.records), dice.chance(10)
    if shown and (len(world.records) >= MOST_RECORDS or dice.chance(85)):
        return dice.pick(shown), dice.chance(2)
    world.records.append(record_id(len(world.records) + 1))
    return world.records[-1], True


def _foreign(world: World, phone: Phone, name: str) -> list[Op]:
    """Return the ops of others on a record whose ids this phone has not used."""
    return [
        op
        for op in world.ops.values()
        if op.record == name and op.actor != phone.actor and op.id not in phone.own
    ]


def _honest(world: World, moment: Moment, dice: Dice, *, is_new: bool) -> Op:
    phone = moment.phone
    _watch_covered(world, phone, moment.record)
    ground = _ground(phone, moment.record, dice)
    if phone.is_reviewer:
        op = decision(moment, ground, dice)
    else:
        op = honest(moment, ground, dice, is_new=is_new)
    world.sights[op.key] = see(phone, ground, op)
    return op


def _watch_covered(world: World, phone: Phone, name: str) -> None:
    """Note own values that left the screen before the pulled record contained them."""
    put = phone.held_by(name)
    for one in phone.ground(name).covered() if phone.actor not in world.blinded else ():
        own = phone.own[one]
        if own.status in _MERGED and own.op.key not in put.keys:
            world.early.append(own.op.key)


def _ground(phone: Phone, name: str, dice: Dice) -> Ground:
    """Return the screen that somebody writes on: as of now, or one that stayed open."""
    ground = phone.ground(name)
    if phone.form is not None and phone.form[0] == name and dice.chance(60):
        ground = phone.form[1].with_newer(ground.own)
    phone.form = None
    return ground


def leave_open(world: World, dice: Dice) -> None:
    """Somebody opens a screen and leaves it open."""
    phone = dice.pick(world.phones)
    if shown := phone.records():
        name = dice.pick(shown)
        phone.form = (name, phone.ground(name))


def look(world: World, dice: Dice) -> None:
    """Somebody looks at what stands under own values."""
    phone = dice.pick(world.phones)
    if shown := phone.records():
        name = dice.pick(shown)
        fields = frozenset(n for own in phone.ground(name).on_top() for n in own.op.set)
        phone.look(name, fields)
        world.tell(lambda: f"phone {phone.at} looks at {name[-1:]}: {', '.join(sorted(fields))}")


def judge(world: World, dice: Dice) -> None:
    """A reviewer lets a held op in or turns it down; or a phone's standing changes."""
    if dice.chance(40) or not world.server.held:
        _change_standing(world, dice.pick(world.phones), ENDED if dice.chance(25) else CONFIRMED)
        return
    key, is_for = dice.pick([*world.server.held]), dice.chance(65)
    world.tell(lambda: f"the desk lets {key[-3:]} {'in' if is_for else 'not in'}")
    if is_for:
        world.server.release(key)
    else:
        world.server.reject(key)


def _change_standing(world: World, phone: Phone, standing: str) -> None:
    if phone.is_reviewer:
        return
    world.tell(lambda: f"phone {phone.at} is {standing}")
    if standing == ENDED:
        world.blinded.add(phone.actor)
    for one in world.phones:
        if one.actor == phone.actor:
            one.standing = standing
    held = [key for key, op in world.server.held.items() if op.actor == phone.actor]
    for key in held if standing == CONFIRMED else ():
        world.server.release(key)


def _in_words(op: Op) -> str:
    """Return an op in words."""
    parts: dict[str, object] = {
        "new": op.is_new or None,
        "set": op.set,
        "base": op.base,
        "add": op.add,
        "strike": op.strike,
        "retract": op.retract,
        "fixes": op.fixes,
        "decides": op.decision is not None or None,
    }
    told = [f"{name}={value}" for name, value in parts.items() if value not in (None, {})]
    return " ".join([op.id[-3:], "on", op.record[-1:], op.stamp, *told])
