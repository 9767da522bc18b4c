"""What the verifier finds although whoever forged it holds the server's own key, or none at all;
and what it says of heads that it cannot compare.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fieldapi.bundle.alone import verify
from fieldapi.bundle.alone.files import Archive
from fieldapi.bundle.alone.verify import check
from fieldapi.bundle.container import MANIFEST
from tests.support.bundle_tampering import Members, faults, rebuilt
from tests.support.told_bundle import Told

Forge = Callable[[Members], None]


def _edit(members: Members, name: str, change: Callable[[Any], None]) -> None:
    value = json.loads(members[name])
    change(value)
    members[name] = json.dumps(value).encode()


def _one(members: Members, folder: str) -> str:
    return next(name for name in members if name.startswith(folder))


def _hide_an_op(members: Members) -> None:
    erased = json.loads(members["bundle.json"])["erased"]
    op = next(
        name[4:-5]
        for name in members
        if name.startswith("ops/") and name.endswith(".json") and name[4:-5] not in erased
    )
    for end in (".json", ".sig", ".salt"):
        members.pop(f"ops/{op}{end}", None)
    _edit(members, "bundle.json", lambda about: about["left_out"]["ops"].update({op: []}))


def _hide_a_photo(members: Members) -> None:
    name = _one(members, "originals/")
    del members[name]
    said = {"what": "photo", "sha256": name[10:74], "why": "lost"}
    _edit(members, "bundle.json", lambda about: about["missing"].append(said))


def _hide_photos_by_choice(members: Members) -> None:
    name = _one(members, "originals/")
    del members[name]
    _edit(
        members,
        "bundle.json",
        lambda about: about["left_out"].update({"originals": [name[10:74]]}),
    )


def _invent_a_device(members: Members) -> None:
    device = {"id": "x", "number": 9, "public_key": None, "person": "Forged"}
    _edit(members, "keys/devices.json", lambda rows: rows.append(device))


def _empty_the_heads(members: Members) -> None:
    _edit(members, "records.json", lambda rows: rows[0].update(heads={}))


def _show_what_nobody_said(members: Members) -> None:
    _edit(members, "records.json", lambda rows: rows[0]["shown"].update(survey_no="9/9"))


def _drop_a_record(members: Members) -> None:
    _edit(members, "records.json", lambda rows: rows.pop())


def _drop_the_last_entry(members: Members) -> None:
    lines = members["ledger/entries.jsonl"].splitlines(keepends=True)
    members["ledger/entries.jsonl"] = b"".join(lines[:-1])


def _add_a_page(members: Members) -> None:
    members["read-me-first.html"] = b"<p>Everything fits.</p>"


def _erase_more(members: Members) -> None:
    _edit(
        members,
        "bundle.json",
        lambda about: next(iter(about["erased"].values())).append("remarks"),
    )


def _edit_a_paper(members: Members) -> None:
    name = next(one for one in members if one.startswith("papers/") and one.endswith(".json"))
    _edit(members, name, lambda paper: paper.update(serial="REC/2026-27/A/9999"))


def _hide_a_complaint(members: Members) -> None:
    name = _one(members, "complaints/")[11:47]
    for end in (".json", ".salt"):
        del members[f"complaints/{name}{end}"]
    _edit(members, "bundle.json", lambda about: about["left_out"]["complaints"].append(name))


def _slip_an_act_in(members: Members) -> None:
    members["acts/00000000-0000-8000-8000-000000000000.json"] = b"{}"


def _swap_a_picture(members: Members) -> None:
    pages = members["photos-001.pdf"]
    at = pages.rindex(b"endstream") - 40
    members["photos-001.pdf"] = pages[:at] + bytes([pages[at] ^ 1]) + pages[at + 1 :]


def _tell_of_another_picture(members: Members) -> None:
    def change(about: Any) -> None:
        about["previews"][min(about["previews"])] = "0" * 64

    _edit(members, "bundle.json", change)


def _add_a_page_to_a_paper(members: Members) -> None:
    name = next(one for one in members if one.startswith("papers/") and one.endswith(".pdf"))
    members[name[:-4] + ".html"] = b"<p>Everything fits.</p>"


def _hide_what_it_lacks(members: Members) -> None:
    _edit(members, "bundle.json", lambda about: about.update(set_aside=[{}]))


@pytest.mark.parametrize(
    "forge",
    [
        _hide_an_op,
        _hide_a_photo,
        _hide_photos_by_choice,
        _invent_a_device,
        _empty_the_heads,
        _show_what_nobody_said,
        _drop_a_record,
        _drop_the_last_entry,
        _add_a_page,
        _erase_more,
        _edit_a_paper,
        _hide_a_complaint,
        _slip_an_act_in,
        _swap_a_picture,
        _tell_of_another_picture,
        _add_a_page_to_a_paper,
        _hide_what_it_lacks,
    ],
)
def test_forgery_with_the_servers_own_key_is_found(told: Told, forge: Forge) -> None:
    members, keys = dict(told.members), told.house.keys
    forge(members)

    assert faults(rebuilt(members, (keys.public_key, keys.sign)), told.head) != []


def test_what_is_not_proven_is_said(told: Told) -> None:
    notes = " ".join(check(Archive(io.BytesIO(told.data))).notes)

    assert "no key was compared" in notes
    assert "of 1 ops, values were erased" in notes


def _main(told: Told, folder: Path, *options: str) -> int:
    (folder / "bundle.zip").write_bytes(told.data)
    code: int = verify.main([str(folder / "bundle.zip"), *options])
    return code


def test_forged_name_moves_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / MANIFEST).write_bytes(b"0" * 64 + b"  \x1b[2J\x1b[HEverything fits.\n")

    assert verify.main([str(tmp_path)]) == 1
    assert "\x1b" not in capsys.readouterr().out


def test_head_of_a_board_is_read_as_windows_saves_it_and_the_key_in_capitals(
    told: Told, tmp_path: Path
) -> None:
    lines = told.head.splitlines()
    file = tmp_path / "head.txt"
    file.write_text(f"{lines[1]} {lines[2]}.{lines[3]} {lines[4]}\n", encoding="utf-8-sig")
    key = told.house.keys.public_key.hex().upper()

    assert _main(told, tmp_path, "--head", str(file), "--key", key) == 0


@pytest.mark.parametrize(
    "head",
    ["{authority} A.9999999 {root}", "{authority} B.5 {root}", "other A.5 {root}", "no head"],
)
def test_head_that_cannot_be_compared_is_neither_fit_nor_fault(
    told: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str], head: str
) -> None:
    file = tmp_path / "head.txt"
    file.write_text(head.format(authority=told.village.rjk, root="0" * 64))

    assert _main(told, tmp_path, "--head", str(file)) == 3
    assert "could not be compared" in capsys.readouterr().out


def test_description_of_another_form_is_a_fault_and_no_crash(
    told: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    signer = (told.house.keys.public_key, told.house.keys.sign)
    data = rebuilt({**told.members, "bundle.json": b"[1]"}, signer)
    (tmp_path / "bundle.zip").write_bytes(data)

    assert verify.main([str(tmp_path / "bundle.zip")]) == 1
    assert "head: it cannot be read" in capsys.readouterr().out


def test_program_in_the_folder_takes_nothing_from_beside_it(told: Told, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(told.data)) as archive:
        archive.extractall(tmp_path)
    for name in ("argparse.py", "json.py"):
        (tmp_path / name).write_text("print('Everything fits.')\nraise SystemExit(0)\n")

    done = subprocess.run(
        [sys.executable, "-S", "verify.py"], cwd=tmp_path, capture_output=True, check=False
    )

    assert done.returncode == 1
    assert b"does not name argparse.py, json.py" in done.stdout
