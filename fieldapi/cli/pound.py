"""`fieldapi pound …`: add one, import a list, list them."""

from __future__ import annotations

from dataclasses import asdict
from typing import BinaryIO, TextIO

import click

from fieldapi.cli.authority import read_json
from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.find import authority_option, boss_of
from fieldapi.cli.tables import Row, number, read_table, told
from fieldapi.queries.authorities import all_pounds
from fieldapi.services import pounds
from fieldapi.services.pounds import NewPound

_COLUMNS = {"name": True, "lat": False, "lon": False}
_SHOWN = ("name", "lat", "lon", "id")


@click.group()
def pound() -> None:
    """Pounds: add one, import a list, list them."""


@pound.command()
@authority_option
@click.option("--name", required=True, help="Name of the pound, its own in the authority.")
@click.option("--lat", type=float, help="Latitude in degrees (WGS84).")
@click.option("--lon", type=float, help="Longitude in degrees (WGS84).")
@click.option(
    "--area", type=click.File(encoding="utf-8-sig"), help="GeoJSON file of the area it serves."
)
@click.option("--id", "pound_id", help="Id of the pound, a UUID; else one is made.")
@json_option
@click.pass_obj
def add(  # noqa: PLR0913 - one argument for each option
    desk: Desk,
    *,
    authority: str | None,
    name: str,
    lat: float | None,
    lon: float | None,
    area: TextIO | None,
    pound_id: str | None,
) -> None:
    """Add a pound."""
    boss = boss_of(desk, authority)
    drawn = None if area is None else read_json(area)
    new = NewPound(name, lat, lon, drawn, pound_id)
    row = desk.house.database.transact(lambda unit: pounds.add(unit, boss, new))
    desk.say(f"Pound {row.name} stands: {row.id}", {"id": row.id, "name": row.name})


@pound.command("import")
@click.argument("file", type=click.File("rb"))
@authority_option
@json_option
@click.pass_obj
def import_(desk: Desk, *, file: BinaryIO, authority: str | None) -> None:
    """Import pounds from a CSV FILE with the columns name, lat, lon.

    All rows or none. A pound that is known by its name is moved to where the file says.
    """
    boss = boss_of(desk, authority)
    rows = read_table(file, _COLUMNS, make=_pound)
    came = desk.house.database.transact(lambda unit: pounds.import_many(unit, boss, rows))
    desk.say(told("pounds", came), asdict(came))


@pound.command("list")
@authority_option
@json_option
@click.pass_obj
def list_(desk: Desk, *, authority: str | None) -> None:
    """List the pounds of an authority."""
    boss = boss_of(desk, authority)
    with desk.house.database.read() as session:
        rows = [asdict(view) for view in all_pounds(session, boss.authority_id)]
    desk.table(rows, _SHOWN, empty="There is no pound yet.")


def _pound(row: Row) -> NewPound:
    new = NewPound(row["name"], number(row, "lat"), number(row, "lon"))
    pounds.check(new)
    return new
