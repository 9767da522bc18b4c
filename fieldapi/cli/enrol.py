"""`fieldapi enrol`: a one-time code for a person's phone, on the screen or on a printed card."""

from __future__ import annotations

import os
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import click

from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.find import authority_option, find_person
from fieldapi.clock import format_instant
from fieldapi.documents.cards import Card, card_html
from fieldapi.ids import new_id
from fieldapi.queries.authorities import authority as read_authority
from fieldapi.queries.people import person as read_person
from fieldapi.services import codes, enrolments
from fieldapi.services.enrolments import Issued
from fieldapi.settings import SettingsError


@click.command()
@click.option("--person", "person_id", required=True, help="Id of the person.")
@authority_option
@click.option("--confirmed", is_flag=True, help="The phone need not be confirmed afterwards.")
@click.option(
    "--card",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a card to print (HTML) with the QR, in the authority's language.",
)
@click.option("--insecure", is_flag=True, help="Allow an address without https: for tests.")
@json_option
@click.pass_obj
def enrol(  # noqa: PLR0913 - one argument for each option
    desk: Desk,
    *,
    person_id: str,
    authority: str | None,
    confirmed: bool,
    card: Path | None,
    insecure: bool,
) -> None:
    """Issue a code that lets one phone of a person in. It is good once, for 24 hours."""
    public_url = desk.settings.public_url
    if not insecure:
        require_phone_can_open(public_url)
    boss = find_person(desk, person_id, authority)
    issued = desk.house.database.transact(
        lambda unit: enrolments.issue(
            unit, boss, person_id, enrolment_id=new_id(), is_confirmed=confirmed
        )
    )
    if card is not None:
        _write(card, _card(desk, issued))
    _say(desk, issued, card)


def require_phone_can_open(url: str) -> None:
    """Raise `SettingsError` for an address that a phone's browser would not trust."""
    parts = urlsplit(url)
    if parts.scheme == "https" or _is_loopback(parts.hostname or ""):
        return
    raise SettingsError(
        "FIELDAPI_PUBLIC_URL",
        f"{url} is neither https nor on this machine: phones keep no photos without https",
        "name the https address of the proxy in front (or --insecure for a test)",
    )


def _card(desk: Desk, issued: Issued) -> str:
    row = issued.enrolment
    with desk.house.database.read() as session:
        here = read_authority(session, row.authority_id)
        whom = read_person(session, row.authority_id, row.person_id)
    return card_html(
        Card(
            authority=here.name,
            person=whom.name,
            code=codes.printed(issued.code),
            url=enrolments.url_of(desk.settings.public_url, issued.code),
            expires_at=row.expires_at,
            language=here.languages[0],
        )
    )


def _say(desk: Desk, issued: Issued, card: Path | None) -> None:
    row, code = issued.enrolment, issued.code
    url = enrolments.url_of(desk.settings.public_url, code)
    expires_at = format_instant(row.expires_at)
    lines = [f"code     {codes.printed(code)}", f"url      {url}", f"expires  {expires_at}"]
    if card is not None:
        lines.append(f"card     {card}")
    data = {"id": row.id, "code": code, "url": url, "expires_at": expires_at}
    desk.say("\n".join(lines), {**data, "card": None if card is None else str(card)})


def _write(path: Path, html: str) -> None:
    """Write the card for its owner alone: whoever reads it can enrol."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(html)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
