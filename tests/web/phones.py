"""A phone of a test: a Chromium of a phone's size with a camera, a place, and the app on it.

asha = phone("asha")        # enrolled by a fresh code, ready to work offline
asha.seize("buffalo")       # from home to the receipt, in taps
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Geolocation, Page, ViewportSize

# Quiet and alone: no first-run pages, no look-ups of its own, no sandbox where tests run as root.
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--headless",
    "--no-first-run",
    "--no-sandbox",
    # A camera that shows a test picture, and nobody who has to be asked for it.
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
)
SIZE: ViewportSize = {"width": 360, "height": 640}
PLACE: Geolocation = {"latitude": 22.30391, "longitude": 70.80216, "accuracy": 8}
# What a phone says of a line that is down is no fault of the app.
_EXPECTED = (
    "net::ERR_INTERNET_DISCONNECTED",
    "net::ERR_CONNECTION_REFUSED",
    "net::ERR_FAILED",
    "net::ERR_FILE_NOT_FOUND blob:",  # a picture whose screen was left before it was drawn
)
# How long anything may take before it is held to happen never: a busy machine is no fault.
PATIENCE_S = 60
_CLOCK = "off => { const now = Date.now; Date.now = () => Math.round(now() - off); }"
# The screen of the address stands there, not the one that was left.
_IS_DRAWN = """() => document.querySelector('#main').dataset.at ===
    (location.hash.slice(1) || '/')"""
_CALL = """async ([name, args]) => {
    const first = document.querySelector('script').src;
    const phone = await import(first.replace('app.js', 'device/phone.js'));
    return phone[name](...args);
}"""
# When the largest part of the page was painted, in milliseconds since it was asked for.
LCP = """() => new Promise(done => {
    const watch = new PerformanceObserver(list => done(list.getEntries().at(-1).startTime));
    watch.observe({type: 'largest-contentful-paint', buffered: true});
})"""
# Ends the ten seconds in which a report can be undone, for everybody on the phone.
_UNDO_IS_OVER = """async () => {
    const first = document.querySelector('script').src;
    const database = await import(first.replace('app.js', 'device/database.js'));
    const { REGISTRY, nameOf, read, write } = database;
    const known = await read(REGISTRY, ['identity'], stores => stores.all('identity'));
    const over = { holdUntil: 0, undoUntil: 0 };
    const names = known.map(one => nameOf(one.device));
    for (const name of names) await write(name, ['op', 'report'], async stores => {
        for (const one of await stores.all('op')) await stores.put('op', { ...one, ...over });
        const reports = await stores.all('report');
        for (const one of reports) await stores.put('report', { ...one, ...over });
    });
}"""


@dataclass(slots=True)
class Phone:
    """A phone with the app open. `taps`: how often the screen was touched; `complaints`: what
    the browser found wrong; `strangers`: requests to another server.
    """

    page: Page
    address: str
    has_touch: bool = True
    taps: int = 0
    complaints: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    forgiven: list[str] = field(default_factory=list)

    @property
    def context(self) -> BrowserContext:
        return self.page.context

    def tap(self, selector: str) -> None:
        found = self.page.locator(selector).first
        found.tap() if self.has_touch else found.click()
        self.taps += 1

    def goto(self, path: str) -> None:
        """Go to a screen of the app; it is drawn when this returns."""
        self.page.evaluate("path => { location.hash = path; }", path)
        self.page.wait_for_function(_IS_DRAWN)

    def see(self, text: str) -> None:
        """Wait until this can be read."""
        self.page.get_by_text(text).first.wait_for()

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until this holds."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < end, "it never came to hold"
            self.page.wait_for_timeout(50)

    def read(self, selector: str) -> str:
        return self.page.locator(selector).first.inner_text()

    def offline(self, *, is_offline: bool = True) -> None:
        self.context.set_offline(is_offline)

    def tell_time(self, now: datetime) -> None:
        """Let the phone's clock run from `now`, not from this machine's; until it loads anew."""
        off = (datetime.now(UTC) - now) / timedelta(milliseconds=1)
        self.page.evaluate(_CLOCK, off)

    def slow_down(self, rate: int = 6) -> CDPSession:
        """Make the processor as slow as that of a cheap phone."""
        session = self.context.new_cdp_session(self.page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
        return session

    def open(self) -> None:
        """Load the app and wait for its first screen."""
        self.page.goto(f"{self.address}/app/")
        self.page.wait_for_selector("h1")

    def enrol(self, code: str, *, is_kept: bool = True) -> None:
        """Open the link of a card, go on in the app, and wait until it is ready for the field;
        `is_kept`: with the app kept on the phone.
        """
        self.page.goto(f"{self.address}/enrol/{code}")
        self.page.click("a.button")
        self.page.wait_for_selector("#checks")
        if is_kept:
            self.page.wait_for_selector("#checks li:first-child .note--good")
        self.page.click("a[href='#/']:has-text('Begin')")
        self.page.wait_for_selector("#seize, #pound")

    def shoot(self) -> None:
        """From home to a photo that is kept."""
        self.tap("#seize")
        self.page.wait_for_selector("#shutter:enabled")
        self.tap("#shutter")
        self.page.wait_for_selector(".thumb img")

    def seize(self, kind: str = "buffalo", count: int = 1) -> str:
        """Make a report of one kind, and return its reference."""
        self.shoot()
        self.tap("#next")
        for _ in range(count):
            self.tap(f"[data-kind={kind}] .tile__add")
        self.tap("#save")
        return self.read("#reference")

    def call(self, name: str, *args: object) -> Any:
        """Call a function of the device layer, as the screens do."""
        return self.page.evaluate(_CALL, [name, [*args]])

    def pull(self) -> None:
        """Fetch what is new."""
        assert self.call("sendNow")["fault"] is None

    def end_undo(self) -> None:
        """Let the time be over in which what was saved can be undone."""
        self.page.evaluate(_UNDO_IS_OVER)

    def send(self) -> None:
        """Send everything now: the time to undo it is over."""
        self.end_undo()
        self.goto("/sending")
        self.tap("#send")
        self.see("Everything is sent")

    def forgive(self, text: str) -> None:
        """Let the browser say this, before and from now on: it reports a refusal when it likes."""
        self.forgiven.append(text)
        self.complaints[:] = [line for line in self.complaints if text not in line]

    def listen(self) -> None:
        """Note what the browser finds wrong, and who else is asked."""
        page = self.page
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error.stack or error}"))
        page.on(
            "console", lambda one: self._note(one.type, f"{one.text} {one.location.get('url', '')}")
        )
        page.on("request", lambda one: self._visit(one.url))

    def _note(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"} and not any(
            one in text for one in (*_EXPECTED, *self.forgiven)
        ):
            self.complaints.append(f"{kind}: {text}")

    def _visit(self, url: str) -> None:
        if not url.startswith((self.address, "blob:", "data:")):
            self.strangers.append(url)
