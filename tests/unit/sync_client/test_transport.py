"""Short patience and no trust: what the line may do to a request."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from sync.client import faults, response
from sync.client.transport import Backoff, Request, Timeouts, Transport, json_request
from tests.support.flaky_proxy import Plan, flaky_proxy
from tests.unit.sync_client.server import FieldServer, bare, serving
from tests.unit.sync_client.test_bad_line import host_of

LIMITS = Request("GET", "/api/v1/limits")


@contextmanager
def saying(*pieces: bytes, pause_s: float = 0.0) -> Iterator[str]:
    """Serve one connection that says these pieces, whatever it is asked."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def talk() -> None:
            client, _ = listener.accept()
            with client, suppress(OSError):
                client.recv(65536)
                for piece in pieces:
                    client.sendall(piece)
                    time.sleep(pause_s)

        thread = threading.Thread(target=talk, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.join()


@contextmanager
def to(address: str, **timeouts: float) -> Iterator[Transport]:
    transport = Transport(address, "token-asha", Timeouts(**timeouts), Backoff(tries=1))
    yield transport
    transport.close()


@pytest.mark.parametrize(
    "address", ["http://cattle.example.org", "http://10.0.0.7:8000", "ftp://127.0.0.9"]
)
def test_token_never_leaves_the_machine_in_clear(address: str) -> None:
    with pytest.raises(faults.InsecureAddress):
        Transport(address, "token-asha")


def test_token_is_not_printed() -> None:
    assert "token-asha" not in repr(Transport("https://cattle.example.org", "token-asha"))


def test_one_connection_serves_many_requests(address: str) -> None:
    with flaky_proxy(host_of(address)) as proxy, to(proxy.address) as transport:
        for _ in range(3):
            transport.call(LIMITS)

        assert proxy.connections == 1


def test_connection_the_server_closes_is_opened_again(address: str, server: FieldServer) -> None:
    server.script["GET"].append(bare(200, b"{}", Connection="close"))
    with flaky_proxy(host_of(address)) as proxy, to(proxy.address) as transport:
        for _ in range(2):
            transport.call(LIMITS)

        assert proxy.connections == 2


def test_server_below_a_path_is_reached(address: str, server: FieldServer) -> None:
    server.script["GET /cattle/api/v1/limits"].append(bare(200, b"{}"))
    with to(f"{address}/cattle/") as transport:
        assert transport.call(LIMITS).body == b"{}"
        assert transport.path_of("/cattle/api/v1/uploads/1") == "/api/v1/uploads/1"


def test_answer_cut_in_the_middle_is_no_answer() -> None:
    with (
        saying(b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{}") as address,
        to(address) as transport,
        pytest.raises(faults.LinkDown),
    ):
        transport.call(LIMITS)


def test_answer_that_drips_ends_at_the_deadline() -> None:
    start = b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n"
    began = time.monotonic()
    with (
        saying(start, *[b" "] * 8, pause_s=0.05) as address,
        to(address, total_s=0.15) as transport,
        pytest.raises(faults.LinkDown),
    ):
        transport.call(LIMITS)

    assert time.monotonic() - began < 2


def test_silence_ends_the_request() -> None:
    with (
        saying(b"HTTP/1.1 200 OK\r\n", pause_s=0.5) as address,
        to(address, idle_s=0.1) as transport,
        pytest.raises(faults.LinkDown),
    ):
        transport.call(LIMITS)


def test_slow_line_is_not_a_dead_one(address: str) -> None:
    body = json.dumps({"pad": "x" * 400}).encode()
    with (
        flaky_proxy(host_of(address), Plan(bytes_per_s=4000)) as proxy,
        to(proxy.address, idle_s=1) as transport,
    ):
        assert transport.send(Request("GET", "/api/v1/limits", body)).status == 200


def test_answer_without_end_is_given_up(
    address: str, server: FieldServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(response, "MOST_ANSWER", 1000)
    server.script["GET"].append(bare(200, b" " * 2000))
    with to(address) as transport, pytest.raises(faults.NotOurServer):
        transport.call(LIMITS)


def test_answer_that_inflates_without_end_is_given_up(
    address: str, server: FieldServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(response, "MOST_ANSWER", 1000)
    bomb = gzip.compress(bytes(200_000))
    server.script["GET"].append(bare(200, bomb, **{"Content-Encoding": "gzip"}))
    with to(address) as transport, pytest.raises(faults.NotOurServer):
        transport.call(LIMITS)


def test_compressed_answer_is_read(address: str, server: FieldServer) -> None:
    packed = gzip.compress(b'{"sync": {}}')
    server.script["GET"].append(bare(200, packed, **{"Content-Encoding": "gzip"}))
    with to(address) as transport:
        assert transport.call(LIMITS).json() == {"sync": {}}


def test_nobody_listening_is_a_dead_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with to(f"http://127.0.0.1:{port}") as transport, pytest.raises(faults.LinkDown):
        transport.call(LIMITS)


def test_backoff_doubles_up_to_its_cap() -> None:
    backoff = Backoff(first_s=1, cap_s=5)

    assert [backoff.wait_s(n, None, dice=1.0) for n in range(1, 6)] == [1, 2, 4, 5, 5]
    assert backoff.wait_s(4, None, dice=0.0) == 0
    assert backoff.wait_s(2, 30, dice=0.5) == 31


@pytest.mark.parametrize("body", [b"[]", b'{"type": 7}', b'{"type": "about:blank"}'], ids=str)
def test_refusal_of_another_server_is_not_ours(
    address: str, server: FieldServer, body: bytes
) -> None:
    server.script["GET"].append(bare(403, body))
    with to(address) as transport, pytest.raises(faults.NotOurServer):
        transport.call(LIMITS)


def test_retry_after_that_is_none_is_not_waited_for(address: str, server: FieldServer) -> None:
    server.script["GET"].append(bare(503, b"", **{"Retry-After": "soon"}))
    with to(address) as transport, pytest.raises(faults.Busy) as busy:
        transport.call(LIMITS)

    assert busy.value.wait_s is None


def test_certificate_nobody_vouches_for_is_a_dead_line(
    server: FieldServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = self_signed(tmp_path)
    with serving(server, certificate) as address:
        with to(address) as transport, pytest.raises(faults.LinkDown):
            transport.call(LIMITS)
        assert server.requests == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with to(address) as transport:
            assert transport.call(LIMITS).status == 200


def self_signed(folder: Path) -> Path:
    """Return a file with a key and a certificate for this machine."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), False
        )
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = folder / "certificate.pem"
    file.write_bytes(secret + certificate.public_bytes(pem))
    return file


def test_equal_documents_are_equal_requests() -> None:
    document = b'{"ops": []}' * 200

    first, second = (json_request("/api/v1/sync", document) for _ in range(2))

    assert first == second
    assert gzip.decompress(first.body) == document
