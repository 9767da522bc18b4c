"""One phone of a crowd: it enrols, writes reports, hands them in over its bad line, and at the end
asks the server for each of them again.
"""

from __future__ import annotations

import json
import random
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path

from fieldapi.clock import format_instant
from fieldapi.crowd.line import FieldLine, Net
from fieldapi.crowd.tally import Tally
from sync import wire
from sync.client.device import Phone
from sync.client.faults import AlreadySyncing, Busy, Fault, LinkDown
from sync.client.transport import Request, Transport, json_request
from sync.wire import JSON

ABOUT = {"make": "Crowd", "model": "C1", "os": "none", "app_version": "1.0"}
LAT, LON = 22.3, 70.8
_AGAIN = 50
_DRAIN_S = 0.5
_LEAST_OFFLINE_S, _MOST_OFFLINE_S = 0.1, 2.0


@dataclass(slots=True)
class Member:
    """One phone. `addresses`: of the app hosts, the first one its own. `offline`: share of reports
    after which it is out of reach for a while. `return_`: where it waits, all of its reports
    written, until the others have theirs. `picture`: gives the bytes of a photo by a name.
    `texts_at`: when what it had written was handed in, its photos aside.
    """

    number: int
    folder: Path
    addresses: Sequence[str]
    net: Net
    tally: Tally
    rng: random.Random
    picture: Callable[[str], bytes]
    ends: float
    offline: float = 0.3
    most_wait_s: float = 120.0
    return_: threading.Barrier | None = None
    reports: dict[str, int] = field(default_factory=dict)
    texts_at: float = 0.0

    def live(self, code: str, reports: int, photos: int) -> None:
        """Enrol, write so many reports with so many photos each, and hand all of them in."""
        began = time.monotonic()
        with Phone(self.folder, connect=self._line) as phone:
            self._until(lambda: self._enrolled(phone, code))
            for _ in range(reports):
                self._report(phone, photos)
                if self.return_ is not None:
                    continue
                if self.rng.random() < self.offline:
                    time.sleep(self.rng.uniform(_LEAST_OFFLINE_S, _MOST_OFFLINE_S))
                else:
                    self._hand_in(phone)
            if self.return_ is not None:
                with suppress(threading.BrokenBarrierError):  # one that ended early stops nobody
                    self.return_.wait(max(0.0, self.ends - time.monotonic()))
                began = time.monotonic()
            self._until(lambda: self._hand_in(phone))
            self.tally.took("until all was in", time.monotonic() - began)
            self.tally.took("until reports were in", max(self.texts_at - began, 0.0))
            self._count(phone)

    def ask_again(self) -> None:
        """Ask the server for all that it acknowledged: what it does not know is lost."""
        with Phone(self.folder, connect=self._line) as phone:
            try:
                self._ask_for_ops(phone)
                self._ask_for_photos(phone)
            except Fault as fault:
                self.tally.tell(f"phone {self.number} could not ask again: {fault}")

    # ---- life -------------------------------------------------------------------------------

    def _line(self, base_url: str, token: str | None) -> Transport:
        return FieldLine(
            base_url,
            token,
            net=self.net,
            rng=self.rng,
            note=self.tally.note,
            took=self.tally.took,
            most_wait_s=self.most_wait_s,
        )

    def _until(self, is_done: Callable[[], bool]) -> None:
        """Try until it is done or the time is up."""
        while not is_done() and time.monotonic() < self.ends:
            time.sleep(self.rng.uniform(0, _DRAIN_S))

    def _enrolled(self, phone: Phone, code: str) -> bool:
        address = self.rng.choice(self.addresses)
        with suppress(LinkDown, Busy):
            phone.enrol(address, code, ABOUT)
            return True
        return False

    def _report(self, phone: Phone, photos: int) -> None:
        at = datetime.now(UTC)
        seizure = phone.create("seizure", self._fields(at))
        for kind in ("cow", "buffalo")[: self.rng.randint(1, 2)]:
            lot: dict[str, JSON] = {"seizure_id": seizure, "kind": kind}
            phone.create("animal", {**lot, "count": self.rng.randint(1, 9)})
        for shot in range(photos):
            self._photograph(phone, seizure, shot, at)
        self.reports[seizure] = photos

    def _photograph(self, phone: Phone, seizure: str, shot: int, at: datetime) -> None:
        file = self.folder / "camera.jpg"
        file.write_bytes(self.picture(f"{seizure} {shot}"))
        announced: dict[str, JSON] = {
            "seizure_id": seizure,
            "media_type": "image/jpeg",
            "taken_at": format_instant(at),
            "source": "camera",
            "subject": "animals",
        }
        phone.attach_photo(file, announced)

    def _fields(self, at: datetime) -> dict[str, JSON]:
        location: JSON = {
            "lat": round(LAT + self.rng.uniform(-0.1, 0.1), 6),
            "lon": round(LON + self.rng.uniform(-0.1, 0.1), 6),
            "accuracy_m": 8,
            "fixed_at": format_instant(at),
            "source": "gps",
            "mocked": False,
        }
        return {
            "seized_at": format_instant(at - timedelta(minutes=2)),
            "location": location,
            "origin": "phone",
            "capacity": "panchayat_watchman",
            "ground": "trespass_with_damage",
            "place_kind": "private_field",
            "damage_done": True,
            "damage.text": "Rows trampled at the eastern edge.",
            "owner.known": False,
        }

    def _hand_in(self, phone: Phone) -> bool:
        """Sync, then upload; say whether nothing is left. A host that is gone is changed."""
        began, had_text = time.perf_counter(), phone.state().waiting > 0
        try:
            phone.sync()
            self.tally.took("all of a sync", time.perf_counter() - began)
            self.texts_at = time.monotonic() if had_text else self.texts_at
            phone.upload()
        except LinkDown:
            phone.move(self.rng.choice(self.addresses))
        except Busy as busy:
            time.sleep(min(busy.wait_s or 1.0, self.most_wait_s))
        except AlreadySyncing:
            time.sleep(_DRAIN_S)  # a program that was started meanwhile holds our lock for a moment
        except Fault as fault:
            self.tally.tell(f"phone {self.number}: {type(fault).__name__} {fault}")
        state = phone.state()
        return state.waiting == 0 and state.photos_waiting == 0

    # ---- what became of it ------------------------------------------------------------------

    def _count(self, phone: Phone) -> None:
        state, sent = phone.state(), len(list(self._ops(phone)))
        self.tally.add(
            phones=1,
            reports=len(self.reports),
            sent=sent,
            acknowledged=sent - state.waiting,
            unfinished=state.waiting,
            quarantined=state.needs_you,
            photos=sum(self.reports.values()),
        )
        if state.alarms:
            self.tally.tell(f"phone {self.number}: {len(state.alarms)} alarms")

    def _ops(self, phone: Phone) -> Iterator[bytes]:
        """Yield the ops that the phone keeps, as they are sent."""
        archive = self.folder / "kept.zip"
        phone.export(archive)
        with zipfile.ZipFile(archive) as opened:
            yield from opened.read("ops.jsonl").splitlines()
        archive.unlink()

    def _ask_for_ops(self, phone: Phone) -> None:
        device = phone.device
        line = Transport(device.base_url, device.token)
        ops = list(self._ops(phone))
        for part in (ops[at : at + _AGAIN] for at in range(0, len(ops), _AGAIN)):
            answer = line.call(json_request("/api/v1/sync", _envelope(part))).json()
            results = answer.get("results") if isinstance(answer, dict) else None
            told = results if isinstance(results, list) else []
            known = sum(isinstance(one, dict) and one.get("replayed") is True for one in told)
            self.tally.add(lost=len(part) - known)
        line.close()

    def _ask_for_photos(self, phone: Phone) -> None:
        device = phone.device
        line = Transport(device.base_url, device.token)
        for seizure, announced in self.reports.items():
            answer = line.call(Request("GET", f"/api/v1/seizures/{seizure}"))
            told = answer.json() if answer.status == HTTPStatus.OK else {}
            stored = told.get("photos_stored") if isinstance(told, dict) else 0
            there = stored if isinstance(stored, int) else 0
            self.tally.add(photos_stored=there, photos_lost=max(announced - there, 0))
        line.close()


def _envelope(ops: Sequence[bytes]) -> bytes:
    """Return a push of these very bytes that pulls next to nothing."""
    members: dict[str, JSON] = {
        "protocol": 1,
        "schema": 1,
        "device_now": format_instant(datetime.now(UTC)),
        "cursor": None,
        "limit": 1,
        "tree_heads": [],
    }
    return wire.canonical(members)[:-1] + b',"ops":[' + b",".join(ops) + b"]}"


def read_code(line: str) -> str:
    """Return the code of a line: the code itself, or what `fieldapi enrol --json` printed."""
    text = line.strip()
    return str(json.loads(text)["code"]) if text.startswith("{") else text
