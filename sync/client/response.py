"""An answer on the line, and what a refusal means for a phone.

Used by `transport` and whoever reads its answers. Whatever is not recognisably our server's word
becomes `NotOurServer`: a captive portal must never be taken for it.
"""

from __future__ import annotations

import http.client
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from sync import wire
from sync.client import faults
from sync.wire import JSON

MOST_ANSWER = 16 << 20  # an answer that is or inflates beyond this is none
BLOCK = 1 << 14
PROBLEM = "urn:fieldapi:problem:"

_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504, 507})
_BY_STATUS: Mapping[int, type[faults.Fault]] = {
    401: faults.NotSignedIn,
    413: faults.TooMuch,
    426: faults.UpgradeNeeded,
}


@dataclass(frozen=True)
class Response:
    """An answer. Header names are lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> JSON:
        """Return the body as strict JSON. Raises NotOurServer."""
        try:
            return wire.loads(self.body)
        except wire.WireError as exc:
            raise faults.NotOurServer("the answer is not JSON") from exc


def read_response(answer: http.client.HTTPResponse, *, has_body: bool, deadline: float) -> Response:
    """Read an answer to its end. `deadline`: on the monotonic clock.

    Raises TimeoutError, IncompleteRead for a cut, NotOurServer for one without end.
    """
    headers = {name.lower(): value for name, value in answer.getheaders()}
    raw = _read(answer, deadline)
    if has_body and len(raw) < int(headers.get("content-length", "0")):
        raise http.client.IncompleteRead(raw)
    answer.close()  # read1 does not notice the end; the line is free for the next request now
    return Response(answer.status, headers, _inflate(raw, headers.get("content-encoding")))


def fault_of(response: Response) -> faults.Fault:
    """Return what a refusal means for a phone."""
    status = response.status
    if status in _BUSY:
        return faults.Busy(status, _retry_after_s(response.headers))
    known = _BY_STATUS.get(status)
    if known is not None:
        return known(f"the server answered {status}")
    slug = _slug(response)
    if slug is None:
        return faults.NotOurServer(f"this {status} is no answer of our server")
    if slug == "epoch-changed":
        return faults.EpochChanged("the server was restored")
    return faults.Refused(status, slug, response.headers)


def _slug(response: Response) -> str | None:
    """Return the slug of a problem document; empty for a bare refusal, None for a stranger's."""
    if not response.body and "location" not in response.headers:
        return ""
    try:
        problem = wire.loads(response.body)
    except wire.WireError:
        return None
    kind = problem.get("type") if isinstance(problem, dict) else None
    is_ours = isinstance(kind, str) and kind.startswith(PROBLEM)
    return str(kind).removeprefix(PROBLEM) if is_ours else None


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return what `Retry-After` asks for; a date counts from the answer's own `Date`."""
    asked = headers.get("retry-after", "").strip()
    if asked.isdecimal():
        return float(asked)
    try:
        until, told = (parsedate_to_datetime(t) for t in (asked, headers.get("date", "")))
        return max((until - told).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return None


def _read(answer: http.client.HTTPResponse, deadline: float) -> bytes:
    pieces = bytearray()
    while piece := answer.read1(BLOCK):
        pieces += piece
        if len(pieces) > MOST_ANSWER:
            raise faults.NotOurServer("the answer has no end")
        if time.monotonic() > deadline:
            raise TimeoutError("the answer takes too long")
    return bytes(pieces)


def _inflate(raw: bytes, coding: str | None) -> bytes:
    if coding != "gzip" or not raw:
        return raw
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        plain = inflater.decompress(raw, MOST_ANSWER)
    except zlib.error as exc:
        raise faults.NotOurServer("the answer is not the gzip it says") from exc
    if not inflater.eof:
        raise faults.NotOurServer("the answer inflates without end")
    return plain
