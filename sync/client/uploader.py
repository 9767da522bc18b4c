"""Carries photo bytes to the server, however often the line breaks on the way.

Called by `device`. Resumable by tus 1.0 (creation, checksum): what a cut left with the server is
never sent again. Small photos go in one PUT. A file is let go only after its receipt.
"""

from __future__ import annotations

import hashlib
import time
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

from sync.client import faults
from sync.client.album import BLOCK, Album, PhotoFile, Receipt
from sync.client.response import Response
from sync.client.transport import Request, Transport

UPLOADS = "/api/v1/uploads"
TUS = {"Tus-Resumable": "1.0.0"}
ONE_SHOT = 64 << 10  # bytes; up to here a resend costs less than the round trips it saves
LEAST_CHUNK, FIRST_CHUNK, MOST_CHUNK = 64 << 10, 256 << 10, 1 << 20
BRISK_S = 4.0  # after a chunk that took less a larger one may follow
MOST_RECOVERIES = 10
CHECKSUM_MISMATCH = 460
GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})


@dataclass(frozen=True)
class UploadReport:
    """Ids of photos by what became of them in this run. `refused`: with the reason's slug."""

    stored: tuple[str, ...]
    waiting: tuple[str, ...]
    refused: Mapping[str, str]


@dataclass
class _Course:
    """One photo on its way. `is_lost`: only the server knows how much of it arrived.

    `is_checked`: each chunk goes with its hash, since something on the way changes bytes.
    """

    photo: PhotoFile
    location: str | None = None
    offset: int = 0
    is_lost: bool = False
    is_checked: bool = False
    failed: int = 0
    recoveries: int = 0


