"""`fieldapi phones simulate`: a crowd of phones against a server, and whether it loses anything."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

import click

from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.find import authority_option, find_person
from fieldapi.crowd import Plan, Tally, gather
from fieldapi.crowd.line import NETS
from fieldapi.crowd.member import read_code
from fieldapi.ids import new_id
from fieldapi.services import enrolments


@click.group()
def phones() -> None:
    """Phones: play many of them, to see what a server bears."""


@phones.command(short_help="Let phones write reports with photos, at times offline.")
@click.option("--server", "servers", multiple=True, help="Its address; each app host may be named.")
@click.option("--phones", "count", type=click.IntRange(1, 10_000), default=20, show_default=True)
@click.option("--reports", type=click.IntRange(0), default=20, show_default=True, help="Of each.")
@click.option("--photos", type=click.IntRange(0), default=2, show_default=True, help="Of a report.")
@click.option("--net", type=click.Choice(tuple(NETS)), default="2g", show_default=True)
@click.option("--within", "within_s", type=float, default=600.0, show_default=True, help="Seconds.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--codes", type=click.File(), help="Enrolment codes, one a line: for any server.")
@click.option("--person", "person_id", help="Issue codes for this person of this installation.")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Where the phones' disks are to be; a RAM disk spares yours.",
)
@authority_option
@json_option
@click.pass_obj
def simulate(  # noqa: PLR0913 - one argument for each option
    desk: Desk,
    *,
    servers: tuple[str, ...],
    count: int,
    reports: int,
    photos: int,
    net: str,
    within_s: float,
    seed: int,
    codes: TextIO | None,
    person_id: str | None,
    folder: Path | None,
    authority: str | None,
) -> int:
    """Let phones write reports with photos, offline now and then, and hand them in by bad lines.

    Then each asks for all that it was acknowledged. Leaves with 1 if anything is lost, or was not
    handed in within the time. Reports stay in the installation: use one made for it.
    """
    if codes is not None:
        issued = [read_code(line) for line in codes if line.strip()][:count]
    elif person_id is not None:
        issued = _issue(desk, person_id, authority, count)
    else:
        return desk.fail("phones need codes to enrol", hint="name --person ID, or --codes FILE")
    addresses = servers or (desk.settings.public_url,)
    plan = Plan(reports, photos, net, seed, within_s)
    try:
        tally, seconds = gather(addresses, issued, plan, folder=folder)
    except OSError as exc:
        return desk.fail(str(exc.strerror), hint="fewer phones, or a higher ulimit -n")
    data = tally.as_json(seconds)
    desk.say(_told(tally, data), data)
    return 0 if tally.is_whole else 1


def _issue(desk: Desk, person_id: str, authority: str | None, count: int) -> list[str]:
    boss = find_person(desk, person_id, authority)
    return [
        desk.house.database.transact(
            lambda unit: enrolments.issue(
                unit, boss, person_id, enrolment_id=new_id(), is_confirmed=True
            )
        ).code
        for _ in range(count)
    ]


def _told(tally: Tally, data: dict[str, object]) -> str:
    lines = [
        f"{tally.phones} phones, {tally.reports} reports in {data['seconds']} s",
        f"ops     sent {tally.sent}, acknowledged {tally.acknowledged}, lost {tally.lost}",
        f"        not handed in {tally.unfinished}, for a person {tally.quarantined}",
        f"photos  taken {tally.photos}, stored {tally.photos_stored}, lost {tally.photos_lost}",
        f"answers {data['statuses']}   (0: none came)",
    ]
    latencies = data["latency_ms"]
    if isinstance(latencies, dict):
        lines += [f"{what:<14} {parts} ms" for what, parts in latencies.items()]
    lines += [f"wrong: {each}" for each in tally.wrongs()]
    return "\n".join(lines)
