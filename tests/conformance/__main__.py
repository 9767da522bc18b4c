"""Checks any server for what docs/protocol/sync.md section 7 promises, as seen from outside.

    python3 -m tests.conformance https://cattle.example.org author=K7M2-…  author2=…  other=…

Needs Python 3.11 and nothing else: only the folders `sync` and `tests/conformance`. It speaks HTTP,
knows of the server what the protocol says, and takes it for what it answers: nothing is looked up
in a database, no clock is stopped.

WHAT TO PREPARE  One authority for trials (what the kit writes stays there), and in it one code for
each phone, made as for any phone (`fieldapi enrol --person ID --confirmed`):

    author    a watch-and-ward reporter                author2   a second phone of the same person
    other     another reporter                         keeper    keeper of one pound
    leaver    a reporter whose role the kit ends       pending   a reporter's phone, not confirmed
    reviewer  reviews and decides                      admin     ends roles, confirms, erases

A scenario whose phones have no code is `not run`, and the table says which code it needs. Codes
work once: a second run takes fresh ones.

WHAT COMES OUT  A line for each scenario, and under one that fails what was found and what was
expected; `--json` for machines. The program ends with 1 if a scenario failed, with 2 if it could
not begin. Pass and fail are about the protocol alone: how fast a server is, the kit does not say.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from http.client import HTTPException

from tests.conformance import (  # noqa: F401 - they list themselves
    access,
    deciding,
    delivery,
    merging,
    people,
    pulling,
)
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


def check(base_url: str, codes: Mapping[str, str], *, only: Collection[str] = ()) -> list[Verdict]:
    """Enrol a phone for every code and play all scenarios, or those numbered as in `only`."""
    line = Line(base_url)
    cast = Cast(line, {role: enrol(line, code) for role, code in codes.items()})
    return [_play(one, cast) for one in sorted(ALL, key=_order) if not only or one.number in only]


def _order(one: Scenario) -> tuple[list[int], str]:
    digits = [int(part) for part in one.number.rstrip("abc").split(".")]
    return digits, one.number


def _play(one: Scenario, cast: Cast) -> Verdict:
    missing = [role for role in one.needs if role not in cast.devices]
    if missing:
        why = f"needs a code for {', '.join(missing)}"
        return Verdict(one.number, one.title, NOT_RUN, why)
    try:
        one.play(cast)
    except (AssertionError, LookupError, OSError, TypeError, ValueError, HTTPException) as exc:
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
    parser = _parser()
    asked = parser.parse_args(arguments)
    codes = dict(one.partition("=")[::2] for one in asked.codes)
    if unknown := codes.keys() - set(ROLES):
        parser.error(f"no such role: {', '.join(sorted(unknown))}; a code is given as ROLE=CODE")
    if unknown := set(asked.only) - {one.number for one in ALL}:
        parser.error(f"no such scenario: {', '.join(sorted(unknown))}")
    try:
        verdicts = check(asked.base_url, codes, only=asked.only)
    except (AssertionError, OSError, HTTPException) as exc:
        parser.error(f"no phone could be enrolled: {exc}")
    told = json.dumps([asdict(one) for one in verdicts]) if asked.json else table(verdicts)
    sys.stdout.write(f"{told}\n")
    return 1 if any(one.verdict == FAIL for one in verdicts) else 0


def _parser() -> argparse.ArgumentParser:
    listed = [f"  {one.number:<7}{one.title}" for one in sorted(ALL, key=_order)]
    parser = argparse.ArgumentParser(
        prog="python3 -m tests.conformance",
        description=__doc__,
        epilog="\n".join(["scenarios:", *listed]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("base_url", metavar="BASE_URL", help="where the server answers")
    parser.add_argument("codes", nargs="+", metavar="ROLE=CODE", help="a code for a phone")
    parser.add_argument(
        "--only", action="append", default=[], metavar="NUMBER", help="play this scenario alone"
    )
    parser.add_argument("--json", action="store_true", help="tell it to a machine")
    return parser


if __name__ == "__main__":
    sys.exit(main())
