"""Reports with a photo, handed in at once over real HTTP: reports a second, p95, CPU per report.

    ./dev bench photos [--reports 400] [--at-once 8] [--database postgresql] [--json]

One report is two requests: `POST /seizures` that announces a photo, and `PUT …/content` with its
314 KB. Starts its own server on a free loopback port; nothing is given out before it is on the
disk. Pictures are made of the photos when no more come in, and ten seconds into a longer run, as in
production; what they cost is waited for and told apart.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import json
import random
import statistics
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import func, select

from fieldapi.imaging.specimen import Specimen, draw
from fieldapi.models import Original
from tests.support.personas import Persona, add_persona, found_village
from tests.support.reports import photo_body, seizure_body
from tests.support.serving import Served, serve_on_postgres, serve_on_sqlite

PHOTO_BYTES = 314_000


@dataclass(slots=True)
class Run:
    """What one phone measured; latencies of whole reports in seconds."""

    latencies: list[float] = field(default_factory=list)


def main() -> None:
    """Print the numbers of one run."""
    ask = _arguments()
    with TemporaryDirectory() as folder, _served(ask.database, Path(folder)) as served:
        found = measure(served, ask)
    print(json.dumps(found, indent=None if ask.json else 2))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=400)
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def _served(database: str, folder: Path) -> AbstractContextManager[Served]:
    return serve_on_sqlite(folder) if database == "sqlite" else serve_on_postgres(folder)


def measure(served: Served, ask: argparse.Namespace) -> dict[str, object]:
    """Let the phones report, then wait for the pictures; return every number."""
    village = found_village(served.database)
    phones = [
        add_persona(served.database, village.rjk, f"phone{i}", role="reporter", capacity="police")
        for i in range(ask.at_once)
    ]
    base = drawn()
    todo = [list(_reports(base, i, ask.reports // ask.at_once)) for i in range(ask.at_once)]
    before, pictures = served.cpu_s(), served.pictures_cpu_s()
    began = time.perf_counter()
    runs = _report(served, phones, todo)
    took, cpu = time.perf_counter() - began, served.cpu_s() - before
    cpu -= served.pictures_cpu_s() - pictures
    _await_pictures(served)
    latencies = sorted(one for run in runs for one in run.latencies)
    count = len(latencies)
    return {
        "database": ask.database,
        "reports": count,
        "at_once": ask.at_once,
        "photo_bytes": len(base),
        "reports_per_s": round(count / took, 1),
        "p50_ms": round(statistics.median(latencies) * 1000),
        "p95_ms": round(latencies[int(count * 0.95)] * 1000),
        "cpu_ms_per_report": round(cpu / count * 1000, 1),
        "cpu_ms_per_report_with_pictures": round((served.cpu_s() - before) / count * 1000, 1),
        "memory_mib": round(served.memory_mib()),
    }


def drawn() -> bytes:
    """Return a photo of about the size that the bar names."""
    taken = datetime.now(UTC)
    photo = draw(Specimen(1, taken, lat=22.30391, lon=70.80216, size=(1280, 960)))
    return photo.ljust(PHOTO_BYTES, b"\0")[: max(PHOTO_BYTES, len(photo))]


def _reports(base: bytes, phone: int, count: int) -> Iterator[tuple[bytes, str, bytes, str]]:
    """Yield body, photo id, photo and digest; every photo is another by its last bytes."""
    chance = random.Random(phone)
    for _ in range(count):
        photo = base[:-16] + chance.randbytes(16)
        announced = photo_body(photo)
        body = json.dumps(seizure_body(photos=[announced])).encode()
        digest = b64encode(hashlib.sha256(photo).digest()).decode()
        yield body, str(announced["id"]), photo, digest


def _report(
    served: Served, phones: list[Persona], todo: list[list[tuple[bytes, str, bytes, str]]]
) -> list[Run]:
    runs = [Run() for _ in phones]
    threads = [
        threading.Thread(target=_report_all, args=(served.port, *one))
        for one in zip(phones, todo, runs, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return runs


def _report_all(
    port: int, phone: Persona, todo: list[tuple[bytes, str, bytes, str]], run: Run
) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for body, photo_id, photo, digest in todo:
        began = time.perf_counter()
        as_json = {"Content-Type": "application/json", **phone.headers}
        _send(connection, ("POST", "/api/v1/seizures"), body, as_json)
        proven = {"Repr-Digest": f"sha-256=:{digest}:", **phone.headers}
        _send(connection, ("PUT", f"/api/v1/photos/{photo_id}/content"), photo, proven)
        run.latencies.append(time.perf_counter() - began)
    connection.close()


def _send(
    connection: http.client.HTTPConnection,
    where: tuple[str, str],
    body: bytes,
    headers: dict[str, str],
) -> None:
    connection.request(*where, body, headers)
    response = connection.getresponse()
    content = response.read()
    if response.status != http.HTTPStatus.CREATED:
        sys.exit(f"the server answered {response.status}: {content[:300]!r}")


def _await_pictures(served: Served) -> None:
    waiting = select(func.count()).where(Original.analysed_at.is_(None))
    while True:
        with served.database.read() as session:
            if not session.scalar(waiting):
                return
        time.sleep(0.1)


if __name__ == "__main__":
    main()
