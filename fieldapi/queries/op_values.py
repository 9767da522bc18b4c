"""What ops said, field by field, for whoever asks what a change replaced. Shared by the doors."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from fieldapi.models import OpPayload, OpRow
from sync.wire import JSON, WireError, loads

Values = Mapping[str, JSON]


class Erased:
    """Stands for a value that was erased; nobody can read it any more."""


ERASED = Erased()


def of_records(
    session: Session, authority_id: str, keys: Iterable[tuple[str, str]]
) -> dict[str, dict[str, object]]:
    """Return what each op set, by `actor/op`, for records named by kind and id."""
    by_kind: dict[str, list[str]] = {}
    for kind, record_id in keys:
        by_kind.setdefault(kind, []).append(record_id)
    wanted = [and_(OpRow.kind == kind, OpRow.record_id.in_(ids)) for kind, ids in by_kind.items()]
    query = (
        select(OpRow.actor, OpRow.op, OpRow.payload, OpPayload.payload, OpPayload.erased)
        .outerjoin(
            OpPayload,
            and_(
                OpRow.authority_id == OpPayload.authority_id,
                OpRow.actor == OpPayload.actor,
                OpRow.op == OpPayload.op,
            ),
        )
        .where(OpRow.authority_id == authority_id, or_(*wanted))
    )
    return {
        f"{actor}/{op}": _said(plain or personal or b"", erased)
        for actor, op, plain, personal, erased in session.execute(query)
    }


def _said(payload: bytes, erased: str | None) -> dict[str, object]:
    try:
        op = loads(payload)
    except WireError:
        return {}
    given = op.get("set") if isinstance(op, dict) else None
    said: dict[str, object] = dict(given) if isinstance(given, dict) else {}
    gone = json.loads(erased) if erased else []
    return said | dict.fromkeys(gone, ERASED)
