"""A pound whose seizures are complained of: reports come from a phone by sync, the rest by REST."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fieldapi.clock import format_instant
from fieldapi.ids import new_id
from tests.support.house import Answer, client_with
from tests.support.personas import enrol
from tests.support.pound_house import Body, PoundHouse
from tests.support.reports import FIELD, Pen, photo_body, push_body


@dataclass(slots=True)
class ComplaintHouse:
    """A pound and one complaint at a time. `id`: of the last complaint that was taken in."""

    pound: PoundHouse
    id: str = ""

    def report(self, animals: Mapping[str, int], **fields: Any) -> str:
        """Push a report with a photo from the reporter's phone, made now; returns its id."""
        pound = self.pound
        reporter = pound.people["reporter"]
        phone = enrol(pound.database, pound.authority_id, reporter.person_id)
        now = format_instant(pound.clock.now)
        wall_ms = int(pound.clock.now.timestamp() * 1000) - 60_000
        pen = Pen(phone.device.actor, reporter.person_id, wall_ms)
        case = new_id()
        values = {
            "seized_at": now,
            "location": {**FIELD, "fixed_at": now},
            "pound_id": pound.pound_id,
            **fields,
        }
        photo = {**photo_body(case.encode(), taken_at=now), "seizure_id": case}
        ops = [
            pen.seizure(case, **values),
            *(pen.animal(new_id(), case, kind, count) for kind, count in animals.items()),
            pen.op("photo", photo.pop("id"), new=True, set=photo),
        ]
        client = client_with(pound.app, phone.token)
        answer = client.post("/api/v1/sync", json=push_body(ops, device_now=now))
        results = answer.json["results"]
        assert {one["status"] for one in results} == {"applied"}, results
        return case

    def take(self, case: str, *, by: str, who: str = "keeper", **fields: Any) -> Answer:
        """Take a complaint in; `by`, `agent` and `against` by name."""
        body: Body = {
            "id": new_id(),
            "case": case,
            "by": self.pound.party(by),
            "text": "they were taken from my own yard",
            **fields,
        }
        if "agent" in body:
            body["agent"] = self.pound.party(body["agent"])
        body["against"] = [
            {"party": self.pound.party(name), "part": part}
            for name, part in fields.get("against", {}).items()
        ]
        self.id = body["id"]
        return self.pound.as_(who).post("/api/v1/complaints", json=body)

    def taken(self, case: str, *, by: str, **fields: Any) -> Body:
        """Take a complaint in that has to be taken."""
        answer = self.take(case, by=by, **fields)
        assert answer.status_code == 201, answer.json
        found: Body = answer.json
        return found

    def act(self, act: str, *, who: str = "decider", **fields: Any) -> Answer:
        """Post an act on the complaint; `party` by name."""
        if "party" in fields:
            fields["party"] = self.pound.party(fields["party"])
        body = {"id": new_id(), "act": act, **fields}
        return self.pound.as_(who).post(f"/api/v1/complaints/{self.id}/acts", json=body)

    def done(self, act: str, *, who: str = "decider", **fields: Any) -> Body:
        """Post an act that has to be taken."""
        answer = self.act(act, who=who, **fields)
        assert answer.status_code == 201, (act, answer.json)
        found: Body = answer.json
        return found

    def read(self) -> Body:
        """Read the complaint."""
        answer = self.pound.as_("decider").get(f"/api/v1/complaints/{self.id}")
        assert answer.status_code == 200, answer.json
        found: Body = answer.json
        return found

    def facts(self, allegation: str) -> dict[str, Any]:
        """Return what the record shows beside an allegation, by the code of the fact."""
        found = [one for one in self.read()["allegations"] if one["allegation"] == allegation]
        return {one["fact"]: one["value"] for one in found[0]["record"]}

    def pieces(self, kind: str) -> list[str]:
        """Return the refs of the evidence of a kind."""
        path = f"/api/v1/complaints/{self.id}/evidence"
        items = self.pound.as_("reviewer").get(path).json["items"]
        return [one["ref"] for one in items if one["kind"] == kind]

    def find_all(self, found: str = "supported", *, who: str = "reviewer") -> None:
        """Find every allegation the same way."""
        for one in self.read()["allegations"]:
            what = one["allegation"]
            self.done("find", who=who, allegation=what, found=found, text="as the record shows")
