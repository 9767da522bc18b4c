"""In the field: the phone loses its network and captures a report with two photos all the same."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from fieldapi.clock import INDIA, format_instant, system_clock
from fieldapi.demo.link import Link
from fieldapi.demo.phone import Crew
from fieldapi.demo.place import Place
from fieldapi.demo.setting import Village
from fieldapi.demo.telling import Mismatch, Teller, kb, require
from fieldapi.domain.references import mint
from fieldapi.imaging.specimen import Specimen, draw
from sync.client.device import Phone
from sync.client.faults import LinkDown
from sync.wire import JSON

HERD = {"buffalo": 2, "cow": 3}
LAT, LON = 22.36342, 70.80916


@dataclass(frozen=True, slots=True)
class Shot:
    """A photo that Asha took. `sha256`: of the file as the camera wrote it."""

    id: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Report:
    """What Asha captured."""

    id: str
    reference: str
    shots: tuple[Shot, ...]


def capture(tell: Teller, place: Place, crew: Crew, *, village: Village, link: Link) -> Report:
    """Take a report down without a network, and show that nobody else knows of it."""
    with tell.step("offline", "switching the network off") as done:
        link.switch_off()
        _require_offline(crew.phone)
        done("network switched off: the phone reaches nobody")
    with tell.step("draw", "taking two photos") as done:
        now = system_clock()
        reference = _reference(crew.phone, now)
        files = _take_photos(place.phone / "camera", reference, now)
        sizes = " and ".join(kb(file.stat().st_size) for file in files)
        done(f"two photos taken, {sizes}, each with GPS in its EXIF")
    with tell.step("capture", "writing the report down") as done:
        report = _write_down(crew.phone, files, reference, pound_id=village.pound_id, now=now)
        waiting = crew.phone.state().waiting
        done(
            f"{reference} written down: 2 buffaloes, 3 cows, place, owner",
            reference=reference,
            waiting=waiting,
        )
    with tell.step("unknown", "asking the server what it knows") as done:
        crew.tablet.sync()
        known = len(crew.tablet.records("seizure"))
        require(known == 0, f"the server has {known} reports before the phone sent one")
        done(f"all of it waits on the phone; Bina's pull shows {known} reports", known=known)
    return report


def _require_offline(phone: Phone) -> None:
    try:
        phone.sync()
    except LinkDown:
        return
    raise Mismatch("the phone reached the server although its network was off")


def _reference(phone: Phone, now: datetime) -> str:
    """Mint the number that people will use, without asking anybody."""
    here = now.astimezone(INDIA)
    number = phone.next_number(f"reference {here:%y%m}")
    code = str(phone.device.authority["code"])
    device = phone.device.number
    return mint(code, device, year=here.year, month=here.month, counter=number)


def _take_photos(folder: Path, reference: str, now: datetime) -> list[Path]:
    """Draw what Asha's camera sees: the herd, then the field a few steps on."""
    folder.mkdir(parents=True)
    taken = (
        Specimen(
            seed=7,
            taken_at=(now - timedelta(seconds=110)).astimezone(INDIA),
            lat=LAT + 0.00005,
            lon=LON - 0.00004,
            cattle=HERD,
            caption=reference,
            size=(1600, 1200),
        ),
        Specimen(
            seed=23,
            taken_at=(now - timedelta(seconds=50)).astimezone(INDIA),
            lat=LAT - 0.00011,
            lon=LON + 0.00009,
            cattle={},
            caption=reference,
            size=(1024, 768),
        ),
    )
    files = [folder / f"IMG_{number:04d}.jpg" for number in range(1, len(taken) + 1)]
    for file, specimen in zip(files, taken, strict=True):
        file.write_bytes(draw(specimen))
    return files


def _write_down(
    phone: Phone, files: list[Path], reference: str, *, pound_id: str, now: datetime
) -> Report:
    seized_at = now - timedelta(seconds=150)
    location = _fix(seized_at, accuracy_m=8)
    seizure = phone.create("seizure", _seizure(reference, seized_at, location, pound_id=pound_id))
    lots = [
        phone.create("animal", {"seizure_id": seizure, "kind": kind, "count": count})
        for kind, count in HERD.items()
    ]
    said = (
        {"subject": "animals", "animal_id": lots[0], "caption": "The herd in the groundnut field"},
        {"subject": "place", "caption": "The field from the Bedi road"},
    )
    times = (now - timedelta(seconds=110), now - timedelta(seconds=50))
    shots = tuple(
        _attach(phone, file, {"seizure_id": seizure, "taken_at": format_instant(at), **about})
        for file, at, about in zip(files, times, said, strict=True)
    )
    return Report(seizure, reference, shots)


def _attach(phone: Phone, file: Path, fields: Mapping[str, JSON]) -> Shot:
    photo = phone.attach_photo(file, {**fields, "media_type": "image/jpeg", "source": "camera"})
    content = file.read_bytes()
    return Shot(photo, hashlib.sha256(content).hexdigest(), len(content))


def _seizure(
    reference: str, seized_at: datetime, location: JSON, *, pound_id: str
) -> dict[str, JSON]:
    return {
        "reference": reference,
        "seized_at": format_instant(seized_at),
        "location": location,
        "origin": "phone",
        "capacity": "panchayat_watchman",
        "ground": "trespass_with_damage",
        "place_kind": "private_field",
        "damage_done": True,
        "damage.crop": "groundnut",
        "damage.text": "About forty rows trampled and eaten at the eastern edge.",
        "damage.estimate_paise": 650_000,
        "survey_no": "214/2",
        "place_text": "Groundnut field east of the Bedi road",
        "owner.known": True,
        "owner.name": "Ramesh Solanki",
        "owner.residence": "Bedi",
        "pound_id": pound_id,
    }


def _fix(at: datetime, *, accuracy_m: int) -> JSON:
    return {
        "lat": LAT,
        "lon": LON,
        "accuracy_m": accuracy_m,
        "fixed_at": format_instant(at),
        "source": "gps",
        "mocked": False,
    }
