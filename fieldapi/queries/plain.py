"""Records as a page needs them: the values of a row, in one tuple. To make an object of the session
for each of 500 rows, and to ask it for its columns, took a quarter of a pull.

Called by `views`. Whoever changes a record, or shows more of it, loads the row itself.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, null, select
from sqlalchemy.orm import Session, class_mapper

from fieldapi.models import RECORDS
from fieldapi.models.once import among_named, made_once
from sync.wire import JSON


class Plain(NamedTuple):
    """A record of any kind. What its kind has no column for is None, `state` is empty."""

    KIND: str
    authority_id: str
    id: str
    author_id: str | None
    received_at: datetime
    heads: str
    shown: str
    is_incomplete: bool
    is_withdrawn: bool
    is_signed: bool
    seizure_id: str | None
    pound_id: str | None
    sha256: str | None
    reference: str | None
    minted_reference: str | None
    state: str

    @property
    def fields(self) -> dict[str, JSON]:
        """Return the shown values by dotted field name."""
        loaded: dict[str, JSON] = json.loads(self.shown)
        return loaded


def load(session: Session, authority_id: str, kind: str, ids: Collection[str]) -> list[Plain]:
    """Return the records of a kind among `ids` that any op has applied to."""
    asked = {"authority": authority_id, "ids": sorted(ids)}
    found = session.connection().execute(_OF_KIND[kind](session), asked)
    return [Plain(kind, *row) for row in found]


def _of_kind(kind: str, session: Session) -> Select[Any]:
    # Columns of the table, not of the model: the rows are none of the session's business.
    row = class_mapper(RECORDS[kind]).columns
    columns = (row.get(name, null()) for name in Plain._fields[1:])
    return select(*columns).where(
        row["authority_id"] == bindparam("authority"),
        among_named(session, row["id"], "ids"),
        row["heads"] != "",
    )


_OF_KIND = {kind: made_once(partial(_of_kind, kind)) for kind in RECORDS}
