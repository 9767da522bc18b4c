"""Servers with one fault each, made from ours by a layer around it: what the kit must find out.

A fault changes what is asked before our server sees it, or what it answers. Used by `test_faults`.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from werkzeug.wrappers import Request, Response

from tests.conformance.line import Document, new_id, now_ms

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_DAY_MS = 86_400_000


def _same(_: Document) -> None:
    """Change nothing."""


def _kept(_: Document) -> bool:
    return False


def _told(_asked: Document, _told: Document) -> None:
    """Answer as it is."""


def _passed(_: Request, response: Response) -> Response:
    return response


@dataclass(frozen=True)
class Fault:
    """What is wrong with a server. `fails`: the scenarios that must say so.

    `reads`: changes what is asked; `loses`: says which ops are acknowledged and thrown away;
    `tells`: changes what is answered to it; `passes`: what becomes of any answer of any route.
    """

    name: str
    fails: Sequence[str]
    reads: Callable[[Document], None] = _same
    loses: Callable[[Document], bool] = _kept
    tells: Callable[[Document, Document], None] = _told
    passes: Callable[[Request, Response], Response] = _passed


class Faulty:
    """Our server behind the fault that is set."""

    def __init__(self, app: WSGIApplication) -> None:
        self.app = app
        self.fault = Fault("none", ())

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterator[bytes]:
        request = Request(environ)
        body = request.get_data()
        asked = _json(body) if request.path == "/api/v1/sync" else None
        response = self._ask(environ, body if asked is None else self._read(body, asked))
        if asked is not None and response.status_code == 200:
            self._tell(asked, response)
        return iter(self.fault.passes(request, response)(environ, start))

    def _ask(self, environ: WSGIEnvironment, body: bytes) -> Response:
        sent = {**environ, "wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}
        return Response.from_app(self.app, sent, buffered=True)

    def _read(self, body: bytes, asked: Document) -> bytes:
        if self.fault.reads is _same and self.fault.loses is _kept:
            return body
        changed = deepcopy(asked)
        self.fault.reads(changed)
        lost = [self.fault.loses(op) for op in asked["ops"]]
        pairs = zip(changed["ops"], lost, strict=True)
        changed["ops"] = [op for op, is_lost in pairs if not is_lost]
        asked["lost"] = lost
        return json.dumps(changed).encode()

    def _tell(self, asked: Document, response: Response) -> None:
        told = json.loads(response.get_data())
        if any(lost := asked.get("lost", [])):
            real = iter(told["results"])
            pairs = enumerate(zip(asked["ops"], lost, strict=True))
            told["results"] = [
                _lie(i, op) if is_lost else {**next(real), "i": i} for i, (op, is_lost) in pairs
            ]
        self.fault.tells(asked, told)
        response.set_data(json.dumps(told).encode())


def _lie(index: int, op: Document) -> Document:
    said = {"i": index, "op": op["op"], "status": "applied", "seq": 1}
    return {**said, "replayed": False, "fields": {}}


def _json(body: bytes) -> Document | None:
    """Return a plain envelope; None for one that only our own server should read."""
    try:
        asked = json.loads(body, parse_constant=lambda _: 1 / 0)
    except (ValueError, ZeroDivisionError):
        return None
    is_plain = isinstance(asked, dict) and all("set" in op or "kind" in op for op in asked["ops"])
    return asked if is_plain else None


# ---- what a fault does ---------------------------------------------------------------------------


def _each_op(change: Callable[[Document], None]) -> Callable[[Document], None]:
    def read(asked: Document) -> None:
        for op in asked["ops"]:
            change(op)

    return read


def _each_put(change: Callable[[Document], None]) -> Callable[[Document, Document], None]:
    def tell(_asked: Document, told: Document) -> None:
        for one in told["changes"]:
            if one["what"] == "put":
                change(one)

    return tell


def _each_review(change: Callable[[Document], None]) -> Callable[[Document, Document], None]:
    def each(put: Document) -> None:
        for one in put["reviews"]:
            change(one)

    return _each_put(each)


def _without(what: str) -> Callable[[Document, Document], None]:
    def tell(_asked: Document, told: Document) -> None:
        told["changes"] = [one for one in told["changes"] if one["what"] != what]

    return tell


def _every(count: int) -> Callable[[Document], bool]:
    numbers, turn = itertools.count(1), threading.Lock()

    def is_lost(_: Document) -> bool:
        with turn:
            return next(numbers) % count == 0

    return is_lost


def _of_another(seen: dict[str, str]) -> Callable[[Document], bool]:
    return lambda op: seen.setdefault(op["op"], op["t"][-16:]) != op["t"][-16:]


def _renamed(op: Document) -> None:
    op["op"] = new_id()


def _of_today(op: Document) -> None:
    op["at"] = op["at"] or now_ms()


def _knowing_nothing(op: Document) -> None:
    op["base"] = {name: [] for name in op["base"]}


def _blanking(op: Document) -> None:
    if op["kind"] == "seizure" and not op.get("new") and op.get("set"):
        op["set"].setdefault("survey_no", None)
        op["base"].setdefault("survey_no", [])


def _without_news(op: Document) -> None:
    op.get("set", {}).pop("brand_new", None)


def _unpaged(asked: Document) -> None:
    asked["limit"] = 500


def _agreeing(asked: Document, told: Document) -> None:
    for one in told["results"]:
        one["status"] = "applied" if one["status"] == "conflict" else one["status"]
    _each_put(lambda put: put.update(reviews=[]))(asked, told)


def _disputing(put: Document) -> None:
    named = {one["field"] for one in put["reviews"]}
    for name, marks in put["stamps"].items():
        if len(marks) > 1 and name not in named:
            put["reviews"].append({"id": new_id(), "field": name, "state": "open", "heads": []})


def _punctual(asked: Document, told: Document) -> None:
    for op, one in zip(asked["ops"], told["results"], strict=True):
        if abs(op["at"] - now_ms()) > _DAY_MS:
            one["status"] = "rejected"


def _parents_first(asked: Document, told: Document) -> None:
    there = {op["id"] for op in asked["ops"] if op["kind"] == "seizure"}
    for op, one in zip(asked["ops"], told["results"], strict=True):
        if op["kind"] == "animal" and op.get("new") and op["set"].get("seizure_id") not in there:
            one["status"] = "quarantined"


def _endless() -> Callable[[Document, Document], None]:
    numbers = itertools.count(1)
    return lambda _, told: told.update(more=next(numbers) % 10 != 0)


def _twice(_asked: Document, told: Document) -> None:
    told["changes"] *= 2


def _trusting(_asked: Document, told: Document) -> None:
    for one in told["results"]:
        one["status"] = "applied" if one["status"] == "held" else one["status"]


def _final(review: Document) -> None:
    review["state"] = "decided" if "decided" in review else review["state"]


def _one_head(put: Document) -> None:
    put["stamps"] = {name: marks[-1:] for name, marks in put["stamps"].items()}


def _empty_where_disputed(put: Document) -> None:
    for name, marks in put["stamps"].items():
        if len(marks) > 1:
            marks.clear()
            put["record"][name] = None


def _struck_for_good(seen: set[str]) -> Callable[[Document], None]:
    def change(put: Document) -> None:
        if put["record"].get("struck"):
            seen.add(put["id"])
        elif put["id"] in seen:
            put["record"]["ear_tags"] = []

    return change


def _last_fix(put: Document) -> None:
    if put["record"].get("fixes"):
        put["record"]["location"] = put["record"]["fixes"][-1]


def _unerased(put: Document) -> None:
    if "owner.mobile" in put["record"]:
        put["record"]["owner.mobile"] = "9000000000"


def _unproven(_asked: Document, told: Document) -> None:
    for head in told["tree_heads"]:
        head["consistency"] = []


def _all_or_nothing(request: Request, response: Response) -> Response:
    return Response(status=400) if b"NaN" in request.get_data() else response


def _swallowing(request: Request, response: Response) -> Response:
    is_packed = request.headers.get("Content-Encoding") == "gzip"
    return Response("{}", content_type="application/json") if is_packed else response


def _open_door(_: Request, response: Response) -> Response:
    told = '{"results": [], "changes": []}'
    return Response(told, content_type="application/json") if _is(response, 401) else response


def _any_protocol(_: Request, response: Response) -> Response:
    return Response(status=400) if _is(response, 426) else response


def _is(response: Response, status: int) -> bool:
    return response.status_code == status


FAULTS = (
    Fault("loses one op in ten", ("7.1", "7.8b", "7.9"), loses=_every(10)),
    Fault("knows no op again", ("7.2", "7.12", "7.15b"), reads=_each_op(_renamed)),
    Fault("one bad op refuses all", ("7.3",), passes=_all_or_nothing),
    Fault("opens no review", ("7.4a", "7.24a", "7.28", "7.29a"), tells=_agreeing),
    Fault("two heads are a conflict", ("7.4b", "7.29c"), tells=_each_put(_disputing)),
    Fault("believes a clock that stands", ("7.5a",), reads=_each_op(_of_today)),
    Fault("refuses a clock that is off", ("7.5b",), tells=_punctual),
    Fault("reads no base", ("7.5c", "7.7", "7.24b"), reads=_each_op(_knowing_nothing)),
    Fault("wants the parent first", ("7.8a",), tells=_parents_first),
    Fault("makes pages as it likes", ("7.9",), reads=_unpaged),
    Fault("inflates what it is sent", ("7.10",), passes=_swallowing),
    Fault("comes to no end", ("7.11",), tells=_endless()),
    Fault("tells a change twice", ("7.12",), tells=_twice),
    Fault("blanks what is absent", ("7.13a",), reads=_each_op(_blanking)),
    Fault("drops what it does not know", ("7.13b",), reads=_each_op(_without_news)),
    Fault("lets anybody in", ("7.14",), passes=_open_door),
    Fault("has one op under an id", ("7.15a",), loses=_of_another({})),
    Fault(
        "links no reports", ("7.16a",), tells=_each_put(lambda put: put["record"].update(flags=[]))
    ),
    Fault("holds nothing", ("7.6", "7.16b", "7.30a"), tells=_trusting),
    Fault("says no farewell", ("7.20a", "7.20b"), tells=_without("leave")),
    Fault("decides for good", ("7.21a", "7.21b", "7.28b", "7.29b"), tells=_each_review(_final)),
    Fault("keeps one value", ("7.4a", "7.22", "7.28"), tells=_each_put(_one_head)),
    Fault("empties what is disputed", ("7.23",), tells=_each_put(_empty_where_disputed)),
    Fault("strikes for good", ("7.25",), tells=_each_put(_struck_for_good(set()))),
    Fault("erases nothing", ("7.26",), tells=_each_put(_unerased)),
    Fault("puts a later fix in place", ("7.27",), tells=_each_put(_last_fix)),
    Fault("tells no outcome", ("7.30b",), tells=_without("outcome")),
    Fault("proves no head", ("3",), tells=_unproven),
    Fault("speaks every protocol", ("7.0",), passes=_any_protocol),
)
