"""A TCP proxy on loopback that breaks lines where it is told to: the same arguments, the same
cuts. For tests of whatever must survive a bad network.

    with flaky_proxy(("127.0.0.1", 5000), Plan(reset_up_at=700), Plan(drop_answer=True)) as proxy:
        Phone(folder).enrol(proxy.address, code, {})
"""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

BLOCK = 1 << 14
_AT_ONCE = struct.pack("ii", 1, 0)  # SO_LINGER of 0 seconds: close sends a reset


@dataclass(frozen=True)
class Plan:
    """What happens to one connection. Numbers count its bytes in one direction; None = never.

    `drop_answer`: the request goes through, the answer does not.
    """

    reset_up_at: int | None = None
    reset_down_at: int | None = None
    drop_answer: bool = False
    bytes_per_s: int | None = None


CLEAN = Plan()


class FlakyProxy:
    """Connection i follows `plans[i]`, the others `then`, which may be changed. `up`, `down`: bytes
    carried so far.
    """

    def __init__(
        self, target: tuple[str, int], plans: tuple[Plan, ...], then: Plan, *, host: str
    ) -> None:
        self._target, self._plans, self.then = target, plans, then
        self._listener = socket.create_server((host, 0))
        self.connections = self.up = self.down = 0
        self._cut_at: int | None = None

    @property
    def address(self) -> str:
        """Where clients connect to."""
        return f"http://{self._listener.getsockname()[0]}:{self.port}"

    @property
    def port(self) -> int:
        """The port of that address."""
        return int(self._listener.getsockname()[1])

    def serve(self) -> None:
        """Take connections until closed."""
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                known = self.connections < len(self._plans)
                plan = self._plans[self.connections] if known else self.then
                self.connections += 1
                threading.Thread(target=self._carry, args=(client, plan), daemon=True).start()

    def cut_after(self, more: int) -> None:
        """Reset the connection that carries so many bytes more to the server, once."""
        self._cut_at = self.up + more

    def close(self) -> None:
        """Take no more connections."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _carry(self, client: socket.socket, plan: Plan) -> None:
        with client, suppress(OSError), socket.create_connection(self._target) as server:
            answers = threading.Thread(target=self._down, args=(client, server, plan), daemon=True)
            answers.start()
            self._up(client, server, plan)
            answers.join()

    def _up(self, client: socket.socket, server: socket.socket, plan: Plan) -> None:
        left = plan.reset_up_at
        for block in _blocks(client, plan):
            part = block[:left]
            server.sendall(part)
            self.up += len(part)
            left = None if left is None else left - len(part)
            if left == 0 or self._is_cut():
                _break(client, server)
                return
        with suppress(OSError):
            server.shutdown(socket.SHUT_WR)

    def _is_cut(self) -> bool:
        if self._cut_at is None or self.up < self._cut_at:
            return False
        self._cut_at = None
        return True

    def _down(self, client: socket.socket, server: socket.socket, plan: Plan) -> None:
        left = 0 if plan.drop_answer else plan.reset_down_at
        with suppress(OSError):
            for block in _blocks(server, plan):
                part = block[:left]
                client.sendall(part)
                self.down += len(part)
                left = None if left is None else left - len(part)
                if left == 0:
                    _break(client, server)
                    return
            client.shutdown(socket.SHUT_RDWR)


def _blocks(source: socket.socket, plan: Plan) -> Iterator[bytes]:
    """Yield what arrives, no faster than planned, until the sender stops."""
    size = BLOCK if plan.bytes_per_s is None else max(plan.bytes_per_s // 50, 1)
    with suppress(OSError):
        while block := source.recv(size):
            if plan.bytes_per_s is not None:
                time.sleep(len(block) / plan.bytes_per_s)
            yield block


def _break(client: socket.socket, server: socket.socket) -> None:
    """Reset the client's line; the server reads what was carried and then the end."""
    with suppress(OSError):
        server.shutdown(socket.SHUT_RDWR)
    with suppress(OSError):
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        client.shutdown(socket.SHUT_RD)
    client.close()


@contextmanager
def flaky_proxy(
    target: tuple[str, int], *plans: Plan, then: Plan = CLEAN, host: str = "127.0.0.1"
) -> Iterator[FlakyProxy]:
    """Run a proxy in front of `target` for as long as the block lasts. `host`: where it listens."""
    proxy = FlakyProxy(target, plans, then, host=host)
    thread = threading.Thread(target=proxy.serve, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.close()
        thread.join()
