"""`fieldapi hold …`: keep a case from retention and erasure while a court or inquiry wants it."""

from __future__ import annotations

import click
from sqlalchemy import select

from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.find import authority_option, boss_of
from fieldapi.clock import format_instant
from fieldapi.ids import new_id
from fieldapi.models import Hold
from fieldapi.services import holds

_SHOWN = ("seizure", "reason", "since", "id")


@click.group()
def hold() -> None:
    """Legal holds: set one, end one, list them."""


@hold.command("set")
@click.argument("seizure")
@click.option("--reason", required=True, help="Number of the order; never a name.")
@authority_option
@json_option
@click.pass_obj
def set_(desk: Desk, *, seizure: str, reason: str, authority: str | None) -> None:
    """Hold a case: nothing of it is erased until the hold is ended."""
    boss, name = boss_of(desk, authority), new_id()
    row = desk.house.database.transact(
        lambda unit: holds.place(unit, boss, seizure, hold_id=name, reason=reason)
    )
    desk.say(f"Held: {row.id}", {"id": row.id, "seizure": row.seizure_id})


@hold.command()
@click.argument("hold_id", metavar="HOLD")
@authority_option
@json_option
@click.pass_obj
def end(desk: Desk, *, hold_id: str, authority: str | None) -> None:
    """End a hold."""
    boss = boss_of(desk, authority)
    row = desk.house.database.transact(lambda unit: holds.end(unit, boss, hold_id))
    desk.say("The hold is over.", {"id": row.id, "seizure": row.seizure_id})


@hold.command("list")
@authority_option
@json_option
@click.pass_obj
def list_(desk: Desk, *, authority: str | None) -> None:
    """List the open holds."""
    boss = boss_of(desk, authority)
    query = select(Hold).where(Hold.authority_id == boss.authority_id, Hold.ended_at.is_(None))
    with desk.house.database.read() as session:
        found = list(session.scalars(query.order_by(Hold.since, Hold.id)))
    rows = [
        {"id": row.id, "seizure": row.seizure_id, "reason": row.reason}
        | {"since": format_instant(row.since)}
        for row in found
    ]
    desk.table(rows, _SHOWN, empty="Nothing is held.")
