"""A restore brings no right back that ended after the backup, and locks no honest phone out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from sqlalchemy import select

from fieldapi.app import app_of
from fieldapi.backup import make_backup, restore
from fieldapi.house import House
from fieldapi.models import Membership
from fieldapi.problems import NotAuthenticated
from fieldapi.services import device_people, invitations, people, sign_ins
from fieldapi.services.authorise import operator
from fieldapi.services.sign_ins import Attempted
from tests.support.desk import PASSWORD, give_password
from tests.support.house import client_with
from tests.support.ledgers import entries_of
from tests.support.personas import Village
from tests.support.restores import assert_sound, environ_of, opened

ME = "/api/v1/me"


@pytest.fixture
def environ(tmp_path: Path) -> Mapping[str, str]:
    """The environment of the new host."""
    return environ_of(tmp_path)


def role_of(house: House, person_id: str) -> str:
    with house.database.read() as session:
        found = session.scalar(select(Membership.id).where(Membership.person_id == person_id))
    assert found
    return found


def test_role_that_ended_since_the_backup_stays_ended(
    house: House, village: Village, environ: Mapping[str, str], tmp_path: Path
) -> None:
    boss, log = operator(village.rjk), house.settings.outside_log
    backup = make_backup(house, tmp_path / "backup").folder
    role = role_of(house, village["bina"].person_id)
    house.database.clock.move(seconds=60)  # type: ignore[attr-defined]
    house.database.transact(lambda unit: people.end(unit, boss, role, log=log))
    restored = restore(backup, tmp_path / "restored", environ=environ, logs=[log])

    with opened(restored.folder, environ) as again:
        bina = client_with(app_of(again), village["bina"].token)
        assert bina.get("/api/v1/reviews").status_code == 403
        assert bina.get(ME).get_json()["roles"] == []
        assert_sound(again, village.rjk)


def test_person_taken_off_a_phone_and_sign_in_that_was_reset_stay_so(
    house: House, village: Village, environ: Mapping[str, str], tmp_path: Path
) -> None:
    boss, log = operator(village.rjk), house.settings.outside_log
    asha, ravi, bina = village["asha"], village["ravi"], village["bina"]
    give_password(house.database, bina)
    house.database.transact(
        lambda unit: device_people.join(unit, boss, asha.device_id, ravi.person_id)
    )
    backup = make_backup(house, tmp_path / "backup").folder
    house.database.transact(
        lambda unit: device_people.leave(unit, boss, asha.device_id, ravi.person_id, log=log)
    )
    house.database.clock.move(seconds=60)  # type: ignore[attr-defined]
    house.database.transact(lambda unit: invitations.reset(unit, boss, bina.person_id, log=log))
    restored = restore(backup, tmp_path / "restored", environ=environ, logs=[log])

    with opened(restored.folder, environ) as again:
        me = client_with(app_of(again), asha.token).get(ME).get_json()
        assert [one["id"] for one in me["people"]] == [asha.person_id]
        with pytest.raises(NotAuthenticated):
            sign_ins.open_session(again.database, Attempted("bina", PASSWORD, "192.0.2.7"))


def test_tokens_of_known_phones_go_on_and_untrusted_makes_all_of_them_wait(
    house: House, village: Village, environ: Mapping[str, str], tmp_path: Path
) -> None:
    asha = village["asha"]
    backup = make_backup(house, tmp_path / "backup").folder
    trusted = restore(backup, tmp_path / "trusted", environ=environ)
    untrusted = restore(backup, tmp_path / "untrusted", environ=environ, is_trusted=False)

    with opened(trusted.folder, environ) as again:
        phone = client_with(app_of(again), asha.token)
        assert phone.get(ME).get_json()["device"]["standing"] == "confirmed"
    with opened(untrusted.folder, environ) as again:
        phone = client_with(app_of(again), asha.token)
        assert phone.get(ME).get_json()["device"]["standing"] == "pending"
        assert phone.get("/api/v1/seizures").status_code == 403
        assert entries_of(again.database, f"device/{asha.device_id}", "device.pended")
        assert_sound(again, village.rjk)
