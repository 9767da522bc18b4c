"""Checks any server for the scenarios of SYNC.md section 7 that can be seen from outside.

    python -m tests.conformance --base-url https://cattle.example.org --codes \\
        author=K7M2-…  author2=…  other=…  keeper=…  reviewer=…  pending=…

Each code enrols one phone: `author2` a second one of the author, `other` another reporter, `keeper`
one that keeps a pound, `pending` one that nobody has confirmed. What a scenario has no code for is
not run, and said so. It leaves the reports it made behind: point it at a server for trials.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from tests.conformance import delivery, merging, people, pulling  # noqa: F401 - they list themselves
from tests.conformance.line import Line, enrol
from tests.conformance.scenario import ALL, ROLES, Cast, Scenario

PASS, FAIL, NOT_RUN = "pass", "FAIL", "not run"


@dataclass(frozen=True)
class Verdict:
    """What came of one scenario. `why`: for all but a pass."""

    scenario: str
    title: str
    verdict: str
    why: str = ""


def check(base_url: str, codes: Mapping[str, str]) -> list[Verdict]:
    """Enrol a phone for every code and play all scenarios."""
    line = Line(base_url)
    cast = Cast(line, {role: enrol(line, code) for role, code in codes.items()})
    return [_play(one, cast) for one in sorted(ALL, key=_order)]


def _order(one: Scenario) -> tuple[list[int], str]:
    digits = [int(part) for part in one.number.rstrip("ab" + "c").split(".")]
    return digits, one.number


def _play(one: Scenario, cast: Cast) -> Verdict:
    missing = [role for role in one.needs if role not in cast.devices]
    if missing:
        why = f"needs a code for {', '.join(missing)}"
        return Verdict(one.number, one.title, NOT_RUN, why)
    try:
        one.play(cast)
    except (AssertionError, KeyError, OSError, TypeError, ValueError) as exc:
        why = str(exc) if isinstance(exc, AssertionError) else f"{type(exc).__name__}: {exc}"
        return Verdict(one.number, one.title, FAIL, why)
    return Verdict(one.number, one.title, PASS)


def table(verdicts: Sequence[Verdict]) -> str:
    """Return the verdicts as lines for a person."""
    lines = []
    for one in verdicts:
        lines.append(f"{one.scenario:<7}{one.verdict:<9}{one.title}")
        if one.why:
            lines.append(f"{'':<16}{one.why[:300]}")
    counted = {word: sum(one.verdict == word for one in verdicts) for word in (PASS, FAIL, NOT_RUN)}
    return "\n".join([*lines, "  ".join(f"{word}: {count}" for word, count in counted.items())])


def main(arguments: Sequence[str] | None = None) -> int:
    """Check a server; return 1 if it fails a scenario."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--codes", nargs="+", required=True, metavar="ROLE=CODE")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    codes = dict(one.split("=", 1) for one in asked.codes)
    if unknown := codes.keys() - set(ROLES):
        parser.error(f"no such role: {', '.join(sorted(unknown))}")
    verdicts = check(asked.base_url, codes)
    told = json.dumps([asdict(one) for one in verdicts]) if asked.json else table(verdicts)
    sys.stdout.write(f"{told}\n")
    return 1 if any(one.verdict == FAIL for one in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
