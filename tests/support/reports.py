"""Bodies of seizure reports and ops of phones, complete and plausible, for tests to vary."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fieldapi.ids import new_id
from sync.clock import next_stamp

Body = dict[str, Any]  # what a test may bend out of shape

SEIZED_AT = "2026-11-30T05:10:00.000Z"
FIELD: Body = {
    "lat": 22.30391,
    "lon": 70.80216,
    "accuracy_m": 8,
    "altitude_m": None,
    "fixed_at": SEIZED_AT,
    "source": "gps",
    "mocked": False,
}


def seizure_body(**changes: Any) -> Body:
    """Return the body of a new report with two lots and one photo."""
    body: Body = {
        "id": new_id(),
        "seized_at": SEIZED_AT,
        "capacity": "watch_and_ward",
        "ground": "trespass",
        "place_kind": "private_land",
        "location": dict(FIELD),
        "animals": [animal_body("buffalo", 2), animal_body("cow", 3)],
        "photos": [photo_body(b"a photo")],
    }
    return {**body, **changes}


def animal_body(kind: str, count: object, **changes: Any) -> Body:
    """Return one lot of animals."""
    return {"id": new_id(), "kind": kind, "count": count, **changes}


def photo_body(content: bytes, **changes: Any) -> Body:
    """Return the announcement of a photo with this content."""
    body: Body = {
        "id": new_id(),
        "sha256": hashlib.sha256(content).hexdigest(),
        "size": len(content),
        "media_type": "image/jpeg",
        "subject": "animals",
        "source": "camera",
        "taken_at": SEIZED_AT,
    }
    return {**body, **changes}


@dataclass(slots=True)
class Pen:
    """Writes the ops of one phone: stamps and counters grow as they should."""

    actor: str
    by: str
    now_ms: int = 1_796_015_400_000
    last: str | None = None
    n: int = 0
    written: list[Body] = field(default_factory=list)

    def op(self, kind: str, record: str, **parts: Any) -> Body:
        """Return the next op; `base` defaults to what an author who saw no value sends."""
        self.now_ms += 1000
        self.n += 1
        self.last = next_stamp(self.now_ms, self.last, self.actor)
        values = parts.get("set")
        fields = values if isinstance(values, Mapping) else {}
        op: Body = {
            "op": new_id(),
            "kind": kind,
            "id": record,
            "by": self.by,
            "t": self.last,
            "at": self.now_ms,
            "n": self.n,
            "base": {name: [] for name in fields},
        }
        op.update(parts)
        self.written.append(op)
        return op

    def seizure(self, record: str, **fields: Any) -> Body:
        """Return the create of a seizure."""
        values: Body = {
            "seized_at": SEIZED_AT,
            "capacity": "watch_and_ward",
            "ground": "trespass",
            "place_kind": "private_land",
            "location": dict(FIELD),
            **fields,
        }
        return self.op("seizure", record, new=True, set=values)

    def animal(self, record: str, seizure: str, kind: str, count: object) -> Body:
        """Return the create of a lot of animals."""
        values: Body = {"seizure_id": seizure, "kind": kind, "count": count}
        return self.op("animal", record, new=True, set=values)


def push_body(ops: Sequence[object], **members: Any) -> Body:
    """Return a sync request that carries ops."""
    return {
        "protocol": 1,
        "schema": 1,
        "device_now": "2026-11-30T06:10:00.000Z",
        "cursor": None,
        "ops": [*ops],
        **members,
    }
