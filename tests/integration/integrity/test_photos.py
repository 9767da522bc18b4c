"""Photos that are gone, rotten or left over are named; whole ones are left in peace."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.services.photos import audit as photo_audit
from fieldapi.services.photos.audit import PhotoAudit, Share
from fieldapi.storage.keys import original_key
from fieldapi.storage.verify import put_verified
from fieldapi.unit import Database
from tests.support.commands import Run
from tests.support.deliveries import store_photo
from tests.support.house import AsPerson
from tests.support.ledgers import entries_of
from tests.support.personas import Village
from tests.support.photos import add, begin, jpeg, put, read, report
from tests.support.photos import sha256 as hash_of
from tests.support.reports import push_body

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


def test_photo_that_only_the_store_kept_is_taken_in_for_whoever_announced_it(
    house: House, as_person: AsPerson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asha, content, unasked = as_person("asha"), jpeg(81), b"announced by nobody"
    (photo,) = report(asha, content)
    for one in (content, unasked):
        (tmp_path / "bytes").write_bytes(one)
        put_verified(
            house.storage, original_key(hash_of(one)), tmp_path / "bytes", sha256=hash_of(one)
        )
    early = audited(house)
    monkeypatch.setattr(photo_audit, "FRESH", timedelta())

    found = audited(house)

    assert (early.adopted.count, found.adopted.count, found.orphaned.count) == (0, 1, 1)
    assert read(asha, photo, "/content").get_data() == content
    (entry,) = entries_of(house.database, f"photo/{photo}", "photo.stored")
    assert (entry["sha256"], entry["via"]) == (hash_of(content), "store")


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
    run: Run, house: House, stored: list[str], as_person: AsPerson
) -> None:
    (photo_id,) = report(as_person("asha"), jpeg())
    put(as_person("asha"), photo_id, b"cut short", says=jpeg())
    sound = run("photos", "verify", "--share", "30")
    rot(file_of(house, stored[2]))
    damaged = run("photos", "verify", "--json")

    assert (sound.code, sound.err) == (0, "")
    assert sound.out.startswith("3 photos are known and 1 object laid aside, ")
    assert sound.out.endswith(" All are there, and those read are whole.\n")
    assert damaged.code == 1
    assert damaged.json["damaged"] == {"keys": [original_key(stored[2])], "count": 1}


def test_audit_that_was_stopped_goes_on_where_it_was(
    house: House, stored: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photo_audit, "_SAVED_EVERY_S", 0)
    first, *rest = sorted(stored)
    rot(file_of(house, first))
    seen: list[int] = []

    def stop(done: int, _of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt
        seen.append(done)

    with pytest.raises(KeyboardInterrupt):
        photo_audit.audit(house, Share(), progress=stop)
    found = photo_audit.audit(house, Share(), progress=lambda done, _of: seen.append(done))

    assert seen == [1, 3]
    assert (found.known, found.hashed, found.damaged.keys) == (3, 3, [original_key(first)])
    assert photo_audit.audit(house, Share()).known == 3
    assert len(rest) == 2


def test_another_share_or_a_wish_begins_anew(
    house: House, stored: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photo_audit, "_SAVED_EVERY_S", 0)
    for how in ({"share": Share(30, 1)}, {"share": Share(), "is_anew": True}):
        with pytest.raises(KeyboardInterrupt):
            photo_audit.audit(house, Share(), progress=_stop_at_two)
        assert photo_audit.audit(house, **how).known == len(stored)


def _stop_at_two(done: int, _of: int) -> None:
    if done == 2:
        raise KeyboardInterrupt


@pytest.mark.parametrize("is_missing", [False, True])
def test_damaged_photo_is_asked_for_again_and_put_right(
    house: House, village: Village, as_person: AsPerson, *, is_missing: bool
) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, jpeg(1))
    put(asha, photo_id, jpeg(1))
    digest = hash_of(jpeg(1))
    path = file_of(house, digest)
    path.unlink() if is_missing else rot(path)
    audited(house)

    told = read(asha, photo_id).json
    owed = asha.post("/api/v1/sync", json=push_body([])).json["photos"]
    assert (told["state"], told["flags"]) == ("announced", ["photo_damaged"])
    assert read(asha, photo_id, "/content").status_code == 404
    assert [(one["id"], one["offset"]) for one in owed] == [(photo_id, 0)]

    begun = begin(asha, photo_id, jpeg(1))
    assert add(asha, begun.headers["Location"], 0, jpeg(1)).status_code == 204
    told = read(asha, photo_id).json
    assert (told["state"], told["flags"]) == ("stored", [])
    assert path.read_bytes() == jpeg(1)
    assert asha.post("/api/v1/sync", json=push_body([])).json["photos"] == []


def test_photo_put_back_by_hand_is_found_sound(
    house: House, village: Village, as_person: AsPerson, database: Database
) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, jpeg(1))
    put(asha, photo_id, jpeg(1))
    path = file_of(house, hash_of(jpeg(1)))
    path.rename(path.with_name("away"))
    audited(house)
    audited(house)
    path.with_name("away").rename(path)

    assert audited(house, Share(7, 0)).is_sound

    assert read(asha, photo_id).json["state"] == "stored"
    for kind in ("photo.damaged", "photo.restored"):
        assert len(entries_of(database, f"photo/{photo_id}", kind)) == 1
