"""The network comes back: the report goes in, a photo's upload breaks and goes on where it stood,
and everything is read back from the server and held against what the phone had.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from fieldapi.demo.field import LAT, LON, Report, Shot
from fieldapi.demo.link import Link
from fieldapi.demo.phone import Crew, WatchedLine
from fieldapi.demo.server import wait_for
from fieldapi.demo.telling import Mismatch, Teller, kb, require
from fieldapi.domain.geo import Point, distance_m, point_of
from sync.client.transport import Request, Transport
from sync.wire import JSON

_ANALYSED_WITHIN_S = 60.0
_NEAR_M = 50
_BREAK_AT = 0.55  # of the first photo


@dataclass(slots=True)
class Office:
    """What Bina's tablet asks the server over REST."""

    line: Transport

    @classmethod
    def of(cls, crew: Crew) -> Office:
        device = crew.tablet.device
        return cls(Transport(device.base_url, device.token))

    def get(self, path: str) -> Mapping[str, JSON]:
        told = self.line.call(Request("GET", path)).json()
        return told if isinstance(told, dict) else {}

    def content(self, shot: Shot) -> bytes:
        return self.line.call(Request("GET", f"/api/v1/photos/{shot.id}/content")).body


def deliver(tell: Teller, crew: Crew, report: Report, *, link: Link) -> None:
    """Hand everything in over a network that breaks once, and read it back."""
    office = Office.of(crew)
    try:
        _sync(tell, office, crew, report=report, link=link)
        _upload(tell, crew, report, link=link)
        _read_back(tell, office, report)
        _wait_for_analysis(tell, office, report)
    finally:
        office.line.close()


def _sync(tell: Teller, office: Office, crew: Crew, *, report: Report, link: Link) -> None:
    with tell.step("sync", "handing the report in") as done:
        link.switch_on()
        told = crew.phone.sync()
        applied = told.answers["applied"]
        require(applied == told.answers.total(), f"not all was applied: {dict(told.answers)}")
        require(crew.phone.state().waiting == 0, "entries still wait on the phone")
        crew.tablet.sync()
        shown = crew.tablet.screen("seizure", report.id).shown
        require(shown.get("reference") == report.reference, "Bina sees another reference")
        stored, announced = _photos(office, report)
        require((stored, announced) == (0, 2), f"{stored} of {announced} photos instead of 0 of 2")
        done(
            f"network on, report handed in: Bina sees it, photos {stored} of {announced}",
            applied=applied,
        )


def _upload(tell: Teller, crew: Crew, report: Report, *, link: Link) -> None:
    first = report.shots[0]
    with tell.step("cut", "sending the photos") as done:
        line = _fresh_line(crew)
        link.break_after(round(first.size * _BREAK_AT))
        stored = crew.phone.upload().stored
        require(set(stored) == {shot.id for shot in report.shots}, "not every photo has a receipt")
        kept = _resumed_at(line, first, breaks=link.breaks)
        done(
            f"line cut in photo 1: the server kept {kb(kept)} of {kb(first.size)}, "
            "the rest followed",
            kept=kept,
            size=first.size,
        )


def _fresh_line(crew: Crew) -> WatchedLine:
    """Return the line that the phone holds open, its memory cleared."""
    line = crew.lines[-1]
    line.breaks, line.told, line.resumed_at = 0, None, None
    return line


def _resumed_at(line: WatchedLine, shot: Shot, *, breaks: int) -> int:
    require(breaks == 1 and line.breaks >= 1, "the line did not break in the middle of photo 1")
    kept = line.resumed_at or 0
    require(0 < kept < shot.size, f"the upload went on from byte {kept} of {shot.size}")
    require(kept == line.told, f"the server told {line.told}, the phone went on from {kept}")
    return kept


def _photos(office: Office, report: Report) -> tuple[JSON, JSON]:
    """Return how many photos of the report are stored, and how many were announced."""
    told = office.get(f"/api/v1/seizures/{report.id}")
    return told.get("photos_stored"), told.get("photos_announced")


def _read_back(tell: Teller, office: Office, report: Report) -> None:
    with tell.step("read back", "reading everything back") as done:
        for number, shot in enumerate(report.shots, 1):
            found = hashlib.sha256(office.content(shot)).hexdigest()
            require(found == shot.sha256, f"photo {number} came back with other bytes")
        stored, announced = _photos(office, report)
        require((stored, announced) == (2, 2), f"{stored} of {announced} photos instead of 2 of 2")
        done("both photos read back from the server: SHA-256 as on the phone")


def _wait_for_analysis(tell: Teller, office: Office, report: Report) -> None:
    with tell.step("analysed", "waiting for the server to look into the photos") as done:
        away = [_analysed(office, shot, number) for number, shot in enumerate(report.shots, 1)]
        said = " and ".join(f"{metres} m" for metres in away)
        done(f"EXIF read, thumbnails made: GPS {said} from the report's place")


def _analysed(office: Office, shot: Shot, number: int) -> int:
    """Return how far, in metres, the photo's own place is from the report's."""
    found: dict[str, JSON] = {}

    def is_analysed() -> bool:
        found.update(office.get(f"/api/v1/photos/{shot.id}"))
        return found.get("analysed_at") is not None

    wait_for(is_analysed, f"the analysis of photo {number}", within_s=_ANALYSED_WITHIN_S)
    verdict, flags = found.get("verdict"), found.get("flags")
    require(verdict == "accept" and not flags, f"photo {number} was judged {verdict}, {flags}")
    there = point_of(found.get("exif"))
    if there is None:
        raise Mismatch(f"no place was found in the EXIF of photo {number}")
    metres = round(distance_m(Point(LAT, LON), there))
    require(
        metres <= _NEAR_M, f"photo {number} says it was taken {metres} m from the report's place"
    )
    return metres
