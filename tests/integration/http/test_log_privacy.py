"""Whatever a report says of people, and however it fails, the log says nothing of it."""

from __future__ import annotations

import pytest

from fieldapi.queries import seizures
from sync.wire import JSON
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.reports import seizure_body

URL = "/api/v1/seizures"
CANARIES = ("Ramesh-canary", "9876543210", "near the canary well", "22.30391", "csd1_")


def _body(**members: JSON) -> dict[str, JSON]:
    return seizure_body(
        owner={"known": True, "name": "Ramesh-canary", "mobile": "9876543210"},
        remarks="near the canary well",
        **members,
    )


def test_report_leaves_no_word_of_people_in_the_log(
    as_person: AsPerson, capfd: pytest.CaptureFixture[str]
) -> None:
    asha, body = as_person("asha"), _body()
    answers = [
        asha.post(URL, json=body),
        asha.post(URL, json=body),
        asha.post(URL, json={**body, "remarks": "9876543210 near the canary well"}),
        asha.post(URL, json=_body(colour="Ramesh-canary")),
        asha.get(f"{URL}?q=Ramesh-canary"),
        asha.get(f"{URL}/9876543210"),
        asha.get(f"{URL}/Ramesh-canary"),
    ]
    logged = capfd.readouterr().err

    assert [answer.status_code for answer in answers][:4] == [201, 200, 409, 422]
    assert logged.count('"event": "request"') == len(answers)
    assert [canary for canary in CANARIES if canary in logged] == []


def test_failure_of_ours_leaves_no_word_of_people_in_the_log(
    as_person: AsPerson, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise LookupError("Ramesh-canary, 9876543210")

    asha, body = as_person("asha"), _body()
    asha.post(URL, json=body)
    for name in [each for each in vars(seizures) if callable(vars(seizures)[each])]:
        monkeypatch.setattr(seizures, name, fail)
    answer = asha.get(f"{URL}/{body['id']}")
    logged = capfd.readouterr().err

    assert answer.status_code == 500
    assert "builtins.LookupError" in logged
    assert [canary for canary in CANARIES if canary in logged + answer.text] == []


def test_token_leaves_no_trace_in_the_log(
    as_person: AsPerson, village: Village, capfd: pytest.CaptureFixture[str]
) -> None:
    as_person("asha").get(f"{URL}?token={village['asha'].token}")

    assert "csd1_" not in capfd.readouterr().err
