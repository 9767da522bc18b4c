"""How long an installation on PostgreSQL is away when its database is lost: backup beside a server,
restore into an empty database, and all three checks until somebody may trust it.

    ./dev bench restore [--reports 10000] [--json]

Each report is three ops; a photo hangs on one in a hundred, in a folder that is copied too.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from fieldapi import ledger
from fieldapi.backup import make_backup, restore
from fieldapi.house import House, open_house
from fieldapi.ids import new_id
from fieldapi.services import replay
from fieldapi.services.photos import audit as photo_audit
from fieldapi.services.photos.audit import Share
from fieldapi.settings import Settings
from tests.bench.running import run_on_postgres
from tests.support.deliveries import deliver, pen_of, store_photo
from tests.support.personas import Village, found_village
from tests.support.postgres import APP, OWNER, Postgres
from tests.support.reports import Body
from tests.support.serving import Served

_AT_ONCE, _PHOTO_EVERY = 100, 100


def main() -> None:
    """Print the numbers of one run."""
    run_on_postgres(__doc__, measure, reports=10_000)


def measure(served: Served, ask: argparse.Namespace) -> dict[str, object]:
    """Fill, back up, restore elsewhere, verify; return the seconds of each."""
    house = open_house(served.settings)
    village = found_village(house.database)
    _fill(house, village, ask.reports)
    with TemporaryDirectory() as name, Postgres() as server:
        server.create("restored")
        began = time.perf_counter()
        make_backup(house, Path(name, "backup"))
        backed_up = time.perf_counter()
        there = {
            "FIELDAPI_DATA": str(Path(name, "new")),
            "FIELDAPI_DATABASE_URL": server.url(APP, "restored"),
            "FIELDAPI_OWNER_DATABASE_URL": server.url(OWNER, "restored"),
        }
        restore(Path(name, "backup"), Path(name, "new"), environ=there)
        restored = time.perf_counter()
        _verify(open_house(Settings.from_env(there)), village)
        verified = time.perf_counter()
    return {
        "reports": ask.reports,
        "backup_s": round(backed_up - began, 1),
        "restore_s": round(verified - backed_up, 1),
        "of_which_verifying_s": round(verified - restored, 1),
    }


def _fill(house: House, village: Village, reports: int) -> None:
    asha = village["asha"]
    ops: list[Body] = []
    for number, (seizure, told) in enumerate(_reports(village, reports)):
        ops += told
        if len(ops) >= _AT_ONCE:
            deliver(house, asha, *ops)
            ops.clear()
        if number % _PHOTO_EVERY == 0:
            store_photo(house, asha, seizure, f"photo {number}".encode())
    if ops:
        deliver(house, asha, *ops)


def _reports(village: Village, count: int) -> Iterator[tuple[str, list[Body]]]:
    pen = pen_of(village["asha"])
    for _ in range(count):
        seizure = new_id()
        lots = [pen.animal(new_id(), seizure, kind, 2) for kind in ("cow", "buffalo")]
        yield seizure, [pen.seizure(seizure), *lots]


def _verify(house: House, village: Village) -> None:
    with house.database.read() as session:
        faults = ledger.verify(session, village.rjk, house.keys).faults
        differences = replay.check(session, village.rjk).differences
    is_sound = photo_audit.audit(house, Share()).is_sound
    house.database.close()
    if faults or differences or not is_sound:
        sys.exit(f"what was restored is not sound: {faults[:1]} {differences[:1]}")


if __name__ == "__main__":
    main()
