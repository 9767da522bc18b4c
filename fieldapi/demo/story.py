"""The whole story in its order, and how it ends: read back right, or named as wrong. Called by
`fieldapi demo`.
"""

from __future__ import annotations

import signal
import time
import traceback
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from fieldapi import logs
from fieldapi.demo import (
    court,
    delivery,
    field,
    phone,
    place,
    pound,
    proof,
    review,
    server,
    setting,
)
from fieldapi.demo.field import Report
from fieldapi.demo.link import Link
from fieldapi.demo.phone import Crew
from fieldapi.demo.place import Place, shown
from fieldapi.demo.proof import Ledger
from fieldapi.demo.server import Server
from fieldapi.demo.setting import SIGN_IN, Village
from fieldapi.demo.telling import Mismatch, Teller
from fieldapi.settings import SettingsError

INTERRUPTED = 130  # what a shell says of a program that Ctrl-C ended


@dataclass(frozen=True, slots=True)
class Wish:
    """How the demo is wanted. `data` None: a folder of its own; `port` None: a free one."""

    is_once: bool = False
    port: int | None = None
    data: Path | None = None


@dataclass(frozen=True, slots=True)
class _Left:
    """What a story leaves behind for people to look at."""

    server: Server
    crew: Crew
    village: Village
    report: Report
    ledger: Ledger
    bundle: Path


def play(tell: Teller, wish: Wish) -> int:
    """Tell the story; return 0 if every step was read back right. Raises `SettingsError`."""
    logs.configure("error")
    _end_on(signal.SIGTERM, signal.SIGHUP)
    try:
        server.free_port(wish.port)
        with place.opened(wish.data, is_once=wish.is_once) as here:
            return _play(tell, wish, here)
    except _Failed:
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED


class _Failed(Exception):
    """The story failed and it was told why."""


def _end_on(*signals: signal.Signals) -> None:
    """Let these signals do what Ctrl-C does, unless whoever started us said to ignore them."""
    for one in signals:
        if signal.getsignal(one) is not signal.SIG_IGN:
            signal.signal(one, signal.default_int_handler)


def _play(tell: Teller, wish: Wish, here: Place) -> int:
    began = time.monotonic()
    try:
        with ExitStack() as stack:
            left = _tell(tell, wish, here, stack)
            seconds = time.monotonic() - began
            _close(tell, left, seconds=seconds)
            if not wish.is_once:
                _stay(tell, here, left)
    except SettingsError:
        raise
    except Exception as exc:
        _explain(tell, here, exc)
        raise _Failed from exc
    return 0


def _tell(tell: Teller, wish: Wish, here: Place, stack: ExitStack) -> _Left:
    tell.say("One report, from a phone without a network to a bundle for the court.")
    is_passing = wish.is_once and wish.data is None
    tell.say(f"Its files are in {shown(here.root)}{' until it ends' if is_passing else ''}.")

    tell.chapter("Set up")
    village = setting.set_up(tell, here)
    with tell.step("serve", "starting the server") as done:
        running = stack.enter_context(server.running(here, wish.port))
        done(f"server started: {running.url}", url=running.url)
    link = stack.enter_context(Link(running.port))
    crew = phone.enrol(tell, stack, here, village=village, net=(running, link))

    tell.chapter("In the field, without a network")
    report = field.capture(tell, here, crew, village=village, link=link)

    tell.chapter("Back on a bad network")
    delivery.deliver(tell, crew, report, link=link)
    kept = proof.keep_head(here)

    tell.chapter("At the desk")
    review.review(tell, running, crew, village=village, report=report)

    tell.chapter("At the pound")
    pound.keep(tell, running, village=village, report=report)

    tell.chapter("For the court")
    bundle = court.hand_over(tell, here, court.Office(running, crew, kept), report=report)

    tell.chapter("The proof")
    ledger = proof.verify(tell, here, kept)
    return _Left(running, crew, village, report, ledger, bundle)


def _close(tell: Teller, left: _Left, *, seconds: float) -> None:
    url, ledger = left.server.url, left.ledger
    tell.say(f"\nEverything was read back right, in {seconds:.1f} s.")
    tell.say(f"Root of the {ledger.size} entries: {ledger.root}")
    tell.close(
        seconds=round(seconds, 1),
        reference=left.report.reference,
        entries=ledger.size,
        root=ledger.root,
        console=f"{url}/console/",
        case=url + review.case_path(left.report),
        docs=f"{url}/docs",
        board=f"{url}/board/{left.village.pound_id}",
        api=f"{url}/api/v1",
        sign_in=SIGN_IN,
        password=left.village.password,
    )


def _stay(tell: Teller, here: Place, left: _Left) -> None:
    """Leave the server running for people to look around, until they end it."""
    url = left.server.url
    tell.say("\nIt keeps running for you to look around:\n")
    tell.say(f"  console   {url}/console/")
    tell.say(f"            sign in as {SIGN_IN} with {left.village.password}")
    tell.say(f"  the case  {url}{review.case_path(left.report)}")
    tell.say(f"  the board {url}/board/{left.village.pound_id}")
    tell.say(f"  the API   {url}/api/v1, described at {url}/docs")
    tell.say(f"            curl -H 'Authorization: Bearer {left.crew.tablet.device.token}' \\")
    tell.say(f"              {url}/api/v1/seizures")
    tell.say(f"  bundle    {shown(left.bundle)}, check it with verify.py beside it")
    tell.say(f"  verify    {url}/verify")
    tell.say(f"  files     {shown(here.root)}")
    tell.say("  commands  on these data, from another terminal:")
    tell.say(f"            export FIELDAPI_DATA={shown(here.server)} FIELDAPI_PUBLIC_URL={url}")
    tell.say("\nCtrl-C ends it; the files stay.\n")
    with suppress(KeyboardInterrupt), tell.step("stay", "waiting for Ctrl-C"):
        code = left.server.process.wait()
        raise Mismatch(f"the server ended by itself, with exit code {code}")


def _explain(tell: Teller, here: Place, exc: Exception) -> None:
    """Say at which step it failed and why, and where more is written."""
    logs = {"server log": shown(here.server_log)} if here.server_log.exists() else {}
    if isinstance(exc, Mismatch):
        tell.fail(str(exc), **logs)
        return
    with here.demo_log.open("w") as file:
        traceback.print_exception(exc, file=file)
    tell.fail(f"{type(exc).__name__}: {exc}", **logs, details=shown(here.demo_log))
