"""Tells the story on the terminal: one line for each step, with a mark and its seconds.

People get lines, and on a terminal the step at hand; programs get one JSON object per line.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol, TextIO

import click

Fact = str | int | float | bool | None

_CLEAR = "\r\x1b[2K"


class Mismatch(Exception):
    """Something came back otherwise than it was sent: the demo has failed, and says where."""


class Done(Protocol):
    """Says what a step has done: a line for people, facts for programs."""

    def __call__(self, text: str, **facts: Fact) -> None: ...


@dataclass(slots=True)
class _Said:
    text: str = ""
    facts: dict[str, Fact] = field(default_factory=dict)

    def __call__(self, text: str, **facts: Fact) -> None:
        self.text, self.facts = text, facts


class Teller:
    """Writes to one stream, and knows which step is at hand."""

    def __init__(self, out: TextIO, *, is_json: bool) -> None:
        self._out = out
        self._is_json = is_json
        self._is_live = out.isatty() and not is_json
        self._good, self._bad = _marks(out)
        self._step = ("demo", "the demo")
        if isinstance(out, io.TextIOWrapper):
            out.reconfigure(errors="replace")

    def say(self, text: str = "") -> None:
        """Write a line for people only."""
        if not self._is_json:
            click.echo(text, file=self._out)

    def chapter(self, title: str) -> None:
        """Begin a new group of steps."""
        self.say(f"\n{click.style(title, bold=True)}")

    @contextmanager
    def step(self, name: str, doing: str) -> Iterator[Done]:
        """Time a step and tell what it has done. `name`: for programs; `doing`: while it runs."""
        said, began = _Said(), time.monotonic()
        self._step = (name, doing)
        self._show(f"  …        {doing}")
        try:
            yield said
        finally:
            self._show("")
        self._end(name, said, time.monotonic() - began)

    def fail(self, why: str, **facts: Fact) -> None:
        """Tell that the step at hand failed. `why`: a sentence or more."""
        name, doing = self._step
        self._record({"step": name, "ok": False, "why": why, **facts})
        self.say(f"  {click.style(self._bad, fg='red')} {doing}: {why}")
        for fact, value in facts.items():
            self.say(f"    {fact}: {value}")

    def close(self, **facts: Fact) -> None:
        """Tell programs that everything was read back right, and what is left behind."""
        self._record({"step": "done", "ok": True, **facts})

    def _end(self, name: str, said: _Said, seconds: float) -> None:
        self._record({"step": name, "ok": True, "seconds": round(seconds, 2), **said.facts})
        self.say(f"  {click.style(self._good, fg='green')} {seconds:4.1f} s  {said.text}")

    def _record(self, document: dict[str, Fact]) -> None:
        if self._is_json:
            click.echo(json.dumps(document), file=self._out)

    def _show(self, text: str) -> None:
        """Show what is being done, on the line that its end will take."""
        if self._is_live:
            self._out.write(f"{_CLEAR}{text}")
            self._out.flush()


def _marks(out: TextIO) -> tuple[str, str]:
    """Return the marks for good and bad that this stream can write."""
    try:
        "✓✗".encode(out.encoding or "utf-8")
    except UnicodeEncodeError:
        return "ok", "FAILED:"
    return "✓", "✗"


def require(is_right: bool, otherwise: str) -> None:  # noqa: FBT001 - reads as a sentence
    """Raise `Mismatch` with what is wrong, unless it is right."""
    if not is_right:
        raise Mismatch(otherwise)


def kb(size: int) -> str:
    """Return a number of bytes as people say it.

    >>> kb(331_400)
    '331 KB'
    """
    return f"{round(size / 1000)} KB"
