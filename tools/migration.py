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


def main(arguments: Sequence[str]) -> int:
    """Compare the models with a fresh database at the newest revision; write the difference."""
    message = " ".join(arguments)
    slug = re.sub(r"\W+", "_", message.lower()).strip("_")
    today = datetime.now(UTC).strftime("%Y%m%d")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FIELDAPI_DATA"] = folder
        migrate.upgrade(Settings.from_env().owner_database_url)
        config = Config(ROOT / "alembic.ini")
        command.revision(config, message, autogenerate=True, rev_id=f"{today}_{slug}")
    ruff = [sys.executable, "-m", "ruff"]
    subprocess.run([*ruff, "check", "--fix", "--quiet", "migrations"], cwd=ROOT, check=False)
    return subprocess.run([*ruff, "format", "migrations"], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
