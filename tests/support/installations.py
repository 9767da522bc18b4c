"""The settings of an installation of a test: a folder and a database of its own."""

from __future__ import annotations

from pathlib import Path

from fieldapi.settings import Settings
from tests.support.databases import Addresses

_SECRET = "a secret of the tests, long enough to be one"


def settings_of(folder: Path, addresses: Addresses) -> Settings:
    """Return settings that keep everything below `folder`, with this migrated database."""
    return Settings.from_env(
        {
            "FIELDAPI_DATA": str(folder / "data"),
            "FIELDAPI_DATABASE_URL": addresses.app,
            "FIELDAPI_OWNER_DATABASE_URL": addresses.owner,
            "FIELDAPI_SECRET_KEY": _SECRET,
            "FIELDAPI_TESTING": "1",
        }
    )
