"""Keeps tests on this machine: any socket of this process to elsewhere is an error."""

from __future__ import annotations

import ipaddress
import sys

_WATCHED = frozenset({"socket.connect", "socket.sendto", "socket.bind", "socket.getaddrinfo"})


class OutsideNetwork(RuntimeError):
    """A test tried to leave the machine."""


def stay_inside() -> None:
    """Watch the sockets of this process from now on; there is no way back."""
    sys.addaudithook(_watch)


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event not in _WATCHED:
        return
    address = arguments[0] if event == "socket.getaddrinfo" else arguments[1]
    host = address[0] if isinstance(address, tuple) and address else address
    if isinstance(address, tuple) or event == "socket.getaddrinfo":
        _require_loopback(host)


def _require_loopback(host: object) -> None:
    name = host.decode() if isinstance(host, bytes) else str(host)
    if host is None or name == "localhost":
        return
    try:
        is_inside = ipaddress.ip_address(name).is_loopback
    except ValueError:
        is_inside = False
    if not is_inside:
        raise OutsideNetwork(f"{name!r} is not on this machine")
