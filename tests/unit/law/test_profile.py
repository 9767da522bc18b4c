"""What each Act says about who may seize, where, and what counts as cattle."""

from datetime import date

import pytest

from fieldapi.law.profile import StatuteProfile
from fieldapi.packs import load_packs


def profile(name: str) -> StatuteProfile:
    return load_packs().profile(name, on=date(2026, 12, 1))


@pytest.mark.parametrize("name", ["gujarat-1993", "kerala-1961", "kerala-2000", "karnataka-1966"])
def test_every_act_knows_the_common_cattle(name: str) -> None:
    assert {"cow", "buffalo", "bull", "bullock", "calf", "goat", "sheep"} <= profile(name).kinds
    assert profile(name).kinds <= profile(name).known_kinds


def test_fowls_are_cattle_in_kerala_only() -> None:
    assert "fowl" in profile("kerala").kinds
    assert "fowl" not in profile("gujarat").kinds | profile("karnataka").kinds
    assert "fowl" in profile("gujarat").known_kinds


def test_police_go_by_one_code_and_an_older_spelling() -> None:
    for name in ("gujarat", "kerala", "karnataka"):
        term = profile(name).capacity("police_officer")
        assert term is not None
        assert term.code == "police"
        assert profile(name).capacity("police") == term


def test_any_other_person_is_open_in_gujarat_only() -> None:
    term = profile("gujarat").capacity("a_passer_by")
    assert term is not None
    assert term.code == "any_other_person"
    assert profile("kerala").capacity("a_passer_by") is None


@pytest.mark.parametrize(
    "name,capacity,place,rules",
    [
        ("gujarat", "cultivator", "street", ["GJ-SEIZE"]),
        ("kerala", "crop_buyer", "private_field", ["KL-LAND"]),
        ("kerala", "police", "canal", ["KL-PUBLIC"]),
        ("kerala", "police", "private_field", []),
        ("karnataka", "watch_and_ward", "canal", ["KA-VILLAGE"]),
        ("karnataka", "person_in_charge_of_canal", "canal", ["KA-PUBLIC"]),
        ("karnataka", "unheard_of", "canal", []),
    ],
)
def test_rules_say_who_may_seize_where(
    name: str, capacity: str, place: str, rules: list[str]
) -> None:
    assert [one.rule for one in profile(name).seizure_rules_for(capacity, place)] == rules


def test_damage_is_required_on_land_and_never_in_gujarat() -> None:
    required = {
        rule.rule for name in ("gujarat", "kerala", "karnataka")
        for rule in profile(name).seizure_rules if rule.damage_required
    }  # fmt: skip
    assert required == {"KL-LAND", "KA-VILLAGE", "KA-LAND"}


def test_karnataka_counts_elephants_for_certain_and_cows_until_confirmed() -> None:
    verified = {one.kind.code for one in profile("karnataka").cattle if one.provenance.is_verified}
    assert verified == {"elephant", "camel"}
