"""A real server that is killed at named places while phones hand in reports and photos, comes back,
and is asked again; then everything is compared with what the phones hold.

The server is gunicorn's: its first process stays and makes a new one for each that is killed.
"""

from __future__ import annotations

import json
import random
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from fieldapi import ledger
from fieldapi.failpoints import ANY, NAMES
from fieldapi.house import House, open_house
from fieldapi.models import OpPayload, OpRow, Original
from fieldapi.services import replay
from fieldapi.services.photos import audit as photo_audit
from fieldapi.services.photos.audit import Share
from fieldapi.settings import Settings
from fieldapi.storage.keys import original_key
from sync.client.device import Phone
from sync.client.faults import Fault
from sync.client.transport import Backoff, Timeouts, Transport
from tests.support.personas import Village, found_village, issue
from tests.support.reports import FIELD, SEIZED_AT
from tests.support.server import Server, serving

PHONES = ("asha", "asha", "ravi")
# Every place but those that only the outbox of a phone, handed in as a file, comes by.
PLACES = tuple(sorted(name for name in NAMES if not name.startswith("outbox.")))
# What is reached for each place only if a photo is on the way, and if it is a large one.
PHOTO = frozenset(
    n for n in NAMES if n.partition(".")[0] in {"photo", "storage", "spool", "upload"}
)
SMALL_ONLY = frozenset({"photo.received", "photo.announced-checked"})
SMALL, LARGE = 3_000, 400_000  # bytes: one request, or several
_TRIES = 60
_ROUNDS = 6  # of work in which each place is reached often enough


def _line(base_url: str, token: str | None) -> Transport:
    patience = Backoff(tries=_TRIES, first_s=0.05, cap_s=0.3)
    return Transport(base_url, token, Timeouts(5, 10, 30), patience)


