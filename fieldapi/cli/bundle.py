"""`fieldapi bundle …`: make the court bundle of a case, and check one without asking the server."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

import click

from fieldapi.bundle.alone import verify as alone
from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.find import authority_option, boss_of
from fieldapi.console import court
from fieldapi.domain.redactions import REDACTIONS
from fieldapi.ids import new_id
from fieldapi.problems import Conflict
from fieldapi.queries import bundles as queries
from fieldapi.services import bundles
from fieldapi.services.bundles import NAMED, REFUSE, NewBundle
from fieldapi.storage import chunks
from fieldapi.storage.keys import bundle_key

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.group()
def bundle() -> None:
    """Court bundles: make one, check one."""


@bundle.command()
@click.argument("seizure")
@click.argument("file", type=_FILE)
@click.option(
    "--redact",
    multiple=True,
    type=click.Choice([*REDACTIONS]),
    help="What stays outside; may be given again.",
)
@click.option("--name-missing", is_flag=True, help="Name photos that are not there, and go on.")
@authority_option
@json_option
@click.pass_obj
def make(  # noqa: PLR0913 - a command and its options
    desk: Desk,
    *,
    seizure: str,
    file: Path,
    redact: Sequence[str],
    name_missing: bool,
    authority: str | None,
) -> None:
    """Make the bundle of a case and write it to FILE.

    Ends with 1 and names what is missing if a photo that was announced is not there.
    """
    boss, house = boss_of(desk, authority), desk.house
    new = NewBundle(new_id(), seizure, None, redact, NAMED if name_missing else REFUSE)
    house.database.transact(lambda unit: bundles.ask(unit, boss, new))
    bundles.build(house, boss.authority_id, new.id, draw=court.draw)
    with house.database.read() as session:
        made = queries.one(session, boss.authority_id, new.id)
    if made.sha256 is None:
        listed = ", ".join(f"{one.what} ({one.why})" for one in made.missing)
        raise Conflict(f"No bundle was made. Missing: {listed}.")
    with file.open("wb") as out:
        for piece in chunks(house.storage.open(bundle_key(made.sha256))):
            out.write(piece)
    bundles.note_read(house.database, boss, new.id)
    told = {"id": new.id, "sha256": made.sha256, "size": made.size, "contents": made.contents}
    desk.say(f"{file}: {made.size} bytes\nSHA-256 {made.words}", told)


@bundle.command()
@click.argument("file", type=click.Path(exists=True))
@click.option("--head", type=click.Path(exists=True, dir_okay=False), help="A head somebody kept.")
@click.option("--proof", type=click.Path(exists=True, dir_okay=False), help="For a newer head.")
@click.option("--key", help="The public key you know, in hex.")
@json_option
@click.pass_obj
def verify(desk: Desk, *, file: str, head: str | None, proof: str | None, key: str | None) -> int:
    """Check a bundle, a ZIP or a folder, as the verify.py in it does. Ends with 1 if it is another,
    with 3 if it fits and the head cannot be compared.

    It asks no server and no database: what it says, anybody can find.
    """
    named = {"--head": head, "--proof": proof, "--key": key}
    options = [part for name, value in named.items() if value for part in (name, value)]
    out = io.StringIO()
    with redirect_stdout(out):
        code: int = alone.main([file, "--json", *options])
    told = json.loads(out.getvalue() or "{}")
    marks = {
        "found": "  fits  ",
        "faults": " FAULT  ",
        "uncompared": "  open  ",
        "notes": "  note  ",
        "absent": "  lacks ",
    }
    lines = [f"{mark}{one}" for part, mark in marks.items() for one in told.get(part, ())]
    desk.say("\n".join(lines), told)
    return code
