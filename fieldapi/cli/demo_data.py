"""`fieldapi demo-data`: fills this installation with an invented authority, to look at screens."""

from __future__ import annotations

from dataclasses import asdict
from urllib.parse import urlsplit

import click

from fieldapi.cli.desk import Desk, json_option
from fieldapi.demo.filling.cast import CASTS, ROLES, WORDS
from fieldapi.demo.filling.fill import Filled, Wish, fill
from fieldapi.domain.access import PERMISSIONS
from fieldapi.services import passwords
from fieldapi.settings import Settings

_HOW = """
console: sign in at {url}/console/ with name and password, while `fieldapi serve{port}` runs.
phone: no pages there; `fieldapi enrol --person ID --confirmed`, ID as above, lets a phone in."""
_PORT = 8000


@click.command(
    "demo-data", short_help="Fill this installation with an invented authority, to look at."
)
@click.option(
    "--statute",
    "series",
    type=click.Choice([*CASTS, "all"]),
    default="gujarat",
    show_default=True,
    help="Under which Act the authority is; all: one under each.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="The same seed, the same story."
)
@json_option
@click.pass_obj
def demo_data(desk: Desk, *, series: str, seed: int) -> None:
    """Fill this installation with an invented authority that has lived for four months.

    People, phones, photos drawn by code, cases in every state. For trying things out: run it on an
    installation of its own. It prints one password, made now, for everybody in it.
    """
    password = passwords.generate()
    wanted = list(CASTS) if series == "all" else [series]
    made = [fill(desk.house, Wish(one, password, seed)) for one in wanted]
    data = {"password": password, "authorities": [asdict(one) for one in made]}
    desk.say("\n".join([*map(_told, made), f"password   {password}", _how(desk.settings)]), data)


def _how(settings: Settings) -> str:
    """Return where to sign in; without a proxy, with the port that the server has to be given."""
    port = urlsplit(settings.public_url).port
    is_told = port not in {None, _PORT} and not settings.is_https
    return _HOW.format(url=settings.public_url, port=f" --port {port}" if is_told else "")


def _told(made: Filled) -> str:
    lines = [f"{made.name} ({made.code}): {made.reports} reports"]
    for part, role in ROLES.items():
        is_desk = role in PERMISSIONS["console.open"]
        way = f"console  {made.sign_ins[part]}" if is_desk else f"phone    {made.people[part]}"
        lines.append(f"  {WORDS[part]:<26} {way}")
    return "\n".join(lines)
