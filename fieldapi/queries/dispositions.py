"""What finally became of heads. Shared by the acts and the books."""

from __future__ import annotations

from sqlalchemy import Select, select

from fieldapi.models import Custody, Disposition


def standing(authority_id: str) -> Select[Disposition]:
    """Return the query for the dispositions that nothing has undone, joined to their heads."""
    of_head = (Custody.authority_id == Disposition.authority_id) & (
        Custody.id == Disposition.custody_id
    )
    return (
        select(Disposition)
        .join(Custody, of_head)
        .where(Disposition.authority_id == authority_id, Disposition.undone_by.is_(None))
    )
