"""What a bundle holds of a case with everything odd in it, and that it is the same each time."""

from __future__ import annotations

import hashlib
import io
import json
import re
from dataclasses import replace
from datetime import timedelta
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fieldapi.bundle.alone.files import Archive
from fieldapi.bundle.alone.told import embedded
from fieldapi.bundle.alone.verify import check
from fieldapi.console.court.case import read
from fieldapi.console.words import Words
from fieldapi.domain.redactions import REDACTIONS
from fieldapi.house import House
from fieldapi.services.bundles import making
from fieldapi.services.bundles.content import Desk, Wanted
from fieldapi.services.bundles.told import Told as ToldAside
from fieldapi.services.bundles.told import left_out
from fieldapi.storage import chunks
from fieldapi.storage.keys import preview_key
from tests.support.bundle_tampering import Members, members_of
from tests.support.photos import sha256
from tests.support.told_bundle import Told, build


def _json(members: Members, name: str) -> Any:
    return json.loads(members[name])


def _without_fonts(told: Told, folder: Path) -> House:
    """Return the installation on a machine without fonts: its papers come as text to be read."""
    return replace(told.house, settings=replace(told.house.settings, fonts=folder))


@pytest.fixture(scope="module")
def page(told: Told, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The case as a page of HTML."""
    house = _without_fonts(told, tmp_path_factory.mktemp("no-fonts"))
    _, data = build(house, Wanted(told.village.rjk, told.case.seizure))
    members = members_of(data)
    assert _json(members, "bundle.json")["papers"]["drawn_as"] == "html"
    text = members["case-en.html"].decode()
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", text)))


def test_two_builds_of_one_cut_are_identical(told: Told) -> None:
    again, data = build(told.house, Wanted(told.village.rjk, told.case.seizure))

    assert (again, data == told.data) == (told.made, True)


def test_originals_are_named_by_their_hash_also_the_rejected_one(told: Told) -> None:
    names = {f"originals/{sha256(one)}.jpg" for one in told.case.pictures}

    assert names == {one for one in told.members if one.startswith("originals/")}
    assert {told.members[one] for one in names} == {*told.case.pictures}


def test_words_are_kept_byte_for_byte_with_their_signatures(told: Told) -> None:
    case = told.case
    written = {op["op"]: op for op in case.phone.phone.pen.written}
    kept = {
        name.rpartition("/")[2].removesuffix(".json"): _json(told.members, name)
        for name in told.members
        if name.startswith(f"ops/{case.phone.persona.actor}/") and name.endswith(".json")
    }
    erased = {one.rpartition("/")[2] for one in _json(told.members, "bundle.json")["erased"]}

    assert {op: kept[op] for op in written if op not in erased} == {
        op: said for op, said in written.items() if op not in erased
    }
    assert f"ops/{case.phone.persona.actor}/{next(iter(written))}.sig" in told.members


def test_acts_papers_and_complaints_are_there_as_they_were_entered(told: Told) -> None:
    entries = [json.loads(json.loads(line)["entry"]) for line in _lines(told.members)]
    hashes = {one["data"] for one in entries if "data" in one}
    names = [
        one[:-5] for one in told.members if re.match(r"(acts|papers|complaints)/.*\.json", one)
    ]
    found = {
        name: hashlib.sha256(
            bytes.fromhex(told.members[f"{name}.salt"].decode()) + told.members[f"{name}.json"]
        ).hexdigest()
        for name in names
    }

    assert {*found.values()} == hashes
    assert f"complaints/{told.case.complaint}" in found
    papers = [
        _json(told.members, f"{one}.json")["kind"] for one in names if one.startswith("papers")
    ]
    assert sorted(papers) == ["forwarding", "register_copy", "register_entry"]
    assert {told.members[f"{one}.pdf"][:5] for one in names if one.startswith("papers")} == {
        b"%PDF-"
    }


def test_pictures_on_pages_are_those_that_were_made(told: Told) -> None:
    shown = _json(told.members, "bundle.json")["previews"]
    entries = [json.loads(json.loads(line)["entry"]) for line in _lines(told.members)]

    made = {(one["sha256"], one["preview"]) for one in entries if one.get("preview")}
    assert {*shown.items()} == made
    assert {*embedded([told.members["photos-001.pdf"]])} == {*shown.values()}


def test_changed_picture_is_left_out_and_said_to_be(told: Told, tmp_path: Path) -> None:
    house, shown = told.house, _json(told.members, "bundle.json")["previews"]
    key, path = preview_key(min(shown)), tmp_path / "preview"
    whole = b"".join(chunks(house.storage.open(key)))
    path.write_bytes(b"another picture")
    house.storage.put(key, path, path.stat().st_size, replace=True)
    _, data = build(_without_fonts(told, tmp_path), Wanted(told.village.rjk, told.case.seizure))
    path.write_bytes(whole)
    house.storage.put(key, path, len(whole), replace=True)
    members = members_of(data)

    assert {*_json(members, "bundle.json")["previews"]} == {*shown} - {min(shown)}
    assert b"was found changed or missing" in members["case-en.html"]
    assert check(Archive(io.BytesIO(data)), head=told.head).faults == []


def _lines(members: Members) -> list[bytes]:
    return members["ledger/entries.jsonl"].splitlines()


def test_what_is_older_than_an_erasure_and_may_name_somebody_stays_outside() -> None:
    evidence: Any = SimpleNamespace(texts=[(9, '{"kind":"person.erased"}')])
    said = [
        ToldAside("acts/a", 3, "", '{"text": "Ramesh came"}'),
        ToldAside("acts/b", 4, "", '{"paise": 500, "dated": "2026-12-01", "as": "owner"}'),
        ToldAside("papers/c", 5, "", "{}"),
        ToldAside("papers/d", 10, "", "{}"),
    ]

    assert left_out(evidence, said, ()) == {"acts": ["a"], "papers": ["c"], "complaints": []}
    assert left_out(evidence, said, ("photos_person",)) == left_out(evidence, said, ())
    assert left_out(evidence, said, ("owner",))["papers"] == ["c", "d"]


def test_erased_person_is_nowhere_and_said_to_be(told: Told, page: str) -> None:
    everything = b"".join(told.members.values())
    [fields] = _json(told.members, "bundle.json")["erased"].values()

    assert (b"Ramesh" in everything, b"9812345678" in everything) == (False, False)
    assert fields == ["owner.mobile", "owner.name"]
    assert "Owner's mobile number Erased" in page


def test_conflict_shows_every_value_and_the_decision(page: str) -> None:
    assert re.search(r"Number of animals 5 Asha [^·]*? Replaced since", page)
    assert re.search(r"Number of animals 4 Mohan ", page)
    assert re.search(r"Number of animals 4 Bina .{0,60} Shown, by decision Counted twice", page)


def test_chronology_names_each_act_and_paper(page: str) -> None:
    done: tuple[str, ...] = ("Mohan took the cattle into the pound.",)
    done += ("Bina made a finding on an allegation.", "Bina took a complaint in.")
    done += ("Bina forwarded the complaint to whoever decides.",)
    done += ("issued a paper: Pound register entry, Attested copy of the register entry.",)

    assert [one for one in done if one not in page] == []
    assert "Ledger entry" not in page
    assert "It was at another place on the road The record speaks against it: The place is" in page


def test_correction_shows_what_was_there_before(page: str) -> None:
    assert re.search(r"Survey number 114/2 Asha .{0,60} Replaced since", page)
    assert re.search(r"Survey number 114/3 Bina .{0,80} Misread on the map", page)


def test_what_could_not_be_taken_in_is_listed_and_kept(told: Told, page: str) -> None:
    [unread] = [
        name
        for name in told.members
        if name.startswith("ops/") and re.fullmatch(r"[0-9a-f]{64}\.json", name.rpartition("/")[2])
    ]

    assert b'"jws"' in told.members[unread]
    assert "Could not be taken in invalid-json" in page
    assert "Could not be taken in, in part invalid-value" in page


def test_rejected_photo_says_why_and_other_bytes_are_listed(told: Told, page: str) -> None:
    assert "Rejected: kept in originals/" in page
    assert re.search(
        r"Other bytes that came for a photo; they replaced nothing .{0,40} Photo 1", page
    )
    assert len(_json(told.members, "bundle.json")["set_aside"]) == 1


def test_certificate_is_a_draft_with_machine_facts_only(told: Told, page: str) -> None:
    part_a, part_b = page.split("PART B (To be filled by the Expert)")

    assert "☒ SHA256: as listed" in part_a
    assert told.case.phone.persona.device_id in part_a
    assert "☒" not in part_b
    assert "I, ______" in part_b


def test_everything_left_out_still_verifies(told: Told) -> None:
    wanted = Wanted(told.village.rjk, told.case.seizure, redact=tuple(sorted(REDACTIONS)))
    _, data = build(told.house, wanted)

    assert check(Archive(io.BytesIO(data)), head=told.head).faults == []


@pytest.mark.parametrize("choice", ["texts", "photos_person"])
def test_redaction_leaves_out_and_says_so_and_still_verifies(told: Told, choice: str) -> None:
    wanted = Wanted(told.village.rjk, told.case.seizure, redact=(choice,))
    _, data = build(told.house, wanted)
    members, about = members_of(data), _json(members_of(data), "bundle.json")

    assert check(Archive(io.BytesIO(data)), head=told.head).faults == []
    assert [*about["redacted"]] == [choice]
    if choice == "texts":
        assert b"by the well" not in b"".join(members.values())
        # Two say a text, two could not be read, two give a reason.
        assert [*about["left_out"]["ops"].values()] == [["texts"]] * 6


def test_redaction_takes_reasons_and_the_name_of_who_reported(told: Told, tmp_path: Path) -> None:
    wanted = Wanted(told.village.rjk, told.case.seizure, redact=("seizer",))
    _, data = build(_without_fonts(told, tmp_path), wanted)
    members = members_of(data)
    everything = b"".join(one for name, one in members.items() if name != "verify.py")

    hidden = (b"Asha", b"Counted twice", b"Misread on the map", b"It agrees.", b"Kanji")
    assert [one for one in hidden if one in everything] == []
    assert b"Bina" in everything
    assert check(Archive(io.BytesIO(data)), head=told.head).faults == []
    assert [one for one in members if one.startswith(("acts/", "papers/", "complaints/"))] == []
    assert b"Vasant" not in everything
    lacks = check(Archive(io.BytesIO(data)), head=told.head).absent()
    assert [one for one in lacks if f"complaints/{told.case.complaint}" in one] != []
    values = [v for one in _json(members, "records.json") for v in one["heads"].values()]
    assert any(head.get("unproven") for heads in values for head in heads)


def test_who_wrote_nothing_in_a_case_gets_into_it_by_no_mention(told: Told) -> None:
    everything = b"".join(told.members.values())

    assert (b"Kanji" in everything, b"slander" in everything) == (True, False)


def test_ops_with_reasons_older_than_an_erasure_are_named_and_go_by_choice(told: Told) -> None:
    wanted = Wanted(told.village.rjk, told.case.seizure, redact=("reasons",))
    _, data = build(told.house, wanted)
    [older] = _json(told.members, "bundle.json")["notes"]

    assert ("older than an erasure" in older, older.count("/")) == (True, 2)
    assert check(Archive(io.BytesIO(data)), head=told.head).faults == []
    about = _json(members_of(data), "bundle.json")
    assert about["notes"] == []
    assert {*older.partition(": ")[2].split(", ")} < {*about["left_out"]["ops"]}


def test_reason_older_than_an_erasure_is_not_printed(told: Told, tmp_path: Path) -> None:
    house, wanted = told.house, Wanted(told.village.rjk, told.case.seizure)
    with house.database.read() as session:
        content = making.content_of(session, house.keys, wanted)
        case = read(Desk(session, house, tmp_path), content, Words("en", house.packs))
    erased_at = case.evidence.erased_at
    assert erased_at is not None

    before, since = erased_at - timedelta(seconds=1), erased_at + timedelta(seconds=1)
    assert [case.reason("Ramesh says so.", one) for one in (before, since)] == [
        "Erased",
        "Ramesh says so.",
    ]
