"""`fieldapi places …`: the named places that phones offer."""

from __future__ import annotations

from dataclasses import asdict
from typing import BinaryIO

import click

from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.find import authority_option, boss_of
from fieldapi.cli.tables import Row, number, read_table, told
from fieldapi.queries.authorities import all_places
from fieldapi.services import places as service
from fieldapi.services.places import NewPlace

_COLUMNS = {"name": True, "local_name": False, "lat": False, "lon": False}


@click.group()
def places() -> None:
    """Named places that phones offer: import a list, list them."""


@places.command("import", short_help="Import places from a CSV FILE.")
@click.argument("file", type=click.File("rb"))
@authority_option
@json_option
@click.pass_obj
def import_(desk: Desk, *, file: BinaryIO, authority: str | None) -> None:
    """Import places from a CSV FILE with the columns name, local_name, lat, lon.

    All rows or none. A place that is known by its name is corrected.
    """
    boss = boss_of(desk, authority)
    rows = read_table(file, _COLUMNS, make=_place)
    came = desk.house.database.transact(lambda unit: service.import_many(unit, boss, rows))
    desk.say(told("places", came), asdict(came))


@places.command("list")
@authority_option
@json_option
@click.pass_obj
def list_(desk: Desk, *, authority: str | None) -> None:
    """List the places of an authority."""
    boss = boss_of(desk, authority)
    with desk.house.database.read() as session:
        rows = [asdict(view) for view in all_places(session, boss.authority_id)]
    desk.table(rows, ("name", "local_name", "lat", "lon"), empty="There is no place yet.")


def _place(row: Row) -> NewPlace:
    new = NewPlace(
        row["name"], row.get("local_name") or None, number(row, "lat"), number(row, "lon")
    )
    service.check(new)
    return new
