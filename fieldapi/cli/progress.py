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


@contextmanager
def parts() -> Iterator[Callable[[str, int, int], None]]:
    """Give what is told how much of which part is done: one line for people, rewritten."""
    if not sys.stderr.isatty():
        yield lambda _part, _done, _of: None
        return

    def show(part: str, done: int, of: int) -> None:
        click.echo(f"\r\033[K{part} {done} of {of}", nl=False, err=True)

    try:
        yield show
    finally:
        click.echo("\r\033[K", nl=False, err=True)
