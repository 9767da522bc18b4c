"""What the command line says of a replay, and how it leaves."""

from __future__ import annotations

from fieldapi.house import House
from tests.support.commands import Run
from tests.support.deliveries import some_reports
from tests.support.personas import Village


def test_replay_without_difference_leaves_with_0(run: Run, house: House, village: Village) -> None:
    some_reports(house, village)

    told = run("ops", "replay", "--check", "--json")

    assert told.code == 0
    assert [(one["code"], one["differ"]) for one in told.json] == [("KLM", 0), ("RJK", 0)]


def test_difference_is_named_and_leaves_with_1_until_it_is_repaired(
    run: Run, house: House, village: Village
) -> None:
    seizure = some_reports(house, village)[0]
    with house.database.engine.connect() as connection:
        # The way of somebody who opens the file beside the program.
        raw = connection.connection.driver_connection
        assert raw is not None
        raw.execute(f"UPDATE seizure SET ground = 'straying' WHERE id = '{seizure}'")

    first = run("ops", "replay", "--authority", "RJK")
    repaired = run("ops", "replay", "--authority", "RJK", "--repair")

    assert first.code == 1
    assert f"seizure {seizure}: ground" in first.out
    assert (repaired.code, run("ops", "replay").code) == (0, 0), repaired.out
    assert "1 were rewritten; 0 differ now." in repaired.out


def test_check_and_repair_together_are_not_understood(run: Run) -> None:
    assert run("ops", "replay", "--check", "--repair").code == 2
