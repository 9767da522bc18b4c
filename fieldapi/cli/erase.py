"""`fieldapi erase`: take out of a record what a person may have taken out."""

from __future__ import annotations

from dataclasses import asdict

import click

from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.find import authority_option, boss_of
from fieldapi.ids import new_id
from fieldapi.queries.erasures import view_erasure
from fieldapi.services import erasures
from fieldapi.services.erasures import NewErasure


@click.command(short_help="Erase values of a record, at once and for good.")
@click.argument("record", metavar="KIND/ID")
@click.option(
    "--field", "fields", multiple=True, metavar="NAME", help="Out of every op: owner.mobile"
)
@click.option("--op", "ops", multiple=True, metavar="OP", help="An op whose values all go.")
@click.option("--reason", required=True, help="Kept beside the erasure.")
@authority_option
@json_option
@click.pass_obj
def erase(  # noqa: PLR0913 - the options of one command
    desk: Desk,
    *,
    record: str,
    fields: tuple[str, ...],
    ops: tuple[str, ...],
    reason: str,
    authority: str | None,
) -> None:
    """Erase values of a record, at once and for good; everything still verifies.

    Give --field, or --op. Backups made before still hold the values: keep the log outside.log of
    the data folder for a restore.
    """
    boss, log = boss_of(desk, authority), desk.house.settings.outside_log
    new = NewErasure(new_id(), record, reason, fields=fields, ops=ops)
    row = desk.house.database.transact(lambda unit: erasures.erase(unit, boss, new, log=log))
    view = view_erasure(row)
    desk.say(f"{', '.join(view.fields) or 'All'} is gone from {len(view.ops)} ops.", asdict(view))
