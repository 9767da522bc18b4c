"""Files that are no outbox, and those made to hurt: refused whole, nothing of them is kept."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping

import pytest

from fieldapi import limits
from fieldapi.ids import new_id
from tests.support.house import Answer, AsPerson, Client
from tests.support.outboxes import manifest_of, outbox_files, zipped
from tests.support.photos import jpeg


@pytest.fixture
def asha(as_person: AsPerson) -> Client:
    return as_person("asha")


def hand_in(client: Client, body: bytes) -> Answer:
    return client.post("/api/v1/imports", data=body, content_type="application/zip")


def renamed(files: Mapping[str, bytes], old: str, new: str) -> dict[str, bytes]:
    found = {new if name == old else name: content for name, content in files.items()}
    without = {name: content for name, content in found.items() if name != "MANIFEST.sha256"}
    return {**without, "MANIFEST.sha256": manifest_of(without)}


GOOD = outbox_files([], {new_id(): jpeg()})
PHOTO = next(name for name in GOOD if name.startswith("photos/"))
BAD = {
    "no zip": b"PK" * 40,
    "nothing": b"",
    "cut": zipped(GOOD)[:-10],
    "with something before it": b"#!/bin/sh\n" + zipped(GOOD),
    "with something after it": zipped(GOOD) + b"more",
    "deflated": zipped(GOOD, method=zipfile.ZIP_DEFLATED),
    "leaving its folder": zipped(renamed(GOOD, PHOTO, "photos/../../etc/passwd")),
    "of an absolute name": zipped(renamed(GOOD, PHOTO, "/etc/passwd")),
    "with a stranger": zipped(renamed(GOOD, PHOTO, "photos/a.jpg")),
    "without ops": zipped({name: GOOD[name] for name in GOOD if name != "ops.jsonl"}),
    "without a manifest": zipped({name: GOOD[name] for name in GOOD if "MANIFEST" not in name}),
    "not as its manifest says": zipped({**GOOD, "ops.jsonl": b"{}\n"}),
    "of another form": zipped(outbox_files([], format="fieldapi outbox 9")),
    "with a manifest that is none": zipped({**GOOD, "MANIFEST.sha256": b"everything is fine"}),
}


@pytest.mark.parametrize("body", BAD.values(), ids=BAD.keys())
def test_bad_file_is_refused_with_a_problem(asha: Client, body: bytes) -> None:
    answer = hand_in(asha, body)

    assert answer.status_code in {400, 422}, answer.json
    assert answer.json["type"].startswith("urn:fieldapi:problem:")


def test_name_that_stands_twice_is_refused(asha: Client) -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        body = zipped_pairs([*GOOD.items(), ("ops.jsonl", GOOD["ops.jsonl"])])

    assert hand_in(asha, body).status_code == 422


def test_entries_that_share_bytes_are_refused(asha: Client) -> None:
    body = bytearray(zipped(GOOD))
    places = [at for at in range(len(body)) if body[at : at + 4] == b"PK\x01\x02"]
    first, second = (struct.unpack_from("<L", body, at + 42)[0] for at in places[:2])
    assert first != second
    struct.pack_into("<L", body, places[1] + 42, first)

    assert hand_in(asha, bytes(body)).status_code == 422


def test_huge_directory_is_refused_before_it_is_read(asha: Client) -> None:
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 60_000, 60_000, 3 << 20, 0, 0)

    answer = hand_in(asha, bytes(3 << 20) + end)

    assert answer.status_code == 422
    assert str(limits.IMPORT_ENTRIES) in answer.json["detail"]


def test_file_that_is_no_zip_by_its_type_is_refused(asha: Client) -> None:
    answer = asha.post("/api/v1/imports", data=b"{}", content_type="application/json")

    assert answer.status_code == 415


def test_file_beyond_the_limit_is_refused(asha: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "IMPORT_BYTES", 100)

    assert hand_in(asha, zipped(GOOD)).status_code == 413


def zipped_pairs(pairs: list[tuple[str, bytes]]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in pairs:
            archive.writestr(name, content)
    return target.getvalue()
