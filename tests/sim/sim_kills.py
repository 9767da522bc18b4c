"""Kills a real server at every named place while phones hand in reports and photos, and compares
what it has afterwards with what the phones hold.

    ./dev soak kills                         1,000 kills, half of them on PostgreSQL
    ./dev soak kills --kills 60 --database sqlite --seed 7
    ./dev soak kills --only upload --kills 500    amid photos alone

`during_upload` counts the kills at places that only the bytes of a photo come by.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

from fieldapi import logs
from fieldapi.failpoints import ANY
from fieldapi.settings import Settings
from tests.sim.asking import KINDS, databases_of, parser_of, seeded
from tests.sim.kills import PHOTO, PLACES, scene
from tests.support.databases import Addresses
from tests.support.memory import in_memory

PER_SCENE = 50  # kills between two installations
_SECRET = "a secret of the simulations, long enough to be one"


def main() -> int:
    """Kill as often as was asked; return 1 if anything was not as the phones hold it."""
    logs.configure("error")
    logging.disable(logging.CRITICAL)
    asked = _asked()
    kinds = [asked.database] if asked.database else list(KINDS)
    wanted = tuple(name for name in PLACES if asked.only is None or name in PHOTO)
    began, wrong, kills = time.monotonic(), 0, Counter[str]()
    for kind in kinds:
        found, places = run(kind, asked.kills // len(kinds), asked.seed, wanted)
        for one in found:
            print(f"{kind}, seed {asked.seed}: {one}", file=sys.stderr, flush=True)
        wrong += len(found)
        kills += places
    said = {
        "kills": kills.total(),
        "during_upload": sum(kills[name] for name in PHOTO),
        "places": len(kills),
        "least_at_one_place": min(kills[name] for name in wanted),
        "first_seed": asked.seed,
        "databases": kinds,
        "violations": wrong,
        "seconds": round(time.monotonic() - began, 1),
    }
    print(json.dumps(said) if asked.json else "  ".join(f"{k} {v}" for k, v in said.items()))
    return 1 if wrong else 0


def run(
    kind: str, kills: int, seed: int, places_wanted: Sequence[str] = PLACES
) -> tuple[list[str], Counter[str]]:
    """Kill so often on one kind of database; return what went wrong, and where was killed."""
    wrong: list[str] = []
    places: Counter[str] = Counter()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=in_memory())))
        databases = databases_of(kind, folder, stack)
        names = _places(random.Random(seed), places_wanted)
        for turn, start in enumerate(range(0, kills, PER_SCENE)):
            wanted = list(islice(names, min(PER_SCENE, kills - start)))
            with databases.migrated() as addresses:
                home = folder / f"scene-{turn}"
                home.mkdir()
                with scene(settings_of(home, addresses), home, seed + turn) as made:
                    dead = [name for name in wanted if made.kill(name)]
                    wrong += [f"scene {turn}: {one}" for one in made.wrongs()]
            wrong += [f"scene {turn}: never died at {one}" for one in {*wanted} - {*dead}]
            places.update(dead)
            told = f"{kind}, seed {seed}: {places.total()} kills, {len(wrong)} wrong"
            print(told, file=sys.stderr, flush=True)
    return wrong, places


def _places(rng: random.Random, wanted: Sequence[str]) -> Iterator[str]:
    """Yield every place in a new order each time round; now and then any place at all, if all are
    wanted.
    """
    while True:
        listed = [*wanted, *([ANY] * 4 if len(wanted) == len(PLACES) else [])]
        rng.shuffle(listed)
        yield from listed


def settings_of(folder: Path, addresses: Addresses) -> Settings:
    """Return the settings of an installation in a folder of its own."""
    return Settings.from_env(
        {
            "FIELDAPI_DATA": str(folder / "data"),
            "FIELDAPI_DATABASE_URL": addresses.app,
            "FIELDAPI_OWNER_DATABASE_URL": addresses.owner,
            "FIELDAPI_SECRET_KEY": _SECRET,
            "FIELDAPI_TESTING": "1",
        }
    )


def _asked() -> argparse.Namespace:
    parser = parser_of(__doc__, kills=1000)
    parser.add_argument("--database", choices=KINDS, default=None, help="both if not given")
    parser.add_argument("--only", choices=["upload"], default=None, help="kill amid photos alone")
    return seeded(parser)


if __name__ == "__main__":
    sys.exit(main())
