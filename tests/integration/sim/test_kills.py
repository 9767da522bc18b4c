"""A server that is killed anywhere has lost nothing and done nothing twice once it is back."""

from __future__ import annotations

import random
import secrets
import sys
import tempfile
from pathlib import Path

import pytest

from fieldapi.failpoints import ANY, NAMES, armed, made_for
from tests.rules.failpoints import placed
from tests.sim.kills import PLACES, scene
from tests.sim.sim_kills import settings_of
from tests.support.databases import Databases
from tests.support.memory import in_memory

KILLS = 20


@pytest.mark.database
def test_7_19_killed_server_has_lost_nothing_and_done_nothing_twice(databases: Databases) -> None:
    seed = secrets.randbelow(10**9)
    sys.stdout.write(f"seed {seed}\n")
    places = [*random.Random(seed).sample(PLACES, KILLS - 2), ANY, ANY]
    with (
        tempfile.TemporaryDirectory(dir=in_memory()) as folder,
        databases.migrated() as addresses,
        scene(settings_of(Path(folder), addresses), Path(folder), seed) as made,
    ):
        alive = [name for name in places if not made.kill(name)]

        assert alive == []
        assert made.wrongs() == []


def test_every_declared_place_is_in_the_code_once() -> None:
    found = placed()

    assert sorted(found) == sorted(NAMES)


def test_failpoint_does_nothing_unless_a_test_says_so(tmp_path: Path) -> None:
    file = {"FIELDAPI_FAILPOINTS": str(tmp_path / "where")}
    (tmp_path / "where").write_text("push.kept 1")

    for environ in ({}, {"FIELDAPI_TESTING": "1"}, file):
        made_for(environ)("push.kept")

    assert (tmp_path / "where").exists()


def test_failpoint_dies_the_nth_time_and_once(tmp_path: Path) -> None:
    died: list[str] = []
    reach = armed(tmp_path / "where", lambda: died.append("here"))
    (tmp_path / "where").write_text("push.kept 2")

    for name in ("push.kept", "push.locked", "push.kept", "push.kept"):
        reach(name)

    assert died == ["here"]
    with pytest.raises(KeyError):
        reach("push.nowhere")
