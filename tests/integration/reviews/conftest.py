"""A report of asha's, and bina who reviews it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.house import AsPerson
from tests.support.reports import seizure_body

Report = dict[str, Any]


@pytest.fixture
def report(as_person: AsPerson) -> Report:
    """A stored report, as the API answers it."""
    answer = as_person("asha").post("/api/v1/seizures", json=seizure_body())
    assert answer.status_code == 201
    made: Report = answer.json
    return made
