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


def test_encrypted_backup_is_one_file_that_its_key_alone_opens(
    run: Run, filled: str, tmp_path: Path
) -> None:
    public = run("backup-key", str(tmp_path / "key")).out.strip()
    run("backup-key", str(tmp_path / "other"))
    made = run("backup", str(tmp_path / "b.age"), "--encrypt-to", public)
    into = ("restore", str(tmp_path / "b.age"), "--into", str(tmp_path / "new"))

    unopened = run(*into)
    wrong = run(*into, "--identity", str(tmp_path / "other"))
    done = run(*into, "--identity", str(tmp_path / "key"))

    assert (made.code, done.code) == (0, 0), done.err
    assert "is encrypted" in unopened.err
    assert "does not open" in wrong.err
    left = sorted(one.name for one in tmp_path.iterdir() if one.name != "data")
    assert left == ["b.age", "key", "new", "other"]
    assert b"Ramesh" not in (tmp_path / "b.age").read_bytes()


def test_list_of_photos_needs_the_store_that_has_them(
    run: Run, filled: str, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = run("backup", str(tmp_path / "b"), "--photos", "listed")
    into = ("restore", str(tmp_path / "b"), "--into", str(tmp_path / "new"))

    nowhere = run(*into)
    monkeypatch.setenv("FIELDAPI_STORAGE_URL", f"file:{settings.data / 'photos'}")
    (settings.data / "photos" / "originals" / filled[:2] / filled).unlink()
    done = run(*into)

    assert "1 photo file listed" in made.out
    assert "FIELDAPI_STORAGE_URL" in nowhere.err
    assert done.code == 1
    assert f"originals/{filled[:2]}/{filled}" in done.out
