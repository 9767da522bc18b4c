"""Rules of access and the form of a token: no database needed."""

from __future__ import annotations

import dataclasses

import pytest

from fieldapi.domain.access import PENDING_MAY, PERMISSIONS
from fieldapi.ids import new_id
from fieldapi.models.person import ROLES
from fieldapi.problems import NotAllowed
from fieldapi.services.authorise import (
    Principal,
    keeps,
    may,
    may_review,
    may_see_aid,
    may_see_in_short,
    may_see_seizure,
    new_token,
    operator,
    require,
    token_device,
)

NOBODYS_POUND = "pound-of-nobody"


def somebody(*roles: str, pounds: frozenset[str] | None = frozenset()) -> Principal:
    return Principal("rjk", "asha", "phone", "a" * 16, frozenset(roles), pounds, True)


def pending(principal: Principal) -> Principal:
    return dataclasses.replace(principal, is_confirmed=False)


def test_token_names_its_device() -> None:
    device = new_id()
    assert token_device(new_token(device)) == device


@pytest.mark.parametrize("index", range(90))
def test_token_with_a_changed_character_is_not_a_token(index: int) -> None:
    token = new_token("0193a5c0-f7e2-7000-8000-9f86d081884c")
    other = "x" if token[index] != "x" else "y"
    assert token_device(token[:index] + other + token[index + 1 :]) is None


def test_no_two_tokens_are_alike() -> None:
    device = new_id()
    assert len({new_token(device) for _ in range(100)}) == 100


def test_every_permission_names_known_roles_only() -> None:
    assert set().union(*PERMISSIONS.values()) <= set(ROLES)


def test_what_a_pending_device_may_is_a_known_action() -> None:
    assert set(PERMISSIONS) >= PENDING_MAY


@pytest.mark.parametrize("action", sorted(PERMISSIONS))
def test_person_without_a_role_may_nothing(action: str) -> None:
    with pytest.raises(NotAllowed):
        require(somebody(), action)


@pytest.mark.parametrize("action", sorted(PERMISSIONS))
def test_each_action_is_open_to_exactly_its_roles(action: str) -> None:
    assert {role for role in ROLES if may(somebody(role), action)} == PERMISSIONS[action]


@pytest.mark.parametrize("action", sorted(set(PERMISSIONS) - PENDING_MAY))
def test_pending_device_may_only_hand_in(action: str) -> None:
    with pytest.raises(NotAllowed) as refused:
        require(pending(somebody(*ROLES)), action)
    assert refused.value.extensions["reason"] == "pending"


def test_operator_is_an_admin() -> None:
    assert may(operator("rjk"), "person.add")


def test_reporter_sees_own_report_whole_and_others_in_short() -> None:
    asha = somebody("reporter")
    assert may_see_seizure(asha, author_id="asha", pound_id=None)
    assert not may_see_seizure(asha, author_id="ravi", pound_id=None)
    assert may_see_in_short(asha)


def test_report_without_an_author_is_nobodys_own() -> None:
    assert not may_see_seizure(somebody("reporter"), author_id=None, pound_id=None)


def test_person_whose_roles_ended_sees_nothing() -> None:
    assert not may_see_seizure(somebody(), author_id="asha", pound_id=None)
    assert not may_see_in_short(somebody())


def test_keeper_sees_the_cases_of_the_own_pound_only() -> None:
    mohan = somebody("pound_keeper", pounds=frozenset({"dwarka-road"}))
    assert may_see_seizure(mohan, author_id="ravi", pound_id="dwarka-road")
    assert not may_see_seizure(mohan, author_id="ravi", pound_id="aji-dam")
    assert not may_see_seizure(mohan, author_id="ravi", pound_id=None)


def test_keeper_without_a_named_pound_keeps_them_all() -> None:
    assert keeps(somebody("pound_keeper", pounds=None), "aji-dam")


def test_reporter_keeps_no_pound_whatever_is_written() -> None:
    assert not keeps(somebody("reporter", pounds=None), "aji-dam")


@pytest.mark.parametrize("role", ["reviewer", "decider", "admin", "auditor"])
def test_desk_and_office_see_every_record(role: str) -> None:
    assert may_see_seizure(somebody(role), author_id="ravi", pound_id=NOBODYS_POUND)
    assert may_see_aid(somebody(role), author_id="ravi")


@pytest.mark.parametrize("role", ROLES)
def test_pending_device_sees_nothing_not_even_its_own(role: str) -> None:
    phone = pending(somebody(role, pounds=None))
    assert not may_see_seizure(phone, author_id="asha", pound_id=NOBODYS_POUND)
    assert not may_see_aid(phone, author_id="asha")
    assert not may_see_in_short(phone)


def test_reviewer_never_judges_the_own_report() -> None:
    bina = somebody("reviewer")
    assert may_review(bina, author_ids=["ravi", None])
    assert not may_review(bina, author_ids=["ravi", "asha"])
