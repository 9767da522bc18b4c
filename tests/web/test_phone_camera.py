"""Photos without the page's own camera, from the gallery, and with no space left."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.images import field_photo
from tests.web.phones import Phone

pytestmark = pytest.mark.browser

_NO_CAMERA = """navigator.mediaDevices.getUserMedia = () =>
    Promise.reject(new DOMException('no', 'NotAllowedError'));"""


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

    assert "12.97" not in asha.read("main")
    assert "22.30391, 70.80216" in asha.read("main")
    asha.goto("/reports")
    asha.tap(".report")
    asha.see("From the gallery: place and time not proven")


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
