"""Many values in one question, alike on both databases."""

from __future__ import annotations

import pytest
from sqlalchemy import event, select

from fieldapi.models import Pound
from fieldapi.models.bulk import among
from fieldapi.unit import Database
from tests.support.personas import Village


@pytest.mark.database
def test_many_values_are_one_statement_whatever_their_number(
    database: Database, village: Village
) -> None:
    spelt: set[str] = set()
    event.listen(database.engine, "before_cursor_execute", lambda *told: spelt.add(str(told[2])))
    found = []
    with database.read() as session:
        known = session.scalars(select(Pound.id).order_by(Pound.id)).all()
        spelt.clear()
        for count in (60, 61, 900):
            asked = [*known, *(f'nobody"{number}' for number in range(count))]
            found.append(
                sorted(session.scalars(select(Pound.id).where(among(session, Pound.id, asked))))
            )

    assert known
    assert found == [known] * 3
    assert len(spelt) == 1
