"""Listens to every log line of every test: none may carry what a person said, or a secret.

The tests themselves plant the canaries: they have names, numbers, places, codes and tokens.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

from fieldapi import logs

# The values that the whole suite puts into reports, people and sign-ins.
PLANTED = re.compile(
    r"csd1_[0-9a-f-]{36}_|9876543210|Ramesh|Parmar|Mangal|22\.30391|70\.80216"
    r"|green-field-42-rain|nine cows and a calf|By the (?:canal|well)|Rajkot Taluka"
)


class Listener:
    """Keeps the lines in which something was found."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def hear(self, line: str) -> None:
        """Look at one line as it is written."""
        if PLANTED.search(line):
            self.found.append(line)

    def take(self) -> list[str]:
        """Return what was found since the last time."""
        found, self.found = self.found, []
        return found


@contextmanager
def listening() -> Iterator[Listener]:
    """Hear every line that our log writes in this process."""
    stream = logs._ErrorStream  # noqa: SLF001 - where every line leaves
    listener, write = Listener(), stream.emit

    def emit(self: logging.Handler, record: logging.LogRecord) -> None:
        listener.hear(self.format(record))
        write(self, record)

    stream.emit = emit  # type: ignore[method-assign]
    try:
        yield listener
    finally:
        stream.emit = write  # type: ignore[method-assign]
