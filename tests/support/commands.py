"""The command line over the test's installation, in this process."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from fieldapi.cli import cli
from fieldapi.settings import Settings


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Answer]


@pytest.fixture
def run(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Run `fieldapi …` with the settings of the test."""
    monkeypatch.setenv("FIELDAPI_TESTING", "1")
    monkeypatch.setenv("FIELDAPI_DATA", str(settings.data))
    monkeypatch.setenv("FIELDAPI_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("FIELDAPI_OWNER_DATABASE_URL", settings.owner_database_url)
    monkeypatch.setenv("FIELDAPI_SECRET_KEY", settings.secret_key.decode())

    def command(*args: str, stdin: str = "") -> Answer:
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        capsys.readouterr()
        code = cli.run(args)
        told = capsys.readouterr()
        return Answer(code, told.out, told.err)

    return command
