"""Writes a migration from what the models say and the migrations do not; by `./dev migration`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime

from alembic import command
from alembic.config import Config

from fieldapi import migrate
from fieldapi.settings import Settings
from tools.paths import ROOT

_LONGEST = 32  # Alembic keeps it in a column of this width, and PostgreSQL means it


def main(arguments: Sequence[str]) -> int:
    """Compare the models with a fresh database at the newest revision; write the difference."""
    message = " ".join(arguments)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FIELDAPI_DATA"] = folder
        migrate.upgrade(Settings.from_env().owner_database_url)
        config = Config(ROOT / "alembic.ini")
        command.revision(
            config, message, autogenerate=True, rev_id=revision_id(message, datetime.now(UTC))
        )
    ruff = [sys.executable, "-m", "ruff"]
    subprocess.run([*ruff, "check", "--fix", "--quiet", "migrations"], cwd=ROOT, check=False)
    return subprocess.run([*ruff, "format", "migrations"], cwd=ROOT, check=False).returncode


def revision_id(message: str, now: datetime) -> str:
    """Return the day and the first words of a message: the name of a migration.

    >>> revision_id("Add the weather of a seizure", datetime(2026, 12, 1, tzinfo=UTC))
    '20261201_add_the_weather_of_a'
    """
    words = [f"{now:%Y%m%d}", *re.findall(r"\w+", message.lower())]
    while len("_".join(words)) > _LONGEST:
        words.pop()
    return "_".join(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
