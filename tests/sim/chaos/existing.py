"""Scenarios that tests and other simulations hold already: run as they are, and counted."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable

from tests.sim import sim_kills
from tests.sim.chaos.scenario import Found, Ground
from tests.sim.feed import crowd
from tests.sim.kills import PHOTO, scene
from tests.support.tree import ROOT

_OUTCOME = re.compile(r"(\d+) (passed|failed|error|errors|skipped)")


def tests(*names: str) -> Callable[[Ground], Found]:
    """Return a run of these tests: files, or `file::test`."""

    def run(_ground: Ground) -> Found:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", *names]
        done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
        counted = {what: int(count) for count, what in _OUTCOME.findall(done.stdout[-400:])}
        found = Found({"tests": counted})
        found.claim(done.returncode == 0, f"pytest left with {done.returncode}: {names}")
        return found

    return run


def kills(ground: Ground) -> Found:
    """R1: a server killed at every named place, on both databases."""
    counts: dict[str, object] = {}
    wrong: list[str] = []
    for kind in ("sqlite", "postgresql"):
        broken, places = sim_kills.run(kind, 25 * ground.times, ground.seed)
        counts[kind] = {"kills": places.total(), "places": len(places)}
        wrong += broken
    return Found(counts, wrong)


def photo_kills(ground: Ground) -> Found:
    """R2: killed at each place on the way of a photo: no wrong bytes stored, nothing left over."""
    home = ground.folder / "photo-kills"
    home.mkdir()
    with (
        ground.embedded.migrated() as addresses,
        scene(sim_kills.settings_of(home, addresses), home, ground.seed) as made,
    ):
        wanted = sorted(PHOTO) * ((ground.times + 3) // 4)
        dead = [name for name in wanted if made.kill(name)]
        wrong = made.wrongs()
    wrong += [f"never died at {name}" for name in {*wanted} - {*dead}]
    return Found({"kills": len(dead), "places": len({*dead})}, wrong)


def feed(ground: Ground) -> Found:
    """R13: a cursor never skips: writers at once, readers polling."""
    with (
        ground.databases.migrated() as addresses,
        crowd(
            sim_kills.settings_of(ground.folder / "feed", addresses),
            ground.seed,
            writers=8,
            readers=4,
        ) as made,
    ):
        made.run(ground.times, 20)
        wrong = made.wrongs()
        ops = sum(len(one.pen.written) for one in made.writers)
        puts = sum(one.puts for one in made.readers)
    return Found({"ops": ops, "puts": puts, "writers": 8, "readers": 4}, wrong)
