"""Makes the file of a bundle: read in one snapshot, written piece by piece into a file beside the
spool, put into the store under its hash and read back. Called by the job of `asking` alone.

The same case at the same entry of the ledger, by the same program, key and erasures, is the same
file: nothing in it depends on the hour or on who asked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy.orm import Session

import fieldapi
from fieldapi import ledger
from fieldapi.bundle import telling
from fieldapi.bundle.alone import program
from fieldapi.bundle.container import (
    MANIFEST,
    SIGNATURE,
    Container,
    Member,
    manifest_of,
    signature_file,
)
from fieldapi.clock import format_instant
from fieldapi.domain.redactions import REDACTIONS
from fieldapi.house import House
from fieldapi.keyring import Keyring
from fieldapi.queries import cases, evidence_records
from fieldapi.queries import evidence as evidences
from fieldapi.queries.evidence import Evidence
from fieldapi.services.authorise import console_actor
from fieldapi.services.bundles import told as bundle_told
from fieldapi.services.bundles.content import (
    Content,
    Desk,
    Draw,
    Missing,
    Papers,
    Pieces,
    Progress,
    Wanted,
)
from fieldapi.storage import IntegrityError, ObjectMissing, Storage, chunks, put_verified
from fieldapi.storage.keys import bundle_key, original_key

_EVERY = 25
_HALF = 50  # of a hundred: papers first, then files
_GUESSABLE = (
    "of some that are left out the ledger has a hash without a salt: who guesses the whole of what"
    " was said can check the guess"
)
_OLDER = "reasons in these ops are older than an erasure in this case, and may name who was erased"


class NotYet(Exception):
    """Some photos have not been looked into yet: the job tries again soon."""


class LostOriginal(Exception):
    """The store has other bytes than were received, or none: it is to be noted, then tried again.

    `is_missing`: there are none.
    """

    def __init__(self, sha256: str, *, is_missing: bool) -> None:
        """Name the photo by the hash of its bytes."""
        super().__init__(sha256)
        self.sha256 = sha256
        self.is_missing = is_missing


@dataclass(frozen=True, slots=True)
class Made:
    """A bundle in the store. `cut`, `root`: the head of the ledger that it speaks of. `read_at`:
    when the case was read for it.
    """

    sha256: str
    size: int
    cut: int
    root: str
    contents: Mapping[str, int]
    missing: Sequence[Missing] = ()
    read_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """No bundle: these are not there, and nobody said to do without."""

    missing: Sequence[Missing]


def make(house: House, wanted: Wanted, *, draw: Draw, progress: Progress) -> Made | Refused:
    """Make a bundle and store it; `draw` makes its papers. Raises `NotYet`, `LostOriginal`,
    `NotFound`, and what the store raises.
    """
    folder = house.settings.data / "spool"
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="bundle-", dir=folder) as name:
        read_at = house.database.clock()
        with house.database.read() as session:
            content = content_of(session, house.keys, wanted)
            if content.missing and not wanted.names_missing:
                return Refused(content.missing)
            papers = draw(Desk(session, house, Path(name)), content, progress)
            _tell(session, house, content, papers)
            path = Path(name) / "bundle.zip"
            _write(path, content, house.keys, progress=progress)
        made = replace(_made(path, content, papers), read_at=read_at)
        put_verified(house.storage, bundle_key(made.sha256), path, sha256=made.sha256)
        return made


def content_of(session: Session, keys: Keyring, wanted: Wanted) -> Content:
    """Return what goes into a bundle as this snapshot has it. Raises `NotYet`, `NotFound`."""
    at, redact = wanted.authority_id, wanted.redact
    desk = {console_actor(at, one): one for one in cases.desk(session, at)}
    found = evidences.gather(session, at, wanted.seizure_id, keys=keys, desk=desk)
    found = evidence_records.without_names(found, redact)
    if any(one.analysed_at is None and one.damaged_at is None for one in found.originals.values()):
        raise NotYet("photos of this case are still being looked into")
    told = bundle_told.told_of(found)
    return Content(
        found,
        wanted,
        evidence_records.missing_of(found),
        evidence_records.words_left_out(found, redact),
        frozenset(evidence_records.originals_left_out(found, redact)),
        told,
        bundle_told.left_out(found, told, redact),
        evidence_records.erased_of(found),
    )


def _tell(session: Session, house: House, content: Content, papers: Papers) -> None:
    """Name every member and say where its bytes come from."""
    members, found = content.members, content.evidence
    records = evidence_records.records_of(found, content.wanted.redact, content.ops_out)
    about = _about(house, content, papers)
    said = {
        "verify.py": program(),
        "VERIFY.txt": _instructions(house, found),
        "bundle.json": telling.document(about),
        "records.json": telling.document(records),
        "keys/devices.json": telling.document(evidence_records.about_devices(found)),
        "ledger/head.txt": ledger.text_of(found.head).encode(),
    }
    members.update({name: partial(telling.whole, data) for name, data in said.items()})
    at, size = found.authority.id, found.head.size
    members["ledger/leaves.bin"] = lambda: ledger.leaves(session, at, size)
    members["ledger/entries.jsonl"] = lambda: (
        telling.entry_line(one.text, one.proof)
        for one in ledger.proven(session, at, found.texts, size)
    )
    members.update({name: partial(_file, path) for name, path in papers.files.items()})
    members.update(_words(content))
    members.update(_told(content))
    for sha256 in content.originals:
        kind = evidence_records.extension_of(found.originals[sha256].media_type)
        members[f"originals/{sha256}.{kind}"] = partial(_original, house.storage, sha256)


def _words(content: Content) -> Iterator[tuple[str, Pieces]]:
    """Yield what phones wrote, byte for byte, with salt and signature beside it."""
    for word in content.evidence.words:
        if word.name in content.ops_out:
            continue
        yield f"ops/{word.name}.json", partial(telling.whole, word.payload)
        if word.salt:
            yield f"ops/{word.name}.salt", partial(telling.whole, f"{word.salt.hex()}\n".encode())
        if word.signature is not None:
            yield f"ops/{word.name}.sig", partial(telling.whole, word.signature.encode())


def _told(content: Content) -> Iterator[tuple[str, Pieces]]:
    """Yield what acts, papers and complaints said, each with the salt that its hash covers."""
    for one in content.told_in:
        yield f"{one.name}.json", partial(telling.whole, one.data.encode())
        if one.is_salted:
            yield f"{one.name}.salt", partial(telling.whole, f"{one.salt}\n".encode())


def _about(house: House, content: Content, papers: Papers) -> dict[str, object]:
    found, head = content.evidence, content.evidence.head
    authority = found.authority
    return {
        "format": telling.FORMAT,
        "program": fieldapi.__version__,
        "authority": {"id": authority.id, "code": authority.code, "name": authority.name},
        "seizure": found.seizure.id,
        "reference": found.reference,
        "cut": {
            "epoch": head.epoch,
            "size": head.size,
            "root": head.root.hex(),
            "at": format_instant(head.at),
        },
        "public_key": house.keys.public_key.hex(),
        "redacted": {one: REDACTIONS[one].says for one in content.wanted.redact},
        "left_out": {
            "ops": content.ops_out,
            "originals": sorted(content.originals_out),
            **content.told_out,
        },
        "erased": content.erased,
        "missing": [dict(one) for one in content.missing],
        "set_aside": [
            {"photo": one.photo_id, "sha256": one.sha256, "size": one.size} for one in found.aside
        ],
        "papers": {"drawn_as": papers.drawn_as, "why": papers.why},
        "previews": papers.previews,
        "not_in": [
            f"{folder}/{one}: {bundle_told.OUTSIDE[folder]}"
            for folder, listed in content.told_out.items()
            for one in listed
        ],
        "notes": [*_notes(content)],
    }


def _notes(content: Content) -> Iterator[str]:
    """Yield what whoever hands the bundle out, or is handed it, has to know of it."""
    found = content.evidence
    if content.is_guessable:
        yield _GUESSABLE
    erased = bundle_told.last_erasure(found.texts)
    older = evidence_records.reasons_before(found, erased, content.ops_out)
    if older:
        yield f"{_OLDER}: {', '.join(older)}"


def _instructions(house: House, found: Evidence) -> bytes:
    head = found.head
    return telling.instructions(
        {
            "reference": found.reference,
            "authority": found.authority.name,
            "size": str(head.size),
            "epoch": head.epoch,
            "at": format_instant(head.at),
            "key": house.keys.public_key.hex(),
        }
    )


def _file(path: Path) -> Iterator[bytes]:
    return chunks(path.open("rb"))


def _original(storage: Storage, sha256: str) -> Iterator[bytes]:
    """Yield the bytes of a photo. Raises `LostOriginal`."""
    try:
        yield from chunks(storage.open(original_key(sha256)))
    except ObjectMissing as exc:
        raise LostOriginal(sha256, is_missing=True) from exc
    except IntegrityError as exc:
        raise LostOriginal(sha256, is_missing=False) from exc


def _write(path: Path, content: Content, keys: Keyring, *, progress: Progress) -> None:
    """Write the members in their order, then what vouches for them."""
    total = len(content.members)
    with path.open("wb") as file:
        container = Container(file)
        for number, name in enumerate(sorted(content.members), 1):
            _require_itself(container.add(name, content.members[name]()))
            if number % _EVERY == 0:
                progress(_HALF + number * _HALF // total, 2 * _HALF)
        manifest = manifest_of(container.members)
        container.add(MANIFEST, telling.whole(manifest))
        signature = signature_file(manifest, keys.public_key, keys.sign)
        container.add(SIGNATURE, telling.whole(signature))
        container.close()


def _require_itself(member: Member) -> None:
    """Raise `LostOriginal` for a photo of which the store gave other bytes than were received."""
    folder, _, name = member.name.partition("/")
    sha256 = name.partition(".")[0]
    if folder == "originals" and member.sha256 != sha256:
        raise LostOriginal(sha256, is_missing=False)


def _made(path: Path, content: Content, papers: Papers) -> Made:
    head = content.evidence.head
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    contents = {
        "files": len(content.members) + 2,
        "originals": len(content.originals),
        "ops": len(content.evidence.words) - len(content.ops_out),
        "entries": len(content.evidence.texts),
        **{
            folder: sum(1 for one in content.told_in if one.name.startswith(f"{folder}/"))
            for folder in bundle_told.FOLDERS
        },
        "pages": papers.pages,
    }
    size = path.stat().st_size
    return Made(sha256, size, head.size, head.root.hex(), contents, content.missing)
