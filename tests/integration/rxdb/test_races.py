"""Pushes of one app at the same moment: RxDB sends again what it had no answer to."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from sqlalchemy import func, select

from fieldapi.models import OpRow
from fieldapi.unit import Database
from tests.support.personas import Village
from tests.support.shelf import Shelf, shelf_of

pytestmark = pytest.mark.database

TIMES = 6


def test_one_row_sent_many_times_at_once_has_one_effect(
    app: Flask, village: Village, lots: Shelf, lot: str, database: Database
) -> None:
    lots.put(lot, count=6, ear_tags=[])
    rows = lots.rows()
    shelves = [shelf_of(app, village["asha"], "animal") for _ in range(TIMES)]

    with ThreadPoolExecutor(TIMES) as pool:
        answers = list(pool.map(lambda one: one.send(rows), shelves))

    assert answers == [[]] * TIMES
    with database.read() as session:
        query = select(func.count()).select_from(OpRow).where(OpRow.record_id == lot)
        assert session.scalar(query) == 2


def test_edits_of_two_devices_at_once_are_both_kept(
    lots: Shelf, lots_on_tablet: Shelf, lot: str
) -> None:
    lots_on_tablet.pull()
    lots.put(lot, colour="white")
    lots_on_tablet.put(lot, condition="lame")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(Shelf.push, [lots, lots_on_tablet]))

    (seen,) = (one for one in Shelf(lots.client, "animal").pull() if one["id"] == lot)
    assert (seen["colour"], seen["condition"]) == ("white", "lame")
