"""Histories with the real service: drawn from a seed, lived, checked, shrunk when one fails."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from itertools import accumulate
from random import Random
from typing import NamedTuple

from sync.simulate import shrunk
from sync.simulated.stage import Dice
from tests.sim.service import accidents, desk, people
from tests.sim.service.accidents import heal
from tests.sim.service.checks import CHECKS
from tests.sim.service.installation import Ground
from tests.sim.service.world import Move, World, found

STEPS = 80
MOST_SHOWN = 5
_BITS = 512
_WEIGHTS: Mapping[Move, int] = {
    people.write: 44,
    people.leave_open: 3,
    people.look: 3,
    desk.decide: 4,
    desk.review: 2,
    desk.correct: 3,
    desk.judge: 3,
    desk.change_access: 4,
    accidents.sync: 30,
    accidents.land: 4,
    accidents.tick: 7,
    accidents.restart: 2,
    accidents.save: 2,
    accidents.clone: 1,
}
_MOVES = tuple(_WEIGHTS)
_CUMULATIVE = tuple(accumulate(_WEIGHTS.values()))


class Step(NamedTuple):
    """One move, and the number its choices are drawn from."""

    move: Move
    thrown: int


class Violation(AssertionError):
    """A promise was broken. The message has the seed and the shortest history that breaks it."""


def draw(seed: int, steps: int = STEPS) -> tuple[Step, ...]:
    """Return the history of a seed."""
    dice = Random(seed)
    return tuple(
        Step(dice.choices(_MOVES, cum_weights=_CUMULATIVE)[0], dice.getrandbits(_BITS))
        for _ in range(steps)
    )


def live(ground: Ground, steps: tuple[Step, ...]) -> tuple[list[str], World]:
    """Live a history to its end; return which promises it broke, and what became of the world."""
    with found(ground) as world:
        try:
            begin(world)
            for step in steps:
                step.move(world, Dice(step.thrown))
            heal(world)
            return [wrong for check in CHECKS for wrong in check(world)], world
        except Exception:  # noqa: BLE001 - whatever it is, nobody in a history may meet it
            return [traceback.format_exc()], world


def begin(world: World) -> None:
    """Let there be a report that everybody has, so that people meet from the first move on."""
    people.report(world, world.phones[0], Dice(0))
    heal(world)


def run(ground: Ground, seed: int, *, steps: int = STEPS, patience_s: float = 300) -> int:
    """Live the history of a seed and return how many moves it told of.

    Raises Violation; it is shrunk as far as the patience goes.
    """
    script = draw(seed, steps)
    broken, world = live(ground, script)
    if not broken:
        return len(world.story)
    until = time.monotonic() + patience_s

    def breaks(some: tuple[Step, ...]) -> bool:
        return time.monotonic() < until and bool(live(ground, some)[0])

    small = shrunk(script, breaks)
    found_again, world = live(ground, small)
    told = "\n  ".join([*world.story, *(found_again or broken)[:MOST_SHOWN]])
    raise Violation(f"seed {seed}, shrunk to {len(small)} moves:\n  {told}")
