"""What the machine gives at this moment, bare: the other side of every ratio.

Measured in the same run as the number beside it, so that a slow or busy machine slows both.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_PHOTO = 314_000
_ROUNDS = 7


@dataclass(frozen=True, slots=True)
class Raw:
    """`photo_ms`: SHA-256 of 314 KB, written and synced. `photo_cpu_ms`: its CPU. `json_s`: 10,000
    small records written and read as JSON. `csv_s`: 5,000 rows of 20 cells. `op_us`: one op's JSON.
    """

    photo_ms: float
    photo_cpu_ms: float
    json_s: float
    csv_s: float
    op_us: float


def measure() -> Raw:
    """Return the medians of some rounds of each; takes about a second."""
    records = [{"id": f"{n:032x}", "kind": "cow", "count": n, "n": [n] * 8} for n in range(10_000)]
    cells = [[f"{row}-{cell}" for cell in range(20)] for row in range(5_000)]
    with tempfile.TemporaryDirectory() as folder:
        photo = os.urandom(_PHOTO)
        wall, cpu = _median(lambda: _store(Path(folder), photo))
    text, _ = _median(lambda: json.loads(json.dumps(records)))
    table, _ = _median(lambda: csv.writer(io.StringIO()).writerows(cells))
    small, _ = _median(lambda: [json.loads(json.dumps(one)) for one in records[:1000]])
    return Raw(wall * 1000, cpu * 1000, text, table, small * 1000)


def _store(folder: Path, photo: bytes) -> None:
    name = hashlib.sha256(photo).hexdigest()
    descriptor = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(descriptor, photo)
    os.fsync(descriptor)
    os.close(descriptor)


def _median(work: Callable[[], object]) -> tuple[float, float]:
    """Return the median wall and CPU seconds."""
    walls, cpus = [], []
    for _ in range(_ROUNDS):
        cpu, wall = time.process_time(), time.perf_counter()
        work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return sorted(walls)[_ROUNDS // 2], sorted(cpus)[_ROUNDS // 2]
