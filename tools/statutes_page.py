"""Writes what the statute files say into docs/statutes.md: `python -m tools.statutes_page`.

The part between the two marks is made from the data; `tests/rules/test_statutes_page.py` holds them
to each other. Everything else of the page is written by people.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from fieldapi.law.dues import rupees
from fieldapi.law.profile import StatuteProfile
from fieldapi.law.provenance import Provenance
from fieldapi.law.rules import Clock
from fieldapi.packs import load_packs
from tools.paths import ROOT

PAGE = ROOT / "docs" / "statutes.md"
BEGIN, END = "<!-- made from the data: begin -->", "<!-- made from the data: end -->"


def main() -> int:
    """Write the page anew."""
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def renewed(page: str) -> str:
    """Return the page with the part between the marks as the data wants it."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{made()}\n{END}{after}"


def made() -> str:
    """Return one chapter for each version of each statute."""
    profiles = [one for series in load_packs().series.values() for one in series.profiles]
    return "\n".join(line for one in profiles for line in _chapter(one))


def _chapter(profile: StatuteProfile) -> Iterator[str]:
    yield f"### {profile.name}: `{profile.version}`"
    yield ""
    yield from _table(
        ("clock", "period", "runs from", "last day moves past closed days of", "section", ""),
        (
            (
                f"`{one.rule}`",
                f"{one.amount} {one.unit}",
                one.starts_at.replace("_", " "),
                one.rolls or "–",
                one.provenance.section,
                _worth(one.provenance, _read(one)),
            )
            for one in profile.clocks
        ),
    )
    yield from _table(
        ("charged", "goes to", "section", ""),
        (
            (
                f"`{one.code}`",
                one.target.replace("_", " "),
                one.provenance.section,
                _worth(one.provenance, "levied"),
            )
            for one in profile.charges
        ),
    )
    yield from _table(
        ("a sale", "pays for, in this order", "the rest is", "section", ""),
        (
            (
                one.code.replace("_", " "),
                ", ".join(f"`{line}`" for line in one.lines),
                one.rest,
                one.provenance.section,
                _worth(one.provenance, "applied"),
            )
            for one in profile.deductions
        ),
    )
    yield from _conditions(profile)
    yield from _amounts(profile)


def _conditions(profile: StatuteProfile) -> Iterator[str]:
    asked = [one for one in profile.gates if not one.code.startswith("act.")]
    yield from _table(
        ("condition", "said when it is not met", "section", ""),
        (
            (
                f"`{one.code}`",
                one.reason,
                one.provenance.section,
                "**refuses**" if profile.may_block(one.provenance) else "warns",
            )
            for one in asked
        ),
    )


def _amounts(profile: StatuteProfile) -> Iterator[str]:
    yield from _table(
        ("cap", "most ₹", "least ₹", "section", ""),
        (
            (
                f"`{one.code}`",
                rupees(one.most_paise),
                rupees(one.least_paise) if one.least_paise else "–",
                one.provenance.section,
                _worth(one.provenance, "warns; refuses where the product drafts the order"),
            )
            for one in profile.caps
        ),
    )
    yield from _table(
        ("value", "is", "section", ""),
        (
            (
                f"`{one.code}`",
                str(one.value).replace("_", " ").lower(),
                one.provenance.section,
                _worth(one.provenance, "read"),
            )
            for one in profile.values
        ),
    )


def _read(clock: Clock) -> str:
    return "enforced" if clock.opens is not None else "told"


def _worth(why: Provenance, word: str) -> str:
    """Say what a value is worth: unverified ones warn, silent members are our reading."""
    if not why.is_verified:
        return "not verified"
    silent = f"; silent on {', '.join(sorted(why.silent))}" if why.silent else ""
    return f"{word}{silent}"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    given = list(rows)
    if not given:
        return
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(row)} |" for row in given)
    yield ""


if __name__ == "__main__":
    sys.exit(main())
