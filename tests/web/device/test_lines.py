"""The app's device layer over lines that break: nothing is lost, nothing is sent twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sqlalchemy import func, select

from fieldapi.app import app_of
from fieldapi.backup import make_backup, restore
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.models import OpRow, Seizure
from fieldapi.unit import Database
from tests.support.app_phones import AppPhone, Door, PhoneFault, Shop, seizure
from tests.support.flaky_proxy import Plan, flaky_proxy
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.restores import environ_of, opened


def ops_of(database: Database, actor: str) -> list[int | None]:
    """Return the counters of the ops that a phone has in the database."""
    with database.read() as session:
        query = select(OpRow.n).where(OpRow.actor == actor).order_by(OpRow.n)
        return list(session.scalars(query))


def actor_of(phone: AppPhone) -> str:
    return str(phone.call("me")["device"]["actor"])


def test_answer_that_was_lost_stores_each_op_once(phone: AppPhone, database: Database) -> None:
    phone.report(photos=1)
    assert phone.call("sendNow", line="lost")["fault"] == "link-down"

    phone.call("sendNow", line="open")

    assert ops_of(database, actor_of(phone)) == [1, 2, 3, 4, 5]
    assert phone.call("reports")[0]["state"] == "complete"


def test_phone_killed_between_save_and_sending_sends_after_it(
    phone: AppPhone, database: Database
) -> None:
    saved = phone.report(photos=1)

    phone.restart()

    phone.call("sendNow")
    assert ops_of(database, actor_of(phone)) == [1, 2, 3, 4, 5]
    assert phone.call("reports")[0]["reference"] == saved["reference"]


def test_records_go_before_small_pictures_and_these_before_originals(phone: AppPhone) -> None:
    draft = phone.call("saveDraft", {"step": "photo"}, line="off")["id"]
    for _ in range(2):
        about = {"mediaType": "image/jpeg", "source": "camera", "takenAt": "2026-11-30T05:10:30Z"}
        photo = phone.call("random", draft, 150_000, about)
        phone.call("smallPicture", photo["id"])
    phone.call("saveReport", {"kind": "seizure", "draft": draft, "fields": seizure(), "undoMs": 0})
    phone.call("sendNow")
    phone.call("log")

    phone.call("sendNow", line="open")

    paths = [one[1] for one in phone.call("log") if one[0] != "GET"]
    syncs = [at for at, path in enumerate(paths) if path == "/api/v1/sync"]
    small = [at for at, path in enumerate(paths) if path.endswith("/preview")]
    uploads = [at for at, path in enumerate(paths) if "/uploads" in path]
    assert (len(small), max(syncs) < min(small), max(small) < min(uploads)) == (2, True, True)


def test_two_tabs_save_a_draft_once_and_send_each_piece_once(phone: AppPhone, shop: Shop) -> None:
    saved = phone.report(photos=2, size=700_000)
    twin = shop.twin(phone)
    said = {"kind": "seizure", "draft": saved["draft"], "fields": seizure()}
    assert twin.call("saveReport", said)["id"] == saved["id"]

    phone.page.evaluate("window.done = phones.call(0, 'sendNow', []); 0")
    twin.call("sendNow")
    phone.page.evaluate("window.done")
    phone.complete()  # either may have stepped back from the other's turn, and takes the next

    pieces = [*phone.sends("PATCH", "/uploads"), *twin.sends("PATCH", "/uploads")]
    assert len({(one[1], one[2]) for one in pieces}) == len(pieces)
    assert sum(one[3] for one in pieces) == 1_400_000


def test_cut_upload_goes_on_where_it_stopped(shop: Shop, address: str, as_person: AsPerson) -> None:
    target = urlsplit(address)
    size = 600_000
    with flaky_proxy((str(target.hostname), target.port or 0)) as proxy:
        phone = shop.phone(proxy.address)
        saved = phone.report(photos=1, size=size)
        before = proxy.up
        proxy.cut_after(size // 2)
        for _ in range(3):
            phone.call("sendNow")
        sent = proxy.up - before

    told = as_person("bina").get(f"/api/v1/seizures/{saved['id']}").json
    assert told["photos_stored"] == 1
    assert sent <= size * 1.1 + 20_000  # ops, headers and the page


def test_dead_token_keeps_the_queue_and_lets_capture_go_on(
    phone: AppPhone, as_person: AsPerson
) -> None:
    phone.call("status", line="off")
    phone.report()
    revoke = f"/api/v1/devices/{phone.call('me')['device']['id']}/revoke"
    as_person("admin").post(revoke, json={"reason": "lost"})

    assert phone.call("sendNow", line="open")["fault"] == "not-signed-in"

    phone.report()
    status = phone.call("status")
    assert (status["waiting"], status["fault"]) == (2, "not-signed-in")
    assert status["nextTryAt"] is not None


def test_outbox_of_a_dead_token_goes_in_under_the_next_enrolment(
    phone: AppPhone, shop: Shop, as_person: AsPerson
) -> None:
    old = phone.call("me", line="off")["device"]["id"]
    saved = phone.report(photos=1)
    as_person("admin").post(f"/api/v1/devices/{old}/revoke", json={"reason": "by mistake"})
    phone.call("sendNow", line="open")

    phone.call("enrol", {"code": shop.code("asha")})
    told = phone.call("handIn", old)

    assert sum(told["ops"].values()) == 5
    assert set(told["ops"]) <= {"held", "applied"}
    assert told["photos"] == {"stored": 1}
    phone.call("signIn", old)
    assert phone.call("status")["opsWaiting"] == 0
    assert phone.call("reports")[0]["id"] == saved["id"]


def test_phone_whose_token_is_lost_comes_back_by_its_key_as_itself(
    phone: AppPhone, shop: Shop, database: Database
) -> None:
    before = phone.call("me")["device"]
    phone.call("loseToken")
    saved = phone.report()
    assert phone.call("sendNow")["fault"] == "not-signed-in"
    card = {"code": shop.code("asha")}
    with pytest.raises(PhoneFault, match="link-down"):
        phone.call("enrol", card, line="lost")

    phone.call("enrol", card, line="open")
    phone.call("sendNow")

    after = phone.call("me")["device"]
    assert [after[one] for one in ("id", "number", "actor")] == [
        before[one] for one in ("id", "number", "actor")
    ]
    assert len(phone.call("identities")) == 1
    assert (phone.call("reports")[0]["id"], phone.call("reports")[0]["state"]) == (
        saved["id"],
        "complete",
    )
    assert ops_of(database, before["actor"]) == [1, 2, 3, 4]


def test_sign_out_and_another_officer_touch_nothing_of_the_outbox(
    phone: AppPhone, shop: Shop, as_person: AsPerson, database: Database, door: Door
) -> None:
    actor = actor_of(phone)
    phone.call("status", line="off")
    saved = phone.report(photos=1)
    phone.call("signOut", line="open")
    with pytest.raises(PhoneFault, match="no-device"):
        phone.call("reports")

    door.broken = "/sync"  # or all is sent, by itself, before anybody looks
    phone.call("enrol", {"code": shop.code("ravi")})
    assert phone.call("reports") == []
    assert phone.call("status")["othersWaiting"] > 0
    door.broken = None
    phone.call("sendNow")

    assert ops_of(database, actor) == [1, 2, 3, 4, 5]
    told = as_person("bina").get(f"/api/v1/seizures/{saved['id']}").json
    assert (told["trust"], told["photos_stored"]) == ("signed", 1)


def test_one_op_that_cannot_be_taken_stops_no_other(phone: AppPhone, as_person: AsPerson) -> None:
    bad = phone.call(
        "saveReport",
        {"kind": "seizure", "fields": {**seizure(), "ground": "a whim"}, "undoMs": 0},
    )
    good = phone.report()

    phone.call("sendNow")

    rows = {row["id"]: row for row in phone.call("reports")}
    assert (rows[bad["id"]]["state"], rows[good["id"]]["state"]) == ("parked", "complete")
    op = next(one for one in phone.call("report", bad["id"])["ops"] if one["parked"] == ["ground"])
    phone.call("edit", "seizure", bad["id"], {"ground": "straying"}, {"fixes": op["id"]})
    phone.call("sendNow")
    assert as_person("bina").get(f"/api/v1/seizures/{bad['id']}").json["ground"] == "straying"


def test_photo_that_the_server_stumbles_over_stops_no_other(phone: AppPhone, door: Door) -> None:
    phone.call("status", line="off")
    first = phone.report(photos=1, size=20_000)
    photo = phone.call("report", first["id"])["photoRows"][0]["id"]
    second = phone.report(photos=1, size=20_000)
    door.broken = f"/photos/{photo}/content"

    phone.call("sendNow", line="open")

    rows = {row["id"]: row["state"] for row in phone.call("reports")}
    assert rows == {first["id"]: "stored", second["id"]: "complete"}
    door.broken = None
    phone.call("sendNow")
    assert {row["state"] for row in phone.call("reports")} == {"complete"}


def test_erased_name_leaves_the_phone_too(phone: AppPhone, as_person: AsPerson) -> None:
    saved = phone.report()
    phone.call("sendNow")
    body = {
        "id": new_id(),
        "record": f"seizure/{saved['id']}",
        "fields": ["owner.name"],
        "reason": "asked for by the person",
    }
    assert as_person("admin").post("/api/v1/erasures", json=body).status_code in {200, 201}

    phone.call("sendNow")

    assert phone.call("screen", "seizure", saved["id"])["shown"].get("owner.name") is None
    assert phone.call("zip")["ops"] == 3


@pytest.fixture
def restored(
    house: House, tmp_path: Path, door: Door, phone: AppPhone
) -> Iterator[tuple[House, list[str]]]:
    """A server restored from before the second of two reports, at the same address."""
    environ = environ_of(tmp_path)
    environ = {name: text for name, text in environ.items() if name != "FIELDAPI_CLOCK_FILE"}
    saved = [phone.report(photos=1)["id"]]
    phone.call("sendNow")
    make_backup(house, tmp_path / "backup")
    saved.append(phone.report(photos=1)["id"])
    phone.call("sendNow")
    restore(tmp_path / "backup", tmp_path / "new", environ=environ)
    with opened(tmp_path / "new", environ) as new:
        door.app = app_of(new)
        yield new, saved


def test_restored_server_gets_back_what_it_lost(
    restored: tuple[House, list[str]], phone: AppPhone, village: Village
) -> None:
    new, saved = restored
    saved.append(phone.report()["id"])

    sent = phone.call("sendNow")

    assert sent["fault"] is None
    with new.database.read() as session:
        kept = set(session.scalars(select(Seizure.id).where(Seizure.heads != "")))
        stored = session.scalar(select(func.count()).select_from(OpRow))
    assert kept == set(saved)
    assert stored == 5 + 5 + 4
    assert phone.call("status")["alarms"] == []
    assert {row["state"] for row in phone.call("reports")} == {"complete"}


def test_slow_line_that_breaks_again_and_again_gets_it_all_across(
    shop: Shop, address: str, as_person: AsPerson
) -> None:
    target = urlsplit(address)
    with flaky_proxy((str(target.hostname), target.port or 0)) as proxy:
        phone = shop.phone(proxy.address)
        proxy.then = Plan(reset_up_at=90_000, bytes_per_s=400_000)
        saved = phone.report(photos=1, size=200_000)
        for _ in range(4):
            phone.call("sendNow")

    told = as_person("bina").get(f"/api/v1/seizures/{saved['id']}").json
    assert (told["trust"], told["photos_stored"]) == ("signed", 1)
