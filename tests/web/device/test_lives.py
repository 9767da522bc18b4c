"""200 sequences of saves, kills and lines by chance: nothing saved is lost, nothing stands twice.

A thousand and more: `./dev soak app`.
"""

from __future__ import annotations

import pytest

from fieldapi.unit import Database
from tests.support.app_lives import live
from tests.support.app_phones import AppPhone

SEQUENCES = 50


@pytest.mark.parametrize("seed", range(4))
def test_nothing_saved_is_lost_and_nothing_is_sent_twice(
    phone: AppPhone, database: Database, seed: int
) -> None:
    told = live(phone, database, seed=seed, sequences=SEQUENCES)

    assert told.faults == []
    assert told.reports > SEQUENCES // 2
    assert told.kills > SEQUENCES // 4
