"""Restores a backup into an empty place: proven first, then with every ledger in its next epoch.

Phones notice the epoch, start their pull again and offer what they hold, so that nothing they were
acknowledged is lost. Called by the command line; must never touch an installation that is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.orm import Session

import fieldapi
from fieldapi import ledger, migrate
from fieldapi.backup import files
from fieldapi.backup.files import BackupError
from fieldapi.backup.manifest import DATABASE, KEYS, PHOTOS, Manifest, fingerprint, read_manifest
from fieldapi.backup.proving import (
    Progress,
    absent_photos,
    prove_database,
    prove_files,
    prove_ledgers,
    say_nothing,
)
from fieldapi.house import clock_of
from fieldapi.keyring import Keyring, open_keyring
from fieldapi.ledger import TreeHead
from fieldapi.services import outside
from fieldapi.services.epochs import begin_epochs
from fieldapi.services.reapplying import reapply
from fieldapi.settings import Settings
from fieldapi.unit import Database

_SECRET = "FIELDAPI_SECRET_KEY"  # noqa: S105 - the name of the setting
_PASSED_ON = (_SECRET, "FIELDAPI_TESTING", "FIELDAPI_CLOCK_FILE")


@dataclass(frozen=True, slots=True)
class Restored:
    """A restore that was done. `heads`: where each ledger went on, under its new epoch."""

    folder: Path
    manifest: Manifest
    heads: tuple[TreeHead, ...]


def restore(  # noqa: PLR0913 - what a restore is made from
    backup: Path,
    target: Path,
    *,
    environ: Mapping[str, str],
    keys: Path | None = None,
    log: Path | None = None,
    is_trusted: bool = True,
    progress: Progress = say_nothing,
) -> Restored:
    """Restore the backup in the folder `backup` as the data folder `target`.

    `keys`: the folder of key files, for a backup without them. `log`: what was erased or ended
    since, as the lost installation kept it. Not `is_trusted`: every phone has to be
    confirmed again. `environ`: where a secret is looked for that never was
    in a file. Raises `BackupError`, and then nothing is left behind.
    """
    manifest = read_manifest(backup)
    _require_known(manifest)
    files.require_empty(target)
    prove_files(backup, manifest, progress=progress)
    prove_database(backup / DATABASE)
    with files.appearing(target) as folder:
        settings = _settings(backup, folder, manifest, environ=environ, keys=keys)
        keyring = open_keyring(settings)
        _require_same_keys(manifest, keyring)
        _bring(backup, folder, settings, progress=progress)
        if log is not None:
            files.copy(log, settings.outside_log)
        heads = _go_on(settings, keyring, manifest, is_trusted=is_trusted, progress=progress)
        return Restored(target, manifest, heads)


def _require_known(manifest: Manifest) -> None:
    """Raise `BackupError` for a backup of a newer program: it may say what this one cannot read."""
    is_newer = _numbers(manifest.program) > _numbers(fieldapi.__version__)
    if is_newer or not migrate.knows(manifest.schema):
        raise BackupError(
            f"this backup was made by a newer program ({manifest.program})",
            f"this is {fieldapi.__version__}: restore it with {manifest.program} or later",
        )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _settings(
    backup: Path,
    folder: Path,
    manifest: Manifest,
    *,
    environ: Mapping[str, str],
    keys: Path | None,
) -> Settings:
    """Put the keys in place and return the settings of the installation to be."""
    source = backup / KEYS if manifest.has_keys and keys is None else keys
    if source is None or not source.is_dir():
        raise BackupError(
            "this backup was made without keys", "name the folder they are kept in with --keys"
        )
    (folder / KEYS).mkdir(mode=0o700)
    for one in sorted(source.iterdir()):
        files.copy(one, folder / KEYS / one.name)
    if not (folder / KEYS / "secret").exists() and _SECRET not in environ:
        raise BackupError(
            "the secret of this installation came from the environment and is in no file",
            f"set {_SECRET} to what it was",
        )
    passed_on = {name: environ[name] for name in _PASSED_ON if name in environ}
    return Settings.from_env({**passed_on, "FIELDAPI_DATA": str(folder)})


def _require_same_keys(manifest: Manifest, keys: Keyring) -> None:
    """Raise `BackupError` for other keys: no old head could be checked, no resend known again."""
    hint = "every installation has keys of its own: take those that belong to this backup"
    if keys.public_key.hex() != manifest.public_key:
        raise BackupError("this is not the key that signed the ledgers of this backup", hint)
    if fingerprint(keys) != manifest.secret:
        raise BackupError("this is not the secret that this backup was made under", hint)


def _bring(backup: Path, folder: Path, settings: Settings, *, progress: Progress) -> None:
    files.copy(backup / DATABASE, Path(settings.database_url.removeprefix("sqlite:///")))
    for done, (_, name) in enumerate(files.read_lines(backup), 1):
        if name.startswith(f"{PHOTOS}/"):
            files.bring(backup / name, folder / name)
            progress(PHOTOS, done, done)


def _go_on(
    settings: Settings,
    keys: Keyring,
    manifest: Manifest,
    *,
    is_trusted: bool,
    progress: Progress,
) -> tuple[TreeHead, ...]:
    """Bring the database to this program's schema, prove it, and begin the next epoch."""
    if manifest.schema != migrate.newest():
        migrate.upgrade(settings.database_url)
    database = Database(settings.database_url, keys=keys, clock=clock_of(settings))
    try:
        with database.read() as session:
            prove_ledgers(session, keys, manifest, progress=progress)
            _require_photos(session, settings.data, manifest)
        ids = database.transact(lambda unit: begin_epochs(unit, is_trusted=is_trusted))
        lines = list(outside.read(settings.outside_log))
        if lines:
            database.transact(lambda unit: reapply(unit, lines))
        with database.read() as session:
            return tuple(ledger.head(session, one) for one in ids)
    finally:
        database.close()


def _require_photos(session: Session, folder: Path, manifest: Manifest) -> None:
    lost = sorted(set(absent_photos(session, folder)) - set(manifest.missing))
    if lost:
        raise BackupError(f"{len(lost)} photos are not in this backup, the first is {lost[0]}")
