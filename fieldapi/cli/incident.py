"""`fieldapi incident-pack`: what a report of an incident needs, gathered in one folder."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import click

from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.person import INSTANT
from fieldapi.services.incidents import Window, make_pack


@click.command("incident-pack", short_help="Gather into DIR what CERT-In's form asks for.")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--since", type=INSTANT, help="RFC 3339; else a week before the end.")
@click.option("--until", type=INSTANT, help="RFC 3339; else now.")
@click.option("--actor", "actors", multiple=True, help="Whose deeds are listed apart; repeatable.")
@json_option
@click.pass_obj
def incident_pack(
    desk: Desk,
    *,
    folder: Path,
    since: datetime | None,
    until: datetime | None,
    actors: tuple[str, ...],
) -> None:
    """Gather into DIR, a new folder, what CERT-In's form asks for within six hours.

    Ledgers with their proofs, log lines, phones and sign-ins by id, what was touched; no name, no
    number, no secret. Two minutes of reading are left to do: report.md says which.
    """
    ends = until or desk.house.database.clock()
    window = Window(since or ends - timedelta(days=7), ends)
    made = make_pack(desk.house, folder, window, actors=actors)
    desk.say(f"{folder}: {len(made)} files. Begin with report.md.", {"files": sorted(made)})
