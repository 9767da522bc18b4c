"""A bundle of the odd case, made twice by an installation of its own in a folder.

with told_bundle(tmp_path) as told:
    told.data                     # the ZIP
    told.head                     # a tree head that somebody kept before
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from flask import Flask

from fieldapi import ledger, migrate
from fieldapi.app import app_of
from fieldapi.console.court import draw
from fieldapi.house import House
from fieldapi.keyring import open_keyring
from fieldapi.packs import load_packs
from fieldapi.services.bundles import making
from fieldapi.services.bundles.content import Wanted
from fieldapi.services.bundles.making import Made
from fieldapi.settings import Settings
from fieldapi.storage import chunks, open_storage
from fieldapi.storage.keys import bundle_key
from fieldapi.unit import Database
from tests.support.bundle_tampering import Members, members_of
from tests.support.clock import StoppedClock
from tests.support.odd_case import OddCase, odd_case
from tests.support.personas import Village, found_village


@dataclass(frozen=True, slots=True)
class Told:
    """The case and its bundle. `head`: of the ledger, as text that somebody kept."""

    app: Flask
    house: House
    village: Village
    case: OddCase
    made: Made
    data: bytes
    members: Members
    head: str


@contextmanager
def told_bundle(folder: Path, database_url: str | None = None) -> Iterator[Told]:
    """Tell the case, make its bundle."""
    environ = {"FIELDAPI_DATA": str(folder / "data"), "FIELDAPI_TESTING": "1"}
    if database_url is not None:
        environ["FIELDAPI_DATABASE_URL"] = database_url
    settings = Settings.from_env(environ)
    if database_url is None:
        migrate.upgrade(settings.database_url)
    keys = open_keyring(settings)
    database = Database(settings.database_url, keys=keys, clock=StoppedClock())
    storage = open_storage(settings.storage_url, settings.data)
    house = House(settings, database, keys, storage, load_packs())
    try:
        app, village = app_of(house), found_village(database)
        case = odd_case(app, house, village)
        made, data = build(house, Wanted(village.rjk, case.seizure))
        with database.read() as session:
            head = ledger.text_of(ledger.head(session, village.rjk))
        yield Told(app, house, village, case, made, data, members_of(data), head)
    finally:
        database.close()


def build(house: House, wanted: Wanted) -> tuple[Made, bytes]:
    """Make a bundle and return it with its bytes."""
    made = making.make(house, wanted, draw=draw, progress=lambda _done, _of: None)
    assert isinstance(made, Made), made
    return made, b"".join(chunks(house.storage.open(bundle_key(made.sha256))))
