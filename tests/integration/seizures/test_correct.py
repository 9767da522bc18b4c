"""Corrections by PATCH: only of the version one saw, by those who may, and by reviewers with a
reason as decisions.
"""

from __future__ import annotations

import pytest

from fieldapi.ids import new_id
from tests.support.house import AsPerson
from tests.support.reports import seizure_body

URL = "/api/v1/seizures"

pytestmark = pytest.mark.database


def _reported(as_person: AsPerson) -> tuple[str, str]:
    body = seizure_body()
    answer = as_person("asha").post(URL, json=body)
    return f"{URL}/{body['id']}", answer.headers["ETag"]


def test_author_corrects_what_she_saw(as_person: AsPerson) -> None:
    url, etag = _reported(as_person)

    answer = as_person("asha").patch(
        url,
        json={"op": new_id(), "ground": "straying", "owner": {"name": "Kanta"}},
        headers={"If-Match": etag},
    )

    assert answer.status_code == 200, answer.json
    assert (answer.json["ground"], answer.json["owner"]["name"]) == ("straying", "Kanta")
    assert answer.json["reviews"] == []
    assert answer.headers["ETag"] != etag


def test_without_if_match_nothing_changes(as_person: AsPerson) -> None:
    url, _ = _reported(as_person)

    answer = as_person("asha").patch(url, json={"op": new_id(), "ground": "straying"})

    assert (answer.status_code, answer.json["type"]) == (
        428,
        "urn:fieldapi:problem:precondition-required",
    )
    assert as_person("asha").get(url).json["ground"] == "trespass"


def test_a_stale_version_is_answered_with_the_present_one(as_person: AsPerson) -> None:
    url, etag = _reported(as_person)
    asha = as_person("asha")
    asha.patch(url, json={"op": new_id(), "survey_no": "12"}, headers={"If-Match": etag})

    stale = asha.patch(url, json={"op": new_id(), "survey_no": "13"}, headers={"If-Match": etag})

    assert stale.status_code == 412
    assert stale.json["current"]["survey_no"] == "12"


def test_identical_resend_passes_before_if_match(as_person: AsPerson) -> None:
    url, etag = _reported(as_person)
    body = {"op": new_id(), "survey_no": "12"}
    first = as_person("asha").patch(url, json=body, headers={"If-Match": etag})

    again = as_person("asha").patch(url, json=body, headers={"If-Match": etag})

    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json == first.json


def test_a_reviewers_change_is_a_decision_and_needs_a_reason(as_person: AsPerson) -> None:
    url, etag = _reported(as_person)
    bina = as_person("bina")
    body = {"op": new_id(), "ground": "straying"}

    bare = bina.patch(url, json=body, headers={"If-Match": etag})
    reasoned = bina.patch(
        url, json={**body, "reason": "the photo shows a road"}, headers={"If-Match": etag}
    )

    assert (bare.status_code, bare.json["type"]) == (422, "urn:fieldapi:problem:reason-needed")
    assert reasoned.status_code == 200, reasoned.json
    assert reasoned.json["ground"] == "straying"


def test_another_reporter_may_not_correct(as_person: AsPerson) -> None:
    url, etag = _reported(as_person)

    answer = as_person("ravi").patch(
        url, json={"op": new_id(), "ground": "straying"}, headers={"If-Match": etag}
    )

    assert answer.status_code == 404


def test_report_of_a_colleague_is_read_in_short_and_has_no_revision_to_correct(
    as_person: AsPerson,
) -> None:
    body = seizure_body(photos=[])
    as_person("asha").post(URL, json=body)

    answer = as_person("ravi").get(f"{URL}/{body['id']}")

    assert answer.status_code == 200
    assert "ETag" not in answer.headers
    assert {"capacity", "rev"} & answer.json.keys() == set()
