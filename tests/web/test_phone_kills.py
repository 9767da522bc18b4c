"""A phone whose battery falls out loses nothing that was on its screen, and sends nothing twice."""

from __future__ import annotations

import hashlib

import pytest
from sqlalchemy import select

from fieldapi.models import Animal, OpRow, Original, Photo, Seizure
from fieldapi.unit import Database
from tests.support.personas import Village, issue
from tests.web.mortal import MortalPhone
from tests.web.phones import Phone

pytestmark = pytest.mark.browser

# The hashes of the photos of the only draft.
_PHOTO_HASHES = """async () => {
    const first = document.querySelector('script').src;
    const phone = await import(first.replace('app.js', 'device/phone.js'));
    const [draft] = await phone.drafts();
    return Promise.all(draft.photos.map(async id => {
        const bytes = await (await phone.photoBytes(id)).arrayBuffer();
        const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
        return [...hash].map(byte => byte.toString(16).padStart(2, '0')).join('');
    }));
}"""


@pytest.fixture
def asha(mortal: MortalPhone, village: Village, database: Database) -> MortalPhone:
    who = village["asha"]
    mortal.start().enrol(issue(database, who.authority_id, who.person_id))
    return mortal


def reopen(phone: MortalPhone, *, is_offline: bool) -> Phone:
    phone.kill()
    now = phone.start(is_offline=is_offline)
    now.open()
    return now


def test_report_survives_and_arrives_exactly_once(asha: MortalPhone, database: Database) -> None:
    asha.now.offline()
    reference = asha.now.seize("buffalo", 2)

    reopen(asha, is_offline=True).see("1 waiting")
    now = reopen(asha, is_offline=False)
    now.send()

    with database.read() as session:
        assert session.scalars(select(Seizure.reference)).all() == [reference]
        assert session.scalars(select(Animal.count)).all() == [2]
        (photo,) = session.scalars(select(Photo))
        assert session.scalars(select(Original.sha256)).all() == [photo.sha256]
        assert session.scalars(select(OpRow.is_signed)).all() == [True] * 3
    assert asha.complaints == []


def test_photo_survives_a_kill_right_after_the_shutter(asha: MortalPhone) -> None:
    asha.now.offline()
    asha.now.shoot()
    before = asha.now.page.evaluate(_PHOTO_HASHES)

    now = reopen(asha, is_offline=True)
    now.tap(".draft")
    now.page.wait_for_selector(".thumb img")

    assert now.page.evaluate(_PHOTO_HASHES) == before
    assert len(before) == 1
    assert before[0] != hashlib.sha256(b"").hexdigest()


def test_app_that_the_camera_closed_comes_back_to_its_draft(asha: MortalPhone) -> None:
    now = asha.now
    now.page.evaluate("() => { navigator.mediaDevices.getUserMedia = null; }")
    now.tap("#seize")
    now.page.wait_for_selector("#camera-button")
    now.tap("#next")
    now.tap("[data-kind=cow] .tile__add")
    now.tap("a:has-text('Photo')")
    now.page.wait_for_selector("#camera-button")
    with now.page.expect_file_chooser():
        now.tap("#camera-button")

    now = reopen(asha, is_offline=True)
    now.see("The camera closed the app.")
    now.tap("#next")

    assert now.read("[data-kind=cow] output") == "1"
