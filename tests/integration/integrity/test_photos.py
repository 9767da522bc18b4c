"""Photos that are gone, rotten or left over are named; whole ones are left in peace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.services import photo_audit
from fieldapi.services.photo_audit import PhotoAudit, Share
from fieldapi.storage.keys import original_key
from tests.support.commands import Run
from tests.support.deliveries import store_photo
from tests.support.personas import Village

pytestmark = pytest.mark.database


@pytest.fixture
def stored(house: House, village: Village) -> list[str]:
    """Three photos of one report; their hashes."""
    seizure = new_id()
    return [store_photo(house, village["asha"], seizure, b"photo %d" % n) for n in range(3)]


def audited(house: House, share: Share | None = None) -> PhotoAudit:
    return photo_audit.audit(house, share or Share())


def file_of(house: House, sha256: str) -> Path:
    return house.settings.data / "photos" / original_key(sha256)


def rot(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[0] ^= 1
    path.chmod(0o600)
    path.write_bytes(content)


def test_whole_photos_are_read_and_sound(house: House, stored: list[str]) -> None:
    found = audited(house)

    assert (found.is_sound, found.known, found.hashed) == (True, 3, 3)


def test_every_flipped_bit_is_found(house: House, stored: list[str]) -> None:
    for sha256 in stored:
        rot(file_of(house, sha256))

    found = audited(house)

    assert sorted(found.damaged.keys) == sorted(map(original_key, stored))
    assert not found.is_sound


def test_missing_and_shortened_photos_are_named_without_being_read(
    house: House, stored: list[str]
) -> None:
    file_of(house, stored[0]).unlink()
    os.truncate(file_of(house, stored[1]), 3)
    unread = next(Share(7, day) for day in range(7) if not any(map(Share(7, day).has, stored)))

    found = audited(house, unread)

    assert found.missing.keys == [original_key(stored[0])]
    assert found.damaged.keys == [original_key(stored[1])]
    assert found.hashed == 0


def test_a_month_of_shares_reads_every_photo_once(house: House, stored: list[str]) -> None:
    assert sum(audited(house, Share(30, day)).hashed for day in range(100, 130)) == len(stored)


def test_bytes_that_nobody_names_are_told_once_they_are_old(
    house: House, stored: list[str], owner: Engine
) -> None:
    left = file_of(house, "ab" * 32)
    left.parent.mkdir(parents=True, exist_ok=True)
    left.write_bytes(b"left over")
    young = audited(house)
    os.utime(left, (0, 0))

    old = audited(house)

    assert young.orphaned.count == 0
    assert (old.orphaned.keys, old.is_sound) == ([original_key("ab" * 32)], True)


def test_photo_that_the_ledger_knows_and_no_row_is_named(
    house: House, stored: list[str], owner: Engine
) -> None:
    with owner.connect().execution_options(writes=True) as connection:
        connection.execute(text("DELETE FROM original WHERE sha256 = :s"), {"s": stored[1]})
        connection.commit()

    found = audited(house)

    assert (found.unlisted.keys, found.is_sound) == ([original_key(stored[1])], False)


def test_command_leaves_with_1_only_for_lost_evidence(
    run: Run, house: House, stored: list[str]
) -> None:
    sound = run("photos", "verify", "--share", "30")
    rot(file_of(house, stored[2]))
    damaged = run("photos", "verify", "--json")

    assert (sound.code, sound.err) == (0, "")
    assert damaged.code == 1
    assert damaged.json["damaged"] == {"keys": [original_key(stored[2])], "count": 1}
