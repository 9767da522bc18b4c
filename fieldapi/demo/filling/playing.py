"""Plays the plots beside one another on one clock, until now. Called by `fill`."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from fieldapi.demo.filling.case import Case, Waits
from fieldapi.demo.filling.plots import Plot, plots
from fieldapi.demo.filling.stage import Stage

_TODAY = timedelta(days=1)

Turn = tuple[datetime, int, Waits]


def play(stage: Stage, until: datetime, *, is_small: bool = False) -> int:
    """Let everything happen that happens before `until`; returns how many reports were made.

    `is_small`: one report for each kind of story, and photos of the newest alone.
    """
    chosen = _few(plots(stage)) if is_small else plots(stage)
    listed = sorted(chosen, key=lambda one: -one.ago)
    queue: list[Turn] = [(until - one.ago, n, _whole(stage, one)) for n, one in enumerate(listed)]
    heapq.heapify(queue)
    while queue:
        at, n, waits = heapq.heappop(queue)
        if at > until:
            continue
        stage.hand.now = max(stage.hand.now, at)
        wait = next(waits, None)
        if wait is None:
            continue
        now = stage.hand.now
        then = now + wait if isinstance(wait, timedelta) else max(now, wait)
        heapq.heappush(queue, (then, n, waits))
    stage.hand.now = max(stage.hand.now, until)
    return len(listed)


def _few(listed: Sequence[Plot]) -> list[Plot]:
    """Return the oldest plot of each kind, with photos where it is of today."""
    found = {one.run: one for one in sorted(listed, key=lambda one: one.ago)}
    return [
        one if one.ago < _TODAY else replace(one, capture=replace(one.capture, shots=()))
        for one in found.values()
    ]


def _whole(stage: Stage, plot: Plot) -> Iterator[timedelta | datetime]:
    case = Case(stage, plot.capture)
    case.seize()
    yield timedelta(minutes=5)
    yield from plot.run(case)
