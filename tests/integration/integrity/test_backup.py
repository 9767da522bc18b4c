"""A backup is whole or not there; what is restored from it goes on."""

from __future__ import annotations

import json
import sqlite3
import stat
import subprocess
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from fieldapi import ledger
from fieldapi.backup import BackupError, make_backup, read_manifest, restore
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.models import Device
from fieldapi.problems import CodeRefused
from fieldapi.services import devices
from fieldapi.services.authorise import operator
from fieldapi.storage.keys import bundle_key, original_key
from tests.support.deliveries import deliver, pen_of, some_reports, store_photo
from tests.support.personas import Village, issue, redeem
from tests.support.photos import sha256
from tests.support.restores import assert_sound, environ_of, opened

Environ = Mapping[str, str]
BUNDLE = b"PK, as it was handed to the court"


@pytest.fixture
def environ(tmp_path: Path) -> Environ:
    """The environment in which a backup is restored: the secret of the tests, their clock."""
    return environ_of(tmp_path)


@pytest.fixture
def filled(house: House, village: Village) -> list[str]:
    """Reports of all sorts with two photos; the hashes of these."""
    seizure = some_reports(house, village)[0]
    return [store_photo(house, village["asha"], seizure, b"photo %d" % n) for n in range(2)]


@pytest.fixture
def backup(house: House, filled: list[str], tmp_path: Path) -> Path:
    """A backup of that, and of a court bundle beside it."""
    path = tmp_path / "bundle.zip"
    path.write_bytes(BUNDLE)
    house.storage.put(bundle_key(sha256(BUNDLE)), path, len(BUNDLE))
    return make_backup(house, tmp_path / "backup").folder


def test_restored_backup_is_sound_and_takes_what_comes(
    backup: Path, village: Village, environ: Environ, tmp_path: Path
) -> None:
    done = restore(backup, tmp_path / "new", environ=environ)

    assert [head.epoch for head in done.heads] == ["B", "B"]
    with opened(tmp_path / "new", environ) as restored:
        assert_sound(restored, village.rjk, village.klm)
        again = deliver(restored, village["asha"], pen_of(village["asha"]).seizure(new_id()))
        assert again[0]["status"] == "applied"
        assert_sound(restored, village.rjk)
        assert restored.storage.stat(bundle_key(sha256(BUNDLE))) is not None


def test_first_entry_of_the_epoch_names_the_old_tree(
    house: House, village: Village, backup: Path, environ: Environ, tmp_path: Path
) -> None:
    with house.database.read() as session:
        old = ledger.head(session, village.rjk)

    restore(backup, tmp_path / "new", environ=environ)

    with opened(tmp_path / "new", environ) as restored, restored.database.read() as session:
        (entry,) = ledger.entries_of_kind(session, village.rjk, "ledger.restored")
        kept = ledger.read_kept(ledger.text_of(old))
        found = ledger.verify(session, village.rjk, restored.keys, against=kept)
    assert (entry["seq"], entry["epoch"]) == (old.size + 1, "B")
    assert (entry["old_epoch"], entry["old_size"]) == ("A", old.size)
    assert entry["old_root"] == old.root.hex()
    assert found.faults == ()


def test_head_from_after_the_backup_shows_what_was_lost(
    house: House, village: Village, backup: Path, environ: Environ, tmp_path: Path
) -> None:
    deliver(house, village["asha"], pen_of(village["asha"]).seizure(new_id()))
    with house.database.read() as session:
        kept = ledger.read_kept(ledger.text_of(ledger.head(session, village.rjk)))

    restore(backup, tmp_path / "new", environ=environ)

    with opened(tmp_path / "new", environ) as restored, restored.database.read() as session:
        found = ledger.verify(session, village.rjk, restored.keys, against=kept)
    assert "1 entry of epoch A is lost by a restore" in found.faults[0].detail
    assert found.first_bad is None


def test_a_second_restore_begins_the_third_epoch(
    backup: Path, village: Village, environ: Environ, tmp_path: Path
) -> None:
    restore(backup, tmp_path / "new", environ=environ)
    with opened(tmp_path / "new", environ) as restored:
        make_backup(restored, tmp_path / "again")

    done = restore(tmp_path / "again", tmp_path / "newest", environ=environ)

    assert {head.epoch for head in done.heads} == {"C"}
    with opened(tmp_path / "newest", environ) as restored:
        assert_sound(restored, village.rjk, village.klm)


def test_keys_are_for_us_alone_and_left_out_when_asked(
    house: House, filled: list[str], backup: Path, tmp_path: Path
) -> None:
    make_backup(house, tmp_path / "keyless", with_keys=False)

    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (backup / "keys").iterdir()}
    assert {path.name: mode for path, mode in modes.items()} == {"ledger.pem": 0o600}
    assert stat.S_IMODE((backup / "keys").stat().st_mode) == 0o700
    assert not (tmp_path / "keyless" / "keys").exists()


def test_keyless_backup_takes_the_right_keys_only(
    house: House, filled: list[str], environ: Environ, tmp_path: Path
) -> None:
    made = make_backup(house, tmp_path / "keyless", with_keys=False)
    with opened(tmp_path / "stranger", environ):
        pass

    for wrong in (None, tmp_path / "stranger" / "keys"):
        with pytest.raises(BackupError):
            restore(made.folder, tmp_path / "new", environ=environ, keys=wrong)
    restore(made.folder, tmp_path / "new", environ=environ, keys=house.settings.keys)

    assert (tmp_path / "new" / "fieldapi.sqlite3").is_file()


