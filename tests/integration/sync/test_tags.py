"""One animal by its ear tag in two open cases: both lots say so, and nothing is refused."""

from __future__ import annotations

from typing import Any

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.services import neighbours
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.reports import SEIZED_AT, seizure_body

TAG, OTHER = "123456789012", "123456789013"


def _report(as_person: AsPerson, village: Village, *tags: str, day: str) -> Any:
    lot = {"id": new_id(), "kind": "cow", "count": 1, "ear_tags": [*tags]}
    body = seizure_body(animals=[lot], pound_id=village.pound_id, seized_at=day)
    assert as_person("asha").post("/api/v1/seizures", json=body).status_code == 201
    return body


def _take_in(as_person: AsPerson, village: Village, seizure: str) -> None:
    intake = {
        "id": new_id(),
        "seizure_id": seizure,
        "pound_id": village.pound_id,
        "received_at": SEIZED_AT,
        "counts": [{"kind": "cow", "count": 1}],
    }
    assert as_person("mohan").post("/api/v1/intakes", json=intake).status_code == 201


def test_tag_in_two_open_cases_is_flagged_on_both_lots(
    as_person: AsPerson, village: Village, house: House
) -> None:
    held = _report(as_person, village, TAG, day="2026-11-20T05:10:00.000Z")
    _take_in(as_person, village, held["id"])
    again = _report(as_person, village, TAG, OTHER, day=SEIZED_AT)
    apart = _report(as_person, village, OTHER, day=SEIZED_AT)
    house.database.transact(lambda unit: neighbours.compare(unit, village.rjk))

    flagged = [
        "tag_in_two_cases"
        in {one if isinstance(one, str) else one["flag"] for one in animal["flags"]}
        for case in (held, again, apart)
        for animal in as_person("bina").get(f"/api/v1/seizures/{case['id']}").json["animals"]
    ]
    assert flagged == [True, True, False]
