"""How long histories by chance take without a database: `./dev soak pure` in small.

./dev bench histories [--histories 300] [--json]
"""

from __future__ import annotations

import argparse
import json
import time

from sync.simulate import run


def main() -> None:
    """Print the numbers of one run. Raises `Violation` if a history breaks a promise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    ask = parser.parse_args()
    began = time.process_time()
    ops = sum(run(seed).ops for seed in range(ask.histories))
    took = time.process_time() - began
    found = {
        "histories": ask.histories,
        "ops": ops,
        "cpu_s_per_10000": round(took / ask.histories * 10_000, 1),
        "cpu_us_per_op": round(took / ops * 1e6, 1),
    }
    print(json.dumps(found, indent=None if ask.json else 2))


if __name__ == "__main__":
    main()
