"""Whoever changes evidence by SQL is found out, whatever they change (threat E1)."""

from __future__ import annotations

import json
import random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.house import House
from fieldapi.keyring import Keyring
from fieldapi.ledger import KeptHead, LedgerError
from fieldapi.ledger.entries import spelled
from tests.support import tampering
from tests.support.deliveries import deliver, pen_of, some_reports
from tests.support.personas import Village
from tests.support.tampering import CHANGES

pytestmark = pytest.mark.database
ROUNDS = {"sqlite": 250, "postgresql": 60}


def test_every_change_is_detected(house: House, village: Village, owner: Engine) -> None:
    some_reports(house, village)
    with tampering.tampering(owner) as connection:
        assert ledger.verify(Session(connection), village.rjk, house.keys).is_sound
    missed = []

    for seed in range(ROUNDS[owner.dialect.name]):
        rng = random.Random(seed)
        with tampering.tampering(owner) as connection:
            done = rng.choice(CHANGES)(rng, connection, village.rjk)
            found = ledger.verify(Session(connection), village.rjk, house.keys)
        if found.is_sound:
            missed.append((seed, done))

    assert missed == []


def test_the_first_bad_entry_is_named(house: House, village: Village, owner: Engine) -> None:
    some_reports(house, village)

    with tampering.tampering(owner) as connection:
        for row in tampering.rows(connection, "ledger", village.rjk)[10:12]:
            tampering.put(connection, "ledger", row, {"subject": "seizure/another"})
        found = ledger.verify(Session(connection), village.rjk, house.keys)

    assert found.first_bad == 11
    assert [(fault.seq, fault.what) for fault in found.faults] == [(11, "columns"), (12, "columns")]


def test_a_ledger_rebuilt_without_the_key_is_found_by_its_signature(
    house: House, village: Village, owner: Engine
) -> None:
    some_reports(house, village)
    forger = Keyring(b"another secret", Ed25519PrivateKey.generate())

    with tampering.tampering(owner) as connection:
        entries = [row["entry"] for row in tampering.rows(connection, "ledger", village.rjk)]
        entries[3] = entries[3].replace('"moves":0', '"moves":1')
        tampering.rebuild(connection, village.rjk, entries, forger)
        found = ledger.verify(Session(connection), village.rjk, house.keys)

    assert "signature" in {fault.what for fault in found.faults}


def test_a_ledger_rebuilt_with_the_key_is_found_by_one_old_head(
    house: House, village: Village, owner: Engine
) -> None:
    some_reports(house, village)
    old = kept(house, village.rjk)

    with tampering.tampering(owner) as connection:
        entries = [one["entry"] for one in tampering.rows(connection, "ledger", village.rjk)]
        at = max(n for n, entry in enumerate(entries) if '"kind":"op.applied"' in entry)
        told = json.loads(entries[at])
        entries[at] = spelled({**told, "via": "device/another"})
        ops = tampering.rows(connection, "op", village.rjk)
        op = next(one for one in ops if told["op"] == f"{one['actor']}/{one['op']}")
        tampering.put(connection, "op", op, {"via": "device/another"})
        tampering.rebuild(connection, village.rjk, entries, house.keys)
        session = Session(connection)
        alone = ledger.verify(session, village.rjk, house.keys)
        held_against = ledger.verify(session, village.rjk, house.keys, against=old)

    assert alone.is_sound
    assert [fault.what for fault in held_against.faults] == ["against"]


def test_a_tail_cut_off_with_its_ops_is_found_by_one_old_head(
    house: House, village: Village, owner: Engine
) -> None:
    with house.database.read() as session:
        before = ledger.head(session, village.rjk)
    asha = pen_of(village["asha"])
    deliver(house, village["asha"], asha.seizure(village.rjk))
    old = kept(house, village.rjk)

    with tampering.tampering(owner) as connection:
        connection.execute(text("DELETE FROM op"))
        entries = [one["entry"] for one in tampering.rows(connection, "ledger", village.rjk)]
        tampering.rebuild(connection, village.rjk, entries[: before.size], house.keys)
        session = Session(connection)
        alone = ledger.verify(session, village.rjk, house.keys)
        held_against = ledger.verify(session, village.rjk, house.keys, against=old)

    assert alone.is_sound
    assert held_against.first_bad == before.size + 1
    assert "of epoch A is lost: that head" in held_against.faults[0].detail


def test_nothing_is_written_on_top_of_a_forged_head(
    house: House, village: Village, owner: Engine
) -> None:
    forger = Keyring(b"another secret", Ed25519PrivateKey.generate())
    asha = pen_of(village["asha"])
    with owner.connect().execution_options(writes=True) as connection:
        head = tampering.rows(connection, "ledger_head", village.rjk)[0]
        tampering.put(connection, "ledger_head", head, {"signature": forger.sign(b"")})
        connection.commit()

    with pytest.raises(LedgerError, match="was not signed by this installation"):
        deliver(house, village["asha"], asha.seizure(village.rjk))


def test_nothing_is_written_over_an_entry_beyond_the_head(
    house: House, village: Village, owner: Engine
) -> None:
    asha = pen_of(village["asha"])
    with owner.connect().execution_options(writes=True) as connection:
        last = tampering.rows(connection, "ledger", village.rjk)[-1]
        tampering.add(connection, "ledger", {**last, "seq": last["seq"] + 1})
        connection.commit()

    with pytest.raises((LedgerError, IntegrityError)):
        deliver(house, village["asha"], asha.seizure(village.rjk))


def kept(house: House, authority_id: str) -> KeptHead:
    with house.database.read() as session:
        return ledger.read_kept(ledger.text_of(ledger.head(session, authority_id)))
