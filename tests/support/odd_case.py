"""A case with everything odd in it: a conflict, an op that nobody could read, a rejected photo, an
erased owner, a correction, a photo that came twice, a signed phone; and its way through the pound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Flask

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.pending import jobs_of
from tests.support import photos
from tests.support.house import client_with
from tests.support.personas import Village
from tests.support.phones import phone_of
from tests.support.reports import SEIZED_AT, photo_body
from tests.support.signing import SigningPhone, signing_phone

BROKEN = b"\xff\xd8\xff\xe0 this is no picture"


@dataclass(slots=True)
class OddCase:
    """The case and who wrote in it. `photos`: ids; `pictures`: their bytes; `complaint`: its id."""

    seizure: str
    animal: str
    phone: SigningPhone
    photos: list[str]
    pictures: list[bytes]
    complaint: str = ""


def odd_case(app: Flask, house: House, village: Village) -> OddCase:
    """Tell the story through the API and let the jobs run."""
    phone = signing_phone(app, house.database, village["asha"])
    case = OddCase(new_id(), new_id(), phone, [], [photos.jpeg(1), photos.jpeg(2), BROKEN])
    _report(case)
    _photos(app, case, village)
    _quarantine(case)
    _mention(app, case, village)
    _dispute(app, case, village)
    _erase(app, case, village)
    _review(app, case, village)
    _complain(app, case, village)
    run_jobs(house)
    return case


def run_jobs(house: House) -> None:
    """Do what is pending, until nothing is."""
    for _ in range(3):
        for job in jobs_of(house):
            with house.database.read() as session:
                waiting = job.pending(session)
            for subject in waiting:
                job.run(subject)


def _report(case: OddCase) -> None:
    pen = case.phone.phone.pen
    ops = [
        pen.seizure(case.seizure, damage_done=True),
        pen.animal(case.animal, case.seizure, "buffalo", 5),
        pen.op(
            "seizure",
            case.seizure,
            set={"owner.name": "Ramesh Solanki", "owner.mobile": "+919812345678"},
            salt="AAECAwQFBgcICQoLDA0ODw",
        ),
        pen.op(
            "seizure",
            case.seizure,
            set={"remarks": "by the well", "place_text": "Bedi road"},
            salt="EBESExQVFhcYGRobHB0eHw",
        ),
        pen.op("seizure", case.seizure, set={"survey_no": "114/2"}),
        pen.op("seizure", case.seizure, set={"damage.estimate_paise": "much"}),
    ]
    case.phone.push(*ops)


def _photos(app: Flask, case: OddCase, village: Village) -> None:
    pen = case.phone.phone.pen
    client = client_with(app, case.phone.persona.token)
    for content in case.pictures:
        announced = photo_body(content)
        case.photos.append(announced["id"])
        values = {k: v for k, v in announced.items() if k != "id"} | {"seizure_id": case.seizure}
        case.phone.push(pen.op("photo", announced["id"], new=True, set=values))
        assert photos.put(client, announced["id"], content).status_code == 201
    # Other bytes for the first one are set aside.
    assert photos.put(client, case.photos[0], photos.jpeg(9)).status_code == 422


def _quarantine(case: OddCase) -> None:
    raw = b'{"op": "x", "id": "' + case.seizure.encode() + b'", "count": NaN}'
    case.phone.push(raw)


def _mention(app: Flask, case: OddCase, village: Village) -> None:
    """A newer phone says more than this server knows; somebody else's mentions the case."""
    newer = case.phone.phone.pen.op("seizure", case.seizure, set={"informant": "Kanji"})
    case.phone.push(newer)
    other = phone_of(app, village["ravi"])
    other.push(other.pen.op("seizure", new_id(), set={"slander": f"Look at {case.seizure}."}))


def _dispute(app: Flask, case: OddCase, village: Village) -> None:
    """The keeper counts another number; the reviewer decides, and corrects the survey number."""
    pound = {"set": {"pound_id": village.pound_id}}
    case.phone.push(case.phone.phone.pen.op("seizure", case.seizure, **pound))
    keeper = phone_of(app, village["mohan"])
    keeper.push(keeper.pen.op("animal", case.animal, set={"count": 4}))
    bina = client_with(app, village["bina"].token)
    listed: Any = bina.get(f"/api/v1/seizures/{case.seizure}").json
    review = listed["reviews"][0]
    body = {"op": new_id(), "value": 4, "reason": "Counted twice at the pound."}
    answer = bina.post(f"/api/v1/reviews/{review['id']}/decision", json=body)
    assert answer.status_code == 200, answer.json
    change = {"op": new_id(), "survey_no": "114/3", "reason": "Misread on the map."}
    fresh = bina.get(f"/api/v1/seizures/{case.seizure}")
    patched = bina.patch(
        f"/api/v1/seizures/{case.seizure}", json=change, headers={"If-Match": fresh.headers["ETag"]}
    )
    assert patched.status_code == 200, patched.json


def _erase(app: Flask, case: OddCase, village: Village) -> None:
    body = {
        "id": new_id(),
        "record": f"seizure/{case.seizure}",
        "fields": ["owner.name", "owner.mobile"],
        "reason": "asked for",
    }
    answer = client_with(app, village["admin"].token).post("/api/v1/erasures", json=body)
    assert answer.status_code == 201, answer.json


def _review(app: Flask, case: OddCase, village: Village) -> None:
    body = {"id": new_id(), "seizure": case.seizure, "outcome": "accepted", "reason": "It agrees."}
    answer = client_with(app, village["bina"].token).post("/api/v1/reviews", json=body)
    assert answer.status_code in {200, 201}, answer.json
    intake = {
        "id": new_id(),
        "seizure_id": case.seizure,
        "pound_id": village.pound_id,
        "received_at": SEIZED_AT,
        "counts": [{"kind": "buffalo", "count": 4}],
    }
    taken = client_with(app, village["mohan"].token).post("/api/v1/intakes", json=intake)
    assert taken.status_code == 201, taken.json


def _complain(app: Flask, case: OddCase, village: Village) -> None:
    """Somebody says that it was unlawful; it is found on, and sent to whoever decides."""
    bina, party, case.complaint = client_with(app, village["bina"].token), new_id(), new_id()
    assert bina.post("/api/v1/parties", json={"id": party, "name": "Vasant"}).status_code == 201
    body = {
        "id": case.complaint,
        "case": case.seizure,
        "by": party,
        "text": "It was not in the field.",
        "allegations": [{"allegation": "place", "text": "on the road"}],
    }
    taken = bina.post("/api/v1/complaints", json=body)
    assert taken.status_code == 201, taken.json
    found = {"allegation": "place", "found": "not_supported", "text": "The place is in the field."}
    for act, said in (("find", found), ("forward", {"to": "the Magistrate at Rajkot"})):
        sent = {"id": new_id(), "act": act, "reason": "as asked", **said}
        answer = bina.post(f"/api/v1/complaints/{case.complaint}/acts", json=sent)
        assert answer.status_code == 201, answer.json
