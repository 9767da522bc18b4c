"""`fieldapi people …`: import a list of people with their roles, list them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import BinaryIO

import click

from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.find import authority_option, boss_of
from fieldapi.cli.tables import Row, read_table, told
from fieldapi.problems import InvalidBody
from fieldapi.queries.authorities import all_pounds
from fieldapi.queries.people import all_people
from fieldapi.services import people as service
from fieldapi.services.people import Grant, NewPerson

_COLUMNS = {
    "name": True,
    "role": True,
    "capacity": False,
    "pound": False,
    "mobile": False,
    "language": False,
    "id": False,
}


@click.group()
def people() -> None:
    """People: import a list with their roles, list them."""


@people.command("import")
@click.argument("file", type=click.File("rb"))
@authority_option
@json_option
@click.pass_obj
def import_(desk: Desk, *, file: BinaryIO, authority: str | None) -> None:
    """Import people from a CSV FILE.

    \b
    Columns: name, role  (several roles with + between them)
             capacity, pound (its name), mobile, language, id   (may be left out)

    All rows or none. Somebody who is known, by id or else by name, is corrected; nobody loses a
    role by an import. Two people of one name need ids.
    """  # noqa: D301 - click takes the control character as: leave these lines alone
    boss = boss_of(desk, authority)
    pounds = _pounds(desk, boss.authority_id)
    rows = read_table(
        file,
        _COLUMNS,
        make=lambda row: _person(row, pounds),
        name_of=lambda row: row.get("id") or row["name"],
    )
    came = desk.house.database.transact(lambda unit: service.import_many(unit, boss, rows))
    desk.say(told("people", came), asdict(came))


@people.command("list")
@authority_option
@json_option
@click.pass_obj
def list_(desk: Desk, *, authority: str | None) -> None:
    """List the people of an authority; mobile numbers are masked."""
    boss = boss_of(desk, authority)
    now = desk.house.database.clock()
    with desk.house.database.read() as session:
        views = all_people(session, boss.authority_id)
    held = [
        [one.role for one in view.roles if one.ends_at is None or one.ends_at > now]
        for view in views
    ]
    rows = [{**asdict(view), "role": roles} for view, roles in zip(views, held, strict=True)]
    desk.table(rows, ("name", "role", "capacity", "mobile", "id"), empty="There is nobody yet.")


def _pounds(desk: Desk, authority_id: str) -> Mapping[str, str]:
    with desk.house.database.read() as session:
        return {pound.name: pound.id for pound in all_pounds(session, authority_id)}


def _person(row: Row, pounds: Mapping[str, str]) -> NewPerson:
    pound = row.get("pound", "")
    if pound and pound not in pounds:
        raise InvalidBody(errors={"pound": [f"{pound!r} is no pound of this authority."]})
    roles = [role.strip() for role in row["role"].split("+")]
    new = NewPerson(
        name=row["name"],
        roles=tuple(Grant(role, _kept(role, pounds.get(pound))) for role in roles),
        capacity=row.get("capacity") or None,
        mobile=row.get("mobile") or None,
        language=row.get("language") or None,
        id=row.get("id") or None,
    )
    service.check(new)
    return new


def _kept(role: str, pound_id: str | None) -> str | None:
    return pound_id if role == "pound_keeper" else None
