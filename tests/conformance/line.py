"""Plain HTTP to the server under test, and a phone that speaks the sync protocol over it.

Knows nothing of the product: only what docs/protocol/sync.md and the published schema say.
"""

from __future__ import annotations

import gzip
import http.client
import json
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from sync.clock import next_stamp, rfc3339

Document = dict[str, Any]
TIMEOUT_S = 60


@dataclass(frozen=True)
class Answer:
    """An answer. `json`: its body if it is JSON, else None."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """Return the body as JSON, None if it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


@dataclass
class Line:
    """The way to one server."""

    base_url: str

    def call(
        self,
        method: str,
        path: str,
        *,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Make one request on a connection of its own."""
        connection = self._connect()
        try:
            told = {"Accept": "application/json", **(headers or {})}
            connection.request(method, self._path(path), body=body, headers=told)
            answer = connection.getresponse()
            raw = answer.read()
            lowered = {name.lower(): value for name, value in answer.getheaders()}
            is_packed = lowered.get("content-encoding") == "gzip"
            return Answer(answer.status, lowered, gzip.decompress(raw) if is_packed else raw)
        finally:
            connection.close()

    def cut(self, method: str, path: str, *, body: bytes, headers: Mapping[str, str]) -> None:
        """Send a request and hang up before the answer can come."""
        connection = self._connect()
        connection.request(method, self._path(path), body=body, headers=dict(headers))
        connection.close()

    def _connect(self) -> http.client.HTTPConnection:
        url = urlsplit(self.base_url)
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        return kind(url.hostname or "", url.port, timeout=TIMEOUT_S)

    def _path(self, path: str) -> str:
        return urlsplit(self.base_url).path.rstrip("/") + path


def new_id() -> str:
    """Return a fresh UUID."""
    return str(uuid.uuid4())


def now_ms() -> int:
    """Return what this machine's clock says."""
    return time.time_ns() // 1_000_000


@dataclass
class Device:
    """An enrolled phone. `records`: what it pulled last, by kind and id; `gone`: what left;
    `outcomes`: what it was told of its held and quarantined ops, by id.
    """

    line: Line
    id: str
    token: str
    actor: str
    person: str
    authority: str
    is_confirmed: bool
    last: str | None = None
    n: int = 0
    cursor: str | None = None
    records: dict[tuple[str, str], Document] = field(default_factory=dict)
    gone: set[tuple[str, str]] = field(default_factory=set)
    outcomes: dict[str, Document] = field(default_factory=dict)
    heads: list[Document] = field(default_factory=list)

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers of its requests."""
        return {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}

    def op(self, kind: str, record: str, **parts: Any) -> Document:
        """Return its next op; the base of a field that is not given is empty."""
        at = now_ms()
        self.n += 1
        self.last = next_stamp(at, self.last, self.actor)
        bases: dict[str, list[str]] = {name: [] for name in parts.get("set", {})}
        return {
            "op": new_id(),
            "kind": kind,
            "id": record,
            "by": self.person,
            "t": self.last,
            "at": at,
            "n": self.n,
            **parts,
            "base": {**bases, **parts.get("base", {})},
        }

    def envelope(self, ops: Sequence[Document | bytes], **members: Any) -> bytes:
        """Return the body of a sync; ops that are bytes go as they are."""
        told = {
            "protocol": 1,
            "schema": 1,
            "device_now": rfc3339(now_ms()),
            "cursor": None,
            "limit": 500,
            **members,
        }
        raw = [op if isinstance(op, bytes) else json.dumps(op).encode() for op in ops]
        return json.dumps(told).encode()[:-1] + b', "ops": [' + b", ".join(raw) + b"]}"

    def ask(self, method: str, path: str, body: Document | None = None) -> Answer:
        """Make any request as the holder of this phone."""
        raw = None if body is None else json.dumps(body).encode()
        return self.line.call(method, path, body=raw, headers=self.headers)

    def send(self, body: bytes, **headers: str) -> Answer:
        """Make one sync request."""
        return self.line.call(
            "POST", "/api/v1/sync", body=body, headers={**self.headers, **headers}
        )

    def push(self, *ops: Document | bytes, **members: Any) -> list[Document]:
        """Push ops, keep nothing of the pull, and return the results."""
        return self.exchange(ops, **members)["results"]

    def exchange(self, ops: Sequence[Document | bytes] = (), **members: Any) -> Document:
        """Make one exchange and return the answer, which must be one."""
        answer = self.send(self.envelope(ops, **members))
        if answer.status != http.client.OK or not isinstance(answer.json, dict):
            raise AssertionError(f"a sync was answered {answer.status}: {answer.body[:200]!r}")
        told: Document = answer.json
        return told

    def pull(self, limit: int = 500) -> list[Document]:
        """Pull to the end; return the pages."""
        pages: list[Document] = []
        for _ in range(10_000):
            told = self.exchange(
                cursor=self.cursor, limit=limit, tree_heads=[self._known(h) for h in self.heads]
            )
            pages.append(told)
            self.cursor = told["cursor"]
            for change in told["changes"]:
                self._take(change)
            if not told["more"]:
                return pages
        raise AssertionError("the pull comes to no end")

    def _take(self, change: Document) -> None:
        key = (change.get("kind", ""), change.get("id", ""))
        if change["what"] == "put":
            self.records[key] = change
            self.gone.discard(key)
        elif change["what"] in {"leave", "closed"}:
            self.records.pop(key, None)
            self.gone.add(key)
        elif change["what"] == "outcome":
            self.outcomes[change["op"].rpartition("/")[2]] = change

    @staticmethod
    def _known(head: Document) -> Document:
        return {name: head[name] for name in ("authority", "epoch", "size", "root")}

    def sees(self, kind: str, record: str) -> Document:
        """Pull, and return the last change of a record."""
        self.pull()
        found = self.records.get((kind, record))
        if found is None:
            raise AssertionError(f"{kind} {record} was never told")
        return found


def enrol(line: Line, code: str) -> Device:
    """Make a phone by its one-time code."""
    about = {"make": "Conformance", "model": "kit", "os": "any", "app_version": "1"}
    body = json.dumps({"id": new_id(), "code": code, "device": about}).encode()
    headers = {"Content-Type": "application/json"}
    answer = line.call("POST", "/api/v1/devices", body=body, headers=headers)
    if answer.status != http.client.CREATED:
        raise AssertionError(f"a code was answered {answer.status}: {answer.body[:200]!r}")
    told = answer.json
    return Device(
        line,
        told["device"]["id"],
        told["token"],
        told["device"]["actor"],
        told["person"]["id"],
        told["authority"]["id"],
        told["device"]["confirmed"],
    )
