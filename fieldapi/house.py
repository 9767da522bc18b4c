"""The parts of one installation, opened together: what the app, the command line and the jobs
hand on to services and queries. Knows no Flask.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.exc import OperationalError

from fieldapi import migrate
from fieldapi.clock import Clock, file_clock, system_clock
from fieldapi.engine import check_roles
from fieldapi.keyring import Keyring, open_keyring
from fieldapi.packs import Packs, load_packs
from fieldapi.settings import Settings, SettingsError
from fieldapi.storage import Storage, open_storage
from fieldapi.unit import Database


@dataclass(frozen=True, slots=True)
class House:
    """One installation: safe to share between threads, opened anew after a fork."""

    settings: Settings
    database: Database
    keys: Keyring
    storage: Storage
    packs: Packs


def open_house(settings: Settings) -> House:
    """Open every part. Contacts neither database nor photo store yet. Raises `SettingsError`."""
    keys = open_keyring(settings)
    return House(
        settings=settings,
        database=Database(settings.database_url, keys=keys, clock=clock_of(settings)),
        keys=keys,
        storage=_storage(settings),
        packs=load_packs(),
    )


def clock_of(settings: Settings) -> Clock:
    """Return the server's clock: the system's, or in tests the one in a file."""
    return file_clock(settings.clock_file) if settings.clock_file else system_clock


def require_safe(house: House) -> None:
    """Raise `SettingsError` unless the database answers, has this program's schema and a role
    that cannot rewrite history. Called before anything is served.
    """
    try:
        check_roles(house.database.engine)
        migrate.require_newest(house.settings.database_url)
    except OperationalError as exc:
        raise SettingsError(
            "FIELDAPI_DATABASE_URL",
            "the database does not answer",
            "start it first, and check host, user and password",
        ) from exc


def _storage(settings: Settings) -> Storage:
    try:
        return open_storage(settings.storage_url, settings.data)
    except ValueError as exc:
        raise SettingsError(
            "FIELDAPI_STORAGE_URL", str(exc), "leave it out to keep photos in the data folder"
        ) from exc