@dataclass(slots=True)
class Scene:
    """A server to be killed, and phones that speak to it. `house`: ours, over the same data.

    `armed`: the file that says where the server dies next. `kills`: how often it did, by place.
    """

    server: Server
    house: House
    village: Village
    folder: Path
    armed: Path
    rng: random.Random
    reports: dict[int, list[str]] = field(default_factory=dict)
    photos: list[str] = field(default_factory=list)
    kills: dict[str, int] = field(default_factory=dict)

    def enrol(self) -> None:
        """Make phones, each with a report that the server has."""
        for at, name in enumerate(PHONES):
            person = self.village[name]
            code = issue(self.house.database, person.authority_id, person.person_id)
            address = f"http://127.0.0.1:{self.server.port}"
            with self.phone(at) as phone:
                phone.enrol(address, code, {"make": "Nokia"})
                self.report(at, phone)
                phone.sync()

    def phone(self, at: int) -> Phone:
        """Open a phone; in the thread that uses it."""
        return Phone(self.folder / f"phone-{at}", connect=_line)

    def report(self, at: int, phone: Phone) -> str:
        """Capture a report with one lot."""
        fields: dict[str, Any] = {
            "seized_at": SEIZED_AT,
            "capacity": "watch_and_ward",
            "ground": "trespass",
            "place_kind": "private_land",
            "location": dict(FIELD),
            "owner.name": "Ramesh",
        }
        seizure = phone.create("seizure", fields)
        phone.create("animal", {"seizure_id": seizure, "kind": "cow", "count": 2})
        self.reports.setdefault(at, []).append(seizure)
        return seizure

    # ---- one kill ---------------------------------------------------------------------------

    def kill(self, name: str) -> bool:
        """Let phones work until the server dies at a place, and until all is handed in; say
        whether it died.
        """
        nth = self.rng.choice((1, 1, 2, 3)) if name != ANY else self.rng.randint(1, 150)
        self.armed.write_text(f"{name} {nth}")
        for _ in range(_ROUNDS):
            self._work(name)
            if not self.armed.exists():
                break
        is_dead = not self.armed.exists()
        with suppress(FileNotFoundError):
            self.armed.unlink()
        if is_dead:
            self.kills[name] = self.kills.get(name, 0) + 1
        return is_dead

    def _work(self, name: str) -> None:
        """Let one or two phones hand in at once."""
        at = self.rng.sample(range(len(PHONES)), self.rng.choice((1, 1, 2)))
        size = self._size_for(name)
        plans = [(one, size if one == at[0] else None, self.rng.getrandbits(32)) for one in at]
        failed: list[BaseException] = []

        def hand_in(plan: tuple[int, int | None, int]) -> None:
            try:
                self._hand_in(*plan)
            except BaseException as exc:  # noqa: BLE001 - raised again in the thread that waits
                failed.append(exc)

        threads = [threading.Thread(target=hand_in, args=(plan,)) for plan in plans]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failed:
            raise failed[0]

    def _size_for(self, name: str) -> int | None:
        if name in SMALL_ONLY:
            return SMALL
        if name in PHOTO or name == ANY:
            return LARGE
        return None

    def _hand_in(self, at: int, size: int | None, seed: int) -> None:
        """Write on a phone, and sync and upload until nothing is left."""
        rng = random.Random(seed)
        with self.phone(at) as phone:
            for _ in range(rng.randint(1, 4)):
                self._write(at, phone, rng)
            if size is not None:
                self._photograph(at, phone, rng.randbytes(size))
            _until_done(phone.sync, lambda: phone.state().waiting == 0)
            if size is not None:
                _until_done(phone.upload, lambda: phone.state().photos_waiting == 0)

    def _write(self, at: int, phone: Phone, rng: random.Random) -> None:
        seizure = rng.choice(self.reports[at])
        drawn = rng.random()
        if drawn < 0.2:
            self.report(at, phone)
        elif drawn < 0.5:
            phone.edit("seizure", seizure, {"survey_no": str(rng.randint(1, 99))})
        elif drawn < 0.7:
            phone.edit("seizure", seizure, {"ground": rng.choice(("trespass", "nonsense"))})
        else:
            phone.edit("seizure", seizure, {"remarks": "by the road", "owner.name": "Suresh"})

    def _photograph(self, at: int, phone: Phone, content: bytes) -> None:
        source = self.folder / f"camera-{at}.jpg"
        source.write_bytes(content)
        fields: dict[str, Any] = {
            "seizure_id": self.reports[at][0],
            "media_type": "image/jpeg",
            "taken_at": SEIZED_AT,
            "source": "camera",
            "subject": "animals",
        }
        self.photos.append(phone.attach_photo(source, fields))

    # ---- what must be true then -------------------------------------------------------------

    def wrongs(self) -> list[str]:
        """Return what is not as the phones hold it, in words."""
        return [*self._ops(), *self._photos(), *self._ledger()]

    def _ops(self) -> Iterator[str]:
        """What the phones hold as answered is stored once, byte for byte; nothing else is."""
        query = select(OpRow.op, OpRow.payload, OpPayload.payload).outerjoin(
            OpPayload, (OpPayload.actor == OpRow.actor) & (OpPayload.op == OpRow.op)
        )
        with self.house.database.read() as session:
            stored = {op: plain or personal for op, plain, personal in session.execute(query)}
        held: dict[str, bytes] = {}
        for at in range(len(PHONES)):
            with self.phone(at) as phone:
                held |= _held(phone, self.folder / f"phone-{at}.zip")
        yield from (
            f"{op} was acknowledged and is not stored" for op in held.keys() - stored.keys()
        )
        yield from (f"{op} is stored and no phone has it" for op in stored.keys() - held.keys())
        both = held.keys() & stored.keys()
        yield from (f"{op} is stored otherwise" for op in both if held[op] != stored[op])

    def _photos(self) -> Iterator[str]:
        """Every photo is stored under its hash, and nothing lies about in the spool."""
        with self.house.database.read() as session:
            hashes = session.scalars(select(Original.sha256)).all()
        if len(hashes) != len(self.photos):
            yield f"{len(self.photos)} photos were receipted, {len(hashes)} are stored"
        for sha256 in hashes:
            if self.house.storage.stat(original_key(sha256)) is None:
                yield f"the bytes of {sha256} are gone"
        if not photo_audit.audit(self.house, Share()).is_sound:
            yield "the photos are not sound"

    def _ledger(self) -> Iterator[str]:
        """One receipt per op; the ledger verifies; a replay finds no difference."""
        at = self.village.rjk
        with self.house.database.read() as session:
            verified = ledger.verify(session, at, self.house.keys)
            yield from (f"ledger: {one}" for one in verified.faults)
            yield from (f"replay: {one}" for one in replay.check(session, at).differences)
            ops = session.scalar(select(func.count()).select_from(OpRow))
            receipts = [
                entry["op"]
                for kind in ("op.applied", "op.held", "op.quarantined")
                for entry in ledger.entries_of_kind(session, at, kind)
                if "sha256" in entry
            ]
        if len(receipts) != len(set(receipts)) or len(receipts) != ops:
            yield f"{ops} ops, {len(receipts)} receipts of {len(set(receipts))}"


def _held(phone: Phone, archive: Path) -> dict[str, bytes]:
    """Return the ops that a phone keeps, as an export of it says."""
    phone.export(archive)
    with zipfile.ZipFile(archive) as opened:
        lines = opened.read("ops.jsonl").splitlines()
    return {json.loads(line)["op"]: line for line in lines}


def _until_done(work: Callable[[], object], is_done: Callable[[], bool]) -> None:
    """Ask again until all is handed in: the server that was killed comes back."""
    for _ in range(_TRIES):
        with suppress(Fault):
            work()
        if is_done():
            return
    raise AssertionError("the phone could not hand in what it holds")


@contextmanager
def scene(settings: Settings, folder: Path, seed: int) -> Iterator[Scene]:
    """Serve an installation whose server can be killed, with phones enrolled."""
    with ExitStack() as stack:
        house = open_house(settings)
        stack.callback(house.database.close)
        village = found_village(house.database)
        armed = folder / "failpoint"
        dying = serving(settings, is_warm=True, FIELDAPI_FAILPOINTS=str(armed))
        server = stack.enter_context(dying)
        made = Scene(server, house, village, folder, armed, random.Random(seed))
        made.enrol()
        yield made
