"""A server small enough to read, honest about the protocol, and cruel on demand.

Stores ops and uploads like the real one; `script` makes the next requests go wrong. It does not
merge: heads follow the bases, the newest stamp is shown.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import ssl
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from sync import wire
from sync.op import Op, parse_op

SERVER_NOW = "2026-11-30T06:00:00.000Z"
STRANGER, STRANGER_MS = "b" * 16, 1_796_104_800_000
SCHEMA = {
    "schema": 1,
    "kinds": {
        "seizure": {
            "fields": {
                "ground": {"class": "register", "personal": False},
                "count": {"class": "register", "personal": False},
                "owner.mobile": {"class": "latest", "personal": True},
                "fixes": {"class": "set", "personal": False, "key": "fixed_at"},
                "ear_tags": {"class": "set", "personal": False},
            }
        },
        "photo": {"fields": {n: {"class": "evidence", "personal": False} for n in ("sha256",)}},
    },
}
LIMITS = {"sync": {"ops": 500, "wire_bytes": 1 << 20, "pull_records": 500}}


@dataclass(frozen=True)
class Reply:
    """One answer."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Arrived:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Cut(Exception):
    """Close the line without a word."""


Work = Callable[[Arrived], Reply]
Trick = Callable[[Work, Arrived], Reply]  # does the real work or not, answers or raises Cut


def problem(status: int, slug: str, **headers: str) -> Trick:
    """Refuse with a problem document, without doing the work."""
    body = json.dumps({"type": f"urn:fieldapi:problem:{slug}", "status": status}).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _work, _request: Reply(status, body, named)


def bare(status: int, body: bytes = b"", **headers: str) -> Trick:
    """Answer as something that is not our server would."""
    return lambda _work, _request: Reply(status, body, headers)


def cut_before(work: Work, request: Arrived) -> Reply:
    """Break the line before the work is done."""
    raise Cut


def cut_after(work: Work, request: Arrived) -> Reply:
    """Do the work, then break the line before the answer."""
    work(request)
    raise Cut


