"""Finds the doubts that one record shows by itself, out of the closed list of `flags.py`.

Called with every change of a record. Must never import SQL or services, nor read a clock.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from fieldapi.domain.flags import FLAGS
from fieldapi.domain.geo import Area, point_of
from fieldapi.domain.values import parse_instant
from fieldapi.law.clocks import transit_deadline
from fieldapi.law.profile import StatuteProfile
from sync.strict import JSON

POOR_ACCURACY_M = 200
Shown = Mapping[str, JSON]


@dataclass(frozen=True)
class Circumstances:
    """What is known beside the record: statute in force, area of the authority, phone clock.

    `seized_at` is the seizure's, for an intake; `pounds`: the ids of the authority's pounds; None
    where it is not known.
    """

    profile: StatuteProfile
    area: Area | None = None
    is_clock_suspect: bool = False
    seized_at: datetime | None = None
    pounds: Collection[str] | None = None


def flags_of(kind: str, shown: Shown, around: Circumstances) -> tuple[str, ...]:
    """Return the codes of what one record shows by itself, in the order of `FLAGS`, none twice.

    `shown` is the record with dotted names. A field without a value raises no flag: it is missing,
    not doubtful.
    """
    found = set(_FINDERS[kind](shown, around))
    found.update(_of_location(shown, around))
    found.update(_of_pound(shown, around))
    if around.is_clock_suspect:
        found.add("clock_suspect")
    return tuple(code for code in FLAGS if code in found)


def _of_location(shown: Shown, around: Circumstances) -> Iterator[str]:
    location = shown.get("location")
    point = point_of(location)
    if point is None or not isinstance(location, dict):
        return
    accuracy = location.get("accuracy_m")
    if isinstance(accuracy, int | float) and accuracy > POOR_ACCURACY_M:
        yield "gps_poor"
    if location.get("mocked") is True:
        yield "gps_mock"
    if around.area is not None and not around.area.holds(point):
        yield "outside_area"


def _of_pound(shown: Shown, around: Circumstances) -> Iterator[str]:
    named = _text(shown, "pound_id")
    if named and around.pounds is not None and named not in around.pounds:
        yield "pound_unknown"


def _of_seizure(shown: Shown, around: Circumstances) -> Iterator[str]:
    if shown.get("location") is None and shown.get("location_absent_reason") is not None:
        yield "location_absent"
    capacity, ground, place = (_text(shown, name) for name in ("capacity", "ground", "place_kind"))
    law = around.profile
    if capacity and law.capacity(capacity) is None:
        yield "capacity_not_listed"
    if ground and law.ground(ground) is None:
        yield "ground_not_listed"
    if place and law.place_kind(place) is None:
        yield "place_kind_not_listed"
    if capacity and place:
        yield from _of_seizer(capacity, place, shown=shown, law=law)


def _of_seizer(capacity: str, place: str, *, shown: Shown, law: StatuteProfile) -> Iterator[str]:
    if law.capacity(capacity) is None or law.place_kind(place) is None:
        return
    rules = law.seizure_rules_for(capacity, place)
    if not rules:
        yield "capacity_not_for_place"
    elif all(rule.damage_required for rule in rules) and not _states_damage(shown):
        yield "damage_not_stated"


def _states_damage(shown: Shown) -> bool:
    done = shown.get("damage_done")
    return done is True if done is not None else shown.get("ground") == "trespass_with_damage"


def _of_animal(shown: Shown, around: Circumstances) -> Iterator[str]:
    kind = _text(shown, "kind")
    if kind and kind not in around.profile.kinds:
        yield "kind_not_listed"


def _of_photo(shown: Shown, around: Circumstances) -> Iterator[str]:  # noqa: ARG001
    if shown.get("source") == "gallery":
        yield "photo_from_gallery"


def _of_aid(shown: Shown, around: Circumstances) -> Iterator[str]:  # noqa: ARG001
    yield from ()


def _of_intake(shown: Shown, around: Circumstances) -> Iterator[str]:
    counts = shown.get("counts")
    for one in counts if isinstance(counts, list) else []:
        if isinstance(one, dict):
            yield from _of_animal(one, around)
    received = _text(shown, "received_at")
    if received and around.seized_at is not None:
        deadline = transit_deadline(around.profile, around.seized_at)
        if deadline is not None and deadline.is_late(parse_instant(received)):
            yield "late_to_pound"


def _text(shown: Shown, name: str) -> str:
    value = shown.get(name)
    return value if isinstance(value, str) else ""


_FINDERS = {
    "seizure": _of_seizure,
    "animal": _of_animal,
    "photo": _of_photo,
    "aid": _of_aid,
    "intake": _of_intake,
}
