"""`fieldapi bundle`: made into a file, and checked without a server."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tests.support.commands import Run
from tests.support.house import AsPerson
from tests.support.reports import photo_body, seizure_body


def test_bundle_is_made_and_checked_and_a_changed_one_is_found(
    run: Run, as_person: AsPerson, tmp_path: Path
) -> None:
    body, file = seizure_body(photos=[]), tmp_path / "case.zip"
    assert as_person("asha").post("/api/v1/seizures", json=body).status_code == 201

    made = run("bundle", "make", body["id"], str(file), "--authority", "RJK", "--json")
    checked = run("bundle", "verify", str(file), "--json")
    (tmp_path / "changed.zip").write_bytes(file.read_bytes().replace(b"trespass", b"straying", 1))
    changed = run("bundle", "verify", str(tmp_path / "changed.zip"))
    other = run("bundle", "verify", str(file), "--key", "00" * 32)

    assert made.code == 0, made.err
    assert made.json["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert (checked.code, checked.json["fits"], checked.json["faults"]) == (0, True, [])
    assert (changed.code, " FAULT " in changed.out) == (1, True)
    assert (other.code, "the key is another" in other.out) == (1, True)


def test_missing_photo_is_named_and_no_file_is_left(
    run: Run, as_person: AsPerson, tmp_path: Path
) -> None:
    body, file = seizure_body(photos=[photo_body(b"never sent")]), tmp_path / "case.zip"
    assert as_person("asha").post("/api/v1/seizures", json=body).status_code == 201

    refused = run("bundle", "make", body["id"], str(file), "--authority", "RJK")
    existed = file.exists()
    named = run("bundle", "make", body["id"], str(file), "--authority", "RJK", "--name-missing")

    assert (refused.code, existed, named.code) == (1, False, 0)
    assert f"photo/{body['photos'][0]['id']}" in refused.err
