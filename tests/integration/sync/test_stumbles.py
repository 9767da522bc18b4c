"""A database that fails in the middle of a batch: no trace of the failed part, all else is kept."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Engine, select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import PoolProxiedConnection

from fieldapi import ledger
from fieldapi.engine import open_engine
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.models import OpRow, Seizure
from fieldapi.services import replay
from fieldapi.services.ops import push
from fieldapi.unit import Unit
from tests.support.personas import Village
from tests.support.phones import TestPhone
from tests.support.reports import push_body

pytestmark = pytest.mark.database

_SQLITE = """
CREATE TRIGGER stumble BEFORE INSERT ON op WHEN NEW.record_id = '{record}'
BEGIN SELECT RAISE(ABORT, 'the database stumbles'); END
"""
_POSTGRESQL = (
    """
CREATE FUNCTION stumble() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'the database stumbles'; END $$
""",
    """
CREATE TRIGGER stumble BEFORE INSERT ON op FOR EACH ROW WHEN (NEW.record_id = '{record}')
EXECUTE FUNCTION stumble()
""",
)


@pytest.fixture
def owner(house: House) -> Iterator[Engine]:
    engine = open_engine(house.settings.owner_database_url)
    yield engine
    engine.dispose()


@contextmanager
def stumbling(owner: Engine, record: str) -> Iterator[None]:
    """Let the database refuse every op on one record."""
    is_sqlite = owner.dialect.name == "sqlite"
    run(owner, *([_SQLITE] if is_sqlite else _POSTGRESQL), record=record)
    yield
    run(owner, "DROP TRIGGER stumble" if is_sqlite else "DROP FUNCTION stumble CASCADE")


def run(owner: Engine, *statements: str, record: str = "") -> None:
    with owner.connect().execution_options(writes=True) as connection:
        for statement in statements:
            connection.execute(text(statement.format(record=record)))
        connection.commit()


def assert_no_trace(house: House, village: Village, record: str) -> None:
    with house.database.read() as session:
        assert session.get(Seizure, (village.rjk, record)) is None
        assert session.scalars(select(OpRow).where(OpRow.record_id == record)).all() == []
        assert ledger.entries_about(session, village.rjk, [f"seizure/{record}"]) == []
        assert ledger.verify(session, village.rjk, house.keys).faults == ()
        assert replay.check(session, village.rjk).differences == ()


def test_7_18_database_error_at_op_60_costs_that_op_alone(
    house: House, village: Village, asha: TestPhone, owner: Engine
) -> None:
    ids = [new_id() for _ in range(100)]
    ops = [asha.pen.seizure(one) for one in ids]

    with stumbling(owner, ids[60]):
        results = asha.push(*ops)

    assert [one["status"] for one in results].count("applied") == 99
    lost = results[60]
    assert (lost["i"], lost["op"], lost["status"]) == (60, ops[60]["op"], "retry")
    assert 5_000 <= lost["retry_after_ms"] <= 65_000
    assert_no_trace(house, village, ids[60])

    again = asha.push(*ops)
    assert [one["status"] for one in again] == ["applied"] * 100
    assert [one["replayed"] for one in again].count(False) == 1


def test_7_18_later_op_on_the_same_record_is_taken_by_itself(
    house: House, village: Village, asha: TestPhone, owner: Engine
) -> None:
    seizure, other = new_id(), new_id()
    create = asha.pen.seizure(other)
    base = {"ground": [create["op"]]}
    edit = asha.pen.op("seizure", other, set={"ground": "straying"}, base=base)

    with stumbling(owner, seizure):
        results = asha.push(create, asha.pen.seizure(seizure), edit)

    assert [one["status"] for one in results] == ["applied", "retry", "applied"]
    assert results[0]["fields"]["ground"] == {"shown": "straying"}
    assert_no_trace(house, village, seizure)


def test_7_18_commit_that_fails_leaves_no_trace_and_no_lock(
    house: House, village: Village, asha: TestPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    seizure, dialect = new_id(), house.database.engine.dialect
    create = asha.pen.seizure(seizure)
    commit, commits = dialect.do_commit, itertools.count(1)

    def fail(connection: PoolProxiedConnection) -> None:
        if next(commits) == 2:  # the first notes that the phone was seen
            monkeypatch.undo()
            raise OperationalError("COMMIT", None, OSError("the disk is full"))
        commit(connection)

    monkeypatch.setattr(dialect, "do_commit", fail)
    answer = asha.client.post("/api/v1/sync", json=push_body([create]))

    assert answer.status_code == 503, answer.json
    assert 5 <= int(answer.headers["Retry-After"]) <= 65
    assert_no_trace(house, village, seizure)
    again = [asha.push(create)[0] for _ in range(16)]
    assert [one["replayed"] for one in again].count(False) == 1


def test_only_what_has_to_last_waits_for_the_disk(house: House) -> None:
    setting = "PRAGMA synchronous" if house.database.is_sqlite else "SHOW synchronous_commit"

    def asked(unit: Unit) -> object:
        return unit.session.scalar(text(setting))

    told = [house.database.transact(asked, is_lasting=lasting) for lasting in (True, False, True)]
    assert told == ([2, 1, 2] if house.database.is_sqlite else ["on", "off", "on"])


def test_7_18_fault_of_the_program_stops_no_neighbour(
    house: House, village: Village, asha: TestPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = new_id(), new_id()
    merge = push._merge  # noqa: SLF001 - the fault is put where the work is done

    def stumble(unit: object, delivery: object, arrival: object, drafts: object) -> None:
        if getattr(arrival, "record_id", "") == bad:
            raise ZeroDivisionError
        merge(unit, delivery, arrival, drafts)  # type: ignore[arg-type]

    monkeypatch.setattr(push, "_merge", stumble)

    results = asha.push(asha.pen.seizure(bad), asha.pen.seizure(good))

    assert [one["status"] for one in results] == ["retry", "applied"]
    assert_no_trace(house, village, bad)
