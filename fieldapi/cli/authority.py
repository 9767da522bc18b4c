"""`fieldapi authority …`: found one, draw its limits, list them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TextIO

import click

from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.find import authority_option, boss_of
from fieldapi.locale import LANGUAGES
from fieldapi.packs import load_packs
from fieldapi.problems import InvalidBody
from fieldapi.queries.authorities import all_authorities
from fieldapi.services import authorities
from fieldapi.services.authorities import NewAuthority
from fieldapi.services.retention import set_days
from sync.wire import JSON, WireError, loads

_SHOWN = ("code", "name", "statute", "id")


@click.group()
def authority() -> None:
    """Authorities (panchayats): found one, draw its limits, list them."""


@authority.command()
@click.option("--code", required=True, help="Three to five capital letters; begins every number.")
@click.option("--name", required=True, help="Name as it stands on notices.")
@click.option("--statute", required=True, help="Such as kerala, or one version of it.")
@click.option(
    "--language",
    "languages",
    multiple=True,
    type=click.Choice(LANGUAGES),
    help="May be given again; the first is that of printed cards. Else those of the statute.",
)
@click.option(
    "--confirm-devices/--no-confirm-devices",
    default=True,
    show_default=True,
    help="Whether a new phone waits for its fingerprint to be confirmed.",
)
@click.option("--id", "authority_id", help="Id of the authority, a UUID; else one is made.")
@json_option
@click.pass_obj
def add(  # noqa: PLR0913 - one argument for each option
    desk: Desk,
    *,
    code: str,
    name: str,
    statute: str,
    languages: tuple[str, ...],
    confirm_devices: bool,
    authority_id: str | None,
) -> None:
    """Found an authority, with a ledger of its own."""
    new = NewAuthority(code, name, statute, languages or _languages(statute), confirm_devices)
    row = desk.house.database.transact(
        lambda unit: authorities.found(unit, new, authority_id=authority_id)
    )
    data = {"id": row.id, "code": row.code, "name": row.name, "statute": row.statute}
    desk.say(f"{row.code} {row.name} stands: {row.id}", data)


@authority.command(short_help="Draw the limits of an authority from a GeoJSON FILE.")
@click.argument("file", type=click.File(encoding="utf-8-sig"))
@authority_option
@json_option
@click.pass_obj
def area(desk: Desk, *, file: TextIO, authority: str | None) -> None:
    """Draw the limits of an authority from a GeoJSON FILE (- for standard input)."""
    boss = boss_of(desk, authority)
    drawn = read_json(file)
    row = desk.house.database.transact(lambda unit: authorities.set_area(unit, boss, drawn))
    desk.say(f"{row.code} has its limits.", {"id": row.id, "code": row.code})


@authority.command(short_help="Say when personal values of decided cases are erased.")
@click.option("--days", type=click.IntRange(min=1), help="Days after the decision; 365 at least.")
@click.option("--never", is_flag=True, help="Keep them.")
@authority_option
@json_option
@click.pass_obj
def retention(desk: Desk, *, days: int | None, never: bool, authority: str | None) -> None:
    """Say after how long the personal values of decided cases are erased; off by default.

    Cases on hold (`fieldapi hold`) and open ones stay. Photos, counts and proofs stay always.
    """
    if never is (days is not None):
        raise click.UsageError("Say --days or --never.")
    boss = boss_of(desk, authority)
    row = desk.house.database.transact(lambda unit: set_days(unit, boss, days))
    said = "are kept" if days is None else f"go after {days} days"
    data = {"id": row.id, "code": row.code, "retention_days": row.retention_days}
    desk.say(f"{row.code}: personal values of decided cases {said}.", data)


@authority.command("list")
@json_option
@click.pass_obj
def list_(desk: Desk) -> None:
    """List every authority of this installation."""
    with desk.house.database.read() as session:
        rows = [asdict(view) for view in all_authorities(session)]
    desk.table(rows, _SHOWN, empty="There is no authority yet.")


def read_json(file: TextIO) -> JSON:
    """Return the JSON in a file. Raises `InvalidBody`."""
    try:
        return loads(file.read())
    except (WireError, UnicodeDecodeError) as exc:
        raise InvalidBody(f"The file is not JSON: {exc}.") from exc


def _languages(statute: str) -> tuple[str, ...]:
    """Return the languages of a statute; an unknown one is refused when it is used."""
    series = load_packs().series.get(statute.partition("-")[0])
    return ("en",) if series is None else series.profiles[-1].languages
