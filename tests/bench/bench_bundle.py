"""A bundle of many photos: seconds, growth of memory, and seconds of the stand-alone verifier.

    ./dev bench bundle [--photos 1400] [--kilobytes 300] [--json]

In a process of its own over SQLite and a folder; every photo is announced by a signed op of a
phone, stored under its hash, and drawn from a preview of 1280 pixels.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from fieldapi import logs, migrate
from fieldapi.app import app_of
from fieldapi.bundle.alone import program
from fieldapi.clock import format_instant
from fieldapi.console.court import draw
from fieldapi.house import House, open_house
from fieldapi.ids import new_id
from fieldapi.imaging.specimen import Specimen
from fieldapi.imaging.specimen import draw as draw_photo
from fieldapi.models import Original
from fieldapi.services.bundles import making
from fieldapi.services.bundles.content import Wanted
from fieldapi.services.bundles.making import Made
from fieldapi.settings import Settings
from fieldapi.storage.keys import bundle_key, original_key, preview_key
from fieldapi.unit import Unit
from tests.support.personas import found_village
from tests.support.photos import TAKEN, jpeg
from tests.support.reports import photo_body
from tests.support.signing import SigningPhone, signing_phone

_PUSHED_AT_ONCE = 100


def main() -> None:
    """Print the numbers of one run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=1400)
    parser.add_argument("--kilobytes", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    ask = parser.parse_args()
    logs.configure("error")
    with TemporaryDirectory() as folder:
        found = _measure(Path(folder), ask.photos, ask.kilobytes)
    print(json.dumps(found, indent=None if ask.json else 2))


def _measure(folder: Path, photos: int, kilobytes: int) -> dict[str, object]:
    settings = Settings.from_env({"FIELDAPI_DATA": str(folder), "FIELDAPI_TESTING": "1"})
    migrate.upgrade(settings.database_url)
    house = open_house(settings)
    village = found_village(house.database)
    phone = signing_phone(app_of(house), house.database, village["asha"])
    seizure = _fill(house, phone, photos, kilobytes)
    wanted = Wanted(village.rjk, seizure)
    # Once small, so that what is loaded at first use is no growth.
    small = _fill(house, phone, 2, 20)
    making.make(house, Wanted(village.rjk, small), draw=draw, progress=_no_progress)
    with _watched() as most:
        began, cpu = time.perf_counter(), _cpu_s()
        made = making.make(house, wanted, draw=draw, progress=_no_progress)
        took, cpu = time.perf_counter() - began, _cpu_s() - cpu
    assert isinstance(made, Made), made
    checked = _verify(folder, settings, made)
    house.database.close()
    return {
        "photos": photos,
        "bundle_mb": round(made.size / 1e6),
        "made_s": round(took, 1),
        "made_cpu_s": round(cpu, 1),
        "memory_growth_mb": round(most["own"] / 1e6),
        "child_mb": round(most["children"] / 1e6),
        **checked,
    }


def _cpu_s() -> float:
    """Return the seconds of CPU that this process and its ended children have used."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(one.ru_utime + one.ru_stime for one in map(resource.getrusage, kinds))


def _no_progress(_done: int, _of: int) -> None:
    """Nobody looks."""


def _fill(house: House, phone: SigningPhone, photos: int, kilobytes: int) -> str:
    """Report a seizure with so many photos, their bytes and pictures stored; return its id."""
    seizure, pen = new_id(), phone.phone.pen
    phone.push(pen.seizure(seizure))
    base = jpeg(1)
    preview = draw_photo(Specimen(1, TAKEN, lat=None, lon=None, size=(1280, 960)))
    ops, bodies = [], []
    for number in range(photos):
        content = base + f"{seizure}{number}".encode().ljust(kilobytes * 1000 - len(base), b".")
        announced = photo_body(content)
        values = {k: v for k, v in announced.items() if k != "id"} | {"seizure_id": seizure}
        ops.append(pen.op("photo", announced["id"], new=True, set=values))
        bodies.append((announced["sha256"], announced["id"]))
        _store(house, original_key(announced["sha256"]), content)
        _store(house, preview_key(announced["sha256"]), preview)
    for start in range(0, len(ops), _PUSHED_AT_ONCE):
        phone.push(*ops[start : start + _PUSHED_AT_ONCE])
    house.database.transact(lambda unit: _receive(unit, phone, bodies, kilobytes * 1000))
    return seizure


def _store(house: House, key: str, content: bytes) -> None:
    path = house.settings.data / "one"
    path.write_bytes(content)
    house.storage.put(key, path, len(content), replace=key.startswith("derivatives/"))


def _receive(unit: Unit, phone: SigningPhone, bodies: list[tuple[str, str]], size: int) -> None:
    """Write down that the bytes came and were looked into."""
    at = phone.persona.authority_id
    for sha256, photo_id in bodies:
        unit.session.add(
            Original(
                authority_id=at,
                sha256=sha256,
                size=size,
                media_type="image/jpeg",
                stored_at=unit.now,
                analysed_at=unit.now,
                verdict="accept",
                flags="[]",
                format="JPEG",
                width=320,
                height=240,
                has_derivatives=True,
            )
        )
        for kind in ("photo.stored", "photo.analysed"):
            unit.enter(
                at,
                kind,
                subject=f"photo/{photo_id}",
                actor=phone.persona.actor,
                sha256=sha256,
                received=format_instant(unit.now),
            )


@contextmanager
def _watched() -> Iterator[dict[str, int]]:
    """Give the greatest growth of this process, and the greatest size of its children."""
    process, ended, most = psutil.Process(), threading.Event(), {"own": 0, "children": 0}
    before = process.memory_info().rss

    def watch() -> None:
        while not ended.wait(0.05):
            most["own"] = max(most["own"], process.memory_info().rss - before)
            most["children"] = max(most["children"], _children(process))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield most
    finally:
        ended.set()
        thread.join()


def _children(process: psutil.Process) -> int:
    total = 0
    for one in process.children(recursive=True):
        with suppress(psutil.Error):
            total += int(one.memory_info().rss)
    return total


def _verify(folder: Path, settings: Settings, made: Made) -> dict[str, object]:
    """Run verify.py on the stored file in a Python of its own."""
    alone = folder / "verify.py"
    alone.write_bytes(program())
    file = settings.data / "photos" / bundle_key(made.sha256)
    began, cpu = time.perf_counter(), _cpu_s()
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(alone), str(file)], capture_output=True, check=False
    )
    took = time.perf_counter() - began
    cpu = _cpu_s() - cpu
    with file.open("rb") as stream:
        same = hashlib.file_digest(stream, "sha256").hexdigest() == made.sha256
    return {
        "verified": done.returncode == 0 and same,
        "verify_s": round(took, 1),
        "verify_cpu_s": round(cpu, 1),
    }


if __name__ == "__main__":
    main()
