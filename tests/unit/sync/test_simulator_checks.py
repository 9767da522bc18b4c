"""Each check of the simulator finds what it is for: worlds that went wrong in one way are shown to
it, and a world that never comes to rest is told as one.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sync import simulate
from sync.client.record import Own
from sync.merge import State
from sync.simulate import draw, live
from sync.simulated import checks, people
from sync.simulated.checks import Check
from sync.simulated.network import heal
from sync.simulated.phone import Phone
from sync.simulated.server import Merge
from sync.simulated.stage import Dice
from sync.simulated.world import World, found

SEED = 7


@pytest.fixture
def world() -> World:
    """A world that came to rest with every promise kept."""
    script = draw(SEED)
    made = found(Merge(), script.cast, order=script.order)
    for step in script.steps:
        step.move(made, Dice(step.thrown))
    heal(made)
    return made


def busy(world: World) -> Phone:
    """Return a phone that wrote something which is merged."""
    merged = {op.key for record in world.server.records.values() for op in record.merged}
    return next(
        phone for phone in world.phones if any(own.op.key in merged for own in phone.own.values())
    )


def loses_an_op(world: World) -> None:
    del world.server.ops[next(iter(busy(world).own.values())).op.key]


def keeps_waiting(world: World) -> None:
    phone = busy(world)
    phone.waiting[next(iter(phone.own))] = None


def merges_twice(world: World) -> None:
    for name, record in world.server.records.items():
        world.server.records[name] = record._replace(merged=record.merged * 2)


def forgets_that_it_merged(world: World) -> None:
    for key, outcome in world.server.ops.items():
        world.server.ops[key] = outcome._replace(status="held")


def leaves_own_values_on_top(world: World) -> None:
    phone = busy(world)
    phone.own = {one: Own(own.op) for one, own in phone.own.items()}


def shows_an_older_record(world: World) -> None:
    for phone in world.phones:
        phone.pulled = {}


def loses_all_heads(world: World) -> None:
    for name, record in world.server.records.items():
        bare = record.state._replace(heads={})
        world.server.records[name] = record._replace(state=bare)


@pytest.mark.parametrize(
    "spoil,check,words",
    [
        (loses_an_op, checks.nothing_acknowledged_is_missing, "is not there"),
        (keeps_waiting, checks.nothing_acknowledged_is_missing, "still holds 1 ops"),
        (merges_twice, checks.every_op_has_one_effect, "merged twice"),
        (forgets_that_it_merged, checks.every_op_has_one_effect, "not told so"),
        (shows_an_older_record, checks.every_phone_shows_the_same, "otherwise than the server"),
        (leaves_own_values_on_top, checks.every_phone_shows_the_same, "own values over"),
        (loses_all_heads, checks.no_field_ever_empties, "has no head in"),
    ],
)
def test_world_that_went_wrong_is_found_out(
    world: World, spoil: Callable[[World], None], check: Check, words: str
) -> None:
    assert list(check(world)) == []

    spoil(world)

    assert any(words in one for one in check(world))


def test_state_that_is_saved_otherwise_is_found_out(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(State, "loads", lambda _text: State())

    assert any("after saving" in one for one in checks.state_is_the_fold(world))


def test_value_that_left_its_screen_too_early_is_noted(world: World) -> None:
    phone = busy(world)
    name = next(name for name in phone.of_record if phone.ground(name).covered())
    phone.pulled[name] = phone.held_by(name)._replace(keys=frozenset())
    world.blinded.clear()

    people._watch_covered(world, phone, name)  # noqa: SLF001 - no move shows such a screen

    assert list(checks.own_values_stay_until_shown_back(world))


def test_late_answer_overwrites_no_newer_record(world: World) -> None:
    phone = busy(world)
    asked = phone.request(world.now, most=0, limit=100)._replace(cursor=None)
    answer = world.server.exchange(asked, phone.bearer(), world.now)
    newer = {name: put._replace(seq=put.seq + 1) for name, put in phone.pulled.items()}
    phone.pulled = dict(newer)

    phone.take(answer)

    assert answer.puts
    assert phone.pulled == newer


def test_world_that_never_rests_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(world: World) -> None:
        assert not list(world.rounds("the phones"))

    monkeypatch.setattr(simulate, "heal", never)

    assert live(draw(SEED, 3)).broken == ("the phones did not come to rest",)
