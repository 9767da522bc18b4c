"""Two apps that keep lots of animals, and a report of asha's that the lots belong to."""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi.ids import new_id
from fieldapi.unit import Database
from tests.support.house import AsPerson
from tests.support.personas import Persona, Village, enrol, persona_of
from tests.support.reports import seizure_body
from tests.support.shelf import Shelf, shelf_of


@pytest.fixture
def report(as_person: AsPerson, village: Village) -> str:
    """A seizure that asha reported by REST, at mohan's pound."""
    body = seizure_body(pound_id=village.pound_id)
    assert as_person("asha").post("/api/v1/seizures", json=body).status_code == 201
    return str(body["id"])


@pytest.fixture
def tablet(database: Database, village: Village) -> Persona:
    """A second device of asha's."""
    asha = village["asha"]
    return persona_of("asha", enrol(database, asha.authority_id, asha.person_id))


@pytest.fixture
def lots(app: Flask, village: Village) -> Shelf:
    """The lots in asha's app."""
    return shelf_of(app, village["asha"], "animal")


@pytest.fixture
def lots_on_tablet(app: Flask, tablet: Persona) -> Shelf:
    """The lots in the app on asha's tablet."""
    return shelf_of(app, tablet, "animal")


@pytest.fixture
def lot(lots: Shelf, report: str) -> str:
    """A lot of five cows with an ear tag, pushed and pulled back."""
    record = new_id()
    lots.put(record, seizure_id=report, kind="cow", count=5, ear_tags=["340123456789"])
    assert lots.push() == []
    lots.pull()
    return record
