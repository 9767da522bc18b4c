"""How far a long command is, on standard error: a bar for people, nothing for programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

Progress = Callable[[int, int], None]  # done, of


@contextmanager
def progress(label: str) -> Iterator[Progress]:
    """Give what is told how much is done, and how much there is."""
    if not sys.stderr.isatty():
        yield _say_nothing
        return
    with click.progressbar(length=1, label=label, file=sys.stderr) as bar:

        def show(done: int, of: int) -> None:
            bar.length = max(of, 1)
            bar.update(done - bar.pos)

        yield show


def _say_nothing(_done: int, _of: int) -> None:
    return
