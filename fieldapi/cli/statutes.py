"""`fieldapi statutes …`: what the program knows of the Acts, and how sure it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict

import click

from fieldapi.cli.desk import Desk, json_option
from fieldapi.packs import load_packs, validate


@click.group()
def statutes() -> None:
    """Statutes: list them, check their files."""


@statutes.command("list")
@json_option
@click.pass_obj
def list_(desk: Desk) -> None:
    """List what an authority may choose: series, and versions to pin."""
    rows = [
        {"statute": profile.version, "series": series.code, "name": profile.name}
        for series in load_packs().series.values()
        for profile in series.profiles
    ]
    desk.table(rows, ("statute", "series", "name"), empty="There is no statute.")


@statutes.command()
@click.option("--all", "is_all", is_flag=True, help="Show what is unsure, too.")
@json_option
@click.pass_obj
def check(desk: Desk, *, is_all: bool) -> int:
    """Check the files of the statutes; exit code 1 if one of them cannot be used."""
    findings = validate()
    counts = Counter(one.level for one in findings)
    shown = [one for one in findings if is_all or one.level == "error"]
    lines = [f"{one.level}: {one.file} {one.key}: {one.message}" for one in shown]
    total = ", ".join(f"{count} {level}" for level, count in sorted(counts.items()))
    lines.append(f"{'not usable' if counts['error'] else 'usable'}: {total or 'nothing to say'}")
    desk.say("\n".join(lines), {"counts": counts, "findings": [asdict(one) for one in shown]})
    return 1 if counts["error"] else 0
