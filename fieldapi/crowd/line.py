"""A phone's network as it is in the field: slow, far, broken now and then, each as a seed says.

Called by `member`. Sleeps for real; what a server's answer took is told apart from that.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sync.client.faults import Busy, Fault, LinkDown
from sync.client.response import Response
from sync.client.transport import Backoff, Request, Timeouts, Transport

Note = Callable[[str, float, int], None]  # what was asked, seconds, status
Took = Callable[[str, float], None]  # what, seconds


@dataclass(frozen=True, slots=True)
class Net:
    """`bytes_per_s`: 0 for as fast as it goes. `delay_s`: least and most, each way. `broken`: share
    of requests that never arrive; `deaf`: share of those that arrive and whose answer does not.
    """

    bytes_per_s: int = 0
    delay_s: tuple[float, float] = (0.0, 0.0)
    broken: float = 0.0
    deaf: float = 0.0


NETS: Mapping[str, Net] = MappingProxyType(
    {
        "good": Net(),
        "flaky": Net(broken=0.05, deaf=0.05),
        "2g": Net(bytes_per_s=6250, delay_s=(0.3, 0.8), broken=0.05, deaf=0.05),
    }
)


class FieldLine(Transport):
    """A line over such a net. `note` hears of every answer, and of every request without one;
    `took` of every time that the server asked to wait.
    """

    def __init__(  # noqa: PLR0913 - all named at the call
        self,
        base_url: str,
        token: str | None,
        *,
        net: Net,
        rng: random.Random,
        note: Note,
        took: Took,
        most_wait_s: float = 120.0,
    ) -> None:
        """Be patient for two minutes: a crowd that comes back at once is told to wait."""
        patience = Backoff(tries=4, first_s=0.2, cap_s=5.0, patience_s=120.0)
        super().__init__(base_url, token, Timeouts(10, 60, 180), patience, dice=rng.random)
        self.sleep = lambda seconds: time.sleep(min(seconds, most_wait_s))
        self._net, self._rng, self._note, self._took = net, rng, note, took

    def send(self, request: Request) -> Response:
        """Send once, as slowly as the net is; perhaps in vain, perhaps with nothing to show."""
        self._wait(len(request.body))
        if self._rng.random() < self._net.broken:
            raise LinkDown("the network was gone")
        answer = self._timed(request)
        self._wait(len(answer.body))
        if self._rng.random() < self._net.deaf:
            self.close()
            raise LinkDown("the answer was lost on the way")
        return answer

    def _timed(self, request: Request) -> Response:
        began = time.perf_counter()
        try:
            answer = super().send(request)
        except Fault as fault:
            self._note(kind_of(request), time.perf_counter() - began, _status(fault))
            if isinstance(fault, Busy) and fault.wait_s is not None:
                self._took("asked to wait", fault.wait_s)
            raise
        self._note(kind_of(request), time.perf_counter() - began, answer.status)
        return answer

    def _wait(self, size: int) -> None:
        net = self._net
        slow = size / net.bytes_per_s if net.bytes_per_s else 0.0
        if slow or net.delay_s[1]:
            time.sleep(slow + self._rng.uniform(*net.delay_s))


def kind_of(request: Request) -> str:
    """Return what a request is about: `sync`, `photo`, `enrol` or `other`."""
    path = request.path.removeprefix("/api/v1/")
    if path == "sync":
        return "sync"
    if path.startswith("uploads") or path.endswith("/content"):
        return "photo"
    return "enrol" if path == "devices" else "other"


def _status(fault: Fault) -> int:
    """Return what the server answered; 0 for nothing."""
    if isinstance(fault, Busy):
        return fault.status
    return int(getattr(fault, "status", 0))
