"""Documents pushed by an RxDB client: they become ops, and every row is answered by itself."""

from __future__ import annotations

from typing import Any

from flask import Flask
from sqlalchemy import func, select

from fieldapi.ids import new_id
from fieldapi.models import OpRow, ParkedOp
from fieldapi.unit import Database
from sync.merge import review_id
from tests.support.house import AsPerson
from tests.support.personas import Village, add_persona
from tests.support.shelf import Shelf, shelf_of

Report = dict[str, Any]


def ops(database: Database) -> int:
    with database.read() as session:
        return int(session.scalar(select(func.count()).select_from(OpRow)) or 0)


def reread(shelf: Shelf, record: str) -> dict[str, Any]:
    return next(one for one in Shelf(shelf.client, shelf.kind).pull() if one["id"] == record)


def test_new_document_is_a_record_with_its_personal_part_apart(
    app: Flask, village: Village, as_person: AsPerson, database: Database
) -> None:
    reports, record = shelf_of(app, village["asha"], "seizure"), new_id()
    reports.put(record, ground="trespass", remarks="near the well", owner={"name": "Ramesh"})

    (came,) = reports.push()

    assert came["reference"].startswith("RJK-00-")
    assert (came["remarks"], came["owner.name"]) == ("near the well", "Ramesh")
    shown = as_person("asha").get(f"/api/v1/seizures/{record}").json
    assert (shown["owner"]["name"], shown["origin"]) == ("Ramesh", "api")
    with database.read() as session:
        parts = session.scalars(select(OpRow.is_personal).where(OpRow.record_id == record)).all()
    assert sorted(parts) == [False, True]


def test_resend_has_no_second_effect_and_the_same_answer(
    lots: Shelf, lot: str, database: Database
) -> None:
    lots.put(lot, count=6)
    first = lots.send(lots.rows())
    stored = ops(database)

    assert [lots.send(lots.rows()) for _ in range(3)] == [first] * 3
    assert ops(database) == stored


def test_coming_back_to_an_earlier_document_is_a_change_of_its_own(lots: Shelf, lot: str) -> None:
    for count in (6, 5, 6, 5, 6):
        lots.put(lot, count=count)
        assert lots.push() == []

    assert reread(lots, lot)["count"] == 6
    assert "sync_state" not in reread(lots, lot)


def test_own_edits_without_a_pull_between_are_no_conflict_with_oneself(
    lots: Shelf, report: str
) -> None:
    record = new_id()
    for values in ({"seizure_id": report, "kind": "cow", "count": 5}, {"count": 7}, {"count": 8}):
        lots.put(record, **values)
        assert lots.push() == []

    assert reread(lots, record)["count"] == 8
    assert "sync_state" not in reread(lots, record)


def test_edits_of_different_fields_on_two_devices_merge(
    lots: Shelf, lots_on_tablet: Shelf, lot: str
) -> None:
    lots_on_tablet.pull()
    lots.put(lot, colour="white")
    lots_on_tablet.put(lot, condition="lame")

    assert lots.push() == []
    (came,) = lots_on_tablet.push()

    assert (came["colour"], came["condition"], came["count"]) == ("white", "lame", 5)


def test_two_kinds_from_one_document_stand_side_by_side_until_one_is_decided(
    lots: Shelf, lots_on_tablet: Shelf, lot: str, village: Village, as_person: AsPerson
) -> None:
    lots_on_tablet.pull()
    lots.put(lot, kind="bull")
    lots_on_tablet.put(lot, kind="buffalo")
    lots.push()

    (came,) = lots_on_tablet.push()

    assert came["sync_state"] == "conflict"
    lots.pull()
    assert lots.local[lot]["sync_state"] == "conflict"
    review = review_id(village.rjk, "animal", lot, "kind")
    body = {"op": new_id(), "value": "bull", "reason": "seen on the photo"}
    assert as_person("bina").post(f"/api/v1/reviews/{review}/decision", json=body).status_code < 300
    lots.pull()
    assert lots.local[lot]["kind"] == "bull"
    assert "sync_state" not in lots.local[lot]


def test_edit_of_a_newer_document_replaces_what_it_saw(
    lots: Shelf, lots_on_tablet: Shelf, lot: str
) -> None:
    lots_on_tablet.pull()
    lots_on_tablet.put(lot, count=9)
    lots_on_tablet.push()
    lots.pull()
    lots.put(lot, count=10)

    assert lots.push() == []
    assert reread(lots, lot)["count"] == 10


def test_missing_element_is_struck_and_an_unseen_one_stays(
    lots: Shelf, lots_on_tablet: Shelf, lot: str
) -> None:
    lots_on_tablet.pull()
    lots_on_tablet.put(lot, ear_tags=["340123456789", "340123456780"])
    lots_on_tablet.push()
    lots.put(lot, ear_tags=["340123456000"])

    (came,) = lots.push()

    assert sorted(came["ear_tags"]) == ["340123456000", "340123456780"]
    assert lots_on_tablet.pull()[0]["ear_tags"] == came["ear_tags"]


def test_deleted_document_is_a_withdrawn_record(
    lots: Shelf, lots_on_tablet: Shelf, lot: str, database: Database
) -> None:
    lots_on_tablet.pull()
    lots.put(lot, condition="gone", _deleted=True)

    assert lots.push() == []

    (came,) = lots_on_tablet.pull()
    assert came["_deleted"] is True
    assert "sync_state" not in came
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(ParkedOp)) == 0


