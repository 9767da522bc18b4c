"""Lives histories by chance in memory and checks every promise of the merge after each.

    ./dev soak pure                       10,000 histories of 100 moves, about 100 s on one core
    ./dev soak pure --histories 200000 --seed 7

Prints what it did; a history that breaks a promise is printed with its seed, shrunk.
"""

from __future__ import annotations

import json
import sys
import time

from sync.simulate import STEPS, Violation, run
from tests.sim.asking import asked as asked_for

MOST_SHOWN = 5


def main() -> int:
    """Live the histories that were asked for; return 1 if any promise was broken."""
    asked = asked_for(__doc__, histories=10_000, steps=STEPS)
    began, ops, broken = time.monotonic(), 0, []
    for seed in range(asked.seed, asked.seed + asked.histories):
        try:
            ops += run(seed, steps=asked.steps).ops
        except Violation as violation:
            print(violation, file=sys.stderr, flush=True)
            broken.append(seed)
            if len(broken) == MOST_SHOWN:
                break
    said = {
        "histories": asked.histories,
        "steps": asked.steps,
        "first_seed": asked.seed,
        "ops": ops,
        "violations": len(broken),
        "broken_seeds": broken,
        "seconds": round(time.monotonic() - began, 1),
    }
    print(json.dumps(said) if asked.json else "  ".join(f"{k} {v}" for k, v in said.items()))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
