"""What the command line says of backups and restores, and how it leaves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fieldapi.house import House
from fieldapi.settings import Settings
from tests.support.commands import Run
from tests.support.deliveries import some_reports, store_photo
from tests.support.personas import Village


@pytest.fixture
def filled(house: House, village: Village) -> str:
    """Reports and a photo; the hash of the photo."""
    seizure = some_reports(house, village)[0]
    return store_photo(house, village["asha"], seizure, b"a photo")


def test_backup_and_restore_as_an_operator_types_them(
    run: Run, filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = run("backup", str(tmp_path / "monday"))
    done = run("restore", str(tmp_path / "monday"), "--into", str(tmp_path / "new"))

    assert (made.code, made.err) == (0, "")
    assert "2 ledgers, 1 photo file (" in made.out
    assert "The keys are in it" in made.out
    assert (done.code, done.err) == (0, ""), done.out
    assert "RJK: epoch B begins after entry" in done.out
    monkeypatch.setenv("FIELDAPI_DATA", str(tmp_path / "new"))
    monkeypatch.delenv("FIELDAPI_DATABASE_URL")
    monkeypatch.delenv("FIELDAPI_OWNER_DATABASE_URL")
    checks = [("ledger", "verify"), ("ops", "replay", "--check"), ("photos", "verify")]
    assert [run(*check).code for check in checks] == [0, 0, 0]


def test_backup_answers_in_json(run: Run, filled: str, tmp_path: Path) -> None:
    made = run("backup", str(tmp_path / "b"), "--without-keys", "--json").json

    assert made["is_whole"] is True
    assert made["manifest"]["has_keys"] is False
    assert made["manifest"] == json.loads((tmp_path / "b" / "MANIFEST.json").read_text())


def test_refused_backup_and_restore_leave_with_1_and_say_why(
    run: Run, filled: str, settings: Settings, tmp_path: Path
) -> None:
    run("backup", str(tmp_path / "b"))

    again = run("backup", str(tmp_path / "b"))
    over = run("restore", str(tmp_path / "b"), "--into", str(settings.data))
    none = run("restore", str(tmp_path), "--into", str(tmp_path / "new"))

    assert [one.code for one in (again, over, none)] == [1, 1, 1]
    assert "is not empty" in again.err
    assert "is not empty" in over.err
    assert "is no backup" in none.err


def test_lost_photo_leaves_with_1_and_is_named(
    run: Run, filled: str, settings: Settings, tmp_path: Path
) -> None:
    (settings.data / "photos" / "originals" / filled[:2] / filled).unlink()

    made = run("backup", str(tmp_path / "b"))

    assert made.code == 1
    assert f"originals/{filled[:2]}/{filled}" in made.out


def test_other_sizes_are_referred_to_their_own_tools(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELDAPI_STORAGE_URL", "s3://bucket/photos?endpoint=http://127.0.0.1:9")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")

    told = run("backup", str(tmp_path / "b"))

    assert told.code == 1
    assert "not in S3" in told.err
    assert "pg_dump" in told.err


@pytest.mark.database
def test_postgresql_is_referred_to_pg_dump(run: Run, settings: Settings, tmp_path: Path) -> None:
    told = run("backup", str(tmp_path / "b"))

    if settings.is_sqlite:
        assert told.code == 0
    else:
        assert (told.code, "pg_dump" in told.err) == (1, True)