def test_document_put_back_stands_again(lots: Shelf, lot: str) -> None:
    lots.put(lot, _deleted=True)
    lots.push()
    lots.put(lot, _deleted=False, count=4)

    assert lots.push() == []
    assert (reread(lots, lot)["_deleted"], reread(lots, lot)["count"]) == (False, 4)


def test_delete_against_an_unseen_edit_asks_a_person(
    lots: Shelf, lots_on_tablet: Shelf, lot: str
) -> None:
    lots_on_tablet.pull()
    lots_on_tablet.put(lot, count=9)
    lots_on_tablet.push()
    lots.put(lot, _deleted=True)

    (came,) = lots.push()

    assert (came["_deleted"], came["sync_state"]) == (True, "conflict")


def test_bad_value_is_kept_and_comes_back_marked_beside_good_rows(
    lots: Shelf, report: str, database: Database
) -> None:
    bad, good = new_id(), new_id()
    lots.put(bad, seizure_id=report, kind="cow", count=-5)
    lots.put(good, seizure_id=report, kind="cow", count=5)

    (came,) = lots.push()

    assert came == {**lots.local[bad], "sync_state": "quarantined", "_deleted": False}
    assert (came["count"], reread(lots, good)["count"]) == (-5, 5)
    assert reread(lots, bad)["sync_state"] == "quarantined"
    assert lots.push() == []


def test_next_edit_of_a_parked_field_corrects_it(lots: Shelf, report: str) -> None:
    record = new_id()
    lots.put(record, seizure_id=report, kind="cow", count=-5)
    lots.push()
    lots.put(record, count=5)

    lots.push()

    assert reread(lots, record)["count"] == 5
    assert "sync_state" not in reread(lots, record)


def test_unknown_field_is_kept_for_a_person_to_see(lots: Shelf, lot: str) -> None:
    lots.put(lot, gait="lame")

    (came,) = lots.push()

    assert (came["sync_state"], came["gait"]) == ("quarantined", "lame")


def test_what_only_the_server_writes_comes_back_as_it_is(lots: Shelf, lot: str) -> None:
    lots.put(lot, trust="signed", count=6)

    (came,) = lots.push()

    assert (came["trust"], came["count"]) == ("unsigned", 6)


def test_rows_that_are_none_are_kept_and_block_nothing(
    lots: Shelf, report: str, database: Database
) -> None:
    record = new_id()
    lots.put(record, seizure_id=report, kind="cow", count=5)
    nameless = {"newDocumentState": {"id": "7", "count": 5}}
    half = {"newDocumentState": {"id": new_id(), "marks": "\ud83d"}}
    huge = {"newDocumentState": {"id": new_id(), "marks": "x" * 70_000}}
    unsure = {"newDocumentState": {"id": new_id(), "_deleted": "yes"}}
    rows = [None, 5, {"newDocumentState": 5}, nameless, half, huge, unsure, *lots.rows()]

    came = lots.send(rows)

    assert [one["sync_state"] for one in came] == ["quarantined"] * 4
    assert came[1]["marks"] == "\ud83d"
    assert reread(lots, record)["count"] == 5
    stored = ops(database)
    assert lots.send(rows) == came
    assert ops(database) == stored


def test_row_that_is_not_ones_to_write_is_held_and_stays_where_it_was_made(
    app: Flask, village: Village, lot: str
) -> None:
    theirs = shelf_of(app, village["ravi"], "animal")
    theirs.pull()
    theirs.put(lot, count=9, _deleted=True)

    (came,) = theirs.push()

    assert (came["sync_state"], came["_deleted"], came["count"]) == ("held", False, 9)


def test_pending_device_hands_in_and_reads_nothing(
    app: Flask, village: Village, database: Database, report: str
) -> None:
    new = add_persona(database, village.rjk, "mira", role="reporter", is_confirmed=False)
    shelf, record = shelf_of(app, new, "animal"), new_id()
    shelf.put(record, seizure_id=report, kind="cow", count=5)

    (came,) = shelf.push()

    assert came["sync_state"] == "held"
    assert shelf.pull() == []


def test_one_record_twice_in_a_push_is_two_edits_one_after_the_other(lots: Shelf, lot: str) -> None:
    was = lots.local[lot]
    middle, last = {**was, "count": 6}, {**was, "count": 7}
    rows = [
        {"newDocumentState": middle, "assumedMasterState": was},
        {"newDocumentState": last, "assumedMasterState": middle},
    ]

    lots.send(rows)

    assert reread(lots, lot)["count"] == 7
    assert "sync_state" not in reread(lots, lot)


def test_revision_of_another_epoch_replaces_nobody_elses_value(
    lots: Shelf, lots_on_tablet: Shelf, lot: str
) -> None:
    lots_on_tablet.pull()
    lots_on_tablet.put(lot, count=9)
    lots_on_tablet.push()
    was = {**lots.local[lot], "sync_rev": "Q.99"}

    row = {"newDocumentState": {**was, "count": 4}, "assumedMasterState": was}

    assert [one["sync_state"] for one in lots.send([row])] == ["conflict"]


def test_body_that_is_no_list_is_refused(lots: Shelf) -> None:
    for body in ("", "{}", "[", '[],"x":1', "null", '[{"a":1,}]x'):
        answer = lots.client.post(
            "/api/v1/sync/rxdb/animal/push", data=body, content_type="application/json"
        )
        assert (answer.status_code, answer.json["type"]) == (
            400,
            "urn:fieldapi:problem:invalid-json",
        )


def test_kind_that_no_record_has_is_not_found(lots: Shelf) -> None:
    assert lots.client.post("/api/v1/sync/rxdb/goat/push", json=[]).status_code == 404
    assert lots.client.get("/api/v1/sync/rxdb/goat/pull").status_code == 404
