"""The promises that every history must keep, each checked by other means than the code it checks.

Called by `sync.simulate` when everybody has come to rest. A check yields what is wrong, in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sync.canonical import equality_key
from sync.merge import State
from sync.op import EVERYTHING, WITHDRAWN, Op
from sync.simulated.phone import Phone
from sync.simulated.server import CONFIRMED, Record
from sync.simulated.sight import Sight
from sync.simulated.stage import KIND, Dice
from sync.simulated.world import World
from sync.strict import JSON

Check = Callable[[World], Iterator[str]]
_MERGED = frozenset({"applied", "quarantined"})


def nothing_acknowledged_is_missing(world: World) -> Iterator[str]:
    """What a phone holds as answered, the server has; nothing waits any more."""
    for phone in world.phones:
        for own in phone.own.values():
            if own.op.key not in world.server.ops:
                yield f"phone {phone.at} was answered {own.status}: {own.op.key} is not there"
        if phone.waiting:
            yield f"phone {phone.at} still holds {len(phone.waiting)} ops"


def every_op_has_one_effect(world: World) -> Iterator[str]:
    """An op is merged once, or waits, or was turned down; and nothing else is merged."""
    merged = [op.key for record in world.server.records.values() for op in record.merged]
    told = {key for key, outcome in world.server.ops.items() if outcome.status in _MERGED}
    if len(merged) != len(set(merged)):
        yield "an op was merged twice"
    if set(merged) != told:
        yield f"merged, but not told so, or the other way: {set(merged) ^ told}"
    for name, record in world.server.records.items():
        sources = sorted(source.key for source in record.state.sources)
        if sources != sorted(op.key for op in record.merged):
            yield f"record {name} is not made of the ops merged in it"


def state_is_the_fold(world: World) -> Iterator[str]:
    """What was carried on op by op is what all ops make, in any order, by either way."""
    merge, dice = world.server.merge, Dice(world.order)
    for name, record in world.server.records.items():
        shuffled = _shuffled(record.merged, dice)
        if merge.fold(KIND, shuffled, author=record.author) != record.state:
            yield f"record {name} is not the fold of its ops"
        if _carry(world, shuffled) != record.state:
            yield f"record {name} depends on the order of arrival"
        if State.loads(record.state.dumps()) != record.state:
            yield f"record {name} is another one after saving"


def _shuffled(ops: Sequence[Op], dice: Dice) -> list[Op]:
    left = [*ops]
    return [left.pop(dice.below(len(left))) for _ in ops]


def _carry(world: World, ops: Sequence[Op]) -> State:
    merge, state = world.server.merge, State()
    for count, op in enumerate(ops, 1):
        carried = merge.apply(KIND, state, op)
        state = merge.fold(KIND, ops[:count]) if carried is None else carried
    return state


def every_phone_shows_the_same(world: World) -> Iterator[str]:
    """Every phone that may has every record at its newest, and nothing own is left on top."""
    for phone in world.phones:
        if phone.standing != CONFIRMED:
            continue
        for name in world.server.moved:
            if phone.held_by(name) != world.server.put(name):
                yield f"phone {phone.at} shows record {name} otherwise than the server has it"
        yield from _left_on_top(phone)


def _left_on_top(phone: Phone) -> Iterator[str]:
    for name in phone.of_record:
        top = phone.ground(name).on_top()
        if top:
            yield f"phone {phone.at} still shows own values over record {name}"


def no_field_ever_empties(world: World) -> Iterator[str]:
    """A field that somebody wrote has a head, at every moment and at the end."""
    yield from (f"record {name} lost all heads of a field" for name in world.server.emptied)
    for name, record in world.server.records.items():
        wrote = {field for op in record.merged for field, _ in op.values()} & KIND.headed.keys()
        for field in sorted(wrote):
            if not record.state.heads.get(field):
                yield f"record {name} has no head in {field}"


def no_value_is_lost(world: World) -> Iterator[str]:
    """What is no head was named by an op that took its place."""
    for name, record in world.server.records.items():
        for field in record.state.heads:
            heads = _heads(record, field)
            for op in record.merged:
                if _says(op, field) and op.key not in heads and not _is_named(op, record, field):
                    yield f"record {name}: {op.key} is gone from {field}, and nobody named it"


def _is_named(old: Op, record: Record, field: str) -> bool:
    return any(
        _names(new, old, field) or (new.nobase and new.actor == old.actor and new.stamp > old.stamp)
        for new in record.merged
    )


def nobody_overrules_the_unseen(world: World) -> Iterator[str]:
    """What an honest op names, its author had seen."""
    for key, sight in world.sights.items():
        op = world.ops[key]
        for field, named in op.base.items():
            yield from _unseen(op, field, named, sight)
        for field, strikes in op.strike.items():
            for strike in strikes:
                yield from _unseen(op, field, strike.ops, sight)


def _unseen(op: Op, field: str, named: Sequence[str], sight: Sight) -> Iterator[str]:
    unseen = set(named) - sight.known.get(field, frozenset())
    if unseen:
        yield f"{op.key} names {sorted(unseen)} in {field}, which its author never saw"


def nobody_conflicts_with_oneself(world: World) -> Iterator[str]:
    """No two ops of one honest phone stand beside each other where one may replace the other."""
    for name, record in _remembered(world):
        for field in record.state.heads:
            if KIND.headed[field].klass == "evidence" or field in record.state.cycles:
                continue
            by_actor: dict[tuple[str, bool], str] = {}
            for op in _heads(record, field).values():
                other = by_actor.setdefault((op.actor, op.is_decision), op.key)
                if other != op.key and _is_honest(world, op.actor):
                    yield f"record {name}: {op.key} conflicts with own {other} in {field}"


def no_conflict_is_without_a_cause(world: World) -> Iterator[str]:
    """An honest op that was written over a value on the screen replaces it, unless a rule keeps
    that value for a reviewer.
    """
    for name, record in _remembered(world):
        for field in record.state.heads:
            heads = _heads(record, field)
            for new in heads.values():
                for old in heads.values():
                    if old is not new and not _has_cause(world, record, field, new=new, old=old):
                        yield f"record {name}: {new.key} saw {old.key} in {field}: both stand"


def _has_cause(world: World, record: Record, field: str, *, new: Op, old: Op) -> bool:
    """Say why the newer op need not have replaced the older one: it did not see it, or a rule."""
    sight = world.sights.get(new.key)
    if sight is None or not _is_honest(world, new.actor):
        return True
    if record.state.has_twins or field in record.state.cycles or field in sight.open:
        return True
    if not {old.id, old.key} & sight.before.get(field, frozenset()):
        return True
    return _is_kept(record, field, new=new, old=old)


def _is_kept(record: Record, field: str, *, new: Op, old: Op) -> bool:
    """Say whether a rule keeps the older value although the newer op may name it."""
    if new.is_decision:
        return False
    rules = KIND.headed[field]
    if old.is_decision or rules.klass == "evidence":
        return True
    if rules.competes and new.by != old.by:
        return True
    others = [op for op in record.merged if op.actor != new.actor and _names(new, op, field)]
    said = {equality_key(_value(op, field)) for op in others if _says(op, field)}
    return rules.klass == "register" and len(said) > 1


def no_retract_is_blind_to_oneself(world: World) -> Iterator[str]:
    """A retract that stands and what stands by the same honest phone know of each other."""
    for name, record in _remembered(world):
        work = _work(record)
        for retract in _heads(record, WITHDRAWN).values():
            if not retract.withdraws or not _is_honest(world, retract.actor):
                continue
            for op in work:
                if op.actor == retract.actor and not _knows(world, retract, op):
                    yield f"record {name}: {retract.key} and own {op.key} are blind to each other"


def _remembered(world: World) -> Iterator[tuple[str, Record]]:
    """Yield the records of which no restore forgot that an op was let in: what that op replaced
    stands again, and its author could not know.
    """
    forgotten = {op.record for op in world.server.held.values()} if world.server.epoch else set()
    yield from ((n, one) for n, one in world.server.records.items() if n not in forgotten)


def _work(record: Record) -> list[Op]:
    """Return the ops that have a head in some field, or an add, `withdrawn` aside."""
    state = record.state
    entries = [one for name, one in state.heads.items() if name != WITHDRAWN]
    entries += state.adds.values()
    keys = {state.sources[at].key for listed in entries for at, _ in listed}
    return [op for op in record.merged if op.key in keys]


def _knows(world: World, retract: Op, op: Op) -> bool:
    """Say whether one of two own ops names the other, or need not.

    An op made after a retract names it only if the record showed as withdrawn.
    """
    if op is retract or op.stamp < retract.stamp:
        return op is retract or _names(retract, op, EVERYTHING)
    return _names(op, retract, WITHDRAWN) or not world.sights[op.key].is_withdrawn


def own_values_stay_until_shown_back(world: World) -> Iterator[str]:
    """No own value left a screen before the pulled record contained it."""
    yield from (f"{key} left its author's screen too early" for key in world.early)


CHECKS: tuple[Check, ...] = (
    nothing_acknowledged_is_missing,
    every_op_has_one_effect,
    state_is_the_fold,
    every_phone_shows_the_same,
    no_field_ever_empties,
    no_value_is_lost,
    nobody_overrules_the_unseen,
    nobody_conflicts_with_oneself,
    no_conflict_is_without_a_cause,
    no_retract_is_blind_to_oneself,
    own_values_stay_until_shown_back,
)


def _heads(record: Record, field: str) -> dict[str, Op]:
    keys = {record.state.sources[at].key for at, _ in record.state.heads.get(field, ())}
    return {op.key: op for op in record.merged if op.key in keys}


def _says(op: Op, field: str) -> bool:
    return any(name == field for name, _ in op.values())


def _value(op: Op, field: str) -> JSON:
    return op.retract is not False if field == WITHDRAWN else op.set[field]


def _names(new: Op, old: Op, field: str) -> bool:
    named = new.base.get(field, ())
    return old.id in named or old.key in named


def _is_honest(world: World, actor: str) -> bool:
    phones = [phone for phone in world.phones if phone.actor == actor]
    is_plain = actor not in world.cloned | world.blinded
    return is_plain and all(phone.manner == "honest" for phone in phones)
