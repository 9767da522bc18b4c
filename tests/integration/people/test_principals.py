"""Whom a token and a cookie name, to the instant: quick cases for the mutants of `authorise`."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from sqlalchemy import update

from fieldapi.ids import new_id
from fieldapi.models import ConsoleSession, Device, DeviceUse, Membership
from fieldapi.problems import NotAuthenticated
from fieldapi.services import authorise, devices, people, sign_ins
from fieldapi.services.authorise import Credential, Principal, operator, roles_at
from fieldapi.services.people import Grant
from fieldapi.services.sign_ins import Attempted
from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.desk import PASSWORD, give_password
from tests.support.personas import Village, enrol


def reason(database: Database, token: str) -> str:
    with pytest.raises(NotAuthenticated) as refused:
        authorise.credential_of_token(database, token, database.clock())
    return str(refused.value.extensions["reason"])


def credential(database: Database, token: str, at: datetime | None = None) -> Credential:
    return authorise.credential_of_token(database, token, at or database.clock())


def test_principal_is_who_the_device_was_enrolled_for(database: Database, village: Village) -> None:
    mohan = village["mohan"]
    found = mohan.principal(database)
    assert found == Principal(
        village.rjk,
        mohan.person_id,
        mohan.device_id,
        mohan.actor,
        frozenset({"pound_keeper"}),
        frozenset({village.pound_id}),
        is_confirmed=True,
    )


def test_operator_is_admin_of_one_authority() -> None:
    assert operator("rjk") == Principal(
        "rjk", "operator", None, "0" * 16, frozenset({"admin"}), None, is_confirmed=True
    )


def test_actor_of_the_console_is_one_for_each_person() -> None:
    one = authorise.console_actor("rjk", "bina")
    assert re.fullmatch("[0-9a-f]{16}", one)
    assert one == authorise.console_actor("rjk", "bina")
    assert one not in {
        authorise.console_actor("klm", "bina"),
        authorise.console_actor("rjk", "asha"),
    }


def test_each_standing_has_its_answer(database: Database, village: Village) -> None:
    asha = village["asha"]
    with pytest.raises(NotAuthenticated, match="not a token of this service"):
        credential(database, "nonsense")
    assert reason(database, authorise.new_token(new_id())) == "unknown"
    for standing in ("revoked", "rejected"):

        def end(unit, standing=standing) -> None:  # noqa: ANN001
            row = unit.session.get(Device, (village.rjk, asha.device_id))
            row.standing, row.standing_reason = standing, "Lost"
            unit.enter(village.rjk, f"device.{standing}", subject="device/1", actor=asha.actor)

        database.transact(end)
        assert reason(database, asha.token) == standing
        with pytest.raises(NotAuthenticated, match=f"This device was {standing}. Lost"):
            credential(database, asha.token)


def test_pending_device_is_not_confirmed(database: Database, village: Village) -> None:
    made = enrol(database, village.rjk, village["asha"].person_id, is_confirmed=False)
    found = authorise.credential_of_token(database, made.token, database.clock())
    assert not found.principal.is_confirmed
    assert found.is_first_use


def test_role_holds_from_its_start_until_before_its_end(
    database: Database, village: Village, clock: StoppedClock
) -> None:
    asha, now = village["asha"], clock()
    starts, ends = now + timedelta(hours=1), now + timedelta(hours=2)
    grant = Grant("auditor", None, starts, ends)
    boss = operator(village.rjk)
    database.transact(lambda unit: people.grant(unit, boss, grant, person_id=asha.person_id))
    tick = timedelta(milliseconds=1)
    on_the_phone = [
        credential(database, asha.token, at).principal.has("auditor")
        for at in (starts - tick, starts, ends - tick, ends)
    ]
    assert on_the_phone == [False, True, True, False]
    with database.read() as session:
        held = {
            at: "auditor" in roles_at(session, village.rjk, asha.person_id, at)[0]
            for at in (starts - tick, starts, ends - tick, ends)
        }
        assert roles_at(session, village.klm, asha.person_id, starts) == (frozenset(), frozenset())
    assert list(held.values()) == [False, True, True, False]


def test_keeper_of_one_pound_and_of_all(database: Database, village: Village) -> None:
    mohan, boss = village["mohan"], operator(village.rjk)
    database.transact(
        lambda unit: people.grant(unit, boss, Grant("pound_keeper"), person_id=mohan.person_id)
    )
    assert mohan.principal(database).pounds is None
    assert village["asha"].principal(database).pounds == frozenset()


def test_cookie_holds_until_idle_or_over_to_the_instant(
    database: Database, village: Village, clock: StoppedClock
) -> None:
    give_password(database, village["bina"])
    opened = sign_ins.open_session(database, Attempted("bina", PASSWORD, "192.0.2.7"))
    began, tick = clock(), timedelta(milliseconds=1)
    with database.read() as session:
        found = authorise.console_principal(session, opened.token, began + authorise.IDLE - tick)
        assert (found.person_id, found.device_id) == (village["bina"].person_id, None)
        assert (found.pounds, found.is_confirmed) == (frozenset(), True)
        assert timedelta(minutes=30) == authorise.IDLE
        for late in (began + authorise.IDLE, began + timedelta(hours=12)):
            with pytest.raises(NotAuthenticated):
                authorise.console_principal(session, opened.token, late)
        with pytest.raises(NotAuthenticated):
            authorise.console_principal(session, "x" + opened.token, began)
        assert session.query(Membership).count()


def test_cookie_in_use_ends_to_the_instant(
    database: Database, village: Village, clock: StoppedClock
) -> None:
    give_password(database, village["bina"])
    token = sign_ins.open_session(database, Attempted("bina", PASSWORD, "192.0.2.7")).token
    ends, tick = clock() + timedelta(hours=12), timedelta(milliseconds=1)
    in_use = update(ConsoleSession).values(seen_at=ends - timedelta(minutes=1))
    database.transact(lambda unit: unit.session.execute(in_use))
    with database.read() as session:
        assert authorise.console_principal(session, token, ends - tick)
        with pytest.raises(NotAuthenticated):
            authorise.console_principal(session, token, ends)


def test_token_is_noted_once_a_day_and_ends_to_the_instant(
    database: Database, village: Village
) -> None:
    asha, tick = village["asha"], timedelta(milliseconds=1)
    first = credential(database, asha.token)
    database.transact(lambda unit: devices.mark_used(unit, first))
    used, day = database.clock(), timedelta(days=1)
    for at, is_due in ((used, False), (used + day - tick, False), (used + day, True)):
        assert credential(database, asha.token, at).is_first_use is is_due
    two_years = timedelta(days=730)
    in_use = update(DeviceUse).values(used_at=used + two_years - day)
    database.transact(lambda unit: unit.session.execute(in_use))
    assert credential(database, asha.token, used + two_years - tick)
    with pytest.raises(NotAuthenticated):
        credential(database, asha.token, used + two_years)
