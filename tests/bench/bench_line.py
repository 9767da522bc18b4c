"""How long a report of 2 kB takes over a line as villages have it, to its receipt: real TCP over a
TUN device that is slow, far, and loses packets. Needs root; says so where it may not.

    ./dev bench line [--phones 8] [--reports 6] [--loss 20] [--json]

Each phone has a line of its own: 50 kbit/s each way, 0.3 to 0.8 s there and back, `--loss` percent
of the packets lost in each direction.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from fieldapi import logs, migrate
from fieldapi.house import open_house
from fieldapi.settings import Settings
from tests.sim.chaos.lines import Rural, latencies
from tests.support.personas import found_village
from tests.support.rural_line import Line, can_be_laid
from tests.support.server import serving


def main() -> None:
    """Print the numbers of one run."""
    ask = _asked()
    logs.configure("error")
    if not can_be_laid():
        print("bench line was skipped: no right to make a network device here")
        return
    with tempfile.TemporaryDirectory() as folder:
        found = _measure(Path(folder), ask)
    print(json.dumps(found, indent=None if ask.json else 2))


def _measure(folder: Path, ask: argparse.Namespace) -> dict[str, float]:
    environ = {"FIELDAPI_DATA": str(folder / "data"), "FIELDAPI_TESTING": "1"}
    environ["FIELDAPI_SECRET_KEY"] = "a secret of the measurements, long enough to be one"
    settings = Settings.from_env(environ)
    migrate.upgrade(settings.database_url)
    house = open_house(settings)
    try:
        with serving(settings) as server:
            rural = Rural(house, found_village(house.database), server.port, folder, ask.seed)
            how = Line(loss=ask.loss / 100)
            return latencies(rural, how, phones=ask.phones, reports=ask.reports)
    finally:
        house.database.close()


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, size in (("phones", 8), ("reports", 6), ("loss", 20), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=size)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
