"""`fieldapi fees …`: load scales of fees, feeding and security, or the sample of the statute."""

from __future__ import annotations

from typing import TextIO

import click

from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.find import authority_option, boss_of
from fieldapi.clock import INDIA
from fieldapi.models import Notification
from fieldapi.services import fees as service
from fieldapi.unit import Unit


@click.group()
def fees() -> None:
    """Scales of fees: load a file, or the sample."""


@fees.command(short_help="Load the scales of a TOML FILE, all of them or none.")
@click.argument("file", type=click.File(encoding="utf-8-sig"), required=False)
@click.option("--sample", "is_sample", is_flag=True, help="Load the sample, marked as one.")
@authority_option
@json_option
@click.pass_obj
def load(desk: Desk, *, file: TextIO | None, is_sample: bool, authority: str | None) -> None:
    """Load the scales of a TOML FILE with [[notifications]]: all of them or none.

    Each has kind, number, rates (paise by kind) or tiers, and from when it counts.
    """
    if (file is None) is not is_sample:
        raise click.UsageError("Give a FILE, or --sample.")
    boss = boss_of(desk, authority)
    text = None if file is None else file.read()

    def work(unit: Unit) -> list[Notification]:
        today = unit.now.astimezone(INDIA).date()
        entries = (
            service.sample(unit, boss) if text is None else service.read_file(text, today=today)
        )
        return service.load(unit, boss, entries)

    rows = desk.house.database.transact(work)
    names = ", ".join(row.number for row in rows)
    desk.say(f"Loaded: {names}", {"loaded": [{"id": r.id, "kind": r.kind} for r in rows]})
