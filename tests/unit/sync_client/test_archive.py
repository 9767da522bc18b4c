"""The zip that carries a phone's holdings when no line ever comes."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

from sync.client.device import Phone
from tests.unit.sync_client.server import FieldServer


def fill(phone: Phone, tmp_path: Path) -> str:
    source = tmp_path / "DCIM.jpg"
    source.write_bytes(b"a photo" * 1000)
    phone.create("seizure", {"count": 5, "owner.mobile": "9876543210"})
    return phone.attach_photo(source, {"seizure_id": "x"})


def test_export_holds_ops_byte_for_byte_and_photos(
    phone: Phone, server: FieldServer, tmp_path: Path
) -> None:
    photo = fill(phone, tmp_path)

    assert phone.export(tmp_path / "phone.zip") == 4

    with zipfile.ZipFile(tmp_path / "phone.zip") as archive:
        lines = archive.read("ops.jsonl").splitlines()
        about = json.loads(archive.read("phone.json"))
        sha256 = about["photos"][photo]
        assert hashlib.sha256(archive.read(f"photos/{sha256}")).hexdigest() == sha256
    phone.sync()
    assert [raw for _, raw in sorted(server.ops.values())] == lines


def test_manifest_names_every_file(phone: Phone, tmp_path: Path) -> None:
    fill(phone, tmp_path)
    phone.export(tmp_path / "phone.zip")

    with zipfile.ZipFile(tmp_path / "phone.zip") as archive:
        lines = archive.read("MANIFEST.sha256").decode().splitlines()
        told = {name: sha256 for sha256, name in (line.split("  ") for line in lines)}
        found = {
            name: hashlib.sha256(archive.read(name)).hexdigest()
            for name in archive.namelist()
            if name != "MANIFEST.sha256"
        }
    assert told == found


def test_export_carries_no_token_and_is_repeatable(phone: Phone, tmp_path: Path) -> None:
    fill(phone, tmp_path)
    for name in ("first.zip", "second.zip"):
        phone.export(tmp_path / name)

    first, second = ((tmp_path / name).read_bytes() for name in ("first.zip", "second.zip"))
    assert first == second
    assert b"token-asha" not in first


def test_answered_ops_are_in_the_export_with_their_outcome(phone: Phone, tmp_path: Path) -> None:
    phone.create("seizure", {"count": 5})
    phone.sync()
    phone.export(tmp_path / "phone.zip")

    with zipfile.ZipFile(tmp_path / "phone.zip") as archive:
        outcomes = json.loads(archive.read("phone.json"))["outcomes"]
    assert list(outcomes.values()) == [{"status": "applied", "seq": 1}]
