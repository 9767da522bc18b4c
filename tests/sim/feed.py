"""Writers that push at once and readers that poll meanwhile, over a real server of several
processes: whatever was acknowledged must reach every reader.
"""

from __future__ import annotations

import gzip
import http.client
import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from fieldapi import ledger
from fieldapi.house import House, open_house
from fieldapi.ids import new_id
from fieldapi.models import RECORDS
from fieldapi.settings import Settings
from tests.support.personas import Persona, Village, enrol, found_village, persona_of
from tests.support.reports import Pen, push_body
from tests.support.server import Server, serving

Document = dict[str, Any]
RecordKey = tuple[str, str]


class Hand:
    """One phone's connection to the server."""

    def __init__(self, port: int, token: str) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept-Encoding": "gzip",
        }

    def close(self) -> None:
        """Hang up."""
        self._line.close()

    def sync(self, ops: list[Document], **members: Any) -> Document:
        """Make one exchange; anything but an answer is a failure."""
        body = json.dumps(push_body(ops, **members)).encode()
        self._line.request("POST", "/api/v1/sync", body, self._headers)
        answer = self._line.getresponse()
        raw = answer.read()
        assert answer.status == http.client.OK, (answer.status, raw[:300])
        is_packed = answer.headers.get("Content-Encoding") == "gzip"
        told: Document = json.loads(gzip.decompress(raw) if is_packed else raw)
        return told


@dataclass(slots=True)
class Reader:
    """One that polls. `revisions`: the newest it was told of each record; `puts`: how many came."""

    hand: Hand
    rng: random.Random
    cursor: str | None = None
    revisions: dict[RecordKey, int] = field(default_factory=dict)
    puts: int = 0
    is_ascending: bool = True

    def poll(self, is_over: Callable[[], bool]) -> None:
        """Pull page after page, until all has been written and nothing is left."""
        while True:
            was_over = is_over()
            page = self.hand.sync([], cursor=self.cursor, limit=self.rng.randint(1, 40))
            self._note(page)
            if was_over and not page["more"]:
                return

    def _note(self, page: Document) -> None:
        seqs = [change["seq"] for change in page["changes"]]
        self.is_ascending = self.is_ascending and seqs == sorted(seqs)
        for change in page["changes"]:
            if change["what"] == "put":
                self.puts += 1
                rev = int(change["rev"].rpartition(".")[2])
                self.revisions[change["kind"], change["id"]] = rev
        self.cursor = page["cursor"]


@dataclass(slots=True)
class Writer:
    """One that pushes batches: mostly new records, sometimes an edit of one that all write on.

    `acknowledged`: the newest `seq` it was told for each record; `last`: its last op on each of
    those that all write on.
    """

    hand: Hand
    pen: Pen
    rng: random.Random
    shared: list[str]
    acknowledged: dict[RecordKey, int] = field(default_factory=dict)
    last: dict[str, str] = field(default_factory=dict)

    def push(self, batches: int, size: int) -> None:
        """Push so many batches, one after the other."""
        for _ in range(batches):
            ops = [self._op() for _ in range(self.rng.randint(1, size))]
            results = self.hand.sync(ops, limit=1)["results"]
            for op, result in zip(ops, results, strict=True):
                assert result["status"] in {"applied", "conflict"}, result
                self._note((op["kind"], op["id"]), result["seq"])

    def _op(self) -> Document:
        if self.rng.random() < 0.2:
            seizure = self.rng.choice(self.shared)
            base = {"survey_no": [self.last[seizure]] if seizure in self.last else []}
            said = {"survey_no": str(self.rng.random())}
            op = self.pen.op("seizure", seizure, set=said, base=base)
            self.last[seizure] = str(op["op"])
            return op
        if self.rng.random() < 0.5:
            return self.pen.animal(new_id(), self.rng.choice(self.shared), "cow", 2)
        return self.pen.seizure(new_id())

    def _note(self, key: RecordKey, seq: int) -> None:
        self.acknowledged[key] = max(seq, self.acknowledged.get(key, 0))


