"""The proof: the commands by which anybody checks an installation, run on what the demo left."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fieldapi.demo.place import Place
from fieldapi.demo.server import PROGRAM
from fieldapi.demo.telling import Mismatch, Teller, require
from sync.client.database import open_database
from sync.client.heads import TreeHeads
from sync.wire import JSON, WireError, canonical, loads

_WITHIN_S = 120


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the command line that runs."""

    arguments: Sequence[str]
    process: subprocess.Popen[bytes]

    @classmethod
    def start(cls, place: Place, *arguments: str) -> Command:
        process = subprocess.Popen(  # noqa: S603 - this very program
            [*PROGRAM, *arguments, "--json"],
            env=place.environ(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        return cls(arguments, process)

    def answer(self) -> JSON:
        """Return what it found. Raises `Mismatch` unless it ended with 0."""
        out, err = self.process.communicate(timeout=_WITHIN_S)
        if self.process.returncode != 0:
            said = (out + err).decode(errors="replace").strip()
            raise Mismatch(f"fieldapi {' '.join(self.arguments)}: {said}")
        try:
            return loads(out)
        except WireError as exc:
            raise Mismatch(f"fieldapi {' '.join(self.arguments)} answered no JSON") from exc


@dataclass(frozen=True, slots=True)
class Kept:
    """A tree head that the phone carried away: whoever has it can prove later that nothing before
    it was changed. `file`: as `ledger verify --against` takes it.
    """

    file: Path
    size: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """What the ledger turned out to be."""

    size: int
    root: str


def keep_head(place: Place) -> Kept:
    """Write down the tree head that the phone has kept."""
    db = open_database(place.phone / "phone.sqlite")
    try:
        heads = TreeHeads(db).to_send()
    finally:
        db.close()
    head = heads[0] if len(heads) == 1 else None
    if not isinstance(head, dict):
        raise Mismatch(f"the phone carries {len(heads)} tree heads instead of 1")
    file = place.root / "kept-head.json"
    file.write_bytes(canonical(head))
    return Kept(file, _whole(head, "size"))


def verify(tell: Teller, place: Place, kept: Kept) -> Ledger:
    """Recompute the ledger, hold it against the kept head, make every record anew from its ops,
    hash every photo.
    """
    # They start together, as an operator may run them beside a server.
    ledger = Command.start(place, "ledger", "verify", "--against", str(kept.file))
    replay = Command.start(place, "ops", "replay", "--check")
    photos = Command.start(place, "photos", "verify")
    found = _ledger(tell, ledger, kept)
    _replay(tell, replay)
    _photos(tell, photos)
    return found


def _ledger(tell: Teller, command: Command, kept: Kept) -> Ledger:
    with tell.step("ledger", "recomputing the ledger") as done:
        told = _members(command)
        require(told.get("is_sound") is True, f"the ledger is not sound: {told.get('faults')}")
        ledger = Ledger(_whole(told, "size"), str(told.get("root")))
        done(
            f"ledger verified: {ledger.size} entries, which continue the {kept.size} that the "
            "phone saw",
            entries=ledger.size,
            root=ledger.root,
        )
    return ledger


def _replay(tell: Teller, command: Command) -> None:
    with tell.step("replay", "making every record anew from its ops") as done:
        told = _members(command)
        ops, records, differ = (_whole(told, name) for name in ("ops", "records", "differ"))
        require(differ == 0, f"{differ} of {records} records are not what their ops make them")
        done(f"{records} records made anew from {ops} ops: none differs", ops=ops, records=records)


def _photos(tell: Teller, command: Command) -> None:
    with tell.step("photos", "hashing the stored photos") as done:
        told = _members(command)
        known = _whole(told, "known")
        require(told.get("is_sound") is True and known > 0, f"photos are not sound: {told}")
        done(f"{known} photos hashed in the store: each is the one received", photos=known)


def _members(command: Command) -> Mapping[str, JSON]:
    """Return what a command found, of the demo's only authority where it lists them."""
    told = command.answer()
    first = told[0] if isinstance(told, list) and len(told) == 1 else told
    if not isinstance(first, dict):
        raise Mismatch(f"fieldapi {' '.join(command.arguments)} speaks of none, or of many")
    return first


def _whole(members: Mapping[str, JSON], name: str) -> int:
    value = members.get(name)
    if not isinstance(value, int):
        raise Mismatch(f"{name} is no whole number: {value}")
    return value
