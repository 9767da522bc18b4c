"""What a scenario is, who plays in it, and the list of all. A scenario raises `AssertionError` with
the reason if the server does not keep it.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sync.clock import rfc3339
from sync.merge import review_id
from tests.conformance.line import Device, Document, Line, new_id, now_ms

PATIENCE_S, PAUSE_S = 20, 0.3
FIELD = {
    "lat": 22.30391,
    "lon": 70.80216,
    "accuracy_m": 8,
    "altitude_m": None,
    "source": "gps",
    "mocked": False,
}
ROLES = ("author", "author2", "other", "keeper", "leaver", "reviewer", "pending", "admin")


@dataclass
class Cast:
    """Who plays: phones by role, as the kit's help tells."""

    line: Line
    devices: Mapping[str, Device]

    def __getattr__(self, role: str) -> Device:
        return self.devices[role]

    def pound(self) -> str:
        """Return the pound that the keeper keeps."""
        kept = self.keeper.ask("GET", "/api/v1/me").json.get("keeps") or []
        need(bool(kept), "GET /api/v1/me names no pound that the keeper keeps")
        return str(kept[0])


@dataclass(frozen=True)
class Scenario:
    """One scenario of docs/protocol/sync.md section 7, as far as it can be seen from outside."""

    number: str
    title: str
    needs: Sequence[str]
    play: Callable[[Cast], None] = field(repr=False)


ALL: list[Scenario] = []


def scenario(number: str, title: str, *needs: str) -> Callable[[Callable[[Cast], None]], Any]:
    """List a scenario. `needs`: the roles that play in it."""

    def add(play: Callable[[Cast], None]) -> Callable[[Cast], None]:
        ALL.append(Scenario(number, title, needs, play))
        return play

    return add


def need(holds: bool, otherwise: str) -> None:  # noqa: FBT001 - a claim and what to say without it
    """Raise `AssertionError` with a reason unless the claim holds."""
    if not holds:
        raise AssertionError(otherwise)


def need_equal(found: object, wanted: object, what: str) -> None:
    """Raise `AssertionError` unless two values are equal."""
    need(found == wanted, f"{what}: {found!r}, not {wanted!r}")


def need_soon(holds: Callable[[], bool], otherwise: str) -> None:
    """Raise `AssertionError` unless it holds by and by: work that a server may do later."""
    until = time.monotonic() + PATIENCE_S
    while not holds():
        need(time.monotonic() < until, f"{otherwise}, {PATIENCE_S} s after")
        time.sleep(PAUSE_S)


# ---- what scenarios begin with -------------------------------------------------------------------


def somewhere() -> Document:
    """Return a place where nobody else reports from: close ones may be taken for one seizure."""
    return {
        **FIELD,
        "lat": 21 + secrets.randbelow(2_000_000) / 1e6,
        "lon": 70 + secrets.randbelow(2_000_000) / 1e6,
        "fixed_at": rfc3339(now_ms()),
    }


def report(device: Device, record: str | None = None, **fields: Any) -> Document:
    """Return the create of a seizure."""
    values = {
        "seized_at": rfc3339(now_ms()),
        "capacity": "watch_and_ward",
        "ground": "trespass",
        "place_kind": "private_land",
        "location": somewhere(),
        **fields,
    }
    return device.op("seizure", record or new_id(), new=True, set=values)


def lot(device: Device, seizure: str, count: int, record: str | None = None) -> Document:
    """Return the create of a lot of animals."""
    values = {"seizure_id": seizure, "kind": "cow", "count": count}
    return device.op("animal", record or new_id(), new=True, set=values)


def begin(
    device: Device, fields: Mapping[str, Any] | None = None, *, count: int = 2
) -> tuple[Document, Document]:
    """Hand in a report with one lot; return both creates."""
    seizure = report(device, **(fields or {}))
    animal = lot(device, seizure["id"], count)
    need_statuses(device.push(seizure, animal), "applied")
    return seizure, animal


def edit(device: Device, of: Document, name: str, value: Any, *base: Document) -> Document:
    """Return an op that sets one field of the record of `of`, over the ops in `base`."""
    return device.op(
        of["kind"], of["id"], set={name: value}, base={name: [one["op"] for one in base]}
    )


def need_statuses(results: Sequence[Document], *statuses: str) -> None:
    """Raise `AssertionError` unless every result has one of these statuses."""
    wrong = [one for one in results if one["status"] not in statuses]
    need(not wrong, f"not {' or '.join(statuses)}: {wrong[:2]}")


def heads_of(change: Document, name: str) -> list[str]:
    """Return the ops that nobody replaced in a field, sorted."""
    return sorted(mark["op"].rpartition("/")[2] for mark in change["stamps"].get(name, []))


def open_reviews(change: Document) -> list[str]:
    """Return the fields in which a review is open, sorted."""
    return sorted(one["field"] for one in change["reviews"] if one["state"] == "open")


def review_of(device: Device, of: Document, name: str) -> str:
    """Return the id of the review of a field: everybody can derive it."""
    return review_id(device.authority, of["kind"], of["id"], name)
