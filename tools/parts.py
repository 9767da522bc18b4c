"""Runs named parts one after the other, times each and says at the end what happened."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from tools.paths import ROOT

BUDGET_S = 15 * 60


@dataclass(frozen=True, slots=True)
class Result:
    """One part: how long it took and whether it held."""

    name: str
    seconds: float
    is_good: bool


@dataclass(slots=True)
class Report:
    """Collects results; what follows a failed part still runs, so that one run tells all."""

    results: list[Result] = field(default_factory=list)

    def run(self, name: str, *command: str) -> None:
        """Run one command as a part."""
        print(f"\n── {name} {'─' * (72 - len(name))}", flush=True)
        started = time.monotonic()
        code = subprocess.run(command, cwd=ROOT, check=False, stdin=subprocess.DEVNULL).returncode
        self.add(name, time.monotonic() - started, is_good=code == 0)

    def add(self, name: str, seconds: float, *, is_good: bool) -> None:
        """Note a part that was run elsewhere."""
        self.results.append(Result(name, seconds, is_good))

    def close(self, not_run: Sequence[str], *, is_strict: bool) -> int:
        """Print the table and the total; return the exit code. Strict: anything not run failed."""
        total = sum(result.seconds for result in self.results)
        failed = [result for result in self.results if not result.is_good]
        print("\n── seconds ──")
        for result in self.results:
            print(f"{result.name:<14}{result.seconds:8.1f}  {'' if result.is_good else 'FAILED'}")
        print(f"{'total':<14}{total:8.1f}  {'' if total <= BUDGET_S else 'over 15 minutes'}")
        for reason in not_run:
            print(f"not run: {reason}")
        print(f"parts: {len(self.results) - len(failed)} passed, {len(failed)} failed", flush=True)
        return 1 if failed or (is_strict and not_run) else 0
