"""Lets phones of the web app live by chance in a real Chromium, killed at any moment, over lines
that lose requests and answers, and compares what they promised with the server's database.

    ./dev soak app                     1,000 sequences, 50 to a phone
"""

from __future__ import annotations

import argparse
import json
import logging
import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from fieldapi import logs
from fieldapi.app import app_of
from fieldapi.house import House, open_house
from tests.sim.asking import parser_of, seeded
from tests.sim.sim_kills import settings_of
from tests.support.answering import answering
from tests.support.app_lives import Told, live
from tests.support.app_phones import Door, Shop
from tests.support.databases import SqliteDatabases
from tests.support.memory import in_memory
from tests.support.personas import found_village

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")


def main() -> int:
    """Live as many sequences as was asked; return 1 if anything was lost or stood twice."""
    logs.configure("error")
    logging.disable(logging.CRITICAL)
    asked = _asked()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=in_memory()) as name:
        folder = Path(name)
        with SqliteDatabases(folder).migrated() as addresses:
            told = _lives(open_house(settings_of(folder, addresses)), asked)
    faults = [f"seed {asked.seed}: {one}" for each in told for one in each.faults]
    for one in faults:
        print(one, file=sys.stderr)
    said = {
        "seed": asked.seed,
        "sequences": asked.sequences,
        "reports": sum(one.reports for one in told),
        "ops": sum(one.ops for one in told),
        "kills": sum(one.kills for one in told),
        "violations": len(faults),
        "seconds": round(time.monotonic() - began, 1),
    }
    print(json.dumps(said) if asked.json else "  ".join(f"{k} {v}" for k, v in said.items()))
    return 1 if faults else 0


def _lives(house: House, asked: argparse.Namespace) -> list[Told]:
    with answering(Door(app_of(house))) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=[*FLAGS])
        shop = Shop(browser, house.database, found_village(house.database))
        told = []
        for at in range(0, asked.sequences, asked.each):
            phone = shop.phone(address)
            told.append(live(phone, house.database, seed=asked.seed + at, sequences=asked.each))
            phone.page.context.close()
        browser.close()
    return told


def _asked() -> argparse.Namespace:
    parser = parser_of(__doc__, sequences=1000)
    parser.add_argument("--each", type=int, default=50, help="sequences to a phone")
    return seeded(parser)


if __name__ == "__main__":
    sys.exit(main())