class FieldServer:
    """Ops, records and uploads in memory. All members may be looked at by tests."""

    def __init__(self) -> None:
        self.epoch = "A"
        self.tokens = {"token-asha"}
        self.ops: dict[str, tuple[int, bytes]] = {}
        self.received: list[str] = []
        self.statuses: dict[str, dict[str, Any]] = {}
        self.entries: list[dict[str, Any]] = []
        self.heads: dict[tuple[str, str], dict[str, list[Op]]] = defaultdict(dict)
        self.requests: list[Arrived] = []
        self.script: dict[str, deque[Trick | None]] = defaultdict(deque)
        self.tree_heads: list[dict[str, Any]] = []
        self.wanted: list[dict[str, Any]] = []
        self.page: int | None = None
        self.is_blind_to_epochs = False
        self.extra: dict[str, Any] = {}
        self.uploads: dict[str, dict[str, Any]] = {}
        self.stored: dict[str, bytes] = {}
        self.state_of_photos = "stored"
        self.knows_photos = True
        self._lock = threading.RLock()

    # ---- the door ---------------------------------------------------------------------------

    def answer(self, request: Arrived) -> Reply:
        """Answer one request, by the script if it has a line for its path."""
        with self._lock:
            self.requests.append(request)
            for prefix, tricks in self.script.items():
                if f"{request.method} {request.path}".startswith(prefix) and tricks:
                    trick = tricks.popleft()
                    if trick is not None:
                        return trick(self._work, request)
            return self._work(request)

    def _work(self, request: Arrived) -> Reply:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if request.path == "/api/v1/devices":
            return self._enrol(request)
        if request.path == "/api/v1/limits":
            return _json(200, LIMITS)
        if token not in self.tokens:
            return problem(401, "not-authenticated")(self._work, request)
        return self._signed_in(request)

    def _signed_in(self, request: Arrived) -> Reply:
        if request.path == "/api/v1/sync/schema":
            return _json(200, SCHEMA)
        if request.path == "/api/v1/sync":
            return self._sync(request)
        if request.path.startswith("/api/v1/uploads"):
            return self._upload(request)
        return self._photo(request)

    def _enrol(self, request: Arrived) -> Reply:
        if json.loads(request.body)["code"] != "GOOD-CODE":
            return problem(422, "code-refused")(self._work, request)
        device = {"id": "d1", "number": 7, "actor": "9f86d081884c7d65", "confirmed": True}
        return _json(
            201,
            {
                "device": device,
                "token": "token-asha",
                "person": {"id": "0193a5c0-0000-7000-8000-0000000000aa"},
                "authority": {"id": "auth", "code": "RJK", "name": "x", "statute": "gujarat"},
                "server_now": SERVER_NOW,
            },
        )

    # ---- sync -------------------------------------------------------------------------------

    def _sync(self, request: Arrived) -> Reply:
        body = request.body
        if request.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        envelope = wire.read_envelope(body)
        members: Any = envelope.members
        cursor = members["cursor"]
        if cursor is not None and not cursor.startswith(f"{self.epoch}:"):
            if not self.is_blind_to_epochs:
                return problem(409, "epoch-changed")(self._work, request)
            cursor = None
        results = [{"i": i, **self.take(part.raw)} for i, part in enumerate(envelope.ops)]
        after = int(cursor.partition(":")[2]) if cursor else 0
        limit = min(members["limit"], self.page or 500)
        changes, end = self._pull(after, limit)
        return _json(
            200,
            {
                "protocol": 1,
                "server_now": SERVER_NOW,
                "epoch": self.epoch,
                "results": results,
                "changes": changes,
                "cursor": f"{self.epoch}:{end}",
                "more": end < len(self.entries),
                "photos": self.wanted,
                "tree_heads": self.tree_heads,
            },
        )

    def take(self, raw: bytes) -> dict[str, Any]:
        """Store and merge an op unless its verdict is another; return its result."""
        op = parse_op(wire.loads(raw))
        self.received.append(op.id)
        verdict = self.statuses.get(op.id, {"status": "applied"})
        if verdict["status"] == "retry":
            return {"op": op.id, **verdict}
        is_replay = op.id in self.ops
        if not is_replay:
            self.ops[op.id] = (len(self.entries) + 1, raw)
            if verdict["status"] in {"applied", "conflict"}:
                self.merge(op)
            else:
                self.entries.append({"what": "none"})
        seq = self.ops[op.id][0]
        return {"op": op.id, "seq": seq, "replayed": is_replay, **verdict}

    def strangers_record(self, kind: str, fields: dict[str, wire.JSON]) -> str:
        """Let another phone create a record."""
        record = f"0193a5c0-0000-7000-8000-{len(self.entries):012x}"
        self.strangers_edit(kind, record, fields)
        return record

    def strangers_edit(
        self, kind: str, record: str, fields: dict[str, wire.JSON], *, over: Iterable[str] = ()
    ) -> str:
        """Let another phone set fields, replacing the ops named."""
        at = STRANGER_MS + len(self.entries) * 1000
        op = Op(
            id=f"0193a5c0-0000-7000-9000-{len(self.entries):012x}",
            actor=STRANGER,
            kind=kind,
            record=record,
            by=f"0193a5c0-0000-7000-8000-{0xBB:012x}",
            stamp=f"{at:012x}-0000-{STRANGER}",
            at=at,
            set=fields,
            base={name: tuple(over) for name in fields},
        )
        self.merge(op)
        return op.id

    def merge(self, op: Op) -> None:
        """Put an op into its record and into the feed."""
        fields = self.heads[op.kind, op.record]
        values = {**op.set, **({"withdrawn": True} if op.retract else {})}
        for name in values:
            kept = [old for old in fields.get(name, []) if old.id not in op.base.get(name, ())]
            fields[name] = [*kept, op]
        self.entries.append({"what": "put", "kind": op.kind, "id": op.record})

    def put(self, kind: str, record: str) -> dict[str, Any]:
        """Return the `put` of a record as it stands."""
        fields = self.heads[kind, record]
        shown = {name: max(ops, key=lambda op: op.stamp) for name, ops in fields.items() if ops}
        return {
            "what": "put",
            "kind": kind,
            "id": record,
            "record": {n: op.set.get(n, True) for n, op in shown.items()} | self.extra,
            "stamps": {
                name: [{"op": op.id, "t": op.stamp, "e": op.at} for op in ops]
                for name, ops in fields.items()
            },
            "reviews": [],
        }

    def _pull(self, after: int, limit: int) -> tuple[list[dict[str, Any]], int]:
        changes: list[dict[str, Any]] = []
        end = after
        for end in range(after + 1, len(self.entries) + 1):
            entry = self.entries[end - 1]
            if entry["what"] == "put":
                put = self.put(entry["kind"], entry["id"])
                changes.append({**put, "seq": end, "rev": f"{self.epoch}.{end}"})
            elif entry["what"] != "none":
                changes.append({**entry, "seq": end})
            if len(changes) == limit:
                break
        return changes, end

    # ---- photos -----------------------------------------------------------------------------

    def _upload(self, request: Arrived) -> Reply:
        if request.method == "POST":
            return self._announce(request)
        upload = self.uploads.get(request.path)
        if upload is None:
            return problem(404, "not-found")(self._work, request)
        data: bytearray = upload["data"]
        told = {"Upload-Offset": str(len(data)), "Tus-Resumable": "1.0.0"}
        if request.method == "HEAD":
            return Reply(200, b"", told)
        if int(request.headers["upload-offset"]) != len(data):
            here = {"Upload_Offset": str(len(data))}
            return problem(409, "upload-offset-mismatch", **here)(self._work, request)
        if not _fits(request):
            return problem(460, "checksum-mismatch")(self._work, request)
        return self._append(upload, request)

    def _announce(self, request: Arrived) -> Reply:
        pairs = (part.split() for part in request.headers["upload-metadata"].split(","))
        told = {name: base64.b64decode(value).decode() for name, value in pairs}
        place = f"/api/v1/uploads/{told['sha256'][:16]}"
        new = {**told, "size": int(request.headers["upload-length"]), "data": bytearray()}
        upload = self.uploads.setdefault(place, new)
        return Reply(201, b"", {"Location": place, "Upload-Offset": str(len(upload["data"]))})

    def _append(self, upload: dict[str, Any], request: Arrived) -> Reply:
        data: bytearray = upload["data"]
        data.extend(request.body)
        if len(data) == upload["size"]:
            if hashlib.sha256(data).hexdigest() != upload["sha256"]:
                data.clear()
                return problem(422, "photo-hash-mismatch")(self._work, request)
            self.stored[upload["photo"]] = bytes(data)
        return Reply(204, b"", {"Upload-Offset": str(len(data))})

    def keep(self, path: str, headers: dict[str, str], part: bytes) -> None:
        """Keep the bytes of a PATCH that was cut, as far as they came."""
        with self._lock:
            upload = self.uploads.get(path)
            if upload and int(headers["upload-offset"]) == len(upload["data"]):
                upload["data"].extend(part)

    def _photo(self, request: Arrived) -> Reply:
        photo = request.path.removeprefix("/api/v1/photos/").removesuffix("/content")
        if request.method == "PUT":
            self.stored[photo] = request.body
        if photo not in self.stored or (request.method == "GET" and not self.knows_photos):
            return problem(404, "not-found")(self._work, request)
        sha256 = hashlib.sha256(self.stored[photo]).hexdigest()
        return _json(200, {"id": photo, "state": self.state_of_photos, "sha256": sha256})


