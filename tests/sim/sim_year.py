"""Lives a year in a pound under each Act and checks that every case ends as the Act wants.

    ./dev soak year                       500 seizures under each of four versions
    ./dev soak year --seizures 50 --statute gujarat --seed 7

Requests end in the app of this process; the clock is the story's own.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import time

from tests.sim.pounds import empty_house, quiet
from tests.sim.year import FIRST_DAY, Year
from tests.support.pound_house import found_pound, load_sample

STATUTES = ("gujarat", "kerala-1961", "kerala", "karnataka")


def main() -> int:
    """Live the years that were asked for; return 1 if anything went wrong in one."""
    quiet()
    asked = _asked()
    began, faults, blocked = time.monotonic(), 0, 0
    for statute in [asked.statute] if asked.statute else STATUTES:
        year = _year(statute, asked.seizures, asked.seed)
        for fault in year.faults:
            print(f"{statute}: {fault}", file=sys.stderr, flush=True)
        faults += len(year.faults)
        blocked += sum(year.blocked.values())
        print(f"{statute}: {dict(year.ends)}", file=sys.stderr, flush=True)
    said = {
        "seizures": asked.seizures,
        "seed": asked.seed,
        "faults": faults,
        "refused_acts": blocked,
        "seconds": round(time.monotonic() - began, 1),
    }
    print(json.dumps(said) if asked.json else "  ".join(f"{k} {v}" for k, v in said.items()))
    return 1 if faults else 0


def _year(statute: str, seizures: int, seed: int) -> Year:
    with empty_house(FIRST_DAY) as (app, database, clock):
        house = found_pound(app, database, clock, statute)
        load_sample(house, database)
        if statute == "gujarat":
            house.notify("section_189", effective_from="1994-04-15")
        year = Year(house, database, seed=seed)
        year.live(seizures)
        return year


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev soak year", description=__doc__)
    parser.add_argument("--seizures", type=int, default=500)
    parser.add_argument("--statute", choices=STATUTES)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
