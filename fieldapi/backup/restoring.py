"""Restores a backup into an empty place: proven first, then with every ledger in its next epoch.

Phones notice the epoch, start their pull again and offer what they hold, so that nothing they were
acknowledged is lost. Called by the command line; must never touch an installation that is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.orm import Session

import fieldapi
from fieldapi import ledger, migrate
from fieldapi.backup import files
from fieldapi.backup.carrying import carry_in, empty_database, require_empty_database
from fieldapi.backup.files import BackupError, Progress
from fieldapi.backup.manifest import DATABASE, KEYS, Manifest, fingerprint, read_manifest
from fieldapi.backup.photos import absent_photos, put_back
from fieldapi.backup.proving import prove_database, prove_files, prove_ledgers, say_nothing
from fieldapi.house import clock_of
from fieldapi.keyring import Keyring, open_keyring
from fieldapi.ledger import TreeHead
from fieldapi.services import outside
from fieldapi.services.epochs import begin_epochs
from fieldapi.services.reapplying import reapply
from fieldapi.settings import Settings
from fieldapi.storage import open_storage
from fieldapi.unit import Database

_SECRET = "FIELDAPI_SECRET_KEY"  # noqa: S105 - the name of the setting
_STORAGE = "FIELDAPI_STORAGE_URL"
_DATABASES = ("FIELDAPI_DATABASE_URL", "FIELDAPI_OWNER_DATABASE_URL")
_PASSED_ON = (_SECRET, "FIELDAPI_TESTING", "FIELDAPI_CLOCK_FILE")


@dataclass(frozen=True, slots=True)
class Restored:
    """A restore that was done. `heads`: where each ledger went on, under its new epoch.

    `missing`: listed photos that the store named by the settings does not have.
    """

    folder: Path
    manifest: Manifest
    heads: tuple[TreeHead, ...]
    missing: tuple[str, ...] = ()


def restore(  # noqa: PLR0913 - what a restore is made from
    backup: Path,
    target: Path,
    *,
    environ: Mapping[str, str],
    keys: Path | None = None,
    logs: Sequence[Path] = (),
    is_trusted: bool = True,
    progress: Progress = say_nothing,
) -> Restored:
    """Restore the backup in the folder `backup` as the data folder `target`.

    `environ`: names the empty PostgreSQL database and the S3 it goes into, if it is not to be the
    embedded size, and a secret that never was in a file. `keys`: the folder of key files, for a
    backup without them. `logs`: what was erased or ended since, as each lost host kept it. Not
    `is_trusted`: every phone has to be confirmed again. Raises `BackupError`, and then nothing is
    left behind.
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
        for log in logs:
            with settings.outside_log.open("ab") as together:
                together.write(log.read_bytes())
        with _clean_if_it_fails(settings):
            _fill(backup, settings, keyring, manifest, progress=progress)
            store = open_storage(settings.storage_url, settings.data, environ=environ)
            missing = put_back(backup, manifest, store, progress)
            heads = _go_on(settings, keyring, is_trusted=is_trusted)
        return Restored(target, manifest, heads, tuple(missing))


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
    passed_on |= _place(environ, manifest)
    settings = Settings.from_env({**passed_on, "FIELDAPI_DATA": str(folder)})
    if not settings.is_sqlite:
        require_empty_database(settings.owner_database_url)
    return settings


def _place(environ: Mapping[str, str], manifest: Manifest) -> dict[str, str]:
    """Return the settings that say where it goes: a PostgreSQL, an S3; else the data folder."""
    place: dict[str, str] = {}
    if environ.get(_DATABASES[0], "").startswith("postgresql"):
        place |= {name: environ[name] for name in _DATABASES if environ.get(name)}
    store = environ.get(_STORAGE, "")
    if manifest.is_inventory and not store:
        raise BackupError(
            "this backup lists its photos and does not hold them",
            f"name the store that has them, or a copy of it, in {_STORAGE}",
        )
    if manifest.is_inventory or store.startswith("s3:"):
        place[_STORAGE] = store
    return place


def _require_same_keys(manifest: Manifest, keys: Keyring) -> None:
    """Raise `BackupError` for other keys: no old head could be checked, no resend known again."""
    hint = "every installation has keys of its own: take those that belong to this backup"
    if keys.public_key.hex() != manifest.public_key:
        raise BackupError("this is not the key that signed the ledgers of this backup", hint)
    if fingerprint(keys) != manifest.secret:
        raise BackupError("this is not the secret that this backup was made under", hint)


def _fill(
    backup: Path, settings: Settings, keys: Keyring, manifest: Manifest, *, progress: Progress
) -> None:
    """Fill the database with what the backup has, proven and in this program's schema."""
    file = Path(settings.data / "restored.sqlite3")
    if settings.is_sqlite:
        file = Path(settings.database_url.removeprefix("sqlite:///"))
    files.copy(backup / DATABASE, file)
    if manifest.schema != migrate.newest():
        migrate.upgrade(f"sqlite:///{file}")
    with _opened(f"sqlite:///{file}", settings, keys) as found, found.read() as session:
        prove_ledgers(session, keys, manifest, progress=progress)
        _require_photos(session, backup, manifest)
    if not settings.is_sqlite:
        migrate.upgrade(settings.owner_database_url, settings.database_url)
        carry_in(file, settings.owner_database_url, progress=progress)
        for rest in file.parent.glob(f"{file.name}*"):
            rest.unlink()


def _go_on(settings: Settings, keys: Keyring, *, is_trusted: bool) -> tuple[TreeHead, ...]:
    """Begin the next epoch, and end again what was ended since."""
    with _opened(settings.database_url, settings, keys) as database:
        ids = database.transact(lambda unit: begin_epochs(unit, is_trusted=is_trusted))
        lines = list(outside.read(settings.outside_log))
        if lines:
            database.transact(lambda unit: reapply(unit, lines))
        with database.read() as session:
            return tuple(ledger.head(session, one) for one in ids)


@contextmanager
def _opened(url: str, settings: Settings, keys: Keyring) -> Iterator[Database]:
    database = Database(url, keys=keys, clock=clock_of(settings))
    try:
        yield database
    finally:
        database.close()


@contextmanager
def _clean_if_it_fails(settings: Settings) -> Iterator[None]:
    """Leave a database that was empty as it was, if the block raises."""
    try:
        yield
    except BaseException:
        if not settings.is_sqlite:
            empty_database(settings.owner_database_url)
        raise


def _require_photos(session: Session, backup: Path, manifest: Manifest) -> None:
    lost = sorted(set(absent_photos(session, backup)) - set(manifest.missing))
    if lost:
        raise BackupError(f"{len(lost)} photos are not in this backup, the first is {lost[0]}")
