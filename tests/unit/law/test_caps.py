"""Caps of fines and compensations: kept to, warned of, refused only where we draft the order."""

from datetime import date

import pytest

from fieldapi.law.caps import check_sum, reimbursement
from fieldapi.law.facts import Case, Complaint, Seizure
from fieldapi.law.profile import StatuteProfile
from fieldapi.packs import load_packs
from tests.support.walks import START


def profile(name: str) -> StatuteProfile:
    return load_packs().profile(name, on=date(2027, 1, 1))


@pytest.mark.parametrize(
    "name,cap,paise,drafts,allowed",
    [
        ("gujarat", "offence_first", 30000, True, "yes"),
        ("gujarat", "offence_first", 30001, False, "warn"),
        ("gujarat", "offence_first", 30001, True, "no"),
        ("gujarat", "offence_first", 9999, True, "warn"),
        ("gujarat", "offence_later", 24999, False, "warn"),
        ("gujarat", "offence_damage", 25001, True, "no"),
        ("kerala-1961", "damage_by_cattle", 25001, True, "warn"),
        ("kerala-2000", "damage_by_cattle", 25001, True, "no"),
        ("karnataka", "keeper", 5001, True, "warn"),
        ("karnataka", "unheard_of", 10**9, True, "yes"),
    ],
)
def test_a_sum_is_held_to_its_cap(
    name: str, cap: str, paise: int, *, drafts: bool, allowed: str
) -> None:
    assert check_sum(profile(name), cap, paise, drafts=drafts).allowed == allowed


def test_awards_against_several_are_held_to_the_cap_together() -> None:
    gujarat = profile("gujarat")
    assert check_sum(gujarat, "illegal_seizure", [5000, 5000]).allowed == "yes"
    assert check_sum(gujarat, "illegal_seizure", [5000, 5001]).allowed == "warn"


def test_special_reasons_let_a_court_go_below_the_least() -> None:
    assert check_sum(profile("gujarat"), "offence_first", 1, has_reasons=True).allowed == "yes"


def test_who_paid_nothing_gets_nothing_back() -> None:
    case = Case("c", profile("gujarat"), Seizure(START), ())
    assert reimbursement(case, Complaint("k", START, "asha", "illegal", START)) == ()
