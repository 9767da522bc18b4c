"""Runs the measurements of docs/benchmarks.md, writes what they came to, and compares.

    ./dev bench                    every row; writes docs/benchmarks.md and docs/benchmarks.json
    ./dev bench --only push,crowd  some of them
    ./dev bench --check            every row; 1 if one is 20 % worse than what is committed
    ./dev bench --quick            small sizes, writes nothing: whether the scripts work
    ./dev bench push --ops 8000    one script, with its own options

What is compared is a ratio: a number of ours against something bare, measured in the same run on
the same machine. Every row is measured once, then again in further rounds; nothing again after
`--minutes`, and all ends within `--most`. What is measured is written at once, so that a run that
is stopped loses no row. A row that cannot be measured here is named, never left out.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.bench import hearing, raw, sizing
from tests.bench.rows import ELSEWHERE, ROWS, SCRIPTS, Row, Told
from tests.support.tree import ROOT

PAGE, NUMBERS = ROOT / "docs" / "benchmarks.md", ROOT / "docs" / "benchmarks.json"
SIZES = ROOT / "docs" / "operations.md"
WORSE = 1.2
_BEGIN, _END = "<!-- rows of ./dev bench -->", "<!-- end of rows -->"
_Pair = tuple[float, float]  # a number, and its ratio


@dataclass(frozen=True, slots=True)
class Found:
    """What a row came to: medians over the rounds."""

    value: float
    ratio: float
    rounds: int = 1


@dataclass(slots=True)
class Heard:
    """What was measured so far. `absent`: rows that cannot be, and why; `failed`: scripts."""

    pairs: dict[str, list[_Pair]] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)

    def found(self) -> dict[str, Found]:
        """Return the medians, in the order of the page."""
        return {row.name: _median(self.pairs[row.name]) for row in ROWS if row.name in self.pairs}


@dataclass(frozen=True, slots=True)
class Clock:
    """`late`: when no round may begin any more, `over`: when all ends; by a steady clock."""

    late: float
    over: float

    @classmethod
    def started(cls, ask: argparse.Namespace) -> Clock:
        """Begin to count."""
        now = time.monotonic()
        return cls(now + ask.minutes * 60, now + ask.most * 60)

    def is_late(self) -> bool:
        """Say whether no further round may begin."""
        return time.monotonic() > self.late

    def left_s(self) -> float:
        """Return how long a script may take. Raises `hearing.Failed` if there is no time."""
        left = self.over - time.monotonic()
        if left <= 0:
            raise hearing.Failed("no time was left for it")
        return left


def _say(line: str) -> None:
    print(line, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, then write or compare."""
    ask = _asked(arguments)
    wanted = set(ask.only.split(",")) if ask.only else set(SCRIPTS)
    names = [name for name in SCRIPTS if name in wanted]
    heard, clock = Heard(), Clock.started(ask)
    _measure(names, ask, heard, clock)
    if ask.check:
        worse = _worse(heard.found())
        again = {row.script for row in ROWS if row.name in worse}
        if again:
            _say("looks worse, measured again: " + ", ".join(sorted(again)))
            _measure([name for name in names if name in again], ask, heard, clock)
    for row, why in heard.absent.items():
        _say(f"not measured: {row}: {why}")
    if ask.check:
        return max(_compare(heard.found()), len(heard.failed) > 0)
    return 1 if heard.failed else 0


def _measure(names: Sequence[str], ask: argparse.Namespace, heard: Heard, clock: Clock) -> None:
    """Go round by round through the scripts, until each had its rounds or the time is up."""
    for turn, name in _turns(names, 1 if ask.quick else ask.rounds):
        if turn > 0 and (clock.is_late() or name in heard.failed):
            continue
        _run(name, heard, clock, is_quick=ask.quick)
        if not (ask.quick or ask.check):
            _write(heard.found())


def _turns(names: Sequence[str], rounds: int) -> Iterator[tuple[int, str]]:
    """Yield each script once a round, then those that take long."""
    for turn in range(rounds):
        for name in names:
            if turn < SCRIPTS[name].rounds and not SCRIPTS[name].is_long:
                yield turn, name
    yield from ((0, name) for name in names if SCRIPTS[name].is_long)


