"""Phones without screens: the app's device layer in workers of a real Chromium, at a real server.

phone = shop.phone(address)
saved = phone.report(photos=1)
phone.call("sendNow", line="lost")
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from fieldapi.phone.shelf import PREFIX, shelf
from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.personas import Village, issue

_HERE = Path(__file__).parent
HARNESS = "".join((_HERE / name).read_text() for name in ("app_phone.js", "app_lives.js"))
PAGE = "/harness"
_TURNS = 300


class RunningClock(StoppedClock):
    """Tells the time of this machine: phones in a browser have no other."""

    def __call__(self) -> datetime:
        now = datetime.now(UTC)
        return now - timedelta(microseconds=now.microsecond % 1000)


class PhoneFault(Exception):
    """What a call of the device layer threw. `code`: of the Fault."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code


@dataclass(slots=True)
class AppPhone:
    """One worker with the device layer. Calls raise `PhoneFault`."""

    page: Page
    at: int = -1

    def __post_init__(self) -> None:
        """Start it."""
        self.at = self.page.evaluate("phones.start()")

    def call(self, name: str, *args: object, line: str | float | None = None) -> Any:
        """Call a function of `phone.js`. `line`: how its requests fare from now on."""
        how = "undefined" if line is None else json.dumps(line)
        told = self.page.evaluate(
            f"([at, name, args]) => phones.call(at, name, args, {how})", [self.at, name, [*args]]
        )
        if "fault" in told:
            raise PhoneFault(told["fault"], told.get("detail", ""))
        return told["value"]

    def kill(self) -> None:
        """Kill it where it stands."""
        self.page.evaluate("at => phones.kill(at)", self.at)

    def restart(self) -> None:
        """Kill it and start it again over the same storage."""
        self.kill()
        self.at = self.page.evaluate("phones.start()")

    def complete(self) -> None:
        """Send until nothing waits any more, with its photos."""
        for _ in range(_TURNS):
            self.call("sendNow")
            if {row["state"] for row in self.call("reports")} == {"complete"}:
                return
            self.page.wait_for_timeout(100)
        raise TimeoutError("it is never sent whole")

    def sends(self, method: str, part: str) -> list[list[Any]]:
        """Return the requests made since this was last asked: method, path, offset, bytes."""
        told = self.call("log")
        return [one for one in told if one[0] == method and part in one[1]]

    def report(self, *, photos: int = 0, size: int = 150_000, undo_ms: int = 0) -> dict[str, Any]:
        """Save a report of two lots with photos of random bytes."""
        draft = self.call("saveDraft", {"kind": "seizure", "step": "count"})["id"]
        for _ in range(photos):
            self.call("random", draft, size, ABOUT_PHOTO)
        said = {"draft": draft, **SAID, "fields": seizure(), "undoMs": undo_ms}
        saved: dict[str, Any] = self.call("saveReport", said)
        return saved


@dataclass(slots=True)
class Door:
    """A WSGI app in whose place another can be put, at the same address; and one page more, on
    which phones live. Not routed by the browser's driver: that would turn its cache off.
    """

    app: Any
    broken: str | None = None  # requests whose path ends so are answered 500

    def __call__(self, environ: Any, start_response: Any) -> Any:
        """Hand the request on."""
        if self.broken is not None and environ["PATH_INFO"].endswith(self.broken):
            start_response("500 Internal Server Error", [("Content-Type", "text/plain")])
            return [b"no"]
        if environ["PATH_INFO"] != PAGE:
            return self.app(environ, start_response)
        start_response("200 OK", [("Content-Type", "text/html; charset=utf-8")])
        return [_page().encode()]


def _page() -> str:
    folder = f"{PREFIX}{shelf().build}/"
    return f'<!doctype html><html data-shelf="{folder}"><script type="module">{HARNESS}</script>'


PLACE = {
    "lat": 22.3039,
    "lon": 70.8022,
    "accuracy_m": 8,
    "altitude_m": None,
    "source": "gps",
    "mocked": False,
}
ABOUT_PHOTO = {
    "mediaType": "image/jpeg",
    "source": "camera",
    "takenAt": "2026-11-30T05:10:30.000Z",
    "subject": "animals",
}
SAID: dict[str, Any] = {
    "kind": "seizure",
    "animals": [{"kind": "buffalo", "count": 2}, {"kind": "cow", "count": 1}],
}


def instant() -> str:
    """Return now as phones write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seizure() -> dict[str, Any]:
    """Return the fields of a seizure made now."""
    return {
        "seized_at": instant(),
        "capacity": "watch_and_ward",
        "ground": "trespass",
        "place_kind": "private_land",
        "location": {**PLACE, "fixed_at": instant()},
        "owner.name": "Ramesh",
    }


@dataclass(slots=True)
class Shop:
    """Where phones are had: pages of one browser, codes of one authority."""

    chromium: Browser
    database: Database
    village: Village
    contexts: list[BrowserContext] = field(default_factory=list)

    def page(self, address: str) -> Page:
        """Return a page with storage of its own, at the server's address."""
        context = self.chromium.new_context(base_url=address)
        self.contexts.append(context)
        return open_page(context)

    def code(self, name: str = "asha", *, is_confirmed: bool = True) -> str:
        """Return a fresh enrolment code."""
        person = self.village[name]
        return issue(
            self.database, person.authority_id, person.person_id, is_confirmed=is_confirmed
        )

    def twin(self, phone: AppPhone) -> AppPhone:
        """Return the same phone in another tab."""
        return AppPhone(open_page(phone.page.context))

    def phone(self, address: str, name: str = "asha", **how: bool) -> AppPhone:
        """Return an enrolled phone."""
        phone = AppPhone(self.page(address))
        phone.call("enrol", {"code": self.code(name, **how)})
        return phone


def open_page(context: BrowserContext) -> Page:
    """Return a page of the app's origin with the harness and nothing else on it."""
    page = context.new_page()
    page.goto(PAGE)
    return page
