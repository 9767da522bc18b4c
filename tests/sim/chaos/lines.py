"""Scenarios of the line between phone and server: slow, far, losing packets, reset, dark."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fieldapi.crowd.tally import parts
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.models import Original
from sync.client.device import Phone
from sync.client.faults import Fault
from sync.client.transport import Backoff, Timeouts, Transport
from sync.client.uploader import LEAST_CHUNK
from tests.sim.chaos import small
from tests.sim.chaos.scenario import Found, Ground
from tests.support.flaky_proxy import Plan as Cut
from tests.support.flaky_proxy import flaky_proxy
from tests.support.personas import Village, issue
from tests.support.reports import FIELD, SEIZED_AT
from tests.support.rural_line import Laid, Line, can_be_laid, rural_line
from tests.support.server import serving

LOSSES = (0.0, 0.05, 0.2)
BAR_S = 15.0
_PHOTO, _SMALL_PHOTO = 300_000, 200_000
_AT_ONCE = 8
_REPORT: dict[str, Any] = {
    "seized_at": SEIZED_AT,
    "capacity": "watch_and_ward",
    "ground": "trespass",
    "place_kind": "private_land",
    "location": dict(FIELD),
}


# ---- R15 ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rural:
    """A server that phones reach by lines of their own."""

    house: House
    village: Village
    port: int
    folder: Path
    seed: int

    def phone_at(self, line: Laid) -> Phone:
        """Return a phone that enrolled over this line; to be called inside."""
        asha = self.village["asha"]
        code = issue(self.house.database, asha.authority_id, asha.person_id)
        phone = Phone(self.folder / f"rural-{new_id()[-12:]}", connect=_as_phones_do)
        phone.enrol(line.address, code, {"make": "Nokia"})
        return phone


def second_generation(ground: Ground) -> Found:
    """R15: 50 kbit/s, 0.3 to 0.8 s there and back, packets lost each way: receipts within 15 s."""
    if not can_be_laid():
        return Found({"not_run": "no right to make a network device here"})
    with small.house_of(ground, "sqlite") as (house, village), serving(house.settings) as server:
        rural = Rural(house, village, server.port, ground.folder, ground.seed)
        told = {
            f"{loss:.0%} of packets lost": latencies(
                rural, Line(loss=loss), phones=ground.phones, reports=ground.reports
            )
            for loss in LOSSES
        }
        dark = _in_the_dark(rural, min(1.5 * ground.times, 30.0))
        photo = _photo_with_a_gap(rural, _SMALL_PHOTO if ground.times > 1 else _SMALL_PHOTO // 5)
    found = Found({"seconds_to_the_receipt": told, **dark, **photo})
    for name, one in told.items():
        found.claim(one["p95"] < BAR_S * 1000, f"{name}: 95th of a hundred {one['p95']} ms")
    found.claim(dark["waiting_after_the_dark"] == 0, "a report was not handed in after the dark")
    found.claim(photo["photos_stored"] == 1, "the photo was not stored")
    again = photo["photo_bytes_sent_again"]
    found.claim(again < LEAST_CHUNK, f"after one cut {again} bytes of a photo were sent twice")
    return found


def latencies(rural: Rural, how: Line, *, phones: int, reports: int) -> dict[str, float]:
    """Return how long phones, each on a line of its own, waited for the receipt of a report."""

    def live(number: int) -> Sequence[float]:
        with rural_line(rural.port, how, seed=rural.seed + number) as line:
            return line.inside(lambda: _reported(rural, line, reports))

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return parts([each for one in pool.map(live, range(phones)) for each in one])


def _reported(rural: Rural, line: Laid, reports: int) -> Sequence[float]:
    taken = []
    with rural.phone_at(line) as phone:
        _until(lambda: _synced(phone))  # what a phone learns once, right after it enrolled
        for _ in range(reports):
            phone.create("seizure", dict(_REPORT))
            began = time.monotonic()
            _until(lambda: _synced(phone))
            taken.append(time.monotonic() - began)
    return taken


def _synced(phone: Phone) -> bool:
    try:
        phone.sync()
    except Fault:
        return False
    return phone.state().waiting == 0


def _until(is_so: Callable[[], bool], *, within_s: float = 600.0) -> bool:
    ends = time.monotonic() + within_s
    while not (done := is_so()) and time.monotonic() < ends:
        time.sleep(0.2)
    return done


def _in_the_dark(rural: Rural, dark_s: float) -> dict[str, float]:
    """Take the line away while a report is on its way."""
    with rural_line(rural.port, Line(), seed=rural.seed) as line:

        def live() -> tuple[float, int]:
            with rural.phone_at(line) as phone:
                phone.create("seizure", dict(_REPORT))
                line.is_cut = True
                threading.Timer(dark_s, lambda: setattr(line, "is_cut", False)).start()
                began = time.monotonic()
                _until(lambda: _synced(phone))
                return time.monotonic() - began, phone.state().waiting

        took, waiting = line.inside(live)
    return {
        "dark_s": dark_s,
        "receipt_after_the_dark_s": round(took - dark_s, 1),
        "waiting_after_the_dark": waiting,
    }


def _photo_with_a_gap(rural: Rural, size: int) -> dict[str, float]:
    """Send a photo with the line cut in its middle; count what was sent twice."""
    content = random.Random(rural.seed).randbytes(size)
    with rural_line(rural.port, replace(Line(), loss=0.02), seed=rural.seed) as line:

        def live() -> tuple[float, int]:
            with rural.phone_at(line) as phone:
                photograph(phone, rural.folder, content)
                _until(lambda: _synced(phone))
                sent, began = line.sent(), time.monotonic()
                line.cut_after(size // 2)
                _until(lambda: _uploaded(phone))
                return time.monotonic() - began, line.sent() - sent

        took, sent = line.inside(live)
    with rural.house.database.read() as session:
        stored = session.query(Original).filter_by(size=size).count()
    return {
        "photo_bytes": size,
        "photo_s": round(took, 1),
        "photo_bytes_sent_again": sent - size,
        "photos_stored": stored,
    }


def _uploaded(phone: Phone) -> bool:
    try:
        phone.upload()
    except Fault:
        return False
    return phone.state().photos_waiting == 0


# ---- R16 ----------------------------------------------------------------------------------------


def resets(ground: Ground) -> Found:
    """R16: connections are reset in both directions, one for each photo; little is sent twice."""
    rng, count = random.Random(ground.seed), 4 * ground.times
    cuts = [
        Cut(reset_up_at=rng.randint(0, _PHOTO))
        if number % 2
        else Cut(reset_down_at=rng.randint(0, 600))
        for number in range(count)
    ]
    with small.house_of(ground, "sqlite") as (house, village), serving(house.settings) as server:
        asha = village["asha"]
        code = issue(house.database, asha.authority_id, asha.person_id)
        with Phone(ground.folder / f"phone-{new_id()[-12:]}", connect=_patient) as phone:
            phone.enrol(f"http://127.0.0.1:{server.port}", code, {"make": "Nokia"})
            photos = {photograph(phone, ground.folder, rng.randbytes(_PHOTO)) for _ in range(count)}
            phone.sync()
            with flaky_proxy(("127.0.0.1", server.port), *cuts) as proxy:
                phone.move(proxy.address)
                stored = phone.upload().stored
                up = proxy.up
    share = up / (_PHOTO * count)
    found = Found({"cuts": len(cuts), "bytes": _PHOTO * count, "sent_share": round(share, 3)})
    found.claim(set(stored) == photos, f"{len(photos) - len(stored)} photos were not stored")
    found.claim(share < 1.2, f"{share:.2f} times its bytes were sent")
    return found


def _as_phones_do(base_url: str, token: str | None) -> Transport:
    return Transport(base_url, token)


def _patient(base_url: str, token: str | None) -> Transport:
    return Transport(base_url, token, Timeouts(5, 10, 30), Backoff(tries=30, first_s=0.01))


def photograph(phone: Phone, folder: Path, content: bytes) -> str:
    """Take a photo of a new report, and return its id."""
    seizure = phone.create("seizure", dict(_REPORT))
    (folder / "camera.jpg").write_bytes(content)
    about = {"seizure_id": seizure, "media_type": "image/jpeg", "taken_at": SEIZED_AT}
    return phone.attach_photo(
        folder / "camera.jpg", {**about, "source": "camera", "subject": "animals"}
    )
