"""Whole histories by chance: phones, people, a server and a bad network, and whether every promise
of the merge was kept at the end. The same seed lives the same history.

    python -m tests.sim.sim_pure --histories 10000

Pure: all chance is drawn from the seed before a history begins, time is part of it. A history
that fails is shrunk to the few moves that matter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import NamedTuple, TypeVar

from sync.simulated import accidents, network, people
from sync.simulated.checks import CHECKS, Check
from sync.simulated.network import heal
from sync.simulated.server import Merge
from sync.simulated.stage import Dice
from sync.simulated.world import Move, Restless, found

T = TypeVar("T")

STEPS = 100
_BITS = 256
_WEIGHTS: Mapping[Move, int] = {
    people.write: 40,
    people.look: 4,
    people.leave_open: 3,
    people.judge: 3,
    network.sync: 33,
    network.land: 4,
    network.part: 2,
    accidents.tick: 8,
    accidents.crash: 1,
    accidents.clone: 1,
    accidents.save: 1,
}
_MOVES = tuple(_WEIGHTS)
_CUMULATIVE = tuple(accumulate(_WEIGHTS.values()))


class Step(NamedTuple):
    """One move of a history, and the number its choices are drawn from."""

    move: Move
    thrown: int


class Script(NamedTuple):
    """A history before it is lived: who is there, what happens, how the checks shuffle."""

    cast: int
    steps: tuple[Step, ...]
    order: int


@dataclass(frozen=True, slots=True)
class Lived:
    """What came of a history: how many ops were written, and which promises were broken."""

    ops: int
    broken: tuple[str, ...] = ()
    story: tuple[str, ...] = ()


class Violation(AssertionError):
    """A promise was broken. The message has the seed and the shortest history that breaks it."""

    def __init__(self, seed: int, script: Script, lived: Lived) -> None:
        told = "\n  ".join(lived.story)
        super().__init__(
            f"seed {seed}: {lived.broken[0]}\n"
            f"shrunk to {len(script.steps)} moves and {lived.ops} ops:\n  {told}"
        )
        self.seed, self.script, self.lived = seed, script, lived


def draw(seed: int, steps: int = STEPS) -> Script:
    """Return the history of a seed; a longer one begins with the shorter."""
    dice = Random(seed)  # noqa: S311 - the same seed must live the same history
    cast, order = dice.getrandbits(_BITS), dice.getrandbits(_BITS)
    moves = (
        Step(dice.choices(_MOVES, cum_weights=_CUMULATIVE)[0], dice.getrandbits(_BITS))
        for _ in range(steps)
    )
    return Script(cast, tuple(moves), order)


def live(
    script: Script,
    *,
    merge: Merge | None = None,
    checks: Sequence[Check] = CHECKS,
    is_told: bool = False,
) -> Lived:
    """Live a history to its end and check every promise. `is_told`: with its story in words."""
    world = found(merge or Merge(), script.cast, order=script.order)
    world.story = [] if is_told else None
    for step in script.steps:
        step.move(world, Dice(step.thrown))
    try:
        heal(world)
    except Restless as exc:
        return Lived(len(world.ops), (str(exc),), tuple(world.story or ()))
    broken = tuple(wrong for check in checks for wrong in check(world))
    return Lived(len(world.ops), broken, tuple(world.story or ()))


def run(seed: int, *, steps: int = STEPS, merge: Merge | None = None) -> Lived:
    """Live the history of a seed. Raises Violation, shrunk, if a promise was broken."""
    script = draw(seed, steps)
    lived = live(script, merge=merge)
    if lived.broken:
        small = shrink(script, merge=merge)
        raise Violation(seed, small, live(small, merge=merge, is_told=True))
    return lived


def shrink(script: Script, *, merge: Merge | None = None) -> Script:
    """Return a history that still breaks a promise, and would not with any one move less."""

    def breaks(steps: tuple[Step, ...]) -> bool:
        return bool(live(script._replace(steps=steps), merge=merge).broken)

    return script._replace(steps=shrunk(script.steps, breaks))


def shrunk(items: tuple[T, ...], breaks: Callable[[tuple[T, ...]], bool]) -> tuple[T, ...]:
    """Return as few of the items as still break something, in their order.

    >>> shrunk((1, 2, 3, 4, 5, 6), lambda some: {2, 5} <= set(some))
    (2, 5)
    """
    size = max(len(items) // 2, 1)
    while size:
        at, found = 0, False
        while at < len(items):
            fewer = items[:at] + items[at + size :]
            if breaks(fewer):
                items, found = fewer, True
            else:
                at += size
        size = size if found and size == 1 else size // 2
    return items
