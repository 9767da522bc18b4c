"""Erasing by the command line."""

from __future__ import annotations

from fieldapi.house import House
from tests.support.commands import Run
from tests.support.deliveries import deliver, pen_of, some_reports
from tests.support.personas import Village


def test_7_26_command_erases_and_everything_still_verifies(
    run: Run, house: House, village: Village
) -> None:
    seizure = some_reports(house, village)[0]

    told = run(
        "erase", f"seizure/{seizure}", "--field", "owner.name", "--reason", "asked for",
        "--authority", "RJK", "--json",
    )  # fmt: skip

    assert told.code == 0, told.err
    assert (told.json["fields"], len(told.json["ops"])) == (["owner.name"], 1)
    verified = run("ledger", "verify", "--authority", "RJK", "--json").json[0]
    assert (verified["is_sound"], verified["erased"]) == (True, 1)
    assert run("ops", "replay", "--check", "--authority", "RJK").code == 0


def test_erasing_nothing_leaves_with_1(run: Run, house: House, village: Village) -> None:
    seizure = village.rjk
    deliver(house, village["asha"], pen_of(village["asha"]).seizure(seizure))

    told = run("erase", seizure, "--field", "remarks", "--reason", "x", "--authority", "RJK")

    assert told.code == 1
    assert "says anything there" in told.err
