"""The invented authority of `fieldapi demo-data`: it stands in every state, and twice the same."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from fieldapi.demo.filling.fill import Filled, Wish, fill
from fieldapi.house import House
from fieldapi.models import Act, Disposition, Seizure
from fieldapi.problems import Conflict
from tests.support.desk import PASSWORD


@pytest.fixture
def filled(house: House) -> Filled:
    """An authority in Kerala, filled with small photos."""
    return fill(house, Wish("kerala", PASSWORD, is_small=True))


def test_filled_authority_has_cases_in_every_state(house: House, filled: Filled) -> None:
    with house.database.read() as session:
        states = set(session.scalars(select(Seizure.state)))
        became = set(session.scalars(select(Disposition.became)))
        last = max(session.scalars(select(Act.performed_at)))

    assert states >= {"received", "under_review", "accepted", "rejected", "correction_asked"}
    assert became >= {"released_paid", "released_on_deposit", "sold", "died", "rescued"}
    assert timedelta(0) <= house.database.clock() - last < timedelta(days=1)

    with pytest.raises(Conflict):
        fill(house, Wish("kerala", PASSWORD, is_small=True))
