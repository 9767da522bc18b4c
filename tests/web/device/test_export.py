"""The copy that a phone saves of its outbox: whole, signed, and carried in by anybody."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile

from fieldapi.services import keys
from tests.support.app_phones import AppPhone
from tests.support.house import AsPerson


def test_copy_of_the_outbox_is_whole_and_carried_in_by_another(
    phone: AppPhone, as_person: AsPerson
) -> None:
    phone.call("status", line="off")
    saved = phone.report(photos=2)
    told = phone.call("zip")
    body = bytes(told["bytes"])
    device = phone.call("me")["device"]["id"]

    answer = as_person("ravi").post("/api/v1/imports", data=body, content_type="application/zip")

    assert (told["ops"], told["photos"]) == (6, 2)
    assert answer.json["device"] == device
    assert [one["status"] for one in answer.json["results"]] == ["applied"] * 6
    shown = as_person("bina").get(f"/api/v1/seizures/{saved['id']}").json
    assert (shown["reference"], shown["photos_stored"]) == (saved["reference"], 2)
    assert shown["trust"] == "signed"


def test_copy_is_a_plain_zip_whose_manifest_fits_and_whose_token_stays_behind(
    phone: AppPhone,
) -> None:
    phone.call("status", line="off")
    phone.report(photos=1)
    body = bytes(phone.call("zip")["bytes"])

    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        assert archive.testzip() is None
        files = {name: archive.read(name) for name in archive.namelist()}
    sums = dict(line.split("  ")[::-1] for line in files["MANIFEST.sha256"].decode().splitlines())
    assert sums == {
        name: hashlib.sha256(content).hexdigest()
        for name, content in files.items()
        if "MANIFEST" not in name
    }
    assert keys.read_jws(files["MANIFEST.jws"].decode()).payload == files["MANIFEST.sha256"]
    about = json.loads(files["phone.json"])
    assert set(about["photos"].values()) == {
        name[7:] for name in files if name.startswith("photos/")
    }
    assert b"csd1_" not in body


def test_copy_that_was_carried_in_and_is_sent_after_all_changes_nothing(
    phone: AppPhone, as_person: AsPerson
) -> None:
    phone.call("status", line="off")
    saved = phone.report(photos=1)
    body = bytes(phone.call("zip")["bytes"])
    as_person("ravi").post("/api/v1/imports", data=body, content_type="application/zip")

    phone.call("sendNow", line="open")

    (row,) = phone.call("reports")
    assert (row["id"], row["state"]) == (saved["id"], "complete")
    assert len(as_person("bina").get("/api/v1/seizures").json["items"]) == 1
