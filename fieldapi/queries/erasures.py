"""Reads erasures: what was taken out, when and for which reason. Never what it said."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from fieldapi.models import Erasure
from fieldapi.problems import NotFound


@dataclass(frozen=True, slots=True)
class ErasureView:
    """An erasure. `record`: `kind/id`; `ops`: what was taken from, as `actor/op`; `fields`: all of
    which something is gone.
    """

    id: str
    record: str
    ops: list[str]
    fields: list[str]
    reason: str
    at: datetime


def erasure(session: Session, authority_id: str, erasure_id: str) -> ErasureView:
    """Return one erasure. Raises `NotFound`."""
    row = session.get(Erasure, (authority_id, erasure_id))
    if row is None:
        raise NotFound("There is no such erasure.")
    return view_erasure(row)


def view_erasure(row: Erasure) -> ErasureView:
    """Return an erasure as it is read."""
    ops: dict[str, list[str]] = json.loads(row.ops)
    return ErasureView(
        id=row.id,
        record=f"{row.kind}/{row.record_id}",
        ops=sorted(ops),
        fields=sorted({name for names in ops.values() for name in names}),
        reason=row.reason,
        at=row.at,
    )
