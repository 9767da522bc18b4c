"""Photos without the page's own camera, from the gallery, and with no space left."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import FilePayload

from tests.support.heic import heic
from tests.support.images import field_photo, mp4, scene
from tests.web.phones import Phone

pytestmark = pytest.mark.browser

_NO_CAMERA = """navigator.mediaDevices.getUserMedia = () =>
    Promise.reject(new DOMException('no', 'NotAllowedError'));"""
# A full phone takes no row more, however small.
_KEEPS_NOTHING = """() => {
    IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); };
}"""


def without_camera(phone: Phone) -> None:
    phone.page.add_init_script(_NO_CAMERA)
    phone.page.reload()
    phone.tap("#seize")
    phone.page.wait_for_selector("#camera-button")


def finish(phone: Phone) -> str:
    phone.tap("#next")
    phone.tap("[data-kind=cow] .tile__add")
    phone.tap("#save")
    return phone.read("#reference")


@pytest.fixture
def photo(tmp_path: Path) -> str:
    """A photo whose EXIF says that it was taken elsewhere."""
    path = tmp_path / "elsewhere.jpg"
    path.write_bytes(field_photo(lat=12.9716, lon=77.5946))
    return str(path)


def test_denied_camera_still_ends_in_a_receipt(asha: Phone, photo: str) -> None:
    without_camera(asha)
    asha.page.set_input_files("#camera", photo)
    asha.page.wait_for_selector(".thumb img")

    assert finish(asha).startswith("RJK-")


def test_gallery_photo_is_marked_and_gives_no_place(asha: Phone, photo: str) -> None:
    asha.tap("#seize")
    asha.page.wait_for_selector("#shutter:enabled")
    asha.page.set_input_files(
        "#gallery", {"name": "0.jpg", "mimeType": "image/jpeg", "buffer": b""}
    )
    asha.see("The photo could not be kept.")
    asha.page.set_input_files("#gallery", photo)
    asha.page.wait_for_selector(".thumb img")
    finish(asha)
    asha.page.wait_for_selector("text=22.30391, 70.80216")

    assert "12.97" not in asha.read("main")
    asha.goto("/reports")
    asha.tap(".report")
    asha.see("From the gallery: place and time not proven")


def test_only_photos_are_added_also_those_that_this_browser_cannot_draw(asha: Phone) -> None:
    def chosen(name: str, body: bytes) -> FilePayload:
        return {"name": name, "mimeType": "image/jpeg", "buffer": body}

    asha.tap("#seize")
    asha.page.wait_for_selector("#shutter:enabled")
    for name, body in (("letter.jpg", b"%PDF-1.7\n" * 9), ("film.jpg", mp4()), ("a.jpg", b"x")):
        asha.page.set_input_files("#gallery", chosen(name, b""))
        asha.see("The photo could not be kept.")
        asha.page.set_input_files("#gallery", chosen(name, body))
        asha.see("This file is no photo that can be used. It was not added.")
    assert asha.page.locator(".thumb").count() == 0
    asha.page.set_input_files("#gallery", chosen("phone.heic", heic(scene(1, (64, 64)))))
    asha.page.wait_for_selector(".thumb .hollow")

    assert finish(asha).startswith("RJK-")
    asha.see("1 photo")


def test_phone_that_keeps_nothing_says_so_and_shows_no_receipt(asha: Phone) -> None:
    said = "it is not saved. Make room"
    asha.shoot()
    asha.tap("#next")
    asha.page.wait_for_selector("#save")
    draft, before = asha.page.url, len(asha.call("reports"))
    asha.page.evaluate(_KEEPS_NOTHING)
    asha.tap("[data-kind=cow] .tile__add")
    asha.see(said)
    asha.tap("#save")
    asha.page.wait_for_selector(".fault:focus")
    asha.see(said)
    asha.goto("/photo")
    asha.see(said)

    assert len(asha.call("reports")) == before
    asha.page.goto("about:blank")
    asha.page.goto(draft)
    assert asha.read("[data-kind=cow] output") == "0"
    asha.tap("[data-kind=cow] .tile__add")
    asha.tap("#save")
    assert asha.read("#reference").startswith("RJK-")


def test_report_without_photo_says_why(asha: Phone) -> None:
    without_camera(asha)
    asha.tap("#next")
    asha.tap("[data-kind=cow] .tile__add")
    asha.tap("#save")
    asha.see("There is no photo.")
    asha.tap("button:has-text('It was too dark')")

    assert asha.read("#reference").startswith("RJK-")


def test_full_phone_refuses_the_photo_and_keeps_the_report(asha: Phone) -> None:
    asha.page.add_init_script(
        "navigator.storage.estimate = async () => ({quota: 105e6, usage: 100e6});"
    )
    asha.page.reload()
    asha.tap("#seize")
    asha.page.wait_for_selector("#shutter:enabled")
    asha.tap("#shutter")
    asha.see("The phone is full: no more photos.")
    asha.tap("#next")
    asha.tap("[data-kind=cow] .tile__add")
    asha.tap("#save")
    asha.tap("button:has-text('The camera does not work')")

    assert asha.read("#reference").startswith("RJK-")
