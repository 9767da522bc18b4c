"""Patterns of the program take no longer for a hostile text than for an honest one."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Iterator

import fieldapi
import sync

LENGTH = 50_000
LONGEST_S = 0.05
# What makes a pattern that can be read two ways try all of them: long runs, then something else.
PIECES = ("a", "0", " ", "-", "<", "a-", "1.", "0:", ", ", "a@", '="', "\\", "%2", "é", "\0\0")


def patterns() -> Iterator[tuple[str, re.Pattern[str] | re.Pattern[bytes]]]:
    """Yield every pattern that a module keeps, with its name."""
    for package in (fieldapi, sync):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.endswith("__main__"):
                continue
            module = importlib.import_module(found.name)
            for name, value in vars(module).items():
                if isinstance(value, re.Pattern):
                    yield f"{found.name}.{name}", value


def seconds(pattern: re.Pattern[str] | re.Pattern[bytes], text: str) -> float:
    """Return the CPU time of holding a pattern against a text."""
    given = text.encode() if isinstance(pattern.pattern, bytes) else text
    began = time.process_time()
    pattern.fullmatch(given)  # type: ignore[arg-type]  # the kind of the pattern
    pattern.match(given)  # type: ignore[arg-type]
    return time.process_time() - began


def test_no_pattern_takes_long_over_a_hostile_text() -> None:
    texts = [(piece * LENGTH)[:LENGTH] + "\n!" for piece in PIECES]

    slow = {
        (name, text[:4])
        for name, pattern in {id(one): (name, one) for name, one in patterns()}.values()
        for text in texts
        if seconds(pattern, text) > LONGEST_S < seconds(pattern, text)
    }

    assert slow == set()
