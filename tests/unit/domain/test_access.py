"""The rules of access, said a second time by hand: what each role may, and what each person sees.

Letters: r reporter, k pound keeper, v reviewer, d decider, a admin, u auditor. The mutants of
`./dev soak mutants` are killed here first.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from fieldapi.domain import access
from fieldapi.domain.access import PENDING_MAY, PERMISSIONS, Principal, is_among, may, require
from fieldapi.problems import NotAllowed

LETTERS = {
    "r": "reporter",
    "k": "pound_keeper",
    "v": "reviewer",
    "d": "decider",
    "a": "admin",
    "u": "auditor",
}
ALLOWED = {
    "act.perform": "rkvda",
    "aid.read": "rkvdau",
    "aid.report": "rk",
    "authority.change": "a",
    "authority.read": "rkvdau",
    "bundle.make": "vda",
    "bundle.read": "vdau",
    "calendar.change": "a",
    "calendar.read": "rkvdau",
    "case.read": "rkvdau",
    "comment.add": "vd",
    "complaint.read": "vdau",
    "complaint.take": "kvda",
    "console.open": "kvdau",
    "deadline.read": "kvdau",
    "device.judge": "a",
    "device.read": "au",
    "document.print": "kvda",
    "document.read": "rkvdau",
    "duplicate.judge": "vd",
    "enrolment.issue": "a",
    "enrolment.read": "au",
    "erasure.make": "da",
    "export.read": "vdau",
    "health.read": "au",
    "intake.read": "rkvdau",
    "intake.report": "rk",
    "ledger.read": "vdau",
    "notification.add": "a",
    "notification.read": "kvdau",
    "offence.read": "kvdau",
    "offence.report": "rkvda",
    "op.judge": "vd",
    "op.read": "vdau",
    "party.add": "kvda",
    "party.merge": "vda",
    "party.read": "kvdau",
    "person.add": "a",
    "person.read": "au",
    "photo.read": "rkvdau",
    "photo.upload": "rk",
    "place.import": "a",
    "pound.add": "a",
    "pound.read": "vdau",
    "prior_impounding.add": "kvda",
    "prior_impounding.read": "kvdau",
    "register.read": "kvdau",
    "removal_order.make": "da",
    "removal_order.read": "vdau",
    "review.read": "vdau",
    "seizure.assign": "vda",
    "seizure.correct": "rkvd",
    "seizure.read": "rkvdau",
    "seizure.report": "rk",
    "seizure.review": "vd",
    "slip.key_in": "r",
    "statute.confirm": "da",
    "statute.read": "kvdau",
    "sync.pull": "rkvdau",
    "sync.push": "rkvd",
}
PENDING = {
    "aid.report",
    "intake.report",
    "photo.upload",
    "seizure.report",
    "sync.pull",
    "sync.push",
}
SEES_ALL = set("vdau")


def who(
    letters: str = "", *, pounds: frozenset[str] | None = frozenset(), **more: object
) -> Principal:
    roles = frozenset(LETTERS[letter] for letter in letters)
    made = Principal("rjk", "asha", "phone", "a" * 16, roles, pounds, is_confirmed=True)
    return replace(made, **more)  # type: ignore[arg-type]


def pending(letters: str, *, pounds: frozenset[str] | None = frozenset()) -> Principal:
    return who(letters, pounds=pounds, is_confirmed=False)


def test_every_action_is_in_the_table_and_no_other() -> None:
    assert ALLOWED.keys() == PERMISSIONS.keys()
    assert PENDING == PENDING_MAY


@pytest.mark.parametrize("action", sorted(ALLOWED))
def test_role_may_exactly_what_the_table_says(action: str) -> None:
    for letter in LETTERS:
        assert may(who(letter), action) is (letter in ALLOWED[action]), letter
        is_open = letter in ALLOWED[action] and action in PENDING
        assert may(pending(letter), action) is is_open, letter
    assert not may(who(), action)


@pytest.mark.parametrize("action", sorted(ALLOWED))
def test_two_roles_may_what_either_may(action: str) -> None:
    for pair in combinations(LETTERS, 2):
        expected = any(letter in ALLOWED[action] for letter in pair)
        assert may(who("".join(pair)), action) is expected


def test_refusal_says_why_and_no_more() -> None:
    require(who("a"), "person.add")
    with pytest.raises(NotAllowed) as by_role:
        require(who("vd"), "person.add")
    with pytest.raises(NotAllowed) as by_standing:
        require(pending("a"), "person.add")
    assert by_role.value.extensions == {"reason": "role"}
    assert by_role.value.detail == "Only these roles may do this: Administrator."
    assert by_standing.value.extensions == {"reason": "pending"}
    assert "fingerprint" in by_standing.value.detail
    with pytest.raises(NotAllowed) as of_two:
        require(who("r"), "erasure.make")
    assert of_two.value.detail == "Only these roles may do this: Administrator or Deciding officer."


def test_principal_has_a_role_or_not() -> None:
    assert who("rk").has("admin", "pound_keeper")
    assert not who("rk").has("admin", "auditor")
    assert not who().has("reporter")


@pytest.mark.parametrize("letter", LETTERS)
def test_only_a_keeper_keeps_and_only_the_own_pounds(letter: str) -> None:
    own, is_keeper = frozenset({"p1"}), letter == "k"
    assert access.keeps(who(letter, pounds=own), "p1") is is_keeper
    assert access.keeps(who(letter, pounds=None), "p2") is is_keeper
    assert not access.keeps(who(letter, pounds=own), "p2")
    assert not access.keeps(who(letter, pounds=own), None)
    assert not access.keeps(who(letter, pounds=None), None)
    assert not access.keeps(who(letter, pounds=frozenset()), "p1")


@pytest.mark.parametrize("letter", LETTERS)
def test_office_and_desk_see_all_once_confirmed(letter: str) -> None:
    assert access.sees_all(who(letter)) is (letter in SEES_ALL)
    assert not access.sees_all(pending(letter))


@pytest.mark.parametrize("letter", LETTERS)
def test_report_is_seen_whole_by_author_keeper_desk_and_office(letter: str) -> None:
    one, all_ = who(letter, pounds=frozenset({"p1"})), letter in SEES_ALL
    see = access.may_see_seizure
    assert see(one, author_id="asha", pound_id=None)
    assert see(one, author_id="ravi", pound_id=None) is all_
    assert see(one, author_id=None, pound_id=None) is all_
    assert see(one, author_id="ravi", pound_id="p1") is (all_ or letter == "k")
    assert see(one, author_id="ravi", pound_id="p2") is all_
    waiting = pending(letter, pounds=None)
    assert not see(waiting, author_id="asha", pound_id="p1")


def test_whoever_has_no_role_any_more_sees_not_even_the_own_report() -> None:
    assert not access.may_see_seizure(who(), author_id="asha", pound_id=None)


@pytest.mark.parametrize("letter", LETTERS)
def test_reports_of_others_are_seen_in_short_by_reporters_alone(letter: str) -> None:
    assert access.may_see_in_short(who(letter)) is (letter == "r")
    assert not access.may_see_in_short(pending(letter))


@pytest.mark.parametrize("letter", LETTERS)
def test_aid_is_seen_by_author_desk_and_office(letter: str) -> None:
    assert access.may_see_aid(who(letter), author_id="asha")
    assert access.may_see_aid(who(letter), author_id="ravi") is (letter in SEES_ALL)
    assert not access.may_see_aid(pending(letter), author_id="asha")


def test_audience_is_keepers_of_the_pound_and_staff() -> None:
    name = access.audience
    assert name(author_id="a", pound_id="p", is_withdrawn=False) == {"pound/p", "staff"}
    assert name(author_id="a", pound_id=None, is_withdrawn=False) == {"staff"}
    assert name(author_id=None, pound_id="p", is_withdrawn=False) == {"pound/p"}
    assert name(author_id="a", pound_id="p", is_withdrawn=True) == {"pound/p"}
    assert name(author_id=None, pound_id=None, is_withdrawn=True) == frozenset()
    assert access.author_audience("a") == "person/a"


@pytest.mark.parametrize("letter", LETTERS)
def test_audiences_are_who_they_say(letter: str) -> None:
    one = who(letter, pounds=frozenset({"p1"}))
    assert is_among(one, ["pound/p1"]) is (letter == "k")
    assert not is_among(one, ["pound/p2"])
    assert is_among(one, ["pound/p2", "person/asha"])
    assert not is_among(one, ["person/ravi"])
    assert is_among(one, ["staff"]) is (letter == "r")
    assert not is_among(one, [])
    assert not is_among(one, ["nonsense"])
    everyone = ["pound/p1", "person/asha", "staff"]
    assert not is_among(pending(letter, pounds=None), everyone)


@pytest.mark.parametrize("letter", LETTERS)
def test_nobody_reviews_what_they_wrote(letter: str) -> None:
    is_desk = letter in "vd"
    assert access.may_review(who(letter), author_ids=["ravi", None]) is is_desk
    assert access.may_review(who(letter), author_ids=[]) is is_desk
    assert not access.may_review(who(letter), author_ids=["ravi", "asha"])
    assert not access.may_review(pending(letter), author_ids=["ravi"])