def _fits(request: Arrived) -> bool:
    told = request.headers.get("upload-checksum")
    if told is None:
        return True
    digest = base64.b64encode(hashlib.sha256(request.body).digest()).decode()
    return told == f"sha256 {digest}"


def _json(status: int, document: object) -> Reply:
    return Reply(status, json.dumps(document).encode(), {"Content-Type": "application/json"})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 10
    field_server: FieldServer

    def _serve(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        if self.command.startswith("P") and "content-length" not in headers:
            self.close_connection = True  # the line broke within the headers
            return
        body = self._body(int(headers.get("content-length", "0")), headers)
        try:
            reply = self.field_server.answer(Arrived(self.command, self.path, headers, body))
        except Cut:
            self.close_connection = True
            return
        self.send_response(reply.status)
        for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    def _body(self, size: int, headers: dict[str, str]) -> bytes:
        """Read the body; keep what an upload brought before a cut, as the real server does."""
        body = bytearray()
        while len(body) < size:
            piece = self.rfile.read1(size - len(body))
            if not piece:
                if self.command == "PATCH" and "upload-checksum" not in headers:
                    self.field_server.keep(self.path, headers, bytes(body))
                raise ConnectionResetError
            body += piece
        return bytes(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_HEAD = _serve  # noqa: N815 - the library's names

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Say nothing."""


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A cut line is what these tests are about."""


@contextmanager
def serving(server: FieldServer, certificate: Path | None = None) -> Iterator[str]:
    """Serve on a free loopback port, over TLS with a certificate; yields the address."""
    handler = type("Handler", (_Handler,), {"field_server": server})
    with _Quiet(("127.0.0.1", 0), handler) as httpd:
        if certificate is not None:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(certificate)
            httpd.socket = context.wrap_socket(httpd.socket, server_side=True)
        thread = threading.Thread(target=httpd.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http{'s' if certificate else ''}://127.0.0.1:{httpd.server_address[1]}"
        finally:
            httpd.shutdown()
            thread.join()
