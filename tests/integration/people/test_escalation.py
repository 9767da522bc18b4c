"""Nobody gives more than they may, nor elsewhere: all grantors, roles and villages."""

from __future__ import annotations

from itertools import product

import pytest

from fieldapi.domain.access import Principal
from fieldapi.ids import new_id
from fieldapi.models.person import ROLES
from fieldapi.problems import InvalidBody, NotAllowed, NotFound
from fieldapi.services import enrolments, people
from fieldapi.services.people import Grant
from fieldapi.unit import Database, Unit
from tests.support.personas import Village


def grantor(village: Village, *roles: str, is_confirmed: bool = True) -> Principal:
    return Principal(
        village.rjk, "somebody", None, "a" * 16, frozenset(roles), None, is_confirmed=is_confirmed
    )


def outcome(unit: Unit, by: Principal, role: str, person_id: str) -> str:
    """Try a role and a phone for somebody; say how both went, which is to be alike."""
    told = set()
    for attempt in (
        lambda: people.grant(unit, by, Grant(role), person_id=person_id).authority_id,
        lambda: (
            enrolments.issue(
                unit, by, person_id, enrolment_id=new_id(), is_confirmed=True
            ).enrolment.authority_id
        ),
    ):
        try:
            told.add(attempt())
        except (NotAllowed, NotFound) as exc:
            told.add(exc.slug)
    assert len(told) == 1, told
    return told.pop()


def test_roles_and_phones_are_given_by_an_admin_at_home_and_by_nobody_else(
    database: Database, village: Village
) -> None:
    at_home, elsewhere = village["asha"].person_id, village["chetan"].person_id

    def work(unit: Unit) -> dict[tuple[str, str, str], str]:
        return {
            (by, role, person): outcome(unit, grantor(village, by), role, person)
            for by, role, person in product(ROLES, ROLES, (at_home, elsewhere))
        }

    found = database.transact(work)

    assert len(found) == 72
    for (by, _, person), told in found.items():
        expected = village.rjk if person == at_home else NotFound.slug
        assert told == (expected if by == "admin" else NotAllowed.slug), by


def test_admin_on_a_phone_that_waits_gives_nothing(database: Database, village: Village) -> None:
    waiting = grantor(village, *ROLES, is_confirmed=False)
    asha = village["asha"].person_id

    told = database.transact(lambda unit: {outcome(unit, waiting, role, asha) for role in ROLES})

    assert told == {NotAllowed.slug}


def test_no_role_reaches_into_a_pound_of_others(database: Database, village: Village) -> None:
    admin, mohan = grantor(village, "admin"), village["mohan"].person_id
    for grant in (Grant("pound_keeper", new_id()), Grant("admin", village.pound_id)):
        with pytest.raises(InvalidBody), database.unit() as unit:
            people.grant(unit, admin, grant, person_id=mohan)
