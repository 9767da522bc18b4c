"""The phone app on a slow phone: how much script its first screen takes over the line, and how long
it takes to be seen when it starts from the phone's own copy.

    ./dev bench app [--starts 5] [--json]

A Chromium of a phone's size whose processor is slowed down six times, without a line once the app
is on it. Beside it, in the same browser, a page of one line. Needs Chromium: without it this says
so.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.support.personas import found_village, issue
from tests.support.serving import Served, serve_on_sqlite
from tests.web.phones import FLAGS, LCP, PLACE, SIZE, Phone

_SLOWER = 6
_BARE = "data:text/html,<h1>One line</h1>"


def main() -> None:
    """Print the numbers of one run."""
    ask = _asked()
    chromium = shutil.which("chromium")
    if chromium is None:
        print("bench app was skipped, Chromium is not installed")
        return
    with (
        TemporaryDirectory() as folder,
        serve_on_sqlite(Path(folder)) as served,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        found = _measure(served, browser, ask.starts)
        browser.close()
    print(json.dumps(found, indent=None if ask.json else 2))


def _measure(served: Served, browser: Browser, starts: int) -> dict[str, object]:
    address = f"http://127.0.0.1:{served.port}"
    asha = found_village(served.database)["asha"]
    with browser.new_context(viewport=SIZE) as stranger:
        script = _script_bytes(stranger.new_page(), f"{address}/app/")
    with _phone(browser) as context:
        phone = Phone(context.new_page(), address)
        phone.enrol(issue(served.database, asha.authority_id, asha.person_id))
        phone.offline()
        phone.slow_down(_SLOWER)
        seen = [_start(phone) for _ in range(starts)]
        bare = [_seen_after(phone.page, _BARE) for _ in range(starts)]
    return {
        "script_kb": round(script / 1000, 1),
        "start_ms": round(statistics.median(seen)),
        "bare_ms": round(statistics.median(bare)),
    }


def _phone(browser: Browser) -> BrowserContext:
    return browser.new_context(
        viewport=SIZE,
        has_touch=True,
        is_mobile=True,
        geolocation=PLACE,
        permissions=["geolocation", "camera"],
    )


def _script_bytes(page: Page, url: str) -> int:
    """Return how many bytes of script come over the line until the first screen is there."""
    sizes: list[int] = []
    page.on(
        "response",
        lambda answer: (
            sizes.append(int(answer.headers.get("content-length", 0)))
            if answer.request.resource_type == "script"
            else None
        ),
    )
    page.goto(url)
    page.wait_for_selector("h1")
    return sum(sizes)


def _start(phone: Phone) -> float:
    """Start the app from the phone's copy; return the milliseconds until its largest part shows."""
    phone.open()
    phone.page.wait_for_selector("#seize")
    return float(phone.page.evaluate(LCP))


def _seen_after(page: Page, url: str) -> float:
    page.goto(url)
    return float(page.evaluate(LCP))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
