"""Records are what their ops make them: a replay finds none that differs, and finds each that does."""

from __future__ import annotations

import random

import pytest

from fieldapi import ledger
from fieldapi.house import House
from fieldapi.services import replay
from fieldapi.services.replay import Replay
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


@pytest.mark.parametrize("seed", range(40))
def test_a_random_life_replays_without_a_difference(
    house: House, village: Village, seed: int
) -> None:
    Life(house, village, random.Random(seed)).live(60)

    assert replayed(house, village.rjk).differences == ()
    with house.database.read() as session:
        assert ledger.verify(session, village.rjk, house.keys).faults == ()
