"""Records are what their ops make them: a replay finds no difference, and every one that is made."""

from __future__ import annotations

import pytest

from fieldapi.house import House
from fieldapi.services import replay
from fieldapi.services.replay import Replay
from tests.support.deliveries import some_reports
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
