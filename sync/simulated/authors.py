"""What people do on a phone, drawn by dice: honest authors by the client's own rules, clients
without bases, and liars whose bases name anything. `world` calls it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from sync.client.base import adds_of, everything
from sync.client.capture import Edit, Part, Ticket, draft
from sync.client.record import NOTHING, Ground, Head
from sync.op import EVERYTHING, WITHDRAWN, Decision, Op, Retract, Strike
from sync.simulated.phone import Phone
from sync.simulated.stage import ELEMENTS, FIELDS, IMPOSSIBLE, KIND, VALUES, Dice, op_id
from sync.strict import JSON

_EDITS = (*["set"] * 12, *["add"] * 3, *["strike"] * 3, *["retract"] * 2)
_LIES = (*["set"] * 8, "retract", "strike")


class Moment(NamedTuple):
    """When and where an op is written. `number`: of the op in this history."""

    phone: Phone
    record: str
    number: int
    now: int

    def ticket(self) -> Ticket:
        """Take what the moment gives an op."""
        stamp = self.phone.stamp(self.now)
        at = self.phone.wall(self.now)
        return Ticket(op_id(self.number), self.phone.by, stamp, at, self.phone.n, b"")


def honest(moment: Moment, ground: Ground, dice: Dice, *, is_new: bool) -> Op:
    """Return what an honest author writes over what stands on the screen."""
    edit = Edit(set=_values(dice), is_new=True) if is_new else _edit(ground, dice)
    part = Part(edit, is_personal=False)
    return draft(part, KIND.name, moment.record, ground=ground, ticket=moment.ticket())


def _edit(ground: Ground, dice: Dice) -> Edit:
    what = dice.pick(_EDITS)
    if what == "add":
        name, element = dice.pick(ELEMENTS)
        return Edit(add={name: [element]})
    if what == "strike":
        return _strike(ground, dice)
    if what == "retract":
        return Edit(retract=False if ground.is_withdrawn() and dice.chance(60) else "twice")
    return Edit(set=_values(dice), fixes=_parked(ground))


def _values(dice: Dice) -> dict[str, JSON]:
    name = dice.pick(FIELDS)
    values: dict[str, JSON] = {name: IMPOSSIBLE if dice.chance(4) else dice.pick(VALUES)}
    if dice.chance(30):
        values[dice.pick(FIELDS)] = dice.pick(VALUES)
    return values


def _parked(ground: Ground) -> str | None:
    """Return an own op on this screen that needs a correction."""
    return next((own.op.id for own in ground.own if own.parked), None)


def _strike(ground: Ground, dice: Dice) -> Edit:
    name, element = dice.pick(ELEMENTS)
    key = _key_of(name, element)
    ops = adds_of(name, key, ground, key_of=_key_of)
    return Edit(strike={name: [Strike(key, ops, "misread")]}) if ops else Edit(set=_values(dice))


def _key_of(name: str, element: JSON) -> JSON:
    return KIND.fields[name].key_of(element)


def decision(moment: Moment, ground: Ground, dice: Dice) -> Op:
    """Return what a reviewer decides: of what is open, or of anything."""
    opened = sorted(ground.pulled.open_reviews)
    name = dice.pick(opened) if opened else dice.pick(FIELDS)
    base = {name: _everything_in(ground, name)}
    if ground.is_withdrawn():
        base[WITHDRAWN] = _everything_in(ground, WITHDRAWN)
    values: Mapping[str, JSON] = {}
    retract: Retract | None = None
    if name == WITHDRAWN:
        retract = {"reason": "decided"} if dice.chance(50) else False
        base[EVERYTHING] = tuple(dict.fromkeys([*_all_heads(ground), *everything(ground)]))
    else:
        values = {name: ground.pulled.shown.get(name) if dice.chance(50) else dice.pick(VALUES)}
    said = Decision(moment.record, "compared")
    return replace(_op(moment, values, base), retract=retract, decision=said)


def _everything_in(ground: Ground, name: str) -> tuple[str, ...]:
    """Return the heads of a field and the own ops on it that are yet to come back."""
    covered = ground.covered()
    own = [one.op.id for one in ground.own if one.sets(name) and one.op.id not in covered]
    return (*_names(ground.pulled.heads_of(name)), *own)


def _all_heads(ground: Ground) -> list[str]:
    fields = (heads for name, heads in ground.pulled.heads.items() if name != WITHDRAWN)
    return [head.op for heads in fields for head in heads]


def _names(heads: Sequence[Head]) -> list[str]:
    return [head.op for head in heads]


def unbased(moment: Moment, dice: Dice, *, is_new: bool) -> Op:
    """Return what a client writes that sends no base, as the server fills it in: the heads at
    the last pull that ran to its end, own ones only where these hold different values.
    """
    put = moment.phone.seen.get(moment.record)
    pulled = NOTHING if put is None else put.pulled
    values = _values(dice)
    base: dict[str, tuple[str, ...]] = {}
    for name in values:
        heads = pulled.heads_of(name)
        if name in pulled.open_reviews:
            heads = tuple(head for head in heads if head.is_by(moment.phone.actor))
        base[name] = tuple(_names(heads))
    return replace(_op(moment, values, base), nobase=True, is_new=is_new)


def lie(moment: Moment, dice: Dice, others: Sequence[Op], *, is_new: bool) -> Op:
    """Return an op whose base names anything: itself, what never comes, circles. Sometimes it
    bears the id of one of the `others`.
    """
    values = _values(dice)
    base = {name: _anything(moment, dice) for name in values}
    op = replace(_op(moment, values, base), is_new=is_new)
    what = dice.pick(_LIES)
    if what == "retract":
        base |= {WITHDRAWN: _anything(moment, dice), EVERYTHING: _anything(moment, dice)}
        op = replace(op, retract=dice.pick(({"reason": "twice"}, False)), base=base)
    elif what == "strike":
        name, element = dice.pick(ELEMENTS)
        struck = Strike(_key_of(name, element), _anything(moment, dice))
        op = replace(op, strike={name: (struck,)})
    return replace(op, id=dice.pick(others).id) if others and dice.chance(8) else op


def _anything(moment: Moment, dice: Dice) -> tuple[str, ...]:
    near = [op_id(max(1, moment.number + dice.below(7) - 4)) for _ in range(dice.below(4))]
    return tuple(dict.fromkeys(near))


def _op(moment: Moment, values: Mapping[str, JSON], base: Mapping[str, tuple[str, ...]]) -> Op:
    ticket = moment.ticket()
    return Op(
        id=ticket.op,
        actor=ticket.actor,
        kind=KIND.name,
        record=moment.record,
        by=ticket.by,
        stamp=ticket.stamp,
        at=ticket.at,
        n=ticket.n,
        set=values,
        base=base,
    )
