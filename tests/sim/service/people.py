"""What people do on their phones, drawn by dice, through the door that apps use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fieldapi.domain.references import mint
from sync.client.overlay import Screen
from sync.simulated.stage import Dice
from tests.sim.service.world import Held, RecordKey, World
from tests.support.reports import FIELD, SEIZED_AT

_VALUES: Mapping[str, Mapping[str, tuple[Any, ...]]] = {
    "seizure": {
        "ground": ("trespass", "straying", "nonsense", None),
        "capacity": ("watch_and_ward", "police", "cultivator"),
        "remarks": ("near the well", "by the road", None),
        "owner.name": ("Ramesh", "Suresh", None),
        "seized_at": (SEIZED_AT, "2026-11-30T05:20:00.000Z", "9999-01-01T00:00:00.000Z"),
        "location": tuple({**FIELD, "lat": 22.3 + n / 1000} for n in range(3)),
        "survey_no": ("12", "13"),
    },
    "animal": {
        "count": (2, 5, 9, -1),
        "kind": ("cow", "buffalo", "dragon"),
        "colour": ("red", "black", None),
        "marks": ("notch in the left ear", "brand on the hip"),
    },
    "intake": {
        "counts": ([{"kind": "cow", "count": 2}], [{"kind": "cow", "count": 3}]),
        "remarks": ("thin", None),
    },
}
MOST_RECORDS = 10
_DILIGENCE = {"asha": 3, "ravi": 2, "kanta": 1, "mohan": 3, "bina": 0}  # how much each writes
_KEEPERS_FIELDS = ("count", "kind", "marks")
_TAGS = ("340123456789", "340123456780")
_WITNESS = {"id": "w1", "name": "Gopal"}


def write(world: World, dice: Dice) -> None:
    """Somebody writes on a phone."""
    writers = [held for held in world.phones for _ in range(_DILIGENCE[held.owner.name])]
    held = dice.pick(writers)
    shown = _shown(world, held)
    own = [key for key, by in world.records if by == held.owner.person_id and key in shown]
    if held.owner.name == "mohan":
        _keep(world, held, shown, dice)
    elif not shown or (len(world.records) < MOST_RECORDS and dice.chance(15)):
        report(world, held, dice)
    else:
        _edit(world, held, dice.pick(shown if dice.chance(10) else own or shown), dice)


def _shown(world: World, held: Held) -> list[RecordKey]:
    """Return the records a phone shows, in order of creation."""
    return [key for key, _ in world.records if held.screen(key) is not None]


def report(world: World, held: Held, dice: Dice) -> None:
    """Capture a seizure with one or two lots, as an app would."""
    code = str(held.phone.device.authority["code"])
    number = held.phone.next_number("reference 2611")
    fields: dict[str, Any] = {
        "reference": mint(code, held.phone.device.number, year=2026, month=11, counter=number),
        "seized_at": SEIZED_AT,
        "capacity": "watch_and_ward",
        "ground": "trespass",
        "place_kind": "private_land",
        "location": dict(FIELD),
        "owner.name": "Ramesh",
    }
    if dice.chance(80):
        fields["pound_id"] = world.village.pound_id
    seizure = _create(world, held, "seizure", fields)
    for kind in ("cow", "buffalo")[: 1 + dice.below(2)]:
        lot = {"seizure_id": seizure, "kind": kind, "count": 1 + dice.below(4)}
        _create(world, held, "animal", lot)


def _create(world: World, held: Held, kind: str, fields: Mapping[str, Any]) -> str:
    record = held.phone.create(kind, fields)
    world.records.append(((kind, record), held.owner.person_id))
    world.tell(f"phone {held.at} ({held.owner.name}) creates {kind} {len(world.records)}")
    return record


def _edit(world: World, held: Held, key: RecordKey, dice: Dice) -> None:
    kind, record = key
    screen, phone = held.phone.screen(kind, record), held.phone
    what = dice.below(12)
    world.tell(f"phone {held.at} ({held.owner.name}) edits {_nth(world, key)} in way {what}")
    if what == 0 and kind == "seizure":
        phone.add(kind, record, "witnesses", {**_WITNESS, "residence": dice.pick(("Ward 1", "2"))})
    elif what == 1 and kind == "animal":
        phone.add(kind, record, "ear_tags", dice.pick(_TAGS))
    elif what == 2 and kind == "animal":
        phone.strike(kind, record, "ear_tags", key=dice.pick(_TAGS), reason="misread")
    elif what == 3 and screen.is_withdrawn:
        phone.undo_retract(kind, record)
    elif what == 3:
        phone.retract(kind, record, reason="sent twice")
    elif what == 4 and kind == "seizure":
        pound = dice.pick((world.village.pound_id, world.village.other_pound_id, None))
        phone.edit(kind, record, {"pound_id": pound})
    else:
        _set(held, key, screen, dice)


def _set(held: Held, key: RecordKey, screen: Screen, dice: Dice) -> None:
    kind, record = key
    values = _VALUES[kind]
    names = {dice.pick([*values]), dice.pick([*values])}
    fields = {name: dice.pick(values[name]) for name in sorted(names)}
    fixes = next((one.op for one in screen.aside if one.status != "held"), None)
    form = held.form if held.form and (held.form.kind, held.form.id) == key else None
    if fixes is not None and dice.chance(50):
        held.phone.edit(kind, record, fields, fixes=fixes)
    else:
        held.phone.edit(kind, record, fields, seen=form)
    held.form = None


def _keep(world: World, held: Held, shown: list[RecordKey], dice: Dice) -> None:
    """Let the keeper count, mark, or take animals in."""
    cases = [key for key in shown if key[0] == "seizure"]
    lots = [key for key in shown if key[0] in {"animal", "intake"}]
    if cases and dice.chance(25):
        fields: dict[str, Any] = {
            "seizure_id": dice.pick(cases)[1],
            "pound_id": world.village.pound_id,
            "received_at": "2026-11-30T08:00:00.000Z",
            "counts": [{"kind": "cow", "count": 2}],
        }
        _create(world, held, "intake", fields)
    elif lots:
        key = dice.pick(lots)
        names = _KEEPERS_FIELDS if key[0] == "animal" else ("counts", "remarks")
        name = dice.pick(names)
        world.tell(f"phone {held.at} (mohan) sets {name} of {_nth(world, key)}")
        held.phone.edit(*key, {name: dice.pick(_VALUES[key[0]][name])})


def _nth(world: World, key: RecordKey) -> str:
    at = next(at for at, (one, _) in enumerate(world.records, 1) if one == key)
    return f"{key[0]} {at}"


def leave_open(world: World, dice: Dice) -> None:
    """Somebody opens a screen and leaves it open."""
    held = dice.pick(world.phones)
    if shown := _shown(world, held):
        held.form = held.screen(dice.pick(shown))


def look(world: World, dice: Dice) -> None:
    """Somebody looks at what stands under own values."""
    held = dice.pick(world.phones)
    if shown := _shown(world, held):
        screen = held.phone.screen(*dice.pick(shown))
        held.phone.look(screen)
