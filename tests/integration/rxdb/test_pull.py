"""Pages of documents: exactly as many as asked for, unless there are no more."""

from __future__ import annotations

import json

import pytest
from flask import Flask

from fieldapi.ids import new_id
from fieldapi.models import RECORDS
from fieldapi.queries.documents import ADDED
from fieldapi.unit import Database
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.reports import seizure_body
from tests.support.shelf import Shelf, shelf_of


@pytest.fixture
def many(lots: Shelf, report: str) -> list[str]:
    """Twelve lots, the report's own two among them."""
    for _ in range(10):
        lots.put(new_id(), seizure_id=report, kind="cow", count=5)
    lots.push()
    return sorted([*lots.local, *_other(lots)])


def _other(lots: Shelf) -> list[str]:
    seen = Shelf(lots.client, lots.kind).pull()
    return [one["id"] for one in seen if one["id"] not in lots.local]


@pytest.mark.parametrize("limit", [1, 3, 4, 5, 12, 13])
def test_pages_are_full_until_the_end_and_hold_every_document_once(
    lots: Shelf, many: list[str], limit: int
) -> None:
    shelf, came = Shelf(lots.client, "animal"), []
    sizes: list[int] = []
    while not sizes or sizes[-1] == limit:
        page, shelf.checkpoint = shelf.page(limit)
        sizes.append(len(page))
        came += [one["id"] for one in page]

    assert sorted(came) == many
    assert set(sizes[:-1]) <= {limit}
    assert len(sizes) == len(many) // limit + 1


def test_empty_page_moves_no_checkpoint(lots: Shelf, many: list[str], as_person: AsPerson) -> None:
    lots.pull()
    assert as_person("asha").post("/api/v1/aids", json={}).status_code == 422
    body = seizure_body(animals=[{"id": new_id(), "kind": "cow", "count": 1}])
    assert as_person("chetan").post("/api/v1/seizures", json=body).status_code == 201

    assert lots.page() == ([], lots.checkpoint)
    documents, checkpoint = shelf_of_nothing(lots).page()
    assert (documents, shelf_of_nothing(lots).page()[1]) == ([], checkpoint)


def shelf_of_nothing(lots: Shelf) -> Shelf:
    return Shelf(lots.client, "intake")


def test_hidden_records_fill_no_place_in_a_page(
    app: Flask, village: Village, many: list[str]
) -> None:
    stranger = shelf_of(app, village["chetan"], "animal")

    assert stranger.pull(limit=2) == []


def test_changed_document_comes_again_and_no_other(
    lots: Shelf, lots_on_tablet: Shelf, lot: str, many: list[str]
) -> None:
    lots_on_tablet.pull()
    lots.put(lot, count=9)
    lots.push()

    assert [(one["id"], one["count"]) for one in lots_on_tablet.pull()] == [(lot, 9)]


def test_checkpoint_may_be_sent_as_the_object_it_is(lots: Shelf, many: list[str]) -> None:
    _, checkpoint = lots.page(limit=5)

    plain = lots.page(limit=5, cp=checkpoint)
    assert lots.page(limit=5, cp=json.dumps({"c": checkpoint})) == plain


def test_checkpoint_that_does_not_hold_starts_over_without_an_error(
    app: Flask, lots: Shelf, many: list[str], village: Village
) -> None:
    first = lots.page(limit=5)
    foreign = shelf_of(app, village["ravi"], "animal").page(limit=5)[1]

    for checkpoint in ("nonsense", '{"c":', '{"d": 1}', "é", foreign):
        assert lots.page(limit=5, cp=checkpoint) == first


def test_limit_beyond_what_one_answer_holds_is_refused(lots: Shelf) -> None:
    for limit in (0, 501, "many"):
        answer = lots.client.get(f"/api/v1/sync/rxdb/animal/pull?limit={limit}")
        assert answer.status_code == 400


def test_others_see_a_report_in_short_here_as_elsewhere(
    app: Flask, village: Village, report: str
) -> None:
    (whole,) = shelf_of(app, village["asha"], "seizure").pull()
    (short,) = shelf_of(app, village["ravi"], "seizure").pull()

    assert whole["pound_id"] == village.pound_id
    assert "pound_id" not in short
    assert short["reference"] == whole["reference"]


def test_withdrawn_record_goes_from_where_it_was_seen_in_short(
    app: Flask, village: Village, lots: Shelf, lot: str
) -> None:
    theirs = shelf_of(app, village["ravi"], "animal")
    theirs.pull()
    lots.put(lot, _deleted=True)
    lots.push()

    (came,) = theirs.pull()

    assert came == {"id": lot, "_deleted": True, "sync_rev": came["sync_rev"]}
    assert shelf_of(app, village["chetan"], "animal").pull() == []


def test_document_says_nothing_but_fields_and_what_is_named_as_added(
    as_person: AsPerson, app: Flask, village: Village, report: str, database: Database
) -> None:
    for kind in RECORDS:
        for document in shelf_of(app, village["asha"], kind).pull():
            fields = set(as_person("asha").get("/api/v1/sync/schema").json["kinds"][kind]["fields"])
            assert set(document) - fields - ADDED == {"id", "_deleted"}
            assert None not in document.values()


def test_case_that_comes_to_a_pound_comes_whole_and_leaves_whole(
    app: Flask, village: Village, as_person: AsPerson, many: list[str], report: str
) -> None:
    keeper, reports = (
        shelf_of(app, village["mohan"], "animal"),
        shelf_of(app, village["asha"], "seizure"),
    )
    keeper.pull(limit=5)
    assert sorted(keeper.local) == many
    reports.pull()
    for pound_id, is_gone in ((village.other_pound_id, True), (village.pound_id, False)):
        reports.put(report, pound_id=pound_id)
        reports.push()
        reports.pull()

        came = keeper.pull(limit=5)

        assert sorted(one["id"] for one in came) == many
        assert {one["_deleted"] for one in came} == {is_gone}


def test_case_that_moves_is_cut_into_full_pages(
    app: Flask, village: Village, many: list[str], report: str
) -> None:
    keeper = shelf_of(app, village["mohan"], "animal")
    keeper.pull()
    reports = shelf_of(app, village["asha"], "seizure")
    reports.pull()
    reports.put(report, pound_id=village.other_pound_id)
    reports.push()
    sizes: list[int] = []
    while not sizes or sizes[-1] == 5:
        page, keeper.checkpoint = keeper.page(limit=5)
        sizes.append(len(page))

    assert sizes == [5, 5, 2]
    assert keeper.page(limit=5) == ([], keeper.checkpoint)
