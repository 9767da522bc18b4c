"""`fieldapi person …`: add one, give and end roles, set the password of the console."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime

import click

from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.find import authority_option, boss_of, find_person
from fieldapi.clock import format_instant, parse_instant
from fieldapi.locale import LANGUAGES
from fieldapi.models.person import ROLES
from fieldapi.problems import InvalidBody
from fieldapi.queries.authorities import all_pounds
from fieldapi.services import invitations, passwords, people, sign_ins
from fieldapi.services.authorise import Principal
from fieldapi.services.people import Grant, NewPerson


class InstantType(click.ParamType[datetime]):
    """An RFC 3339 instant with its offset."""

    name = "instant"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Read the instant, or fail as wrong usage."""
        if isinstance(value, datetime):
            return value
        try:
            return parse_instant(str(value))
        except ValueError:
            self.fail("write it like 2026-12-01T00:00:00+05:30", param, ctx)


INSTANT = InstantType()
_ROLE = click.Choice(ROLES)


def _checked(_ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Name the option, not the field, where a sign-in name is none."""
    try:
        sign_ins.check_name(value)
    except InvalidBody as exc:
        raise InvalidBody(errors={param.opts[0]: exc.errors["name"]}) from exc
    return value


_sign_in_option = click.option(
    "--sign-in",
    required=True,
    callback=_checked,
    help="Sign-in name, e.g. bina.rjk; one per person.",
)


@click.group()
def person() -> None:
    """One person: add, give and end roles, set the console's password."""


@person.command()
@authority_option
@click.option("--name", required=True, help="Full name.")
@click.option("--role", "roles", required=True, multiple=True, type=_ROLE, help="May be repeated.")
@click.option("--capacity", help="Right by which this person seizes, e.g. police, cultivator.")
@click.option("--pound", "pound_id", help="Id of the pound a keeper keeps; else all of them.")
@click.option("--mobile", help="Mobile number; shown to admins only.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True)
@click.option("--id", "person_id", help="Id of the person, a UUID; else one is made.")
@json_option
@click.pass_obj
def add(  # noqa: PLR0913 - one argument for each option
    desk: Desk,
    *,
    authority: str | None,
    name: str,
    roles: tuple[str, ...],
    capacity: str | None,
    pound_id: str | None,
    mobile: str | None,
    language: str,
    person_id: str | None,
) -> None:
    """Add a person with their roles."""
    boss = boss_of(desk, authority)
    grants = [Grant(role, pound_id if role == "pound_keeper" else None) for role in roles]
    if pound_id is not None and "pound_keeper" not in roles:
        raise click.UsageError("--pound goes with --role pound_keeper.")
    new = NewPerson(name, grants, capacity, mobile, language, person_id)
    row = desk.house.database.transact(lambda unit: people.add(unit, boss, new))
    data = {"id": row.id, "name": row.name, "roles": list(roles)}
    desk.say(f"{row.name} ({', '.join(roles)}): {row.id}", data)
    _note_pounds(desk, boss, roles)


@person.command()
@click.option("--person", "person_id", required=True, help="Id of the person.")
@authority_option
@click.option("--role", required=True, type=_ROLE)
@click.option("--pound", "pound_id", help="Id of the pound a keeper keeps; else all of them.")
@click.option("--from", "starts_at", type=INSTANT, help="Start, RFC 3339; else now.")
@click.option("--until", "ends_at", type=INSTANT, help="End, RFC 3339; else open.")
@json_option
@click.pass_obj
def grant(  # noqa: PLR0913 - one argument for each option
    desk: Desk,
    *,
    person_id: str,
    authority: str | None,
    role: str,
    pound_id: str | None,
    starts_at: datetime | None,
    ends_at: datetime | None,
) -> None:
    """Give a person one more role."""
    boss = find_person(desk, person_id, authority)
    new = Grant(role, pound_id, starts_at, ends_at)
    row = desk.house.database.transact(
        lambda unit: people.grant(unit, boss, new, person_id=person_id)
    )
    since = format_instant(row.starts_at)
    data = {"id": row.id, "role": row.role, "starts_at": since}
    desk.say(f"{row.role} from {since}: {row.id}", data)
    _note_pounds(desk, boss, [role])


@person.command(short_help="End a role.")
@click.argument("membership")
@authority_option
@click.option("--at", type=INSTANT, help="End, RFC 3339; else now.")
@json_option
@click.pass_obj
def end(desk: Desk, *, membership: str, authority: str | None, at: datetime | None) -> None:
    """End a role: MEMBERSHIP is the id that `person grant` and `people list --json` tell."""
    boss = boss_of(desk, authority)
    log = desk.settings.outside_log
    row = desk.house.database.transact(
        lambda unit: people.end(unit, boss, membership, at=at, log=log)
    )
    until = "" if row.ends_at is None else format_instant(row.ends_at)
    desk.say(f"{row.role} ends at {until}.", {"id": row.id, "role": row.role, "ends_at": until})


@person.command()
@click.option("--person", "person_id", required=True, help="Id of the person.")
@authority_option
@_sign_in_option
@click.option("--generate", is_flag=True, help="Make a password and print it once.")
@click.option("--stdin", "from_stdin", is_flag=True, help="Read the password from standard input.")
@json_option
@click.pass_obj
def password(  # noqa: PLR0913 - one argument for each option
    desk: Desk,
    *,
    person_id: str,
    authority: str | None,
    sign_in: str,
    generate: bool,
    from_stdin: bool,
) -> None:
    """Set the sign-in of the console; asks for the password. Ends the person's sessions."""
    boss = find_person(desk, person_id, authority)
    if generate:
        _generate(desk, boss, person_id, name=sign_in)
        return
    given = _from_stdin() if from_stdin else _asked()
    database = desk.house.database
    sign_ins.set_password(database, boss, person_id, name=sign_in, password=given)
    desk.say(f"{sign_in} can sign in.", {"person": person_id, "sign_in": sign_in})


@person.command(short_help="Print a link to choose a password by, good once.")
@click.option("--person", "person_id", required=True, help="Id of the person.")
@authority_option
@_sign_in_option
@json_option
@click.pass_obj
def invite(desk: Desk, *, person_id: str, authority: str | None, sign_in: str) -> None:
    """Print a link, good once within 24 hours, by which the person chooses a password.

    The way in for the first admin, and for everybody after. No password is ever made by default.
    """
    boss = find_person(desk, person_id, authority)
    secret = desk.house.database.transact(
        lambda unit: invitations.invite(unit, boss, person_id, name=sign_in)
    )
    _tell_link(desk, secret, person_id, name=sign_in)


@person.command("reset-signin", short_help="Print a new link for somebody who is locked out.")
@click.option("--person", "person_id", required=True, help="Id of the person.")
@authority_option
@json_option
@click.pass_obj
def reset_signin(desk: Desk, *, person_id: str, authority: str | None) -> None:
    """Help somebody who is locked out: print a link for a new password.

    The old password, the second step, its recovery codes and all sessions end at once.
    """
    boss = find_person(desk, person_id, authority)
    name = sign_ins.name_of(desk.house.database, boss, person_id)
    log = desk.settings.outside_log
    secret = desk.house.database.transact(
        lambda unit: invitations.reset(unit, boss, person_id, log=log)
    )
    _tell_link(desk, secret, person_id, name=name)


def _note_pounds(desk: Desk, boss: Principal, roles: Sequence[str]) -> None:
    """Say that a keeper has nothing to keep yet."""
    if "pound_keeper" not in roles:
        return
    with desk.house.database.read() as session:
        is_none = not all_pounds(session, boss.authority_id)
    if is_none:
        desk.note("the authority has no pound yet: add one with `fieldapi pound add`")


def _tell_link(desk: Desk, secret: str, person_id: str, *, name: str) -> None:
    url = f"{desk.settings.public_url}/console/welcome/{secret}"
    data = {"person": person_id, "sign_in": name, "url": url}
    desk.say(f"sign-in   {name}\nlink      {url}\nGood once, within 24 hours.", data)


def _generate(desk: Desk, boss: Principal, person_id: str, *, name: str) -> None:
    made = passwords.generate()
    sign_ins.set_password(desk.house.database, boss, person_id, name=name, password=made)
    data = {"person": person_id, "sign_in": name, "password": made}
    desk.say(f"sign-in   {name}\npassword  {made}", data)


def _asked() -> str:
    given: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return given


def _from_stdin() -> str:
    return sys.stdin.readline().rstrip("\r\n")
