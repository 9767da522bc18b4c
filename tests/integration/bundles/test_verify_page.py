"""The public page that says whether something is of here, and proofs of entries over REST."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from urllib.parse import quote

import pytest

from fieldapi import ledger
from fieldapi.bundle.alone import verify
from fieldapi.ledger import Comparison, KeptHead, TreeHead
from fieldapi.ledger.proofs import root_at
from fieldapi.queries import verifying
from sync.tree import verify_consistency, verify_inclusion
from tests.support.house import client_with
from tests.support.photos import sha256
from tests.support.told_bundle import Told

GOOD, BAD = '<section class="good"', '<section class="bad"'


def _page(told: Told, asked: str) -> str:
    answer = client_with(told.app).get(f"/verify?q={quote(asked)}")
    assert answer.status_code == 200
    assert "script" not in answer.text
    return answer.text


def test_page_asks_nothing_and_says_nothing_by_itself(told: Told) -> None:
    text = client_with(told.app).get("/verify").text

    assert (GOOD in text, BAD in text, "<textarea" in text) == (False, False, True)
    assert "Type or scan something first." not in text
    assert "Type or scan something first." in _page(told, "  ")


def test_page_changes_its_language_and_keeps_what_was_asked(told: Told) -> None:
    text = _page(told, "a/b")

    assert '<a href="/">' in text
    assert 'href="/verify?lang=ml&amp;q=a%2Fb"' in text
    assert '<html lang="ml">' in client_with(told.app).get("/verify?lang=ml&q=a/b").text


def test_stored_photo_is_known_by_its_hash_however_it_is_written(told: Told) -> None:
    known = sha256(told.case.pictures[0])
    grouped = " ".join(known[i : i + 4] for i in range(0, 64, 4)).upper()

    assert GOOD in _page(told, known)
    assert GOOD in _page(told, grouped)
    assert BAD in _page(told, hashlib.sha256(b"another").hexdigest())


def test_page_names_no_person_no_report_and_no_place(told: Told) -> None:
    text = _page(told, sha256(told.case.pictures[0]))

    told_of = ("Asha", "Bedi", "Ramesh", told.case.seizure, "22.30391")
    assert [one for one in told_of if one in text] == []


def test_kept_head_fits_and_a_changed_one_does_not(told: Told) -> None:
    lines = told.head.splitlines()
    board = f"{lines[1]} {lines[2]}.{lines[3]} {lines[4]}"

    assert GOOD in _page(told, told.head)
    assert GOOD in _page(told, board)
    invented = _page(told, board.replace(lines[4], "0" * 64))
    assert (BAD in invented, "not shown to be a head of here" in invented) == (True, True)


def test_proof_of_the_page_is_checked_without_a_bundle_and_without_the_server(
    told: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    client, lines = client_with(told.app), told.head.splitlines()
    with told.house.database.read() as session:
        root = root_at(session, told.village.rjk, 9)
    old = f"{lines[1]} A.9 {root.hex()}"
    kept, proof = tmp_path / "kept.txt", tmp_path / "proof.json"
    kept.write_text(old)
    asked = quote(f"{old}\n{told.head}")
    proof.write_text(client.get(f"/verify/proof.json?q={asked}").text)
    options = ["--head", str(kept), "--proof", str(proof)]

    assert _page(told, old).count('action="/verify/proof.json"') == 1
    assert verify.main([*options, "--key", told.house.keys.public_key.hex()]) == 0
    kept.write_text(f"{lines[1]} A.9 {'0' * 64}")
    assert verify.main(options) == 1
    assert "about another head than the one you kept" in capsys.readouterr().out
    assert client.get(f"/verify/proof.json?q={quote(kept.read_text())}").status_code == 404
    assert client.get("/verify/proof.json").status_code == 404


def test_head_newer_than_the_bundle_is_compared_by_the_proof_of_the_page(
    told: Told, tmp_path: Path
) -> None:
    at, database = told.village.rjk, told.house.database
    actor = told.village["bina"].actor
    database.transact(
        lambda unit: unit.enter(at, "export.begun", subject="export/animals", actor=actor)
    )
    with database.read() as session:
        now = ledger.text_of(ledger.head(session, at))
    cut = told.members["ledger/head.txt"].decode()
    for name, text in (("head.txt", now), ("bundle.zip", "")):
        (tmp_path / name).write_text(text)
    (tmp_path / "bundle.zip").write_bytes(told.data)
    asked = quote(f"{now}\n{cut}")
    proof = client_with(told.app).get(f"/verify/proof.json?q={asked}").text
    (tmp_path / "proof.json").write_text(proof)
    files = [str(tmp_path / one) for one in ("bundle.zip", "head.txt", "proof.json")]

    assert verify.main([files[0], "--head", files[1], "--proof", files[2]]) == 0


def test_receipt_of_a_complaint_is_known_by_its_code(told: Told) -> None:
    bina = client_with(told.app, told.village["bina"].token)
    receipt = bina.get(f"/api/v1/complaints/{told.case.complaint}/receipt.html")
    mohan = client_with(told.app, told.village["mohan"].token)
    others = mohan.get(f"/api/v1/complaints/{told.case.complaint}/receipt.html")

    text = _page(told, f"https://cattle.example/verify?document={told.case.complaint}")

    assert (GOOD in text, "Forwarded" in text, "Vasant" in text) == (True, True, False)
    assert all(one in receipt.text for one in ("Vasant", "on the road", "Receipt of a complaint"))
    assert others.status_code == 404


def test_head_that_was_not_signed_here_is_no_reason_for_alarm(told: Told) -> None:
    lines = told.head.splitlines()
    forged = "\n".join([*lines[:4], "0" * 64, *lines[5:]])

    text = _page(told, forged)

    assert (BAD in text, "did not sign it" in text) == (True, True)
    assert "tell the authority" not in text


def test_signed_head_that_does_not_fit_is_one_to_keep(told: Told) -> None:
    house, at = told.house, told.house.database.clock()
    message = ledger.head_message(told.village.rjk, "A", 2, root=bytes(32), at=at)
    signed = TreeHead(told.village.rjk, "A", 2, bytes(32), at, house.keys.sign(message))

    assert "tell the authority and the auditor" in _page(told, ledger.text_of(signed))


def test_head_of_what_a_restore_lost_fits_nothing(told: Told) -> None:
    kept = KeptHead(told.village.rjk, "A", 999_999, bytes(32))
    lost = Comparison(kept, fits=True, is_over=True, is_lost=True)

    assert verifying.what_it_is(kept, lost, told.house.keys) == "lost"


def test_paper_is_known_by_the_link_of_its_code(told: Told) -> None:
    keeper = client_with(told.app, told.village["mohan"].token)
    acts = keeper.get(f"/api/v1/cases/{told.case.seizure}").json["history"]
    paper = acts[0]["documents"][0]

    text = _page(told, f"https://cattle.example/verify?document={paper['id']}")

    assert (GOOD in text, str(paper["serial"]) in text) == (True, True)


def test_hostile_text_stays_text(told: Told) -> None:
    text = client_with(told.app).get("/verify?q=" + quote("<img src=x>" + "\0é" * 9)).text

    assert "<img" not in text


def test_entry_is_proven_to_be_in_the_ledger(told: Told) -> None:
    bina = client_with(told.app, told.village["bina"].token)

    found = bina.get("/api/v1/ledger/entries/40").json

    head, proof = found["head"], [bytes.fromhex(one) for one in found["proof"]]
    leaf, root = (
        hashlib.sha256(b"\0" + found["text"].encode()).digest(),
        bytes.fromhex(head["root"]),
    )
    assert leaf.hex() == found["leaf"]
    assert verify_inclusion(leaf, 39, head["size"], proof=proof, root=root)
    assert json.loads(found["text"]) == found["entry"]
    assert bina.get("/api/v1/ledger/entries/99999").status_code == 404


def test_newer_head_is_proven_to_continue_an_older_one(told: Told) -> None:
    bina = client_with(told.app, told.village["bina"].token)
    lines = told.head.splitlines()
    size, root = int(lines[3]), bytes.fromhex(lines[4])

    found = bina.get(f"/api/v1/ledger/consistency?from={size // 2}&to={size}").json
    older = bina.get(f"/api/v1/ledger/consistency?from=1&to={size // 2}").json["head"]

    proof = [bytes.fromhex(one) for one in found["consistency"]]
    kept = bytes.fromhex(older["root"])
    assert found["head"]["root"] == root.hex()
    assert verify_consistency(size // 2, kept, size, root=root, proof=proof)
    assert bina.get("/api/v1/ledger/consistency?from=9&to=5").status_code == 400
