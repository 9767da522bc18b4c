"""Reckons the capacity table of docs/operations.md from what a report was measured to cost.

`book` writes it anew with every measurement; a rule of the tests holds the page to the numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

BEGIN, END = "<!-- sizes, reckoned by tests/bench/sizing.py -->", "<!-- end of sizes -->"
CPU, STORED = "CPU of a report with two photos, pictures and all", "the same in the database"
DECODED = "JPEG of 13 MP: EXIF, decode, two pictures, fingerprint"
# Two photos of 1.5 MiB a report, a tenth more for their pictures; a sixth of a day in an hour.
_PHOTOS_BYTES = 2 * 1.5 * 2**20 * 1.1
_BUSIEST_SHARE, _HOUR_S, _YEAR_DAYS = 1 / 6, 3600, 365
_LEAST_CORES = 0.01
# Where, reports a day, whether day by day, and what to take.
_ROWS = (
    ("one panchayat", 1, True, "SQLite, any machine"),
    ("a taluka", 100, True, "SQLite, 2 cores, 2 GB"),
    ("a district", 1_000, True, "one server with PostgreSQL, S3 and a worker: 4 cores, 8 GB"),
    (
        "a state of 14,000 panchayats",
        14_000,
        True,
        "2 app hosts and 2 workers of 4 cores, PostgreSQL on 8 cores with a standby, S3 on 3 hosts",
    ),
    (
        "the same after a flood",
        140_000,
        False,
        "the same: phones that are told to wait come back",
    ),
)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a report with two photos takes: CPU of everything in ms, with small photos; what the
    larger of two of 13 megapixels add, in ms each; its rows, indexes and ledger in kB.
    """

    cpu_ms: float = 388.0
    decode_ms: float = 79.0
    stored_kb: float = 48.0

    @classmethod
    def of(cls, rows: Mapping[str, Any]) -> Cost:
        """Return what the rows of benchmarks.json say; where one was not measured, the worst that
        was measured by hand.
        """
        names = {"cpu_ms": CPU, "decode_ms": DECODED, "stored_kb": STORED}
        return cls(**{to: rows[name]["value"] for to, name in names.items() if name in rows})

    @property
    def report_s(self) -> float:
        """Return the CPU seconds of a report with photos as phones make them."""
        return (self.cpu_ms + 2 * self.decode_ms) / 1000


def text(rows: Mapping[str, Any]) -> str:
    """Return the lines between the marks."""
    cost = Cost.of(rows)
    lines = [
        f"Reckoned with {cost.cpu_ms:.0f} ms of CPU a report, {cost.decode_ms:.0f} ms more for",
        "each of two photos of 13 megapixels and 1.5 MiB,",
        f"{cost.stored_kb:.0f} kB of database, and a sixth of a day's reports in its busiest hour:",
        "",
        "| | reports a day | cores, busiest hour | database a year | photos a year | take |",
        "|---|---|---|---|---|---|",
        *(_line(*row, cost) for row in _ROWS),
        "",
    ]
    return "\n".join(lines)


def put_into(page: str, rows: Mapping[str, Any]) -> str:
    """Return the page with the lines between its marks made anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{text(rows)}{END}{after}"


def _line(name: str, daily: int, is_lasting: bool, take: str, cost: Cost) -> str:  # noqa: FBT001
    cores = daily * _BUSIEST_SHARE / _HOUR_S * cost.report_s
    yearly = daily * _YEAR_DAYS if is_lasting else 0
    stored, photos = _size(yearly * cost.stored_kb * 1000), _size(yearly * _PHOTOS_BYTES)
    shown = f"{cores:.2g}" if cores >= _LEAST_CORES else "–"
    return f"| {name} | {daily:,} | {shown} | {stored} | {photos} | {take} |"


def _size(size: float) -> str:
    """Return bytes in two figures; nothing for none."""
    for unit in ("kB", "MB", "GB", "TB"):
        size /= 1000
        if size < 1000 or unit == "TB":
            break
    return f"{float(f'{size:.2g}'):g} {unit}" if size else ""
