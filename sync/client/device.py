"""A phone as an app sees it: capture at any time, sync and upload when there is a line.

The door of this package. One `Phone` per thread; several may share a folder. Nothing here knows
what the records are about: kinds and fields come from the app and from the server's schema.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from sync.client import archive
from sync.client.album import REFUSED, Album, PhotoFile, copy_in
from sync.client.base import adds_of
from sync.client.capture import Edit
from sync.client.database import only_one, open_database, transaction
from sync.client.enrolment import Enrolment, enrol
from sync.client.exchange import Exchange, Pace, SyncReport
from sync.client.faults import AlreadyEnrolled, Fault, Refused, UnknownRecord
from sync.client.heads import TreeHeads
from sync.client.identity import Device, Identity
from sync.client.outbox import Outbox
from sync.client.overlay import Screen, screen
from sync.client.pulled import PulledRecords
from sync.client.record import NOTHING
from sync.client.recorder import Recorder
from sync.client.schema import SchemaInvalid
from sync.client.transport import Request, Transport
from sync.client.uploader import Uploader, UploadReport
from sync.op import Strike
from sync.wire import JSON

Connect = Callable[[str, str | None], Transport]  # base URL, token -> a line to the server
Fields = Mapping[str, JSON]  # dotted names; a set field takes the list of its elements


def wall_clock_ms() -> int:
    """Return what the phone's clock says, right or wrong."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class PhoneState:
    """What the officer should know at a glance. `needs_you`: ops to correct or export."""

    waiting: int
    held: int
    needs_you: int
    photos_waiting: int
    photos_refused: int
    alarms: tuple[str, ...]


