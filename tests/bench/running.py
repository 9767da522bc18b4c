"""Starts a server for a measurement and prints what was measured."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.serving import Served, serve_on_postgres

Measure = Callable[[Served, argparse.Namespace], dict[str, object]]


def run_on_postgres(about: str | None, measure: Measure, **sizes: int) -> None:
    """Print the numbers of one run; each of `sizes` is an option of the command line."""
    parser = argparse.ArgumentParser(description=about)
    for name, size in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=size)
    parser.add_argument("--json", action="store_true")
    ask = parser.parse_args()
    with TemporaryDirectory() as folder, serve_on_postgres(Path(folder)) as served:
        found = measure(served, ask)
    print(json.dumps(found, indent=None if ask.json else 2))
