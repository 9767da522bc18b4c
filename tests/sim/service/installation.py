"""An installation that a history can do everything to: break it at any statement, restart it, back
it up and restore it. The founded village and its phones are made once and copied for each history.
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from fieldapi.api.house import EXTENSION
from fieldapi.app import app_of
from fieldapi.house import House
from fieldapi.keyring import open_keyring
from fieldapi.packs import Packs, load_packs
from fieldapi.services.epochs import begin_epochs
from fieldapi.settings import Settings
from fieldapi.storage import open_storage
from fieldapi.unit import Database
from sync.client.device import Phone
from tests.sim.service.line import Line, Network
from tests.support.clock import StoppedClock
from tests.support.databases import Addresses, Databases
from tests.support.personas import Village, found_village, issue

_SECRET = "a secret of the simulations, long enough to be one"
ADDRESS = "http://127.0.0.1:9"  # nobody listens there: the lines end in this process


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose a phone is. `is_confirmed`: False for one that waits for its fingerprint."""

    name: str
    is_confirmed: bool = True


PHONES = (
    Owner("asha"),
    Owner("asha"),
    Owner("ravi"),
    Owner("kanta", is_confirmed=False),
    Owner("mohan"),
    Owner("bina"),
)


@dataclass(slots=True)
class Installation:
    """One database with its app, which may be shared: it keeps no state. `fails_at`: the statement
    from now at which the database breaks; None for never. `backup`: where it was copied to.
    """

    settings: Settings
    addresses: Addresses
    databases: Databases
    clock: StoppedClock
    stack: ExitStack
    app: Flask | None = None
    house: House = field(init=False)
    backup: Addresses | None = None
    fails_at: int | None = None

    def __post_init__(self) -> None:
        self._open()

    def _open(self) -> None:
        settings = replace(
            self.settings,
            database_url=self.addresses.app,
            owner_database_url=self.addresses.owner,
        )
        keys = open_keyring(settings)
        database = Database(settings.database_url, keys=keys, clock=self.clock)
        for moment in ("before_cursor_execute", "commit"):
            event.listen(database.engine, moment, self._break)
        storage = open_storage(settings.storage_url, settings.data)
        self.house = House(settings, database, keys, storage, _packs())
        self.app = self.app or app_of(self.house)
        self.app.extensions[EXTENSION] = self.house

    def _break(self, *_: Any) -> None:
        """Break the database, if this is the moment."""
        if self.fails_at is None:
            return
        self.fails_at -= 1
        if self.fails_at <= 0:
            self.fails_at = None
            raise OperationalError("a statement", None, OSError("the disk is gone"))

    def restart(self) -> None:
        """Stop the server and start it again."""
        self.house.database.close()
        self._open()

    def back_up(self) -> None:
        """Copy the database as it is now."""
        self.house.database.close()
        self.backup = self.stack.enter_context(self.databases.copy(self.addresses))
        self._open()

    def restore(self) -> None:
        """Go on from the backup, in a new epoch.

        Once from each backup: a second restore from the same one begins an epoch of the same name.
        """
        if self.backup is None:
            return
        self.house.database.close()
        self.addresses = self.stack.enter_context(self.databases.copy(self.backup))
        self.backup = None
        self._open()
        self.house.database.transact(begin_epochs)


class Ground:
    """A village with phones, founded once for many histories."""

    def __init__(self, databases: Databases, folder: Path, stack: ExitStack) -> None:
        self.databases, self.folder = databases, folder
        self.clock = StoppedClock()
        self._numbers = itertools.count(1)
        self._app: Flask | None = None
        self._addresses = stack.enter_context(databases.migrated())
        with ExitStack() as own:
            installation = self._installation(self._addresses, own)
            self.village: Village = found_village(installation.house.database)
            self._app = installation.app
            network = Network(installation)
            for at, owner in enumerate(PHONES):
                self._enrol(network, at, owner)
            installation.house.database.close()

    def _installation(self, addresses: Addresses, stack: ExitStack) -> Installation:
        environ = {
            "FIELDAPI_DATA": str(self.folder / "data"),
            "FIELDAPI_DATABASE_URL": addresses.app,
            "FIELDAPI_OWNER_DATABASE_URL": addresses.owner,
            "FIELDAPI_SECRET_KEY": _SECRET,
            "FIELDAPI_TESTING": "1",
        }
        settings = Settings.from_env(environ)
        return Installation(settings, addresses, self.databases, StoppedClock(), stack, self._app)

    def _enrol(self, network: Network, at: int, owner: Owner) -> None:
        persona = self.village[owner.name]
        database = network.installation.house.database
        code = issue(
            database, persona.authority_id, persona.person_id, is_confirmed=owner.is_confirmed
        )
        folder = self.folder / "phones" / str(at)
        with Phone(folder, connect=connecting(network)) as phone:
            phone.enrol(ADDRESS, code, {"make": "Nokia", "model": "C12"})

    @contextmanager
    def installation(self) -> Iterator[Installation]:
        """Give a fresh copy of the founded installation."""
        with ExitStack() as stack:
            addresses = stack.enter_context(self.databases.copy(self._addresses))
            installation = self._installation(addresses, stack)
            try:
                yield installation
            finally:
                installation.house.database.close()

    @contextmanager
    def phone_folders(self) -> Iterator[Path]:
        """Give fresh copies of the phones' folders, named 0, 1, 2 …"""
        copy = self.folder / f"history-{next(self._numbers)}"
        shutil.copytree(self.folder / "phones", copy)
        try:
            yield copy
        finally:
            shutil.rmtree(copy)


@cache
def _packs() -> Packs:
    return load_packs()


def connecting(network: Network) -> Any:
    """Return what gives a phone its line into this process."""

    def connect(base_url: str, token: str | None) -> Line:
        return Line(base_url, token, network=network)

    return connect