def _run(name: str, heard: Heard, clock: Clock, *, is_quick: bool) -> None:
    rows = [row for row in ROWS if row.script == name]
    try:
        bare = raw.measure()
        told = hearing.told(name, most_s=clock.left_s(), is_quick=is_quick)
    except hearing.Skipped as exc:
        heard.absent |= {row.name: str(exc) for row in rows}
    except hearing.Failed as exc:
        heard.failed.add(name)
        heard.absent |= {row.name: str(exc) for row in rows}
    else:
        for row in rows:
            _hear(row, told, bare, heard)


def _hear(row: Row, told: Told, bare: raw.Raw, heard: Heard) -> None:
    """Add what a row came to; one that a script did not tell loses no other."""
    try:
        pair = row.read(told, bare)
    except (KeyError, IndexError, ValueError, TypeError, ZeroDivisionError) as exc:
        heard.failed.add(row.script)
        heard.absent[row.name] = f"{type(exc).__name__} {exc}"
        return
    heard.pairs.setdefault(row.name, []).append(pair)
    one = _median(heard.pairs[row.name])
    _say(f"{row.name}: {one.value:.4g} {row.unit}, {one.ratio:.2f} × {row.against}")


def _median(pairs: Sequence[_Pair]) -> Found:
    values, ratios = zip(*pairs, strict=True)
    return Found(statistics.median(values), statistics.median(ratios), len(pairs))


def _committed() -> Mapping[str, Any]:
    kept: dict[str, Any] = json.loads(NUMBERS.read_text()) if NUMBERS.exists() else {}
    rows: Mapping[str, Any] = kept.get("rows", {})
    return rows


def _worse(found: Mapping[str, Found]) -> list[str]:
    """Return the rows whose ratio is much worse than the committed one."""
    kept = _committed()
    return [
        name
        for name, one in found.items()
        if name in kept and one.ratio > kept[name]["ratio"] * WORSE
    ]


def _compare(found: Mapping[str, Found]) -> int:
    """Hold the ratios against the committed ones; return 1 if one is much worse."""
    kept, worse = _committed(), _worse(found)
    for name in found.keys() - kept.keys():
        print(f"nothing is committed to compare with: {name}")
    for name in worse:
        ratio = kept[name]["ratio"]
        print(f"worse by more than 20 %: {name}: {found[name].ratio:.2f} instead of {ratio:.2f}")
    print(f"{len(found)} rows, {len(worse)} worse")
    return 1 if worse else 0


def _write(found: Mapping[str, Found]) -> None:
    """Put what was measured into the committed numbers and the table of the page."""
    rows: dict[str, Any] = dict(_committed())
    today, machine = datetime.now(UTC).date().isoformat(), _machine()
    for name, one in found.items():
        rows[name] = {
            "value": float(f"{one.value:.4g}"),
            "ratio": round(one.ratio, 2),
            "rounds": one.rounds,
            "date": today,
            "machine": machine,
        }
    known = {row.name for row in ROWS}
    rows = {name: one for name, one in rows.items() if name in known}
    kept = {"rows": rows}
    NUMBERS.write_text(json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
    before, _, rest = PAGE.read_text().partition(_BEGIN)
    _, _, after = rest.partition(_END)
    PAGE.write_text(f"{before}{_BEGIN}\n{_table(rows)}{_END}{after}")
    SIZES.write_text(sizing.put_into(SIZES.read_text(), rows))


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


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("./dev bench", description=__doc__, formatter_class=formatter)
    parser.add_argument("--only", help="scripts, with commas between: " + ", ".join(SCRIPTS))
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("--quick", action="store_true", help="small sizes, and write nothing")
    parser.add_argument("--rounds", type=int, default=3, help="of each script, at most")
    parser.add_argument("--minutes", type=float, default=8, help="no round begins after these")
    parser.add_argument("--most", type=float, default=19, help="minutes after which all ends")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
