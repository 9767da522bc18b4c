"""A pull skips nothing, however pushes overlap; on PostgreSQL, where they do."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fieldapi.house import House, open_house
from fieldapi.ids import new_id
from fieldapi.services import deliveries
from fieldapi.services.ops import push
from fieldapi.services.sync import exchange, read_ask
from fieldapi.settings import Settings
from sync.wire import read_envelope
from tests.sim.feed import crowd
from tests.sim.sim_kills import settings_of
from tests.support.databases import Databases
from tests.support.deliveries import deliver, pen_of
from tests.support.personas import Persona, found_village
from tests.support.reports import push_body


@pytest.fixture
def served(tmp_path: Path, postgresql_databases: Databases) -> Iterator[Settings]:
    """The settings of an installation on PostgreSQL."""
    with postgresql_databases.migrated() as addresses:
        yield settings_of(tmp_path, addresses)


@pytest.fixture
def parts(served: Settings) -> Iterator[House]:
    """The parts of that installation."""
    house = open_house(served)
    yield house
    house.database.close()


def test_7_1_every_reader_is_told_what_eight_writers_wrote(served: Settings) -> None:
    seed = secrets.randbelow(10**9)
    sys.stdout.write(f"seed {seed}\n")
    with crowd(served, seed, writers=8, readers=4) as made:
        made.run(batches=5, size=16)

        assert made.wrongs() == []
        assert max(one.puts for one in made.readers) > 100


def test_7_1_push_that_sleeps_before_its_commit_is_told_by_the_next_pull(parts: House) -> None:
    village = found_village(parts.database)
    asha, ravi = pen_of(village["asha"]), pen_of(village["ravi"])
    slow, quick = new_id(), new_id()
    ask = read_ask(read_envelope(json.dumps(push_body([asha.seizure(slow)])).encode()))
    principal = village["asha"].principal(parts.database)

    with parts.database.unit() as unit:
        delivery = deliveries.delivery_for(parts, unit, principal, ask)
        push.push(unit, delivery, ask.ops)
        deliver(parts, village["ravi"], ravi.seizure(quick))
        first, cursor = pulled(parts, village["bina"], None)
    second, _ = pulled(parts, village["bina"], cursor)

    assert (first, second) == ([quick], [slow])


def pulled(house: House, persona: Persona, cursor: str | None) -> tuple[list[str], str]:
    """Pull to the end; return the ids of the records that came, and the cursor."""
    ask = read_ask(read_envelope(json.dumps(push_body([], cursor=cursor)).encode()))
    told: dict[str, Any] = json.loads(exchange(house, persona.principal(house.database), ask))
    assert told["more"] is False
    return [change["id"] for change in told["changes"]], told["cursor"]
