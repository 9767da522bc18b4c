"""Runs one measuring script and returns what it told. `book` calls it; nothing else."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Sequence

from tests.bench.rows import SCRIPTS, Told
from tests.support.tree import ROOT

_MOST_S = 900  # no script takes longer on any machine that is worth measuring
_TO_END_S = 30  # for a script that is told to end, with the servers that it started


class Skipped(Exception):
    """A script says that it cannot measure here."""


class Failed(Exception):
    """A script ended otherwise than it should, or not in time."""


def told(name: str, *, most_s: float, is_quick: bool) -> Told:
    """Return what a script measured. Raises `Skipped`, `Failed`."""
    script = SCRIPTS[name]
    module = f"tests.bench.bench_{name.partition(' ')[0]}"
    command = [sys.executable, "-m", module, *(script.quick if is_quick else script.full)]
    print(f"… {name}", file=sys.stderr, flush=True)
    said = _said(command, min(_MOST_S, most_s))
    if "skipped" in said:
        raise Skipped(said.strip())
    try:
        found = script.parse(said[said.find("{") :] if "{" in said else said)
    except ValueError as exc:
        raise Failed(f"printed what cannot be read: {exc}") from exc
    if not found:
        raise Failed("printed nothing that is known")
    return found


def _said(command: Sequence[str], most_s: float) -> str:
    """Return what a program printed. Raises `Failed` if it ended badly or took too long."""
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        said, complaints = process.communicate(timeout=most_s)
    except subprocess.TimeoutExpired as exc:
        raise Failed(f"not done within {most_s:.0f} s") from exc
    finally:
        _end(process)
    if process.returncode != 0:
        lines = [line for line in complaints.splitlines() if line.strip()]
        raise Failed(f"left with {process.returncode}: {lines[-1] if lines else 'no word'}")
    return said


def _end(process: subprocess.Popen[str]) -> None:
    """Have a program that still runs end what it started, as Ctrl-C would."""
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=_TO_END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
