"""The rows of docs/benchmarks.md: which script measures each, against what, and what the bar is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.bench.raw import Raw

_WARM = re.compile(r"through the warm worker .* ([0-9.]+) ms CPU +([0-9.]+) x scaled draft")
_MERGE = re.compile(r"new record, 4 fields +all +([0-9.]+)")

Told = Mapping[str, Any]
Read = Callable[[Told, Raw], tuple[float, float]]  # the number, and its ratio: lower is better


@dataclass(frozen=True, slots=True)
class Row:
    """A number. `script` is run once for all rows that name it; `read` gives number and ratio."""

    name: str
    bar: str
    unit: str
    against: str
    script: str
    read: Read


@dataclass(frozen=True, slots=True)
class Script:
    """How a measurement is run: at full size, and small. `rounds`: how often, if there is time.
    `is_long`: once, after all rounds of the others. `parse`: what it prints, as members.
    """

    full: tuple[str, ...]
    quick: tuple[str, ...]
    rounds: int = 3
    is_long: bool = False
    parse: Callable[[str], Told] = json.loads


def _first(pattern: re.Pattern[str]) -> Callable[[str], Told]:
    def parse(text: str) -> Told:
        found = pattern.search(text)
        return {} if found is None else {"groups": [float(one) for one in found.groups()]}

    return parse


# Those first that say most: should the time run out, later ones have fewer rounds.
SCRIPTS: Mapping[str, Script] = {
    "push": Script(("--json", "--ops", "10000"), ("--json", "--ops", "800")),
    "push wide": Script(
        ("--json", "--ops", "8000", "--writers", "8", "--rate", "1000"),
        ("--json", "--ops", "1600", "--writers", "8", "--rate", "400"),
        rounds=2,
    ),
    "photos": Script(("--json",), ("--json", "--reports", "24")),
    "photos postgresql": Script(
        ("--json", "--database", "postgresql"),
        ("--json", "--reports", "24", "--database", "postgresql"),
        rounds=1,
    ),
    "tus": Script(("--json",), ("--json", "--photos", "8", "--rounds", "1"), rounds=1),
    "app": Script(("--json",), ("--json", "--starts", "1")),
    "imaging": Script((), (), parse=_first(_WARM)),
    "merge": Script((), (), parse=_first(_MERGE)),
    "histories": Script(("--json",), ("--json", "--histories", "20")),
    "exports": Script(("--json", "--postgres", "1"), ("--json", "--reports", "200"), rounds=2),
    "console": Script(("--json",), ("--json", "--reports", "2000", "--visits", "20"), rounds=2),
    "line": Script(
        ("--json",), ("--json", "--phones", "2", "--reports", "2", "--loss", "5"), rounds=1
    ),
    "bundle": Script(("--json",), ("--json", "--photos", "40"), rounds=1),
    "restore": Script(("--json",), ("--json", "--reports", "300"), rounds=1),
    "crowd": Script(
        ("--json", "--phones", "60", "--reports", "4"),
        ("--json", "--phones", "4", "--reports", "3"),
        rounds=1,
    ),
    "scale": Script(
        ("--json", "--pull", "20000"),
        ("--json", "--records", "4000", "--ops", "400", "--pull", "2000"),
        rounds=1,
        is_long=True,
    ),
}
_TWO_KB_S = 2000 / 6250 + 0.55  # what such a line takes at its best, there and back

ROWS = (
    Row(
        "push in batches of 100, PostgreSQL, fsync on",
        "≥ 1,000 ops/s",
        "ops/s",
        "bare INSERT of the same three rows",
        "push",
        lambda t, _r: (t["push_ops_per_s"], t["raw_rows_per_s"] / t["push_ops_per_s"]),
    ),
    Row(
        "CPU of an op, server and database together",
        "≤ 0.8 ms",
        "ms",
        "one bare INSERT by the clock",
        "push",
        lambda t, _r: (
            t["push_cpu_ms_per_op"],
            t["push_cpu_ms_per_op"] * t["raw_rows_per_s"] / 1e3,
        ),
    ),
    Row(
        "the same of an op that is signed (ES256)",
        "–",
        "ms",
        "one bare INSERT by the clock",
        "push",
        lambda t, _r: (
            t["signed_push_cpu_ms_per_op"],
            t["signed_push_cpu_ms_per_op"] * t["raw_rows_per_s"] / 1e3,
        ),
    ),
    Row(
        "push of 100 ops by 8 writers, 1,000 ops/s together: slowest of a hundred",
        "< 400 ms",
        "ms",
        "100 bare INSERTs",
        "push wide",
        lambda t, _r: (t["push_p99_ms"], t["push_p99_ms"] * t["raw_rows_per_s"] / 1e5),
    ),
    Row(
        "pull of 10,000 records, pages of 500",
        "≤ 1 s",
        "s",
        "the JSON of 10,000 small records, written and read",
        "push",
        lambda t, r: (t["pull_s_per_10000"], t["pull_s_per_10000"] / r.json_s),
    ),
    Row(
        "push at 1,000,000 records against 1,000",
        "≤ 1.2 ×",
        "×",
        "itself at 1,000",
        "scale",
        lambda t, _r: (t["ratio"], t["ratio"]),
    ),
    Row(
        "report with a photo of 314 KB, 8 at once, SQLite: CPU",
        "≤ 20 ms",
        "ms",
        "SHA-256, write and fsync of it",
        "photos",
        lambda t, r: (t["cpu_ms_per_report"], t["cpu_ms_per_report"] / r.photo_ms),
    ),
    Row(
        "the same: reports a second",
        "≥ 2 × ODK Central (22-33/s)",
        "/s",
        "SHA-256, write and fsync, one after the other",
        "photos",
        lambda t, r: (t["reports_per_s"], 1000 / r.photo_ms / t["reports_per_s"]),
    ),
    Row(
        "the same: 95th of a hundred",
        "≤ half of ODK Central's (475-643 ms)",
        "ms",
        "SHA-256, write and fsync of it",
        "photos",
        lambda t, r: (t["p95_ms"], t["p95_ms"] / r.photo_ms),
    ),
    Row(
        "the same on PostgreSQL: reports a second",
        "–",
        "/s",
        "SHA-256, write and fsync, one after the other",
        "photos postgresql",
        lambda t, r: (t["reports_per_s"], 1000 / r.photo_ms / t["reports_per_s"]),
    ),
    Row(
        "200 photos of 3 MiB by tus-js-client, 4 at once",
        "as fast as @tus/server",
        "×",
        "@tus/server in turn",
        "tus",
        lambda t, _r: (t["ours_to_npm"], t["ours_to_npm"]),
    ),
    Row(
        "the same, each photo with the request that creates its upload",
        "as fast as @tus/server",
        "×",
        "@tus/server in turn",
        "tus",
        lambda t, _r: (t["ours_to_npm_in_one"], t["ours_to_npm_in_one"]),
    ),
    Row(
        "JPEG of 13 MP: EXIF, decode, two pictures, fingerprint",
        "≤ 1.3 × one draft decode",
        "ms CPU",
        "one draft decode, scaled to 1280",
        "imaging",
        lambda t, _r: (t["groups"][0], t["groups"][1]),
    ),
    Row(
        "merge of a new record, without a database",
        "–",
        "µs",
        "JSON of one record, written and read",
        "merge",
        lambda t, r: (t["groups"][0], t["groups"][0] / r.op_us),
    ),
    Row(
        "10,000 histories by chance of 100 moves, without a database",
        "about 100 s of one core",
        "s CPU",
        "JSON of as many small records as they have ops, written and read",
        "histories",
        lambda t, r: (t["cpu_s_per_10000"], t["cpu_us_per_op"] / r.op_us),
    ),
    Row(
        "phone app: script until the first screen, over the line",
        "≤ 60 KB",
        "kB",
        "the bar",
        "app",
        lambda t, _r: (t["script_kb"], t["script_kb"] / 60),
    ),
    Row(
        "phone app: start from its copy, processor slowed down six times, until painted",
        "≤ 1.5 s",
        "ms",
        "a page of one line in the same browser",
        "app",
        lambda t, _r: (t["start_ms"], t["start_ms"] / t["bare_ms"]),
    ),
    Row(
        "CSV of 5,000 reports",
        "≤ 1.0 s",
        "s",
        "csv.writer on 5,000 rows of 20",
        "exports",
        lambda t, r: (
            t["seizures.csv"]["last_byte_s"],
            t["seizures.csv"]["last_byte_s"] / t["reports"] * 5000 / r.csv_s,
        ),
    ),
    Row(
        "the same: first byte",
        "≤ 0.2 s",
        "s",
        "csv.writer on 5,000 rows of 20",
        "exports",
        lambda t, r: (
            t["seizures.csv"]["first_byte_s"],
            t["seizures.csv"]["first_byte_s"] / r.csv_s,
        ),
    ),
    Row(
        "inbox of 100,000 reports: 95th of a hundred visits",
        "≤ 300 ms",
        "ms",
        "the JSON of 10,000 small records, written and read",
        "console",
        lambda t, r: (t["p95_ms"], t["p95_ms"] / 1000 / r.json_s),
    ),
    Row(
        "bundle of 430 MB of photos",
        "≤ 40 s",
        "s",
        "SHA-256, write and fsync of its photos",
        "bundle",
        lambda t, r: (t["made_s"], t["made_s"] * 1000 / t["photos"] / r.photo_ms),
    ),
    Row(
        "memory that it takes",
        "growth ≤ 50 MB",
        "MB",
        "the bar",
        "bundle",
        lambda t, _r: (t["memory_growth_mb"], t["memory_growth_mb"] / 50),
    ),
    Row(
        "60 phones × 4 reports × 2 photos come back at once (1,000 × 20 × 2: `./dev bench crowd`)",
        "0 lost, 0 answered 500; of 1,000: < 10 min",
        "s",
        "SHA-256, write and fsync of each photo",
        "crowd",
        lambda t, r: (t["seconds"], t["seconds"] * 1000 / max(t["photos"], 1) / r.photo_ms),
    ),
    Row(
        "CPU of a report with two photos, pictures and all",
        "–",
        "ms",
        "SHA-256, write and fsync of a photo",
        "crowd",
        lambda t, r: (t["cpu_ms_per_report"], t["cpu_ms_per_report"] / r.photo_ms),
    ),
    Row(
        "the same in the database",
        "–",
        "kB",
        "ten rows of 1 kB",
        "crowd",
        lambda t, _r: (
            t["database_bytes_per_report"] / 1000,
            t["database_bytes_per_report"] / 10_000,
        ),
    ),
    Row(
        "memory of app host and worker meanwhile",
        "< 1 GiB",
        "MiB",
        "the bar",
        "crowd",
        lambda t, _r: (t["memory_mib_together"], t["memory_mib_together"] / 1024),
    ),
    Row(
        "report of 2 kB over 50 kbit/s, one packet in five lost each way: 95th of a hundred",
        "< 15 s",
        "s",
        "that line at its best",
        "line",
        lambda t, _r: (t["p95"] / 1000, t["p95"] / 1000 / _TWO_KB_S),
    ),
    Row(
        "10,000 reports on PostgreSQL backed up, lost, restored and verified",
        "≤ 180 s (30 min for 100,000)",
        "s",
        "the JSON of as many small records, written and read",
        "restore",
        lambda t, r: (
            t["restore_s"] / t["reports"] * 10_000,
            t["restore_s"] / t["reports"] * 10_000 / r.json_s,
        ),
    ),
)
# Rows of DESIGN that take longer than all of these together: other commands hold them.
ELSEWHERE = (
    ("1,000 phones × 20 reports × 2 photos on 2 cores", "`./dev bench crowd`"),
    ("10,000 histories, 500 with the service, 1,000 kills", "`./dev soak sync`"),
    ("100,000 reports restored; a migration of 1,000,000", "`./dev bench restore`, `migrate`"),
)
