"""`fieldapi backup` and `fieldapi restore`, for the embedded size."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import click

from fieldapi import backup as backups
from fieldapi.backup import BackupError, Made, Restored
from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.progress import parts
from fieldapi.house import open_house

T = TypeVar("T")
_FOLDER = click.Path(path_type=Path)


@click.command()
@click.argument("folder", type=_FOLDER, metavar="DIR")
@click.option(
    "--with-keys/--without-keys",
    default=True,
    show_default=True,
    help="The keys continue the ledger. Whoever holds them can sign for this installation.",
)
@json_option
@click.pass_obj
def backup(desk: Desk, *, folder: Path, with_keys: bool) -> int:
    """Back up database, photos and keys into DIR, a new folder, while serving goes on.

    Everything is proven before DIR gets its name. Leaves with 1 if photos were missing or damaged
    already: the backup is made, and names them.
    """
    house = open_house(desk.settings)
    try:
        with parts() as show:
            made = _try(
                desk,
                lambda: backups.make_backup(house, folder, with_keys=with_keys, progress=show),
            )
    finally:
        house.database.close()
    if made is None:
        return 1
    desk.say(_told(made), {"folder": str(made.folder), "sha256": made.sha256, **_as_json(made)})
    return 0 if made.is_whole else 1


@click.command()
@click.argument(
    "folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR"
)
@click.option(
    "--into",
    type=_FOLDER,
    metavar="DATA",
    help="The data folder to be; new or empty. Else FIELDAPI_DATA, else ./var.",
)
@click.option(
    "--keys",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The keys, for a backup that was made without them.",
)
@click.option(
    "--log",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The file outside.log of the installation that was lost.",
)
@click.option(
    "--untrusted",
    is_flag=True,
    help="Nobody can vouch for the time since: every phone waits to be confirmed again.",
)
@json_option
@click.pass_obj
def restore(  # noqa: PLR0913 - one argument for each option
    desk: Desk,
    *,
    folder: Path,
    into: Path | None,
    keys: Path | None,
    log: Path | None,
    untrusted: bool,
) -> int:
    """Restore the backup in DIR as a new data folder, and begin a new epoch.

    Phones notice it and offer again what they hold. With --log, what was erased, and the phones,
    roles and sign-ins that ended after the backup, stay so. Tokens of known phones go on.
    """
    target = into or Path(os.environ.get("FIELDAPI_DATA") or "var").absolute()
    with parts() as show:
        done = _try(
            desk,
            lambda: backups.restore(
                folder,
                target,
                environ=os.environ,
                keys=keys,
                log=log,
                is_trusted=not untrusted,
                progress=show,
            ),
        )
    if done is None:
        return 1
    desk.say(
        _said(done), {"folder": str(done.folder), "heads": [one.as_json() for one in done.heads]}
    )
    return 0


def _try(desk: Desk, work: Callable[[], T]) -> T | None:
    """Return what `work` does; None if it was refused, which is told."""
    try:
        return work()
    except BackupError as exc:
        desk.fail(str(exc), hint=exc.hint)
        return None


def _as_json(made: Made) -> dict[str, object]:
    return {"is_whole": made.is_whole, "manifest": asdict(made.manifest)}


def _told(made: Made) -> str:
    told = made.manifest
    ledgers, photos = _counted(len(told.heads), "ledger"), _counted(told.photos, "photo file")
    lines = [
        f"{made.folder}: {ledgers}, {photos} ({told.bytes / 2**20:.1f} MiB), all proven.",
        f"Write down, to know it again: {made.sha256}",
    ]
    if told.has_keys:
        lines.append("The keys are in it (readable by you alone): keep it like a seal.")
    else:
        lines.append("The keys are not in it: without them it cannot be restored.")
    for said, keys in (("missing", told.missing), ("damaged", told.damaged)):
        if keys:
            lines.append(f"{len(keys)} photos were {said} in the store already:")
            lines += [f"  {key}" for key in keys[:20]]
    return "\n".join(lines)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _said(done: Restored) -> str:
    lines = [f"{done.folder} is the installation as of {done.manifest.made_at}."]
    epochs = {one.authority_id: one.epoch for one in done.heads}
    lines += [
        f"  {old['code']}: epoch {epochs[str(old['authority'])]} begins after entry {old['size']}"
        for old in done.manifest.heads
    ]
    lines.append(
        "Serve it with FIELDAPI_DATA set to this folder. Given no --log, revoke and end again what "
        "was ended since."
    )
    return "\n".join(lines)
