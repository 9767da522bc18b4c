"""A phone of a test that speaks sync over HTTP: pushes what it wrote, pulls, keeps its cursor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from tests.support.house import client_with
from tests.support.personas import Persona
from tests.support.reports import Pen, push_body

Change = dict[str, Any]


@dataclass(slots=True)
class TestPhone:
    """One persona's phone. `records`: what it pulled, by kind and id."""

    __test__ = False

    client: FlaskClient
    pen: Pen
    cursor: str | None = None
    records: dict[tuple[str, str], Change] = field(default_factory=dict)
    outcomes: list[Change] = field(default_factory=list)

    def push(self, *ops: object, **members: Any) -> list[dict[str, Any]]:
        """Send ops and return their results; pulls nothing that it keeps."""
        answer = self.client.post("/api/v1/sync", json=push_body(ops, **members))
        assert answer.status_code == 200, answer.json
        results: list[dict[str, Any]] = answer.json["results"]
        return results

    def pull(self, **members: Any) -> list[Change]:
        """Pull to the end and return the changes that came."""
        came: list[Change] = []
        more = True
        while more:
            body = push_body([], cursor=self.cursor, **members)
            answer = self.client.post("/api/v1/sync", json=body)
            assert answer.status_code == 200, answer.json
            page = answer.json
            came += page["changes"]
            self.cursor, more = page["cursor"], page["more"]
        for change in came:
            if change["what"] == "put":
                self.records[change["kind"], change["id"]] = change
            elif change["what"] == "outcome":
                self.outcomes.append(change)
        return came

    def shown(self, kind: str, record: str) -> dict[str, Any]:
        """Return what the last pull showed of a record."""
        found: dict[str, Any] = self.records[kind, record]["record"]
        return found


def phone_of(app: Flask, persona: Persona) -> TestPhone:
    """Return the phone of a persona."""
    return TestPhone(client_with(app, persona.token), Pen(persona.actor, persona.person_id))
