"""A client that sends no base says which cursor it had seen: what was shown then is replaced."""

from __future__ import annotations

from typing import Any

import pytest

from fieldapi import ledger
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.services import replay
from tests.support.ledgers import entries_of
from tests.support.personas import Village
from tests.support.phones import TestPhone


def unbased(phone: TestPhone, record: str, **parts: Any) -> dict[str, Any]:
    """Return an op of a script that knows no base, only where it had pulled to."""
    op = phone.pen.op("seizure", record, seen=phone.cursor, **parts)
    del op["base"]
    return op


@pytest.fixture
def seizure(asha: TestPhone, second: TestPhone) -> str:
    """A seizure of one phone that the other has pulled."""
    record = new_id()
    asha.push(asha.pen.seizure(record))
    second.pull()
    return record


@pytest.mark.database
def test_what_was_shown_at_the_cursor_is_replaced(
    house: House, village: Village, asha: TestPhone, second: TestPhone, seizure: str
) -> None:
    op = unbased(second, seizure, set={"ground": "straying", "survey_no": "7"})

    results = [second.push(op)[0] for _ in range(2)]

    assert [(one["status"], one["replayed"]) for one in results] == [
        ("applied", False),
        ("applied", True),
    ]
    assert results[1]["fields"]["ground"] == {"shown": "straying"}
    (entry,) = [
        one
        for one in entries_of(house.database, f"seizure/{seizure}")
        if str(one["op"]).endswith(op["op"])
    ]
    assert (entry["nobase"], len(entry["base"])) == (1, 64)
    with house.database.read() as session:
        assert replay.check(session, village.rjk).differences == ()
        assert ledger.verify(session, village.rjk, house.keys).faults == ()


def test_what_came_after_the_cursor_stands_beside_it(
    asha: TestPhone, second: TestPhone, seizure: str
) -> None:
    (create,) = asha.pen.written
    base = {"ground": [create["op"]]}
    asha.push(asha.pen.op("seizure", seizure, set={"ground": "trespass_with_damage"}, base=base))

    (result,) = second.push(unbased(second, seizure, set={"ground": "straying"}))

    assert result["status"] == "conflict"


def test_retract_that_tells_no_base_was_made_knowing_what_was_shown(
    asha: TestPhone, second: TestPhone, seizure: str
) -> None:
    (result,) = second.push(unbased(second, seizure, retract={"reason": "twice"}))

    assert (result["status"], result["fields"]["withdrawn"]["shown"]) == ("applied", True)


def test_cursor_of_another_tells_nothing(asha: TestPhone, second: TestPhone, seizure: str) -> None:
    asha.pull()
    op = unbased(second, seizure, set={"ground": "straying"})

    (result,) = second.push({**op, "seen": asha.cursor})

    assert result["status"] == "conflict"
