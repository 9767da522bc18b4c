"""Ops handed in without HTTP: straight into the exchange that the sync route calls."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.services import photos
from fieldapi.services.sync import exchange, read_ask
from sync.wire import JSON, read_envelope
from tests.support.personas import Persona, Village
from tests.support.reports import Pen, photo_body, push_body


def pen_of(persona: Persona) -> Pen:
    """Return a pen for the phone of a persona."""
    return Pen(persona.actor, persona.person_id)


def deliver(house: House, persona: Persona, *ops: JSON | bytes) -> list[dict[str, Any]]:
    """Push ops (bytes go as they are) for a persona and return the results."""
    parts = [op if isinstance(op, bytes) else json.dumps(op).encode() for op in ops]
    body = json.dumps(push_body([])).encode()
    body = body.replace(b'"ops": []', b'"ops": [' + b",".join(parts) + b"]")
    answer = json.loads(
        exchange(house, persona.principal(house.database), read_ask(read_envelope(body)))
    )
    results: list[dict[str, Any]] = answer["results"]
    return results


def some_reports(house: House, village: Village) -> list[str]:
    """Fill RJK with a little of everything: facts, personal ops, a conflict, an op that is held,
    one with a parked field and one that nobody can read. Returns the ids of the seizures.
    """
    asha, mohan, ravi = (pen_of(village[name]) for name in ("asha", "mohan", "ravi"))
    seizures = [new_id() for _ in range(3)]
    lots = [new_id() for _ in seizures]
    for seizure, lot in zip(seizures, lots, strict=True):
        deliver(
            house,
            village["asha"],
            asha.seizure(seizure, pound_id=village.pound_id),
            asha.op("seizure", seizure, set={"owner.name": "Ramesh", "remarks": "near the well"}),
            asha.animal(lot, seizure, "cow", 5),
        )
    first = asha.written[2]["op"]
    counted = mohan.op("animal", lots[0], set={"count": 9}, base={"count": [first]})
    tagged = mohan.op("animal", lots[0], base={}, add={"ear_tags": ["340123456789"]})
    deliver(house, village["mohan"], counted, tagged)
    deliver(house, village["ravi"], ravi.op("seizure", seizures[1], set={"ground": "straying"}))
    deliver(house, village["asha"], asha.seizure(new_id(), location={"lat": 999}), b'{"op": NaN}')
    deliver(house, village["asha"], {**asha.written[0], "set": {"ground": "straying"}})
    base = {"withdrawn": [], "*": [str(asha.written[-1]["op"])]}
    deliver(
        house,
        village["asha"],
        asha.op("seizure", seizures[2], retract={"reason": "twice"}, base=base),
    )
    return seizures


def store_photo(house: House, persona: Persona, seizure: str, content: bytes) -> str:
    """Announce a photo of a report, hand its bytes in, and return their hash."""
    pen, photo = pen_of(persona), photo_body(content)
    photo_id = str(photo.pop("id"))
    deliver(
        house, persona, pen.op("photo", photo_id, new=True, set={**photo, "seizure_id": seizure})
    )
    sha256 = str(photo["sha256"])
    body = photos.Body(BytesIO(content), len(content), sha256)
    photos.receive(house, persona.principal(house.database), photo_id, body)
    return sha256
