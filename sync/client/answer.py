"""The answer of `POST /api/v1/sync` as values, read with suspicion.

Called by `device`. An answer that does not fit what was sent is no answer: a captive portal must
never make a phone drop an op. What a newer server adds is passed over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sync.client.faults import NotOurServer
from sync.client.outbox import Outcome
from sync.wire import JSON

_STORED = frozenset({"applied", "conflict", "held", "quarantined", "rejected"})


@dataclass(frozen=True)
class Result:
    """What became of one op sent. `outcome` is None for `retry`: the phone keeps the op."""

    op: str
    outcome: Outcome | None
    retry_after_ms: int | None


@dataclass(frozen=True)
class Change:
    """One entry of the pull: `put`, `leave`, `closed` or `outcome`. `rev`: orders puts."""

    seq: int
    what: str
    kind: str
    id: str
    rev: int
    document: Mapping[str, JSON]


@dataclass(frozen=True)
class WantedPhoto:
    """A photo whose record the server has and whose bytes it waits for."""

    id: str
    sha256: str


@dataclass(frozen=True)
class TreeHead:
    """The state of one authority's ledger, and the proof that it continues the last one seen.

    `fits`: False where the server says that a head this phone brought back is not of its history.
    """

    authority: str
    epoch: str
    size: int
    root: str
    consistency: tuple[str, ...] = ()
    fits: bool = True


@dataclass(frozen=True)
class Answer:
    """One answer, whole. `server_now_ms`: the server's clock when it answered."""

    epoch: str
    server_now_ms: int
    cursor: str
    more: bool
    results: tuple[Result, ...]
    changes: tuple[Change, ...]
    photos: tuple[WantedPhoto, ...]
    tree_heads: tuple[TreeHead, ...]


def read_answer(document: JSON, sent: Sequence[str]) -> Answer:
    """Return the answer to a request that carried the ops `sent`. Raises NotOurServer."""
    try:
        return _answer(_object(document), sent)
    except KeyError as exc:
        raise NotOurServer(f"the answer lacks {exc}") from exc


def _answer(members: Mapping[str, JSON], sent: Sequence[str]) -> Answer:
    more = members["more"]
    if not isinstance(more, bool):
        raise NotOurServer("more")
    return Answer(
        epoch=_text(members, "epoch"),
        server_now_ms=instant_ms(_text(members, "server_now")),
        cursor=_text(members, "cursor"),
        more=more,
        results=_results(_list(members["results"]), sent),
        changes=tuple(_change(_object(item)) for item in _list(members["changes"])),
        photos=tuple(_photo(_object(item)) for item in _list(members.get("photos", []))),
        tree_heads=tuple(_head(_object(item)) for item in _list(members.get("tree_heads", []))),
    )


def _results(items: Sequence[JSON], sent: Sequence[str]) -> tuple[Result, ...]:
    if len(items) != len(sent):
        raise NotOurServer(f"{len(items)} results for {len(sent)} ops")
    return tuple(
        _result(_object(item), i, op) for i, (item, op) in enumerate(zip(items, sent, strict=True))
    )


def _result(item: Mapping[str, JSON], i: int, op: str) -> Result:
    if item["i"] != i or item["op"] != op:
        raise NotOurServer(f"result {i} answers another op")
    status = _text(item, "status")
    if status not in _STORED:
        return Result(op, None, _whole(item.get("retry_after_ms")))
    fields = _object(item.get("fields") or {})
    parked = frozenset(name for name, told in fields.items() if _is_parked(told))
    code, reason = (item.get(name) for name in ("code", "reason"))
    outcome = Outcome(
        status,
        seq=_whole(item.get("seq")),
        code=code if isinstance(code, str) else None,
        parked=parked,
        reason=reason if isinstance(reason, str) else None,
    )
    return Result(op, outcome, None)


def _is_parked(told: JSON) -> bool:
    return isinstance(told, dict) and told.get("code") not in (None, "corrected")


def _change(item: Mapping[str, JSON]) -> Change:
    what = _text(item, "what")
    seq = _whole(item["seq"])
    if seq is None:
        raise NotOurServer("a change without seq")
    record = item.get("op" if what == "outcome" else "id")
    kind = item.get("kind")
    return Change(seq, what, str(kind), str(record), _rev(item.get("rev"), seq), item)


def _rev(rev: JSON, seq: int) -> int:
    """Return the place in `{epoch}.{seq}`, the change's own place if there is none."""
    last = str(rev).strip('"').rpartition(".")[2]
    return int(last) if rev is not None and last.isdecimal() else seq


def _photo(item: Mapping[str, JSON]) -> WantedPhoto:
    return WantedPhoto(_text(item, "id"), _text(item, "sha256"))


def _head(item: Mapping[str, JSON]) -> TreeHead:
    size = _whole(item["size"])
    if size is None:
        raise NotOurServer("a tree head without size")
    proof = tuple(str(node) for node in _list(item.get("consistency", [])))
    names = (_text(item, "authority"), _text(item, "epoch"))
    fits = item.get("fits") is not False
    return TreeHead(*names, size, _text(item, "root"), proof, fits)


def _object(value: JSON) -> Mapping[str, JSON]:
    if not isinstance(value, dict):
        raise NotOurServer(f"no object: {value!r:.40}")
    return value


def _list(value: JSON) -> Sequence[JSON]:
    if not isinstance(value, list):
        raise NotOurServer(f"no list: {value!r:.40}")
    return value


def _text(members: Mapping[str, JSON], name: str) -> str:
    value = members[name]
    if not isinstance(value, str):
        raise NotOurServer(name)
    return value


def _whole(value: JSON) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def instant_ms(text: str) -> int:
    """Return an RFC 3339 instant as milliseconds since 1970. Raises NotOurServer."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as exc:
        raise NotOurServer(f"no instant: {text:.40}") from exc
    if moment.tzinfo is None:
        raise NotOurServer("an instant without a zone")
    return round(moment.timestamp() * 1000)
