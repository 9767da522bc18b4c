"""A line as villages have it: slow, far, losing packets, with a real TCP over it. Two TUN devices,
one of them in a network namespace of its own, and a thread that carries packets between them as
late as the line is long, dropping some.

    with rural_line(5000, Line(loss=0.2), seed=7) as line:
        line.inside(lambda: Phone(folder).enrol(line.address, code, {}))

Needs root and /dev/net/tun: `can_be_laid` says whether there are.
"""

from __future__ import annotations

import ctypes
import fcntl
import heapq
import itertools
import os
import random
import select
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from tests.support.flaky_proxy import FlakyProxy, Plan, flaky_proxy

T = TypeVar("T")
_TUN, _SET_IFF, _NO_INFO, _NEWNET = Path("/dev/net/tun"), 0x400454CA, 0x1001, 0x40000000
_PACKET = 2048
_QUEUE_S = 4.0  # what waits longer for its turn on the line is dropped, as a mast does
_numbers = itertools.count(os.getpid() * 8)


@dataclass(frozen=True, slots=True)
class Line:
    """50 kbit/s each way and 0.3 to 0.8 s there and back, unless said otherwise. `delay_s`: least
    and most, one way. `loss`: share of packets, each way.
    """

    bytes_per_s: int = 6250
    delay_s: tuple[float, float] = (0.15, 0.4)
    loss: float = 0.0


@dataclass(slots=True)
class Laid:
    """A line that is there. `address`: of the server, for whoever is inside."""

    namespace: str
    is_cut: bool = False
    door: FlakyProxy | None = None

    @property
    def address(self) -> str:
        assert self.door is not None
        return self.door.address

    def sent(self) -> int:
        """Return how many bytes phones have sent so far, those that were sent again too."""
        assert self.door is not None
        return self.door.up

    def cut_after(self, more: int) -> None:
        """Reset the connection that carries so many bytes more to the server, once."""
        assert self.door is not None
        self.door.cut_after(more)

    def inside(self, work: Callable[[], T]) -> T:
        """Do it in the village: the sockets it opens know nothing but this line."""
        found: list[T] = []
        failed: list[BaseException] = []

        def enter() -> None:
            try:
                with open(f"/run/netns/{self.namespace}") as place:  # noqa: PTH123 - not a file
                    _enter(place.fileno())
                found.append(work())
            except BaseException as exc:  # noqa: BLE001 - raised again where it was asked for
                failed.append(exc)

        thread = threading.Thread(target=enter)
        thread.start()
        thread.join()
        if failed:
            raise failed[0]
        return found[0]


def _enter(namespace: int) -> None:
    """Put this thread into a network namespace."""
    if ctypes.CDLL(None, use_errno=True).setns(namespace, _NEWNET):
        raise OSError(ctypes.get_errno(), "setns")


def can_be_laid() -> bool:
    """Say whether this process may make devices and namespaces."""
    return os.geteuid() == 0 and os.access(_TUN, os.R_OK | os.W_OK) and Path("/run").is_dir()


@contextmanager
def rural_line(port: int, how: Line, *, seed: int) -> Iterator[Laid]:
    """Lay a line from a new namespace to this machine's loopback `port`."""
    number = next(_numbers) % 16_000
    near, far = (f"{end}{number}" for end in ("fan", "faf"))
    made = Laid(f"village{number}")
    # 198.18.0.0/15 is for measurements like this one (RFC 2544).
    here, there = (f"198.18.{number // 64}.{number % 64 * 4 + end}" for end in (1, 2))
    with ExitStack() as stack:
        _ip("netns", "add", made.namespace)
        stack.callback(_ip, "netns", "delete", made.namespace)
        ends = tuple(stack.enter_context(_tun(name)) for name in (near, far))
        _ip("link", "set", far, "netns", made.namespace)
        _ip("address", "add", f"{here}/30", "dev", near)
        _ip("link", "set", near, "up")
        _ip("-n", made.namespace, "address", "add", f"{there}/30", "dev", far)
        _ip("-n", made.namespace, "link", "set", far, "up")
        _ip("-n", made.namespace, "link", "set", "lo", "up")
        stack.enter_context(_carrying(ends, how, made, seed))
        gate = stack.enter_context(flaky_proxy(("127.0.0.1", port), host=here))
        # Phones speak plain HTTP to a loopback alone; inside, this is it. No faster than the line,
        # so that it holds no more than a phone's own buffer would.
        pace = Plan(bytes_per_s=how.bytes_per_s)
        made.door = made.inside(
            lambda: stack.enter_context(flaky_proxy((here, gate.port), then=pace))
        )
        yield made


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


@contextmanager
def _tun(name: str) -> Iterator[int]:
    device = os.open(_TUN, os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, _SET_IFF, struct.pack("16sH", name.encode(), _NO_INFO))
    try:
        yield device
    finally:
        os.close(device)


@contextmanager
def _carrying(ends: tuple[int, ...], how: Line, made: Laid, seed: int) -> Iterator[None]:
    is_over = threading.Event()
    carrier = _Carrier(ends, how, made, random.Random(seed))
    thread = threading.Thread(target=carrier.carry, args=(is_over,))
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


@dataclass(slots=True)
class _Carrier:
    """Carries packets both ways: each waits for its turn, then travels; some never arrive."""

    ends: tuple[int, ...]
    how: Line
    made: Laid
    rng: random.Random
    free_at: list[float] = field(default_factory=lambda: [0.0, 0.0])
    last_at: list[float] = field(default_factory=lambda: [0.0, 0.0])
    under_way: list[tuple[float, int, int, bytes]] = field(default_factory=list)
    count: int = 0

    def carry(self, is_over: threading.Event) -> None:
        while not is_over.is_set():
            rest = self.under_way[0][0] - time.monotonic() if self.under_way else 0.1
            for device in select.select(self.ends, (), (), min(max(rest, 0), 0.1))[0]:
                self._take(self.ends.index(device), os.read(device, _PACKET))
            while self.under_way and self.under_way[0][0] <= time.monotonic():
                _, _, end, packet = heapq.heappop(self.under_way)
                os.write(self.ends[end], packet)

    def _take(self, end: int, packet: bytes) -> None:
        now = time.monotonic()
        begins = max(now, self.free_at[end])
        if self.made.is_cut or begins - now > _QUEUE_S or self.rng.random() < self.how.loss:
            return
        self.free_at[end] = begins + len(packet) / self.how.bytes_per_s
        arrives = self.free_at[end] + self.rng.uniform(*self.how.delay_s)
        arrives = self.last_at[end] = max(arrives, self.last_at[end])  # a mast keeps their order
        self.count += 1
        heapq.heappush(self.under_way, (arrives, self.count, 1 - end, packet))
