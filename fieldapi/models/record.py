"""What the five kinds of captured records share: the heads of their fields, what is shown of
them, and the few columns that lists filter and sort by.

A record is a cache of its ops: `fieldapi ops replay --check` rebuilds every column here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.clock import parse_instant
from fieldapi.models.base import Id, IdKey

Shown = Mapping[str, Any]


class RecordRow:
    """Columns of every captured record. `heads`: `sync.merge.State` as text. `shown`: JSON of
    dotted field → value. `author_id` and `author_actor`: who created it, by the first applied
    `new` op; empty until that op is there. `is_signed`: everything merged here but decisions bears
    the signature of a device.
    """

    KIND: ClassVar[str]

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    author_id: Mapped[Id | None]
    author_actor: Mapped[str | None]
    received_at: Mapped[datetime]
    heads: Mapped[str] = mapped_column(default="")
    shown: Mapped[str] = mapped_column(default="{}")
    is_incomplete: Mapped[bool] = mapped_column(default=True)
    is_withdrawn: Mapped[bool] = mapped_column(default=False)
    has_open_review: Mapped[bool] = mapped_column(default=False)
    is_signed: Mapped[bool] = mapped_column(default=False)

    @property
    def fields(self) -> dict[str, Any]:
        """Return the shown values by dotted field name."""
        loaded: dict[str, Any] = json.loads(self.shown)
        return loaded

    @classmethod
    def typed(cls, shown: Shown) -> dict[str, Any]:
        """Return the values of the typed columns that follow from `shown`."""
        raise TypeError(f"{cls.__name__} does not say what its typed columns show")


def text(shown: Shown, field: str) -> str | None:
    """Return a shown text, or None where there is none."""
    value = shown.get(field)
    return value if isinstance(value, str) else None


def instant(shown: Shown, field: str) -> datetime | None:
    """Return a shown instant; an unreadable one was parked before it came here."""
    value = text(shown, field)
    return parse_instant(value) if value else None


def number(shown: Shown, field: str, member: str | None = None) -> float | None:
    """Return a shown number, or a numeric member of a shown object."""
    value = shown.get(field)
    if member is not None:
        value = value.get(member) if isinstance(value, Mapping) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
