"""A village that is founded once per session and kind of database, and copied for every test.

To found one takes longer than most tests that need it: seven people and phones, an entry for each.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fieldapi.keyring import open_keyring
from fieldapi.settings import Settings
from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.databases import Addresses, Databases
from tests.support.installations import settings_of
from tests.support.personas import Village, found_village


@dataclass(frozen=True, slots=True)
class Founded:
    """A village and its database, to which nobody is connected. `keys`: what its heads are signed
    with, a folder.
    """

    village: Village
    addresses: Addresses
    keys: Path

    def hand_keys(self, settings: Settings) -> None:
        """Give the keys to the installation that goes on with a copy of the database."""
        shutil.copytree(self.keys, settings.keys, dirs_exist_ok=True)


@contextmanager
def founded_in(databases: Databases, folder: Path) -> Iterator[Founded]:
    """Found a village on the clock's first morning; it is gone when the block ends."""
    with databases.migrated() as addresses:
        settings = settings_of(folder, addresses)
        keys = open_keyring(settings)
        database = Database(settings.database_url, keys=keys, clock=StoppedClock())
        village = found_village(database)
        database.close()
        yield Founded(village, addresses, settings.keys)
