"""What was kept long enough goes, what somebody holds stays, and everything still verifies."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from fieldapi import ledger, logs
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.problems import Conflict, InvalidBody
from fieldapi.queries import seizures as queries
from fieldapi.services import erasures, holds, replay, retention, reviews
from fieldapi.services.authorise import operator, person_principal
from fieldapi.services.erasures import NewErasure
from fieldapi.services.reviews import NewReview
from tests.support.clock import StoppedClock
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.reports import seizure_body

DAYS = 400


@pytest.fixture
def decided(as_person: AsPerson, house: House, village: Village) -> str:
    """A report with people in it that bina rejected; the authority keeps values for 400 days."""
    body: Any = seizure_body(owner={"known": True, "name": "Ramesh Parmar"}, remarks="By the well")
    assert as_person("asha").post("/api/v1/seizures", json=body).status_code == 201
    judge = village["bina"].principal(house.database)
    new = NewReview(new_id(), body["id"], "rejected", reason="Seen twice")
    house.database.transact(lambda unit: reviews.review(unit, judge, new))
    boss = operator(village.rjk)
    house.database.transact(lambda unit: retention.set_days(unit, boss, DAYS))
    return str(body["id"])


def let_go(house: House) -> int:
    job = retention.letting_go(house)
    with house.database.read() as session:
        pending = job.pending(session)
    for subject in pending:
        job.run(subject)
    return len(pending)


def owner_of(house: House, village: Village, seizure: str) -> str | None:
    with house.database.read() as session:
        now, who = house.database.clock(), village["bina"].person_id
        judge = person_principal(session, village.rjk, who, now)
        shown: Any = queries.one(session, judge, seizure)
        return str(shown["owner"]["name"]) if shown["owner"]["name"] else None


@pytest.mark.database
def test_personal_values_go_when_their_time_is_over_and_all_verifies(
    house: House, village: Village, clock: StoppedClock, decided: str
) -> None:
    clock.move(hours=DAYS * 24)
    assert let_go(house) == 0
    assert owner_of(house, village, decided) == "Ramesh Parmar"
    clock.move(hours=1)

    assert let_go(house) == 1
    assert owner_of(house, village, decided) is None
    assert let_go(house) == 0
    with house.database.read() as session:
        assert ledger.verify(session, village.rjk, house.keys).is_sound
        assert replay.check(session, village.rjk).differences == ()
    assert "erased" in house.settings.outside_log.read_text()


def test_held_case_is_neither_let_go_nor_erased(
    house: House, village: Village, clock: StoppedClock, decided: str
) -> None:
    boss, name = operator(village.rjk), new_id()
    house.database.transact(
        lambda unit: holds.place(unit, boss, decided, hold_id=name, reason="CR 12/2026")
    )
    clock.move(hours=2 * DAYS * 24)
    new = NewErasure(new_id(), f"seizure/{decided}", "asked for", fields=["owner.name"])
    log = house.settings.outside_log

    assert let_go(house) == 0
    with pytest.raises(Conflict):
        house.database.transact(lambda unit: erasures.erase(unit, boss, new, log=log))
    house.database.transact(lambda unit: holds.end(unit, boss, name))
    assert let_go(house) == 1


def test_undecided_case_stays(
    as_person: AsPerson, house: House, village: Village, clock: StoppedClock, decided: str
) -> None:
    body: Any = seizure_body(owner={"known": True, "name": "Mangal Singh"})
    as_person("asha").post("/api/v1/seizures", json=body)
    clock.move(hours=10 * DAYS * 24)

    assert let_go(house) == 1
    assert owner_of(house, village, body["id"]) == "Mangal Singh"


def test_nothing_goes_where_nobody_said_so(
    house: House, village: Village, clock: StoppedClock, decided: str
) -> None:
    boss = operator(village.rjk)
    with pytest.raises(InvalidBody):
        house.database.transact(lambda unit: retention.set_days(unit, boss, 364))
    house.database.transact(lambda unit: retention.set_days(unit, boss, None))
    clock.move(hours=10 * DAYS * 24)

    assert let_go(house) == 0


@pytest.mark.parametrize("age, is_kept", [(399, True), (400, True), (401, False)])
def test_log_is_kept_for_four_hundred_days(
    house: House, clock: StoppedClock, tmp_path: Path, age: int, *, is_kept: bool
) -> None:
    day = clock().date() - timedelta(days=age)
    file, other = tmp_path / f"fieldapi-{day}.jsonl", tmp_path / "notes.txt"
    file.touch()
    other.touch()
    object.__setattr__(house.settings, "log_folder", tmp_path)
    job = retention.dropping_logs(house)
    with house.database.read() as session:
        for subject in job.pending(session):
            job.run(subject)

    assert (file.exists(), other.exists()) == (is_kept, True)


def test_log_lines_go_into_the_file_of_the_day_too(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same words, also if the clock moves on between the two places."""
    noon, ticks = datetime(2026, 12, 1, 12, tzinfo=UTC), count()
    monkeypatch.setattr(logs, "system_clock", lambda: noon + timedelta(seconds=next(ticks)))
    logs.configure("info", tmp_path)
    try:
        logging.getLogger("a.library").warning("told %s", "9876543210")
    finally:
        logs.configure("info")
    (file,) = tmp_path.iterdir()

    assert logs.log_day(file)
    # Others may have something to say meanwhile.
    (line,) = (one for one in file.read_text().splitlines() if '"event": "told %s"' in one)
    assert line in capfd.readouterr().err.splitlines()
