"""`fieldapi backup`, `backup-key` and `restore`, for every size."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TypeVar

import click

from fieldapi import backup as backups
from fieldapi.backup import BackupError, Made, Restored
from fieldapi.backup.age import new_identity
from fieldapi.backup.sealing import seal, unsealed
from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.progress import parts
from fieldapi.house import open_house

T = TypeVar("T")
_FOLDER = click.Path(path_type=Path)


@click.command(short_help="Back up database, photos and keys into DIR, a new folder.")
@click.argument("target", type=_FOLDER, metavar="DIR")
@click.option(
    "--with-keys/--without-keys",
    default=True,
    show_default=True,
    help="The keys continue the ledger. Whoever holds them can sign for this installation.",
)
@click.option(
    "--photos",
    type=click.Choice(("copied", "listed")),
    help="Copied into it, as is the custom from a folder, or listed only, as from S3.",
)
@click.option(
    "--encrypt-to",
    "recipients",
    multiple=True,
    metavar="age1…",
    help="Write one file that only this key opens; may be given again for another's.",
)
@json_option
@click.pass_obj
def backup(
    desk: Desk,
    *,
    target: Path,
    with_keys: bool,
    photos: str | None,
    recipients: tuple[str, ...],
) -> int:
    """Back up database, photos and keys into DIR, a new folder, while serving goes on.

    Everything is proven before DIR gets its name. Leaves with 1 if photos were missing or damaged
    already: the backup is made, and names them. With --encrypt-to, DIR is one file, which age and
    `fieldapi restore` open.
    """
    house = open_house(desk.settings)
    copies = None if photos is None else photos == "copied"

    def make() -> Made:
        folder = target.with_name(f".{target.name}.open") if recipients else target
        with parts() as show:
            made = backups.make_backup(
                house, folder, with_keys=with_keys, copies_photos=copies, progress=show
            )
        return _sealed(made, target, recipients) if recipients else made

    try:
        made = _try(desk, make)
    finally:
        house.database.close()
    if made is None:
        return 1
    desk.say(_told(made), {"folder": str(made.folder), "sha256": made.sha256, **_as_json(made)})
    return 0 if made.is_whole else 1


def _sealed(made: Made, target: Path, recipients: Sequence[str]) -> Made:
    try:
        seal(made.folder, target, recipients)
    finally:
        shutil.rmtree(made.folder)
    return replace(made, folder=target)


@click.command("backup-key", short_help="Make a key pair for encrypted backups.")
@click.argument("file", type=_FOLDER, metavar="FILE")
@json_option
@click.pass_obj
def backup_key(desk: Desk, *, file: Path) -> int:
    """Make a key pair for encrypted backups: the secret key into FILE, the public one is printed.

    Keep FILE off the server: it is needed to restore, and for nothing else.
    """
    secret, public = new_identity()
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as exc:
        return desk.fail(f"{file} cannot be made: {exc.strerror}", hint="name a new file")
    with os.fdopen(descriptor, "w") as out:
        out.write(f"# public key: {public}\n{secret}\n")
    desk.say(public, {"public_key": public, "file": str(file)})
    return 0


@click.command(short_help="Restore the backup DIR, and begin a new epoch.")
@click.argument("source", type=click.Path(exists=True, path_type=Path), metavar="DIR")
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
    "--identity",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The secret key, for an encrypted backup.",
)
@click.option(
    "--log",
    "logs",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="The file outside.log of the installation that was lost; of each of its hosts.",
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
    source: Path,
    into: Path | None,
    keys: Path | None,
    identity: Path | None,
    logs: tuple[Path, ...],
    untrusted: bool,
) -> int:
    """Restore the backup DIR, a folder or an encrypted file, and begin a new epoch.

    Into a new data folder; where FIELDAPI_DATABASE_URL names an empty PostgreSQL database, into
    that; where FIELDAPI_STORAGE_URL names an S3, photos into that.

    Phones notice it and offer again what they hold. With --log, what was erased, and the phones,
    roles and sign-ins that ended after the backup, stay so. Tokens of known phones go on.
    """
    target = into or Path(os.environ.get("FIELDAPI_DATA") or "var").absolute()

    def bring_back() -> Restored:
        with parts() as show, _opened(source, identity, target) as folder:
            return backups.restore(
                folder,
                target,
                environ=os.environ,
                keys=keys,
                logs=logs,
                is_trusted=not untrusted,
                progress=show,
            )

    done = _try(desk, bring_back)
    if done is None:
        return 1
    told = {"folder": str(done.folder), "heads": [one.as_json() for one in done.heads]}
    desk.say(_said(done), {**told, "missing": list(done.missing)})
    return 1 if done.missing else 0


@contextmanager
def _opened(source: Path, identity: Path | None, target: Path) -> Iterator[Path]:
    """Give the folder of a backup, decrypted if it is a file. Raises `BackupError`."""
    if source.is_dir():
        yield source
        return
    if identity is None:
        raise BackupError(f"{source} is encrypted", "name the secret key with --identity")
    with unsealed(source, identity, target) as folder:
        yield folder


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
    kept = " listed" if told.is_inventory else ""
    lines = [
        f"{made.folder}: {ledgers}, {photos}{kept} ({told.bytes / 2**20:.1f} MiB), all proven.",
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
    if done.missing:
        lines.append(f"{len(done.missing)} listed photos are not in the store:")
        lines += [f"  {key}" for key in done.missing[:20]]
        lines.append("`fieldapi photos verify` flags them, and phones that hold them are asked.")
    lines.append(
        "Serve it with FIELDAPI_DATA set to this folder. Given no --log, revoke and end again what "
        "was ended since."
    )
    return "\n".join(lines)
