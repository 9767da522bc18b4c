"""Finds what a command names: an authority by code or id, a person or device by id alone."""

from __future__ import annotations

from typing import Any, TypeVar

import click
from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.cli.desk import Desk
from fieldapi.ids import is_id
from fieldapi.models import Device, Person
from fieldapi.problems import NotFound
from fieldapi.queries import authorities as queries
from fieldapi.queries.authorities import AuthorityView
from fieldapi.services.authorise import Principal, operator

F = TypeVar("F", bound=Any)


def authority_option(command: F) -> F:
    """Give a command `--authority`."""
    return click.option(
        "--authority",
        metavar="CODE",
        help="Code or id of the authority; may be left out while there is one only.",
    )(command)


def find_authority(desk: Desk, named: str | None) -> AuthorityView:
    """Return the authority that is named, or the only one. Raises `NotFound`, `UsageError`."""
    with desk.house.database.read() as session:
        if named is not None:
            return _named(session, named)
        every = queries.all_authorities(session)
    if not every:
        raise NotFound("There is no authority yet: add one with `fieldapi authority add`.")
    if len(every) > 1:
        codes = ", ".join(one.code for one in every)
        raise click.UsageError(f"Which one? Say --authority with one of {codes}.")
    return every[0]


def all_or_one(desk: Desk, named: str | None) -> list[AuthorityView]:
    """Return the authority that is named, or all of them. Raises `NotFound`."""
    if named is not None:
        return [find_authority(desk, named)]
    with desk.house.database.read() as session:
        return list(queries.all_authorities(session))


def boss_of(desk: Desk, named: str | None) -> Principal:
    """Return the operator as admin of an authority."""
    return operator(find_authority(desk, named).id)


def find_person(desk: Desk, person_id: str, named: str | None) -> Principal:
    """Return the operator of the authority that this person belongs to. Raises `NotFound`."""
    return _owner(desk, Person, person_id, named=named)


def find_device(desk: Desk, device: str, named: str | None) -> tuple[Principal, str]:
    """Return the operator and the id of a device, given by id or by number. Raises `NotFound`."""
    if is_id(device):
        return _owner(desk, Device, device, named=named), device
    boss = boss_of(desk, named)
    with desk.house.database.read() as session:
        found = session.scalar(
            select(Device.id).where(
                Device.authority_id == boss.authority_id,
                Device.number == (int(device) if device.isascii() and device.isdigit() else -1),
            )
        )
    if found is None:
        raise NotFound(f"There is no device {device}: `fieldapi device list` shows all.")
    return boss, found


def _named(session: Session, named: str) -> AuthorityView:
    if is_id(named):
        return queries.authority(session, named)
    return queries.authority_by_code(session, named)


def _owner(desk: Desk, table: type[Person | Device], id_: str, *, named: str | None) -> Principal:
    with desk.house.database.read() as session:
        owners = list(session.scalars(select(table.authority_id).where(table.id == id_)))
        if named is not None:
            wanted = _named(session, named).id
            owners = [owner for owner in owners if owner == wanted]
    if not owners:
        listing = "people list" if table is Person else "device list"
        raise NotFound(f"There is no {table.__tablename__} {id_}: `fieldapi {listing}` shows all.")
    if len(owners) > 1:
        raise click.UsageError("This id is known in several authorities: say --authority.")
    return operator(owners[0])
