"""Who may see a case changes: those who gain it get all of it, those who lose it are told."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from fieldapi.ids import new_id
from fieldapi.models import Membership
from fieldapi.services import people
from fieldapi.services.authorise import operator
from fieldapi.services.people import Grant
from fieldapi.unit import Database, Unit
from tests.support.clock import StoppedClock
from tests.support.personas import Persona, Village, add_persona
from tests.support.phones import Change, TestPhone, phone_of
from tests.support.reports import photo_body

pytestmark = pytest.mark.database

Case = dict[str, str]


@pytest.fixture
def other_keeper(app: Flask, database: Database, village: Village) -> TestPhone:
    persona = add_persona(
        database, village.rjk, "jivan", role="pound_keeper", pound_id=village.other_pound_id
    )
    return phone_of(app, persona)


def report(asha: TestPhone, *, pound_id: str | None) -> Case:
    """Hand in a seizure with a lot and a photo."""
    case = {kind: new_id() for kind in ("seizure", "animal", "photo")}
    fields = {} if pound_id is None else {"pound_id": pound_id}
    photo = photo_body(b"a photo", seizure_id=case["seizure"])
    del photo["id"]
    results = asha.push(
        asha.pen.seizure(case["seizure"], **fields),
        asha.pen.animal(case["animal"], case["seizure"], "cow", 2),
        asha.pen.op("photo", case["photo"], new=True, set=photo),
    )
    assert [one["status"] for one in results] == ["applied"] * 3, results
    return case


def send_to(asha: TestPhone, case: Case, pound_id: str) -> None:
    last = [one["op"] for one in asha.pen.written if "pound_id" in one.get("set", {})][-1:]
    op = asha.pen.op(
        "seizure", case["seizure"], set={"pound_id": pound_id}, base={"pound_id": last}
    )
    assert asha.push(op)[0]["status"] == "applied"


def told(changes: list[Change]) -> set[tuple[str, str]]:
    return {(one["what"], one["kind"]) for one in changes}


def whole(case: Case) -> set[tuple[str, str]]:
    return {("put", kind) for kind in case}


def gone(case: Case) -> set[tuple[str, str]]:
    return {("leave", kind) for kind in case}


def test_7_20_case_that_changes_pounds_comes_whole_and_leaves_whole(
    app: Flask, village: Village, asha: TestPhone, other_keeper: TestPhone
) -> None:
    mohan = phone_of(app, village["mohan"])
    case = report(asha, pound_id=village.pound_id)
    assert told(mohan.pull()) == whole(case)
    assert other_keeper.pull() == []

    send_to(asha, case, village.other_pound_id)
    asha.push(asha.pen.op("seizure", case["seizure"], set={"survey_no": "17"}))

    came = other_keeper.pull()
    assert told(came) == whole(case)
    assert {one["record"].get("seizure_id", one["id"]) for one in came} == {case["seizure"]}
    assert told(mohan.pull()) == gone(case)
    assert told(asha.pull()) == whole(case)
    assert mohan.client.get(f"/api/v1/seizures/{case['seizure']}").status_code == 404


def test_7_20_every_pound_on_the_way_is_told(
    app: Flask, database: Database, village: Village, asha: TestPhone, other_keeper: TestPhone
) -> None:
    mohan = phone_of(app, village["mohan"])
    case = report(asha, pound_id=village.pound_id)
    mohan.pull()
    send_to(asha, case, village.other_pound_id)
    other_keeper.pull()

    for pound in (village.pound_id, village.other_pound_id, village.pound_id):
        send_to(asha, case, pound)

    assert told(other_keeper.pull()) == gone(case)
    assert told(mohan.pull()) == whole(case)


def test_7_20_intake_that_a_keeper_wrote_stays_with_them(
    app: Flask, village: Village, asha: TestPhone, other_keeper: TestPhone
) -> None:
    mohan = phone_of(app, village["mohan"])
    case = report(asha, pound_id=village.pound_id)
    intake = new_id()
    values: dict[str, Any] = {
        "seizure_id": case["seizure"],
        "pound_id": village.pound_id,
        "received_at": "2026-11-30T05:40:00.000Z",
        "counts": [{"kind": "cow", "count": 2}],
    }
    assert mohan.push(mohan.pen.op("intake", intake, new=True, set=values))[0]["status"] == (
        "applied"
    )
    mohan.pull()

    send_to(asha, case, village.other_pound_id)

    assert told(mohan.pull()) == gone(case)
    assert ("put", "intake") in told(other_keeper.pull())


def test_case_whose_report_comes_last_comes_whole(
    app: Flask, village: Village, asha: TestPhone
) -> None:
    mohan, ravi = (phone_of(app, village[name]) for name in ("mohan", "ravi"))
    seizure, lot = new_id(), new_id()
    create = asha.pen.seizure(seizure, pound_id=village.pound_id)
    asha.push(asha.pen.animal(lot, seizure, "cow", 2))
    assert mohan.pull() == ravi.pull() == []

    asha.push(create)

    for phone in (mohan, ravi):
        assert told(phone.pull()) == {("put", "seizure"), ("put", "animal")}


def test_withdrawn_report_leaves_the_phones_of_others_and_comes_back(
    app: Flask, village: Village, asha: TestPhone
) -> None:
    ravi, mohan = (phone_of(app, village[name]) for name in ("ravi", "mohan"))
    case = report(asha, pound_id=village.pound_id)
    create = next(one["op"] for one in asha.pen.written if one["kind"] == "seizure")
    listed = {kind: case[kind] for kind in ("seizure", "animal")}
    assert told(ravi.pull()) == whole(listed)
    mohan.pull()

    base = {"withdrawn": [], "*": [create]}
    retract = asha.pen.op("seizure", case["seizure"], retract={"reason": "twice"}, base=base)
    asha.push(retract)
    left, kept = ravi.pull(), mohan.pull()
    undo = {"withdrawn": [retract["op"]]}
    asha.push(asha.pen.op("seizure", case["seizure"], retract=False, base=undo))

    assert told(left) == gone(listed)
    assert [one["record"]["withdrawn"] for one in kept] == [True]
    assert told(ravi.pull()) == whole(listed)


def test_withdrawn_lot_leaves_the_phones_of_others(
    app: Flask, village: Village, asha: TestPhone
) -> None:
    ravi = phone_of(app, village["ravi"])
    case = report(asha, pound_id=None)
    create = next(one["op"] for one in asha.pen.written if one["kind"] == "animal")
    ravi.pull()

    base = {"withdrawn": [], "*": [create]}
    asha.push(asha.pen.op("animal", case["animal"], retract={"reason": "twice"}, base=base))

    assert [(one["what"], one["id"]) for one in ravi.pull()] == [("leave", case["animal"])]


def test_7_20_role_granted_or_taken_takes_effect_at_the_next_pull(
    app: Flask, database: Database, clock: StoppedClock, village: Village, asha: TestPhone
) -> None:
    kanta = phone_of(app, village["kanta"])
    case = report(asha, pound_id=village.pound_id)
    own = new_id()
    kanta.push(kanta.pen.seizure(own, capacity="cultivator"))
    kanta.pull()
    assert "survey_no" not in kanta.shown("seizure", case["seizure"])
    asha.push(asha.pen.op("seizure", case["seizure"], set={"survey_no": "17"}))

    grant(database, village["kanta"], Grant("pound_keeper", village.pound_id))
    gained = kanta.pull()
    take(database, clock, village["kanta"], "pound_keeper")
    lost = kanta.pull()

    seen = {(one["what"], one["kind"], one["id"]) for one in gained}
    assert {("put", kind, record) for kind, record in case.items()} <= seen
    assert {(one["kind"], one["id"]) for one in lost if one["what"] == "leave"} == {
        ("photo", case["photo"])
    }
    assert "survey_no" not in kanta.shown("seizure", case["seizure"])
    assert kanta.shown("seizure", own)["capacity"] == "cultivator"


def test_7_20_person_without_a_role_reads_nothing_and_keeps_their_own(
    app: Flask, database: Database, clock: StoppedClock, village: Village, asha: TestPhone
) -> None:
    kanta = phone_of(app, village["kanta"])
    case = report(asha, pound_id=None)
    own = new_id()
    kanta.push(kanta.pen.seizure(own, capacity="cultivator"))
    kanta.pull()

    take(database, clock, village["kanta"], "reporter")
    lost = kanta.pull(limit=1)

    assert told(lost) == {("leave", "seizure"), ("leave", "animal")}
    assert {one["id"] for one in lost} == {case["seizure"], case["animal"]}
    assert kanta.pull() == []


def arrive(mohan: TestPhone, village: Village, seizure: str) -> Change:
    """Note an arrival at the pound of what was seized; returns its op."""
    counts = [{"kind": "cow", "count": 2}]
    times = {"received_at": "2026-11-30T06:00:00.000Z", "pound_id": village.pound_id}
    arrived = {"seizure_id": seizure, "counts": counts, **times}
    op = mohan.pen.op("intake", new_id(), new=True, set=arrived)
    mohan.push(op)
    return op


def test_author_gets_what_hung_on_the_report_before_it_came_until_it_is_put_elsewhere(
    app: Flask, village: Village, asha: TestPhone, ravi: TestPhone
) -> None:
    mohan, bina = (phone_of(app, village[name]) for name in ("mohan", "bina"))
    seizure, other = new_id(), new_id()
    op = arrive(mohan, village, seizure)
    asha.pull()
    asha.push(asha.pen.seizure(seizure, pound_id=village.pound_id))
    ravi.push(ravi.pen.seizure(other, pound_id=village.pound_id))
    came = [one for one in asha.pull() if one["id"] != other]
    said = {"review": new_id(), "reason": "as on the slip"}
    told_to = {"set": {"seizure_id": other}, "base": {"seizure_id": [op["op"]]}}
    bina.push(bina.pen.op("intake", op["id"], decision=said, **told_to))

    assert told(came) == {("put", "seizure"), ("put", "intake")}
    assert asha.shown("intake", op["id"])["counts"] == op["set"]["counts"]
    assert [(one["what"], one["id"]) for one in asha.pull()] == [("leave", op["id"])]
    assert ("put", "intake") in told(ravi.pull())


def test_whole_case_stays_together_on_a_page(
    app: Flask, village: Village, asha: TestPhone, other_keeper: TestPhone
) -> None:
    case = report(asha, pound_id=village.pound_id)
    other_keeper.pull()
    send_to(asha, case, village.other_pound_id)

    came = other_keeper.pull(limit=2)

    by_seq = [one["seq"] for one in came]
    assert by_seq == sorted(by_seq)
    assert told(came) == whole(case)


def grant(database: Database, persona: Persona, new: Grant) -> None:
    boss = operator(persona.authority_id)
    database.transact(lambda unit: people.grant(unit, boss, new, person_id=persona.person_id))


def take(database: Database, clock: StoppedClock, persona: Persona, role: str) -> None:
    """End a role a little later."""
    clock.move(seconds=60)

    def work(unit: Unit) -> None:
        held = unit.session.scalars(
            select(Membership.id).where(
                Membership.person_id == persona.person_id, Membership.role == role
            )
        ).one()
        people.end(unit, operator(persona.authority_id), held)

    database.transact(work)
