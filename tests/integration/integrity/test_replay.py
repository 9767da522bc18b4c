"""Records are what their ops make them: a replay finds whatever else somebody made of them."""

from __future__ import annotations

import random

import pytest
from sqlalchemy import Engine, text

from fieldapi import ledger
from fieldapi.house import House
from fieldapi.models import Seizure
from fieldapi.problems import Conflict
from fieldapi.services import replay
from fieldapi.services.replay import Difference, Replay
from tests.support import tampering
from tests.support.deliveries import some_reports
from tests.support.histories import Life
from tests.support.personas import Village

pytestmark = pytest.mark.database


def replayed(house: House, authority_id: str) -> Replay:
    with house.database.read() as session:
        return replay.check(session, authority_id)


def test_records_are_what_their_ops_make_them(house: House, village: Village) -> None:
    some_reports(house, village)

    found = replayed(house, village.rjk)

    assert found.differences == ()
    assert (found.records, found.ops) == (7, 15)


@pytest.mark.parametrize("seed", range(12))
def test_a_random_life_replays_without_a_difference(
    house: House, village: Village, seed: int
) -> None:
    Life(house, village, random.Random(seed)).live(60)

    assert replayed(house, village.rjk).differences == ()
    with house.database.read() as session:
        assert ledger.verify(session, village.rjk, house.keys).faults == ()


@pytest.mark.parametrize(
    "column, value",
    [
        ("ground", "'straying'"),
        ("shown", """'{"ground": "straying"}'"""),
        ("shown", "'no JSON'"),
        ("heads", "''"),
        ("heads", "'{}'"),
        ("author_id", "'somebody'"),
        ("is_withdrawn", "true"),
        ("has_open_review", "true"),
        ("is_incomplete", "true"),
        ("received_at", "'2020-01-01T00:00:00.000Z'"),
        ("seized_at", "'2020-01-01T00:00:00.000Z'"),
        ("lat", "1.5"),
    ],
)
def test_a_changed_column_is_found_and_put_right(
    house: House, village: Village, owner: Engine, column: str, value: str
) -> None:
    seizure = some_reports(house, village)[0]
    change(owner, f"UPDATE seizure SET {column} = {value} WHERE id = '{seizure}'")

    found = replayed(house, village.rjk)

    assert [(one.kind, one.record_id) for one in found.differences] == [("seizure", seizure)]
    assert column in found.differences[0].columns
    assert replay.repair(house.database, village.rjk, found.differences) == 1
    assert replayed(house, village.rjk).differences == ()


def test_a_removed_record_is_found_and_comes_back(
    house: House, village: Village, owner: Engine
) -> None:
    seizure = some_reports(house, village)[0]
    before = row_of(house, village, seizure)
    change(owner, f"DELETE FROM seizure WHERE id = '{seizure}'")

    found = replayed(house, village.rjk)

    assert found.differences == (Difference("seizure", seizure, ("row",)),)
    replay.repair(house.database, village.rjk, found.differences)
    assert row_of(house, village, seizure) == before


@pytest.mark.parametrize(
    "change_to",
    ["DELETE FROM parked_op", "UPDATE parked_op SET resolved = 'released'"],
)
def test_waiting_ops_that_are_listed_otherwise_are_found_and_put_right(
    house: House, village: Village, owner: Engine, change_to: str
) -> None:
    some_reports(house, village)
    change(owner, change_to)

    found = replayed(house, village.rjk)

    assert {one.columns for one in found.differences} == {("parked",)}
    replay.repair(house.database, village.rjk, found.differences)
    assert replayed(house, village.rjk).differences == ()


def test_a_repair_is_told_in_the_ledger_and_reaches_phones(
    house: House, village: Village, owner: Engine
) -> None:
    seizure = some_reports(house, village)[0]
    change(owner, f"UPDATE seizure SET ground = 'straying' WHERE id = '{seizure}'")

    replay.repair(house.database, village.rjk, replayed(house, village.rjk).differences)

    with house.database.read() as session:
        entry = ledger.entries_about(session, village.rjk, [f"seizure/{seizure}"])[-1]
    assert (entry["kind"], entry["columns"], entry["moves"]) == ("record.rebuilt", ["ground"], 1)


def test_nothing_is_rebuilt_from_ops_that_were_tampered_with(
    house: House, village: Village, owner: Engine
) -> None:
    seizure = some_reports(house, village)[0]
    with owner.connect().execution_options(writes=True) as connection:
        tampering.disarm(connection)
        connection.execute(text("UPDATE op SET effective = effective + 1"))
        connection.commit()
    found = replayed(house, village.rjk)

    with pytest.raises(Conflict, match="The ledger does not verify"):
        replay.repair(house.database, village.rjk, found.differences)

    assert seizure in {one.record_id for one in found.differences}


def row_of(house: House, village: Village, seizure: str) -> dict[str, object]:
    with house.database.read() as session:
        row = session.get_one(Seizure, (village.rjk, seizure))
        return {one.name: getattr(row, one.name) for one in Seizure.__table__.columns}


def change(owner: Engine, statement: str) -> None:
    with owner.connect().execution_options(writes=True) as connection:
        connection.execute(text(statement))
        connection.commit()