class Phone:
    """One phone in one folder.

    phone = Phone(folder)
    phone.enrol("https://cattle.example.org", code, {"make": "Nokia"})
    seizure = phone.create("seizure", {"ground": "trespass", "owner.mobile": "9876543210"})
    phone.attach_photo(path, {"seizure_id": seizure, "media_type": "image/jpeg"})
    phone.sync()
    phone.upload()
    """

    def __init__(
        self,
        folder: Path,
        *,
        clock_ms: Callable[[], int] = wall_clock_ms,
        connect: Connect = Transport,
    ) -> None:
        self._folder = folder
        self._clock_ms = clock_ms
        self._connect = connect
        self._db = open_database(folder / "phone.sqlite")
        self._identity, self._outbox = Identity(self._db), Outbox(self._db)
        self._pulled, self._album = PulledRecords(self._db), Album(self._db)
        self._recorder = Recorder(self._db, clock_ms)
        self._line: Transport | None = None
        self._pace: Pace | None = None

    def __enter__(self) -> Self:
        """Return the phone itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Hang up and close the database; everything is on disk already."""
        if self._line is not None:
            self._line.close()
        self._db.close()

    # ---- who this is ------------------------------------------------------------------------

    def enrol(self, base_url: str, code: str, about: Mapping[str, str]) -> Device:
        """Make this phone a device. `about`: make, model, colour, os, app_version.

        Raises AlreadyEnrolled, or a Fault; the same call may then be made again.
        """
        if self._identity.is_enrolled():
            raise AlreadyEnrolled("this folder belongs to a device")
        with transaction(self._db):
            made = self._identity.enrolment_id(code, self._recorder.new_id())
        with closing(self._connect(base_url, None)) as line:
            device, server_now_ms = enrol(line, Enrolment(made, code, about))
        with transaction(self._db):
            self._identity.enrol(device)
            self._identity.raise_clock(server_now_ms=server_now_ms)
        with suppress(Fault, SchemaInvalid):  # the next sync asks again
            self._learn()
        return device

    @property
    def device(self) -> Device:
        """Return who this phone is. Raises NotEnrolled."""
        return self._identity.device()

    def move(self, base_url: str) -> None:
        """Speak to the server at another address from now on. Raises InsecureAddress."""
        self._connect(base_url, None)
        with transaction(self._db):
            self._identity.move(base_url)
        if self._line is not None:
            self._line.close()
            self._line = None

    def next_number(self, name: str) -> int:
        """Return 1, 2, 3 … for this name, never one twice: to mint numbers people read offline."""
        with transaction(self._db):
            return self._identity.next_number(name)

    # ---- capture: needs no line and no token ------------------------------------------------

    def create(self, kind: str, fields: Fields, *, record: str | None = None) -> str:
        """Create a record and return its id (`record`, or a fresh one)."""
        made = record or self._recorder.new_id()
        sets = self._recorder.kind(kind).sets
        self._recorder.capture(kind, made, _edit(fields, sets, is_new=True))
        return made

    def edit(
        self,
        kind: str,
        record: str,
        fields: Fields,
        *,
        seen: Screen | None = None,
        fixes: str | None = None,
    ) -> None:
        """Change fields; None clears one, elements of a set are added.

        `seen`: the screen the person edited on, so that a value that arrived behind an open form
        is not overwritten unseen. `fixes`: the quarantined op that this corrects.
        """
        edit = _edit(fields, self._recorder.kind(kind).sets, fixes=fixes)
        self._recorder.capture(kind, record, edit, seen=seen.ground if seen else None)

    def add(self, kind: str, record: str, field: str, element: JSON) -> None:
        """Add an element to a set field."""
        self._recorder.capture(kind, record, Edit(add={field: [element]}))

    def strike(self, kind: str, record: str, field: str, *, key: JSON, reason: str) -> None:
        """Take an element of a set field back, by its key, as it stands on the screen."""
        with transaction(self._db):
            ground = self._recorder.ground(kind, record)
            ops = adds_of(field, key, ground, key_of=self._recorder.kind(kind).key_of)
            struck = Edit(strike={field: [Strike(key, ops, reason)]})
            self._recorder.capture(kind, record, struck, seen=ground)

    def retract(self, kind: str, record: str, *, reason: str) -> None:
        """Withdraw a record, knowing what its screen shows now."""
        self._recorder.capture(kind, record, Edit(retract=reason))

    def undo_retract(self, kind: str, record: str) -> None:
        """Let a withdrawn record stand again."""
        self._recorder.capture(kind, record, Edit(retract=False))

    def attach_photo(self, source: Path, fields: Fields, *, kind: str = "photo") -> str:
        """Keep an untouched copy of a photo and the record that announces it; return its id.

        `sha256` and `size` are filled in. The copy is on disk before the record is.
        """
        path, sha256, size = copy_in(source, self._folder / "photos")
        photo = self._recorder.new_id()
        with transaction(self._db):
            announced = {**fields, "sha256": sha256, "size": size}
            self.create(kind, announced, record=photo)
            self._album.add(PhotoFile(photo, path, sha256, size))
        return photo

    # ---- what it shows ----------------------------------------------------------------------

    def records(self, kind: str) -> list[str]:
        """Return the ids of all records of a kind that the phone holds, in order."""
        return sorted({*self._pulled.ids(kind), *self._outbox.records(kind)})

    def screen(self, kind: str, record: str) -> Screen:
        """Return a record as its officer should see it now. Raises UnknownRecord."""
        ground = self._recorder.ground(kind, record)
        if ground.pulled is NOTHING and not ground.own:
            raise UnknownRecord(f"{kind} {record}")
        return screen(kind, record, ground, key_of=self._recorder.kind(kind).key_of)

    def look(self, seen: Screen, *names: str) -> None:
        """Remember that the person was shown the `newer` values of these fields (all of them)."""
        stamp = seen.ground.own[-1].op.stamp if seen.ground.own else ""
        with transaction(self._db):
            for name in names or tuple(seen.newer):
                heads = seen.ground.pulled.heads_of(name)
                self._pulled.look((seen.kind, seen.id, name), heads, stamp=stamp)

    def state(self) -> PhoneState:
        """Return what waits, and what needs the person."""
        photos = self._album.all()
        return PhoneState(
            waiting=self._outbox.count("waiting"),
            held=self._outbox.count("held"),
            needs_you=self._outbox.count("quarantined") + self._outbox.count("refused"),
            photos_waiting=len(self._album.waiting()),
            photos_refused=sum(photo.state == REFUSED for photo in photos),
            alarms=tuple(TreeHeads(self._db).alarms()),
        )

    # ---- the line ---------------------------------------------------------------------------

    def sync(self) -> SyncReport:
        """Hand in what waits and pull what is new. Raises a Fault; what was reached is saved."""
        with only_one(self._folder / "sync.lock"):
            with suppress(Refused, SchemaInvalid):  # ops need neither
                self._learn()
            pace = self._pace = self._pace or Pace(self._identity.limits())
            exchange = Exchange(self._db, self._transport(), pace=pace, clock_ms=self._clock_ms)
            return exchange.run()

    def upload(self) -> UploadReport:
        """Send the photos that wait. Raises a Fault; what was reached is saved."""
        with only_one(self._folder / "upload.lock"):
            return Uploader(self._transport(), self._album).run()

    def export(self, target: Path) -> int:
        """Write everything the phone keeps to one zip; return the number of ops in it."""
        return archive.export(self._db, target)

    def _transport(self) -> Transport:
        if self._line is None:
            device = self._identity.device()
            self._line = self._connect(device.base_url, device.token)
        return self._line

    def _learn(self) -> None:
        """Fetch the schema and the limits once."""
        if self._identity.has_schema():
            return
        schema = self._transport().call(Request("GET", "/api/v1/sync/schema"))
        limits = self._transport().call(Request("GET", "/api/v1/limits"))
        with transaction(self._db):
            self._identity.save_schema(schema.json())
            self._identity.save_limits(limits.json())


def _edit(
    fields: Fields,
    sets: Mapping[str, str | None],
    *,
    is_new: bool = False,
    fixes: str | None = None,
) -> Edit:
    """Return the edit that gives these fields: values are set, elements of sets are added."""
    added = {name: value for name, value in fields.items() if isinstance(value, list)}
    return Edit(
        set={name: value for name, value in fields.items() if name not in sets},
        add={name: elements for name, elements in added.items() if name in sets},
        is_new=is_new,
        fixes=fixes,
    )