@dataclass(slots=True)
class Crowd:
    """A server with writers of one person, and readers: a reviewer's phones and one of theirs."""

    server: Server
    house: House
    village: Village
    rng: random.Random
    writers: list[Writer] = field(default_factory=list)
    readers: list[Reader] = field(default_factory=list)

    def gather(self, writers: int, readers: int) -> None:
        """Enrol everybody, and let there be records that all write on."""
        shared = [new_id() for _ in range(5)]
        for _ in range(writers):
            phone = self._phone("asha")
            pen = Pen(phone.actor, phone.person_id)
            hand = Hand(self.server.port, phone.token)
            self.writers.append(Writer(hand, pen, self._chance(), shared))
        first = self.writers[0]
        first.hand.sync([first.pen.seizure(one) for one in shared])
        for at in range(readers):
            phone = self._phone("asha" if at == 0 else "bina")
            self.readers.append(Reader(Hand(self.server.port, phone.token), self._chance()))

    def _phone(self, name: str) -> Persona:
        person = self.village[name]
        return persona_of(name, enrol(self.house.database, person.authority_id, person.person_id))

    def _chance(self) -> random.Random:
        return random.Random(self.rng.getrandbits(64))

    def run(self, batches: int, size: int) -> None:
        """Let all writers and readers go at once, until everything is written and read."""
        failed: list[BaseException] = []
        is_over = threading.Event()
        writing = [_thread(failed, one.push, batches, size) for one in self.writers]
        reading = [_thread(failed, one.poll, is_over.is_set) for one in self.readers]
        for thread in writing:
            thread.join()
        is_over.set()
        for thread in reading:
            thread.join()
        if failed:
            raise failed[0]

    def wrongs(self) -> list[str]:
        """Return what did not reach a reader, in words."""
        newest = self._newest()
        return [*self._unsaid(newest), *self._unread(newest)]

    def _newest(self) -> dict[RecordKey, int]:
        """Return every record in the tables with its newest revision."""
        at = self.village.rjk
        with self.house.database.read() as session:
            keys = [
                (kind, record)
                for kind, model in RECORDS.items()
                for record in session.scalars(select(model.id).where(model.heads != ""))
            ]
            subjects = {"/".join(key): key for key in keys}
            revisions = ledger.revisions(session, at, subjects)
        return {key: revisions[subject] for subject, key in subjects.items()}

    def _unsaid(self, newest: dict[RecordKey, int]) -> Iterator[str]:
        for writer in self.writers:
            for key, seq in writer.acknowledged.items():
                if newest.get(key, 0) < seq:
                    yield f"{key} was acknowledged at {seq} and is not there"

    def _unread(self, newest: dict[RecordKey, int]) -> Iterator[str]:
        for at, reader in enumerate(self.readers):
            if reader.revisions != newest:
                missed = {key for key in newest if reader.revisions.get(key) != newest[key]}
                yield f"reader {at} missed {len(missed)} of {len(newest)} records"
            if not reader.is_ascending:
                yield f"reader {at} was told out of order"


def _thread(
    failed: list[BaseException], work: Callable[..., None], *arguments: Any
) -> threading.Thread:
    def run() -> None:
        try:
            work(*arguments)
        except BaseException as exc:  # noqa: BLE001 - raised again by whoever waits
            failed.append(exc)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@contextmanager
def crowd(settings: Settings, seed: int, *, writers: int, readers: int) -> Iterator[Crowd]:
    """Give a crowd before a server of two processes."""
    house = open_house(settings)
    try:
        village = found_village(house.database)
        with serving(settings, workers=2) as server:
            made = Crowd(server, house, village, random.Random(seed))
            try:
                made.gather(writers, readers)
                yield made
            finally:
                hands = [one.hand for one in made.writers] + [one.hand for one in made.readers]
                for hand in hands:
                    hand.close()
    finally:
        house.database.close()