@dataclass
class Uploader:
    """Sends what an album holds, oldest first. `chunk`: bytes per request, follows the line."""

    transport: Transport
    album: Album
    chunk: int = FIRST_CHUNK

    def run(self) -> UploadReport:
        """Send every waiting photo once. Raises a Fault when the line or the server gives out.

        What was reached by then is saved; a photo the server cannot take blocks no other.
        """
        stored: list[str] = []
        refused: dict[str, str] = {}
        for photo in self.album.waiting():
            try:
                if self.deliver(photo):
                    stored.append(photo.id)
            except faults.Refused as refusal:
                refused[photo.id] = refusal.slug or str(refusal.status)
                self.album.refuse(photo.id, refused[photo.id])
            except faults.TooMuch:
                refused[photo.id] = "too-large"
                self.album.refuse(photo.id, refused[photo.id])
            except faults.Busy as busy:
                if busy.status != HTTPStatus.INTERNAL_SERVER_ERROR:  # which may be this photo's
                    raise
        waiting = tuple(photo.id for photo in self.album.waiting())
        return UploadReport(tuple(stored), waiting, refused)

    def deliver(self, photo: PhotoFile) -> bool:
        """Send one photo; True once its receipt is saved, False while the server has yet to say.

        Raises Refused with `file-damaged` if the file is no longer what was captured.
        """
        if not photo.path.exists() or photo.path.stat().st_size != photo.size:
            raise faults.Refused(0, "file-damaged", {})
        if photo.size <= ONE_SHOT:
            return self._settle(photo, self.transport.call(_put(photo))) or self._ask(photo)
        course = _Course(photo)
        while course.location is None or course.is_lost or course.offset < photo.size:
            self._step(course)
        return self._ask(photo)

    def _step(self, course: _Course) -> None:
        try:
            if course.location is None:
                self._create(course)
            elif course.is_lost:
                self._find(course, course.location)
            else:
                self._append(course, course.location)
        except (faults.LinkDown, faults.Busy) as fault:
            course.failed += 1
            course.is_lost = True
            self.chunk = max(self.chunk // 2, LEAST_CHUNK)
            self.transport.pause(course.failed, fault)
        except faults.Refused as refusal:
            self._recover(course, refusal)

    def _create(self, course: _Course) -> None:
        """Announce the upload, or learn how far a known one has come."""
        photo = course.photo
        names = f"photo {_b64(photo.id.encode())},sha256 {_b64(photo.sha256.encode())}"
        headers = {**TUS, "Upload-Length": str(photo.size), "Upload-Metadata": names}
        answer = self.transport.send(Request("POST", UPLOADS, headers=headers))
        if "location" not in answer.headers:
            raise faults.NotOurServer("the upload has no address")
        course.location = self.transport.path_of(answer.headers["location"])
        self._move(course, _offset(answer.headers, default=0))

    def _find(self, course: _Course, location: str) -> None:
        answer = self.transport.send(Request("HEAD", location, headers=TUS))
        self._move(course, _offset(answer.headers))

    def _append(self, course: _Course, location: str) -> None:
        with course.photo.path.open("rb") as file:
            file.seek(course.offset)
            chunk = file.read(self.chunk)
        headers = {**TUS, "Content-Type": "application/offset+octet-stream"}
        headers["Upload-Offset"] = str(course.offset)
        if course.is_checked:
            headers["Upload-Checksum"] = f"sha256 {_b64(hashlib.sha256(chunk).digest())}"
        started = time.monotonic()
        answer = self.transport.send(Request("PATCH", location, chunk, headers))
        if _offset(answer.headers) == course.offset:
            raise faults.NotOurServer("the upload does not move")
        self._move(course, _offset(answer.headers))
        if time.monotonic() - started < BRISK_S:
            self.chunk = min(self.chunk * 2, MOST_CHUNK)

    def _move(self, course: _Course, offset: int) -> None:
        if not 0 <= offset <= course.photo.size:
            raise faults.NotOurServer(f"the upload cannot stand at {offset}")
        course.failed = 0 if offset > course.offset else course.failed
        course.offset, course.is_lost = offset, False
        self.album.moved(course.photo.id, offset)

    def _recover(self, course: _Course, refusal: faults.Refused) -> None:
        """Take up an upload the server lost sight of, or sees differently. Raises the refusal."""
        course.recoveries += 1
        if course.recoveries > MOST_RECOVERIES:
            raise faults.LinkDown("the upload goes in circles") from refusal
        if refusal.slug == "photo-hash-mismatch" and not course.is_checked:
            _require_sound(course.photo)
            course.location, course.offset, course.is_checked = None, 0, True
        elif refusal.status == HTTPStatus.CONFLICT and course.location is not None:
            course.is_lost = "upload-offset" not in refusal.headers
            course.offset = _offset(refusal.headers, default=course.offset)
        elif refusal.status in GONE and course.location is not None:
            course.location, course.offset, course.is_lost = None, 0, False
        elif refusal.status != CHECKSUM_MISMATCH:
            raise refusal

    def _ask(self, photo: PhotoFile) -> bool:
        """Ask for the receipt; there is none while the server does not know the photo's record."""
        try:
            return self._settle(photo, self.transport.call(Request("GET", _photo_path(photo))))
        except faults.Refused as refusal:
            if refusal.status != HTTPStatus.NOT_FOUND:
                raise
            return False

    def _settle(self, photo: PhotoFile, answer: Response) -> bool:
        """Save the receipt in an answer, if it is one."""
        told = answer.json() if answer.body else None
        members = told if isinstance(told, dict) else {}
        state, sha256 = members.get("state"), members.get("sha256")
        if state == "quarantined":
            raise faults.Refused(answer.status, "quarantined", answer.headers)
        if state != "stored" or not isinstance(sha256, str):
            return False
        at = members.get("stored_at") or answer.headers.get("date", "")
        self.album.store(photo, Receipt(sha256, str(at)))
        return True


def _put(photo: PhotoFile) -> Request:
    """Return the one-shot upload with its digest (RFC 9530)."""
    headers = {
        "Content-Type": "application/octet-stream",
        "Repr-Digest": f"sha-256=:{_b64(bytes.fromhex(photo.sha256))}:",
    }
    return Request("PUT", f"{_photo_path(photo)}/content", photo.path.read_bytes(), headers)


def _photo_path(photo: PhotoFile) -> str:
    return f"/api/v1/photos/{photo.id}"


def _offset(headers: Mapping[str, str], default: int | None = None) -> int:
    text = headers.get("upload-offset", "")
    if text.isdecimal():
        return int(text)
    if default is None:
        raise faults.NotOurServer("the upload tells no offset")
    return default


def _require_sound(photo: PhotoFile) -> None:
    """Raise Refused if the file on the phone is no longer what was captured."""
    digest = hashlib.sha256()
    with photo.path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    if digest.hexdigest() != photo.sha256:
        raise faults.Refused(0, "file-damaged", {})


def _b64(data: bytes) -> str:
    return b64encode(data).decode()
