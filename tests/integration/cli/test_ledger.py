"""What the command line says of a ledger, and how it leaves."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from fieldapi.engine import open_engine
from fieldapi.settings import Settings
from tests.support import tampering
from tests.support.commands import Run

Write = Callable[[str, str | bytes], str]


@pytest.mark.database
def test_sound_ledger_leaves_with_0(run: Run, rjk: str, asha: str) -> None:
    told = run("ledger", "verify")

    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("RJK: 4 entries and 0 ops fit. Epoch A, root ")


@pytest.mark.parametrize("form", ["text", "json", "board"])
def test_kept_head_is_proven_by_file_and_by_standard_input(
    run: Run, rjk: str, write: Write, form: str
) -> None:
    head = run("ledger", "head", *(["--json"] if form == "json" else []))
    if form == "board":
        lines = head.out.splitlines()
        head = replace(head, out=f"\ufeffRJK {lines[2]}.{lines[3]} {lines[4].upper()}\r\n")
    run("pound", "add", "--name", "Dwarka Road", "--lat", "22.3", "--lon", "70.8")

    by_file = run("ledger", "verify", "--against", write("head", head.out))
    by_stdin = run("ledger", "verify", "--against", "-", "--json", stdin=head.out)

    assert (by_file.code, by_stdin.code) == (0, 0), by_file.out
    assert by_stdin.json[0]["is_sound"] is True
    assert by_file.out.endswith("\n  The head of 2 entries that was kept fits.\n")


@pytest.mark.database
def test_database_restored_by_other_tools_begins_an_epoch(run: Run, rjk: str, asha: str) -> None:
    run("enrol", "--person", asha)

    assert run("ledger", "restored", stdin="n\n").code == 1
    begun = run("ledger", "restored", "--yes", "--json")

    assert [head["epoch"] for head in begun.json] == ["B"]
    assert run("ledger", "verify", "--json").json[0]["epoch"] == "B"


def test_head_that_a_restore_went_behind_makes_no_entry_bad(
    run: Run, rjk: str, write: Write
) -> None:
    head = run("ledger", "head", "--json").json
    del head["signature"]
    run("ledger", "restored", "--yes")

    later = {**head, "size": head["size"] + 1}
    told = run("ledger", "verify", "--against", write("head", json.dumps(later)))

    whole, beside = told.out.splitlines()
    assert (told.code, " entries and 0 ops fit." in whole) == (1, True)
    assert "does not fit: 1 entry of epoch A is lost by a restore: " in beside


def test_head_of_another_history_leaves_with_1(run: Run, rjk: str, write: Write) -> None:
    head = run("ledger", "head", "--json").json
    del head["signature"]

    told = run("ledger", "verify", "--against", write("h", json.dumps({**head, "root": "0" * 64})))

    assert told.code == 1
    assert "are not those of that head" in told.out


@pytest.mark.parametrize("text", ["", "[]", "nonsense", '{"size": "many"}', "\xff\x00", "{"])
def test_what_is_no_head_is_said_to_be_none(run: Run, rjk: str, write: Write, text: str) -> None:
    told = run("ledger", "verify", "--against", write("head", text.encode("latin-1")))

    assert (told.code, told.out) == (1, "")
    assert "head" in told.err


def test_tampered_ledger_leaves_with_1_and_names_the_entry(
    run: Run, settings: Settings, rjk: str, asha: str
) -> None:
    engine = open_engine(settings.owner_database_url)
    with engine.connect().execution_options(writes=True) as connection:
        tampering.disarm(connection)
        row = tampering.rows(connection, "ledger", rjk)[1]
        tampering.put(connection, "ledger", row, {"actor": "somebody"})
        connection.commit()

    told = run("ledger", "verify", "--json")

    assert told.code == 1
    assert (told.json[0]["first_bad"], told.json[0]["faults"][0]["what"]) == (2, "columns")
