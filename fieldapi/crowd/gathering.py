"""All phones of a crowd, each in a thread, and the picture that each of them takes."""

from __future__ import annotations

import errno
import random
import resource
import struct
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from fieldapi.crowd.line import NETS
from fieldapi.crowd.member import LAT, LON, Member
from fieldapi.crowd.tally import Tally
from fieldapi.imaging.specimen import Specimen, draw

_COMMENT = b"\xff\xfe"
_ASKING = 16
_TURN_S = 0.2
_FILES_OF_A_PHONE, _FILES_BESIDE = 6, 200


@dataclass(frozen=True, slots=True)
class Plan:
    """`reports` of each phone with `photos` each. `net`: `good`, `flaky` or `2g`. `within_s`: how
    long phones try. `offline`: share of reports after which a phone is out of reach. `most_wait_s`:
    what they wait at most when they are told to. `is_return`: all that all of them have is written
    before the first one is let on the line again, and time counts from there.
    """

    reports: int = 20
    photos: int = 2
    net: str = "2g"
    seed: int = 1
    within_s: float = 600.0
    offline: float = 0.3
    most_wait_s: float = 120.0
    is_return: bool = False


def gather(
    addresses: Sequence[str],
    codes: Sequence[str],
    plan: Plan,
    *,
    folder: Path | None = None,
    while_they_live: Callable[[], None] = lambda: None,
) -> tuple[Tally, float]:
    """Let one phone for each code live against the servers; return what was counted, in how long.

    `folder`: where the phones' disks are; else a temporary one. `while_they_live` runs meanwhile:
    a nemesis. Then every phone asks for all that it was acknowledged. Raises `OSError` if this
    process may not open as many files as the phones need.
    """
    _make_room(len(codes))
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="fieldapi-crowd-", dir=folder) as home:
        began = [time.monotonic()]
        made = (
            _member(Path(home), number, addresses, plan=plan, tally=tally)
            for number in range(len(codes))
        )
        members = list(made)
        if plan.is_return:
            back = threading.Barrier(len(codes), lambda: began.append(time.monotonic()))
            for member in members:
                member.return_ = back
        threads = [
            threading.Thread(target=_live, args=(member, code, plan))
            for member, code in zip(members, codes, strict=True)
        ]
        with _patient():
            for thread in threads:
                thread.start()
            while_they_live()
            for thread in threads:
                thread.join()
        seconds = time.monotonic() - began[-1]
        _ask_again(members)
    return tally, seconds


@contextmanager
def _patient() -> Iterator[None]:
    """Let threads wait for their turn without asking for it 200 times a second each: a thousand
    phones spent most of two cores on that. They take turns whenever one waits for a line or a disk.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(_TURN_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _make_room(phones: int) -> None:
    """Let this process open a phone's database, its lock and its line for each of them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = _FILES_OF_A_PHONE * phones + _FILES_BESIDE
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise OSError(errno.EMFILE, f"{phones} phones need {needed} open files, allowed are {hard}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def _member(
    home: Path, number: int, addresses: Sequence[str], *, plan: Plan, tally: Tally
) -> Member:
    rng = random.Random(f"{plan.seed}/{number}")  # noqa: S311 - chance that can be had again
    folder = home / f"phone-{number}"
    folder.mkdir()
    ordered = [*addresses[number % len(addresses) :], *addresses[: number % len(addresses)]]
    return Member(
        number,
        folder,
        ordered,
        NETS[plan.net],
        tally,
        rng,
        picture=picture,
        ends=time.monotonic() + plan.within_s,
        offline=plan.offline,
        most_wait_s=plan.most_wait_s,
    )


def _live(member: Member, code: str, plan: Plan) -> None:
    try:
        member.live(code, plan.reports, plan.photos)
    except Exception as exc:  # noqa: BLE001 - one phone's end is a finding, not the crowd's
        member.tally.tell(f"phone {member.number} ended: {type(exc).__name__} {exc}")
        if member.return_ is not None:
            member.return_.abort()


def _ask_again(members: Sequence[Member]) -> None:
    """Ask a few at a time: this is about what is there, not about load."""
    waiting = list(members)
    lock = threading.Lock()

    def work() -> None:
        while True:
            with lock:
                if not waiting:
                    return
                member = waiting.pop()
            member.ask_again()

    threads = [threading.Thread(target=work) for _ in range(_ASKING)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def picture(name: str) -> bytes:
    """Return a small JPEG that no other name has: the name stands in a comment of the file."""
    drawn = _drawn()
    told = name.encode()
    return drawn[:2] + _COMMENT + struct.pack(">H", len(told) + 2) + told + drawn[2:]


@cache
def _drawn() -> bytes:
    """Draw once: about 20 kB."""
    taken_at = datetime(2026, 11, 30, 5, 10, tzinfo=UTC)
    return draw(Specimen(5, taken_at, lat=LAT, lon=LON, size=(480, 360)))