def test_another_secret_is_refused(backup: Path, environ: Environ, tmp_path: Path) -> None:
    other = {**environ, "FIELDAPI_SECRET_KEY": "x" * 40}

    with pytest.raises(BackupError, match="not the secret"):
        restore(backup, tmp_path / "new", environ=other)
    with pytest.raises(BackupError, match="came from the environment"):
        restore(backup, tmp_path / "new", environ={"FIELDAPI_TESTING": "1"})

    assert not (tmp_path / "new").exists()


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.unlink()  # it may share its bytes with the original
    path.write_bytes(content)


@pytest.mark.parametrize("part", ["database.sqlite3", "FILES.sha256", "photos", "keys/ledger.pem"])
def test_every_changed_file_of_a_backup_is_refused(
    backup: Path, filled: list[str], environ: Environ, tmp_path: Path, part: str
) -> None:
    _flip(backup / (f"photos/{original_key(filled[0])}" if part == "photos" else part))

    with pytest.raises(BackupError):
        restore(backup, tmp_path / "new", environ=environ)

    assert not (tmp_path / "new").exists()
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".new")] == []


def test_missing_file_of_a_backup_is_named(
    backup: Path, filled: list[str], environ: Environ, tmp_path: Path
) -> None:
    (backup / "photos" / original_key(filled[0])).unlink()

    with pytest.raises(BackupError, match=filled[0]):
        restore(backup, tmp_path / "new", environ=environ)


@pytest.mark.parametrize(
    "member, value", [("program", "99.0"), ("schema", "20991231_x"), ("format", 2)]
)
def test_backup_of_a_newer_program_is_refused(
    backup: Path, environ: Environ, tmp_path: Path, member: str, value: object
) -> None:
    said = json.loads((backup / "MANIFEST.json").read_text())
    (backup / "MANIFEST.json").write_text(json.dumps({**said, member: value}))

    with pytest.raises(BackupError, match="newer program"):
        restore(backup, tmp_path / "new", environ=environ)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', "\x00"])
def test_what_is_no_backup_is_said_to_be_none(environ: Environ, tmp_path: Path, text: str) -> None:
    (tmp_path / "MANIFEST.json").write_text(text)

    with pytest.raises(BackupError, match="cannot be read"):
        restore(tmp_path, tmp_path / "new", environ=environ)


def test_nothing_that_is_there_is_overwritten(
    house: House, backup: Path, environ: Environ, tmp_path: Path
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "something").write_text("precious")

    with pytest.raises(BackupError, match="not empty"):
        restore(backup, tmp_path / "full", environ=environ)
    with pytest.raises(BackupError, match="not empty"):
        make_backup(house, backup)

    assert (tmp_path / "full" / "something").read_text() == "precious"


def test_photos_the_store_has_lost_are_named_and_stop_nothing(
    house: House, village: Village, filled: list[str], environ: Environ, tmp_path: Path
) -> None:
    store = house.settings.data / "photos"
    (store / original_key(filled[0])).unlink()
    _flip(store / original_key(filled[1]))

    made = make_backup(house, tmp_path / "backup")
    restore(made.folder, tmp_path / "new", environ=environ)

    assert not made.is_whole
    assert made.manifest.missing == [original_key(filled[0])]
    assert made.manifest.damaged == [original_key(filled[1])]


def test_tampered_ledger_is_not_backed_up_as_sound(
    house: House, village: Village, filled: list[str], tmp_path: Path
) -> None:
    path = house.settings.database_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TRIGGER ledger_no_update")
        database.execute("UPDATE ledger SET actor = 'somebody' WHERE seq = 3")
        database.commit()

    with pytest.raises(BackupError, match="does not verify"):
        make_backup(house, tmp_path / "backup")

    assert list(tmp_path.glob("*backup*")) == []


def test_restore_ends_sessions_and_open_codes(
    house: House, village: Village, environ: Environ, tmp_path: Path
) -> None:
    issued = issue(house.database, village.rjk, village["asha"].person_id)
    make_backup(house, tmp_path / "backup")

    restore(tmp_path / "backup", tmp_path / "new", environ=environ)

    with opened(tmp_path / "new", environ) as restored:
        with pytest.raises(CodeRefused):
            redeem(restored.database, issued)
        assert_sound(restored, village.rjk)


def test_backup_is_checked_by_tools_of_others(backup: Path) -> None:
    done = subprocess.run(
        ["sha256sum", "--check", "--quiet", "FILES.sha256"], cwd=backup, check=False
    )

    assert done.returncode == 0
    assert read_manifest(backup).photos == 3  # with the bundle: all that the store holds
    assert sorted(one.name for one in backup.iterdir()) == [
        "FILES.sha256",
        "MANIFEST.json",
        "database.sqlite3",
        "keys",
        "photos",
    ]


def test_7_31_nothing_revoked_or_erased_since_the_backup_comes_back(
    house: House, village: Village, backup: Path, environ: Environ, tmp_path: Path
) -> None:
    log, boss = house.settings.outside_log, operator(village.rjk)
    device = village["asha"].device_id
    house.database.transact(
        lambda unit: devices.judge(unit, boss, device, verdict="revoke", log=log)
    )

    restored = restore(backup, tmp_path / "restored", environ=environ, logs=[log])

    with opened(restored.folder, environ) as again, again.database.read() as session:
        assert session.get_one(Device, (village.rjk, device)).standing == "revoked"
        assert ledger.verify(session, village.rjk, again.keys).is_sound
    assert (restored.folder / "outside.log").read_bytes() == log.read_bytes()
