"""Runs the measurements of docs/benchmarks.md, writes what they came to, and compares.

    ./dev bench                    every row; writes docs/benchmarks.md and docs/benchmarks.json
    ./dev bench --only push,crowd  some of them
    ./dev bench --check            every row; 1 if one is 20 % worse than what is committed
    ./dev bench --quick            small sizes, writes nothing: whether the scripts work
    ./dev bench push --ops 8000    one script, with its own options

What is compared is a ratio: a number of ours against something bare, measured in the same run on
the same machine. A row that cannot be measured here is named, never left out.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tests.bench import raw
from tests.bench.raw import Raw
from tests.support.tree import ROOT

PAGE, NUMBERS = ROOT / "docs" / "benchmarks.md", ROOT / "docs" / "benchmarks.json"
WORSE = 1.2
_BEGIN, _END = "<!-- rows of ./dev bench -->", "<!-- end of rows -->"
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
    """How a measurement is run: at full size, and small. `parse`: what it prints, as members."""

    full: tuple[str, ...]
    quick: tuple[str, ...]
    parse: Callable[[str], Told] = json.loads


def _first(pattern: re.Pattern[str]) -> Callable[[str], Told]:
    def parse(text: str) -> Told:
        found = pattern.search(text)
        return {} if found is None else {"groups": [float(one) for one in found.groups()]}

    return parse


SCRIPTS: Mapping[str, Script] = {
    "push": Script(("--json",), ("--json", "--ops", "800")),
    "scale": Script(("--json",), ("--json", "--records", "4000", "--ops", "400", "--pull", "2000")),
    "photos": Script(("--json", "--database", "postgresql"), ("--json", "--reports", "24")),
    "imaging": Script((), (), _first(_WARM)),
    "merge": Script((), (), _first(_MERGE)),
    "exports": Script(("--json", "--postgres", "1"), ("--json", "--reports", "200")),
    "tus": Script(("--json",), ("--json", "--photos", "8", "--rounds", "1")),
    "crowd": Script(("--json",), ("--json", "--phones", "4", "--reports", "3")),
    "crowd 2g": Script(
        ("--json", "--phones", "50", "--reports", "4", "--photos", "0", "--net", "2g"),
        ("--json", "--phones", "3", "--reports", "1", "--photos", "0", "--net", "2g"),
    ),
}
_TWO_KB_S = 2000 / 6250 + 2 * 0.55  # what such a line takes at its best, there and back

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
        "push of 100 ops, slowest of a hundred",
        "< 400 ms",
        "ms",
        "100 bare INSERTs",
        "push",
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
        "report with a photo of 314 KB, 8 at once: CPU",
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
        "200 photos of 3 MiB by tus-js-client, 4 at once",
        "as fast as @tus/server",
        "×",
        "@tus/server in turn",
        "tus",
        lambda t, _r: (t["ours_to_npm"], t["ours_to_npm"]),
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
        "1,000 phones × 20 reports × 2 photos come back at once",
        "< 10 min, 0 lost, 0 answered 500, < 1 GiB",
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
        "report of 2 kB over 50 kbit/s, one request in ten broken: 95th of a hundred",
        "< 15 s",
        "ms",
        "that line at its best",
        "crowd 2g",
        lambda t, _r: (
            t["latency_ms"]["all of a sync"]["p95"],
            t["latency_ms"]["all of a sync"]["p95"] / 1000 / _TWO_KB_S,
        ),
    ),
)
# Rows of DESIGN that other commands hold.
ELSEWHERE = (
    ("bundle of 430 MB: seconds and memory", "no script yet"),
    ("simulated histories, kills", "`./dev soak sync`"),
    ("phone app: size, first load", "`tests/web`"),
)


@dataclass(frozen=True, slots=True)
class Found:
    """What a row came to: medians over the rounds."""

    value: float
    ratio: float


def main() -> int:
    """Measure, then write or compare."""
    ask = _asked()
    wanted = set(ask.only.split(",")) if ask.only else set(SCRIPTS)
    found: dict[str, Found] = {}
    absent: dict[str, str] = {}
    for name in [name for name in SCRIPTS if name in wanted]:
        _run(name, ask, found, absent)
    for row, why in absent.items():
        print(f"not measured: {row}: {why}")
    if ask.check:
        return _compare(found)
    if not ask.quick:
        _write(found)
    return 0


def _run(
    name: str, ask: argparse.Namespace, found: dict[str, Found], absent: dict[str, str]
) -> None:
    rows = [row for row in ROWS if row.script == name]
    heard: dict[str, list[tuple[float, float]]] = {row.name: [] for row in rows}
    for _ in range(1 if ask.quick else ask.rounds):
        bare = raw.measure()
        told = _told(name, is_quick=ask.quick)
        for row in rows:
            if isinstance(told, str):
                absent[row.name] = told
            else:
                heard[row.name].append(row.read(told, bare))
    for row in rows:
        if heard[row.name]:
            values, ratios = zip(*heard[row.name], strict=True)
            found[row.name] = Found(statistics.median(values), statistics.median(ratios))
            one = found[row.name]
            print(f"{row.name}: {one.value:.4g} {row.unit}, {one.ratio:.2f} × {row.against}")


def _told(name: str, *, is_quick: bool) -> Told | str:
    """Return what a script measured, or in words why it did not."""
    script = SCRIPTS[name]
    module = f"tests.bench.bench_{name.partition(' ')[0]}"
    command = [sys.executable, "-m", module, *(script.quick if is_quick else script.full)]
    print(f"… {name}", file=sys.stderr, flush=True)
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        return f"left with {done.returncode}: {lines[-1] if lines else 'no word'}"
    told = script.parse(done.stdout[done.stdout.find("{") :] if "{" in done.stdout else done.stdout)
    return told or "printed nothing that is known"


def _compare(found: Mapping[str, Found]) -> int:
    """Hold the ratios against the committed ones; return 1 if one is much worse."""
    kept = json.loads(NUMBERS.read_text())["rows"] if NUMBERS.exists() else {}
    worse = [
        f"{name}: {one.ratio:.2f} instead of {kept[name]['ratio']:.2f}"
        for name, one in found.items()
        if name in kept and one.ratio > kept[name]["ratio"] * WORSE
    ]
    for name in found.keys() - kept.keys():
        print(f"nothing is committed to compare with: {name}")
    for line in worse:
        print(f"worse by more than 20 %: {line}")
    print(f"{len(found)} rows, {len(worse)} worse")
    return 1 if worse else 0


def _write(found: Mapping[str, Found]) -> None:
    """Put what was measured into the committed numbers and the table of the page."""
    kept: dict[str, Any] = json.loads(NUMBERS.read_text()) if NUMBERS.exists() else {"rows": {}}
    today, machine = datetime.now(UTC).date().isoformat(), _machine()
    for name, one in found.items():
        kept["rows"][name] = {
            "value": float(f"{one.value:.4g}"),
            "ratio": round(one.ratio, 2),
            "date": today,
            "machine": machine,
        }
    NUMBERS.write_text(json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
    before, _, rest = PAGE.read_text().partition(_BEGIN)
    _, _, after = rest.partition(_END)
    PAGE.write_text(f"{before}{_BEGIN}\n{_table(kept['rows'])}{_END}{after}")


def _table(rows: Mapping[str, Any]) -> str:
    lines = ["| what | bar | median | ratio | against | date |", "|---|---|---|---|---|---|"]
    for row in ROWS:
        one = rows.get(row.name)
        if one is None:
            lines.append(f"| {row.name} | {row.bar} | not measured yet | | {row.against} | |")
            continue
        told = f"{one['value']:,} {row.unit} | {one['ratio']}"
        lines.append(f"| {row.name} | {row.bar} | {told} | {row.against} | {one['date']} |")
    lines += [f"| {what} | | {where} | | | |" for what, where in ELSEWHERE]
    machines = sorted({one["machine"] for one in rows.values()})
    return "\n".join([*lines, "", *[f"Machine: {each}." for each in machines], ""])


def _machine() -> str:
    """Return what it ran on, in words that name nobody."""
    models = re.findall(r"model name\s*: (.+)", _read("/proc/cpuinfo")) or [platform.machine()]
    memory = re.search(r"MemTotal:\s+(\d+)", _read("/proc/meminfo"))
    size = f", {int(memory[1]) // 2**20} GiB" if memory else ""
    load = os.getloadavg()[0]
    python = platform.python_version()
    return f"{os.cpu_count()} cores of {models[0]}{size}, Python {python}, load {load:.0f}"


def _read(path: str) -> str:
    try:
        with open(path) as file:  # noqa: PTH123 - a file of the kernel
            return file.read()
    except OSError:
        return ""


def _asked(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="scripts, with commas: " + ",".join(SCRIPTS))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
