"""Lives histories by chance in memory and checks every promise of the merge after each.

    ./dev soak pure                       10,000 histories of 100 moves, about 100 s on one core
    ./dev soak pure --histories 200000 --seed 7

Prints what it did; a history that breaks a promise is printed with its seed, shrunk.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import time

from sync.simulate import STEPS, Violation, run

MOST_SHOWN = 5


def main() -> int:
    """Live the histories that were asked for; return 1 if any promise was broken."""
    asked = _asked()
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


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--histories", type=int, default=10_000)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=None, help="of the first; drawn if not given")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    asked.seed = secrets.randbelow(10**9) if asked.seed is None else asked.seed
    return asked


if __name__ == "__main__":
    sys.exit(main())
