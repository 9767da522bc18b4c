"""Flags: which record raises which doubt under which Act, and that each explains itself."""

from datetime import UTC, date, datetime

import pytest

from fieldapi.domain.flags import FLAGS
from fieldapi.domain.found_flags import Circumstances, flags_of
from fieldapi.domain.geo import read_area
from fieldapi.domain.labels import PHOTO_REASONS
from fieldapi.imaging import facts
from fieldapi.packs import load_packs
from sync.strict import JSON

TODAY = date(2026, 11, 30)
GUJARAT, KERALA, KARNATAKA = (
    Circumstances(load_packs().profile(name, on=TODAY))
    for name in ("gujarat", "kerala", "karnataka")
)
AREA = read_area(
    {"type": "Polygon", "coordinates": [[[70, 22], [71, 22], [71, 23], [70, 23], [70, 22]]]}
)
FIELD: dict[str, JSON] = {
    "capacity": "cultivator",
    "ground": "trespass_with_damage",
    "place_kind": "private_field",
    "location": {"lat": 22.3, "lon": 70.8, "accuracy_m": 8, "mocked": False},
}


def seizure(around: Circumstances, **changes: JSON) -> tuple[str, ...]:
    return flags_of("seizure", {**FIELD, **changes}, around)


@pytest.mark.parametrize("around", [GUJARAT, KERALA, KARNATAKA])
def test_an_ordinary_report_raises_nothing(around: Circumstances) -> None:
    assert seizure(around) == ()


def test_an_empty_record_is_missing_not_doubtful() -> None:
    for kind in ("seizure", "animal", "photo", "aid", "intake"):
        assert flags_of(kind, {}, KERALA) == ()


def test_pound_that_nobody_has_is_doubtful() -> None:
    around = Circumstances(GUJARAT.profile, pounds={"one"})

    assert seizure(around, pound_id="one") == ()
    assert seizure(around, pound_id="two") == ("pound_unknown",)


@pytest.mark.parametrize(
    "location,flags",
    [
        ({"lat": 22.3, "lon": 70.8, "mocked": True}, ("gps_mock",)),
        ({"lat": 22.3, "lon": 70.8, "accuracy_m": 1500}, ("gps_poor",)),
        ({"lat": 10.0, "lon": 76.0}, ("outside_area",)),
        (
            {"lat": 0, "lon": 0, "accuracy_m": 201, "mocked": True},
            ("outside_area", "gps_poor", "gps_mock"),
        ),
    ],
)
def test_doubts_about_the_place(location: JSON, flags: tuple[str, ...]) -> None:
    around = Circumstances(GUJARAT.profile, area=AREA)
    assert seizure(around, location=location) == flags


def test_a_reason_instead_of_a_place_is_noted() -> None:
    assert seizure(GUJARAT, location=None, location_absent_reason="no_signal") == (
        "location_absent",
    )


def test_a_suspect_clock_is_passed_on_for_every_kind() -> None:
    around = Circumstances(GUJARAT.profile, is_clock_suspect=True)
    for kind in ("seizure", "animal", "photo", "aid", "intake"):
        assert flags_of(kind, {}, around) == ("clock_suspect",)


def test_in_gujarat_anyone_may_seize_what_strays_without_damage() -> None:
    assert (
        seizure(GUJARAT, capacity="any_other_person", ground="straying", place_kind="street") == ()
    )
    assert seizure(GUJARAT, capacity="watch_and_ward", ground="trespass") == ()


def test_in_kerala_land_needs_damage_and_its_own_people() -> None:
    assert seizure(KERALA, ground="straying") == ("damage_not_stated",)
    assert seizure(KERALA, ground="straying", damage_done=True) == ()
    assert seizure(KERALA, damage_done=False) == ("damage_not_stated",)
    assert seizure(KERALA, capacity="police") == ("capacity_not_for_place",)
    assert seizure(KERALA, capacity="any_other_person") == ("capacity_not_listed",)
    assert seizure(KERALA, ground="trespass") == ("ground_not_listed", "damage_not_stated")


def test_in_karnataka_watch_and_ward_need_damage_on_public_land_too() -> None:
    given = {"capacity": "watch_and_ward", "place_kind": "public_road", "ground": "straying"}
    assert seizure(KARNATAKA, **given) == ("damage_not_stated",)
    assert seizure(KARNATAKA, **{**given, "capacity": "police_officer"}) == ()
    assert seizure(KARNATAKA, place_kind="moon") == ("place_kind_not_listed",)


@pytest.mark.parametrize("around,flags", [(KERALA, ()), (GUJARAT, ("kind_not_listed",))])
def test_fowls_are_cattle_in_kerala_only(around: Circumstances, flags: tuple[str, ...]) -> None:
    assert flags_of("animal", {"kind": "fowl", "count": 3}, around) == flags
    assert flags_of("intake", {"counts": [{"kind": "fowl", "count": 3}]}, around) == flags


@pytest.mark.parametrize(
    "name,received_at,flags",
    [
        ("kerala", "2026-12-09T17:30:00+05:30", ()),
        ("kerala", "2026-12-09T18:10:00+05:30", ("late_to_pound",)),
        ("gujarat", "2026-12-19T18:10:00+05:30", ()),
    ],
)
def test_late_means_after_the_last_moment(
    name: str, received_at: str, flags: tuple[str, ...]
) -> None:
    profile = load_packs().profile(name, on=TODAY)
    around = Circumstances(profile, seized_at=datetime(2026, 12, 8, 12, 0, tzinfo=UTC))
    assert flags_of("intake", {"received_at": received_at}, around) == flags


def test_without_the_seizure_nothing_is_late() -> None:
    assert flags_of("intake", {"received_at": "2026-12-19T18:10:00Z"}, KERALA) == ()


def test_counts_of_another_shape_raise_nothing() -> None:
    assert flags_of("intake", {"counts": ["fowl"]}, GUJARAT) == ()


def test_a_photo_from_the_gallery_is_noted() -> None:
    assert flags_of("photo", {"source": "gallery"}, GUJARAT) == ("photo_from_gallery",)
    assert flags_of("photo", {"source": "camera"}, GUJARAT) == ()


def test_every_flag_says_what_it_does_not_prove() -> None:
    for code, flag in FLAGS.items():
        assert code == flag.code
        assert flag.severity in {"info", "warn"}
        assert flag.says.endswith(".")
        assert flag.does_not_prove.endswith(".")


def test_whatever_is_found_in_the_bytes_of_a_photo_has_a_sentence() -> None:
    assert {flag.value for flag in facts.Flag} <= set(FLAGS)
    assert {reason.value for reason in facts.Reason} == set(PHOTO_REASONS)
