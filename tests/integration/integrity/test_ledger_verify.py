"""The verifier finds nothing in a ledger as it was written, and something in any other."""

from __future__ import annotations

import pytest

from fieldapi import ledger
from fieldapi.house import House
from fieldapi.ledger import KeptHead, Verification
from tests.support.clock import StoppedClock
from tests.support.deliveries import deliver, pen_of, some_reports
from tests.support.personas import Village

pytestmark = pytest.mark.database


def verified(house: House, authority_id: str, against: KeptHead | None = None) -> Verification:
    with house.database.read() as session:
        return ledger.verify(session, authority_id, house.keys, against=against)


def kept(house: House, authority_id: str) -> KeptHead:
    with house.database.read() as session:
        return ledger.read_kept(ledger.text_of(ledger.head(session, authority_id)))


def test_ledger_as_written_is_sound(house: House, village: Village) -> None:
    some_reports(house, village)

    found = verified(house, village.rjk)

    assert found.faults == ()
    assert found.ops == 16
    assert verified(house, village.klm).is_sound


def test_ledger_continues_every_head_it_ever_had(house: House, village: Village) -> None:
    heads = [kept(house, village.rjk)]
    some_reports(house, village)
    heads.append(kept(house, village.rjk))

    assert [verified(house, village.rjk, head).faults for head in heads] == [(), ()]


def test_a_clock_that_ran_back_is_told_and_fits(
    house: House, village: Village, clock: StoppedClock
) -> None:
    asha = pen_of(village["asha"])
    clock.move(hours=-3)

    deliver(house, village["asha"], asha.seizure(village.rjk))

    found = verified(house, village.rjk)
    assert found.faults == ()
    with house.database.read() as session:
        entry = ledger.entries_about(session, village.rjk, [f"seizure/{village.rjk}"])[0]
    assert (entry["clock"], entry["at"]) == ("2026-11-30T01:30:00.000Z", "2026-11-30T04:30:00.000Z")
