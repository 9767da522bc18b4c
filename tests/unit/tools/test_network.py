"""The guard that keeps tests on this machine."""

from __future__ import annotations

import socket

import pytest

from tests.support.free_ports import LOOPBACK, free_port
from tests.support.network import OutsideNetwork


@pytest.mark.parametrize("host", ["192.0.2.1", "0.0.0.0", "::"])  # noqa: S104 - refused
def test_no_socket_leaves_the_machine(host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as outside, pytest.raises(OutsideNetwork):
        outside.connect((host, 80))


def test_no_server_listens_to_others() -> None:
    with socket.socket() as server, pytest.raises(OutsideNetwork):
        server.bind(("", 0))


def test_no_name_is_looked_up() -> None:
    with pytest.raises(OutsideNetwork):
        socket.getaddrinfo("example.org", 443)


def test_loopback_is_open() -> None:
    with (
        socket.create_server((LOOPBACK, free_port())) as server,
        socket.create_connection(server.getsockname()) as client,
    ):
        assert client.getpeername()[0] == LOOPBACK
