"""Lists out of spreadsheets: whole or not at all, and the same after a second time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.commands import Run

Write = Callable[[str, str | bytes], str]

PEOPLE = """\ufeffName,role,capacity,pound,mobile

Asha Parmar,reporter,watch_and_ward,,9876543210
Mohan,pound_keeper + reporter,,Dwarka Road,
"Bina, reviewer",reviewer,,,
"""


@pytest.fixture
def pounds(run: Run, rjk: str, write: Write) -> str:
    return write("pounds.csv", "name,lat,lon\nDwarka Road,22.3,70.8\nAji Dam,,\n")


@pytest.mark.database
def test_lists_come_in_and_a_second_time_change_nothing(
    run: Run, pounds: str, write: Write
) -> None:
    people = write("people.csv", PEOPLE)
    places = write("places.csv", "name,local_name\nBus stand,બસ સ્ટેન્ડ\n")
    files = [("pound", pounds, 2), ("people", people, 3), ("places", places, 1)]
    for noun, file, rows in files:
        first = run(noun, "import", file, "--json").json
        assert first == {"added": rows, "changed": 0, "unchanged": 0}
    for noun, file, rows in files:
        again = run(noun, "import", file, "--json").json
        assert again == {"added": 0, "changed": 0, "unchanged": rows}


def test_import_corrects_what_is_known(run: Run, pounds: str, write: Write) -> None:
    run("pound", "import", pounds)
    moved = write("moved.csv", "lon,lat,name\n70.9,22.4,Aji Dam\n")
    assert run("pound", "import", moved, "--json").json["changed"] == 1
    assert "22.4" in run("pound", "list").out


def test_import_of_people_promotes_and_never_demotes(run: Run, rjk: str, write: Write) -> None:
    run("people", "import", write("one.csv", "name,role,language\nAsha,reporter,gu\n"))
    told = run("people", "import", write("two.csv", "name,role\nAsha,reviewer\n"), "--json")
    assert told.json == {"added": 0, "changed": 1, "unchanged": 0}
    (asha,) = run("people", "list", "--json").json
    assert (sorted(asha["role"]), asha["language"]) == (["reporter", "reviewer"], "gu")


def test_two_of_one_name_come_in_by_their_ids(run: Run, rjk: str, write: Write) -> None:
    ids = [f"01a22a6c-85aa-7798-baa3-1416feefec2{n}" for n in range(2)]
    rows = "".join(f"Ramesh Patel,reporter,{one}\n" for one in ids)
    twins = write("twins.csv", f"name,role,id\n{rows}")
    assert run("people", "import", twins, "--json").json["added"] == 2
    assert run("people", "import", twins, "--json").json["unchanged"] == 2


def test_every_wrong_line_is_named_and_nothing_comes_in(run: Run, rjk: str, write: Write) -> None:
    wrong = write(
        "wrong.csv",
        "name,role,mobile\n,reporter,\nB,king,\nC,reporter,12\nD,reporter,\nD,reporter,\nE,r,,,\n",
    )
    told = run("people", "import", wrong)
    assert told.code == 1
    named = [line for line in range(2, 9) if f"line {line}: " in told.err]
    assert named == [2, 3, 4, 6, 7]
    assert run("people", "list", "--json").json == []


def test_pound_of_a_keeper_must_be_known(run: Run, pounds: str, write: Write) -> None:
    told = run("people", "import", write("k.csv", "name,role,pound\nM,pound_keeper,Nowhere\n"))
    assert "line 2: pound: 'Nowhere'" in told.err


@pytest.mark.parametrize(
    "content, said",
    [
        (b"", "'name', 'role' is missing"),
        (b"name\nA\n", "'role' is missing"),
        (b"name,role,pund\nA,reporter,\n", "'pund' is not known"),
        (b"name,role,name\nA,reporter,B\n", "there twice"),
        (b"name,role\n\xff,reporter\n", "Line 2 is not UTF-8"),
        (b'name,role\n"A,reporter\n', "line 2"),
        (b"name,role\nA\x00,reporter\n", "line 2"),
        ("name,role\n".encode("utf-16"), "not UTF-8"),
    ],
    ids=str,
)
def test_file_that_is_no_such_list_is_refused(
    run: Run, rjk: str, write: Write, content: bytes, said: str
) -> None:
    told = run("people", "import", write("odd.csv", content))
    assert told.code == 1
    assert said in told.err
    assert "Traceback" not in told.err


@pytest.mark.parametrize("cell", ["north", "nan", "inf", "1e999", "91", "22,3"])
def test_place_off_the_globe_is_refused(run: Run, rjk: str, write: Write, cell: str) -> None:
    told = run("pound", "import", write("p.csv", f'name,lat,lon\nA,"{cell}",70\n'))
    assert (told.code, "line 2: lat: " in told.err) == (1, True)


def test_missing_file_is_wrong_usage(run: Run, rjk: str) -> None:
    assert run("pound", "import", "nowhere.csv").code == 2
