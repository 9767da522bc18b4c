"""A phone that can be killed: a Chromium of our own on a profile that outlives it.

with mortal_phone(playwright, folder, address) as asha:
    asha.kill()      # SIGKILL, as when the battery falls out
    asha.start()     # the same profile, the app opened from its icon
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from playwright.sync_api import Browser, Playwright

from tests.web.phones import FLAGS, PATIENCE_S, PLACE, SIZE, Phone


@dataclass(slots=True)
class MortalPhone:
    """A phone on a profile folder. `now`: the app as it runs at present."""

    playwright: Playwright
    folder: Path
    address: str
    process: subprocess.Popen[bytes] | None = None
    browser: Browser | None = None
    lives: int = 0
    complaints: list[str] = field(default_factory=list)
    _now: Phone | None = None

    @property
    def now(self) -> Phone:
        assert self._now is not None
        return self._now

    def start(self, *, is_offline: bool = False) -> Phone:
        """Open the browser on its profile and the app in it."""
        port = self.folder / "DevToolsActivePort"
        port.unlink(missing_ok=True)
        command = [str(shutil.which("chromium")), *FLAGS, "--remote-debugging-port=0"]
        self.process = subprocess.Popen(
            [*command, f"--user-data-dir={self.folder}", "about:blank"], stderr=subprocess.DEVNULL
        )
        self.browser = self.playwright.chromium.connect_over_cdp(_address_in(port))
        context = self.browser.contexts[0]
        context.grant_permissions(["geolocation", "camera"], origin=self.address)
        context.set_geolocation(PLACE)
        page = context.new_page()
        page.set_viewport_size(SIZE)
        context.set_offline(is_offline)
        self._now = Phone(page, self.address, has_touch=False, complaints=self.complaints)
        self._now.listen()
        self.lives += 1
        return self._now

    def kill(self) -> None:
        """End it and its children at once, wherever they are."""
        if self.process is None:
            return
        root = psutil.Process(self.process.pid)
        for one in (root, *root.children(recursive=True)):
            one.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE_S)
        self.process = None


@contextmanager
def mortal_phone(playwright: Playwright, folder: Path, address: str) -> Iterator[MortalPhone]:
    """Give a phone that is not started; it is gone when the block ends."""
    one = MortalPhone(playwright, folder, address)
    try:
        yield one
    finally:
        one.kill()


def _address_in(port: Path) -> str:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if port.exists() and port.read_text().count("\n") >= 1:
            return f"http://127.0.0.1:{port.read_text().split()[0]}"
        time.sleep(0.05)
    raise TimeoutError("Chromium did not say where it listens")
