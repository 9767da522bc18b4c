"""Notes that a paper was printed: the first print is the original, every later one a duplicate.

Called by the api and the console.
"""

from __future__ import annotations

from fieldapi.domain.words import sentence
from fieldapi.models import Document
from fieldapi.problems import Conflict
from fieldapi.queries import papers
from fieldapi.services.authorise import Principal, require
from fieldapi.unit import Unit


def printed(unit: Unit, principal: Principal, document_id: str) -> Document:
    """Count one print of a paper. Raises `NotFound`, `Conflict` (it is void)."""
    require(principal, "document.print")
    row = papers.paper(unit.session, principal, document_id)
    unit.session.refresh(row, with_for_update=True)
    if row.voided_at is not None:
        raise Conflict(sentence("This paper is void."))
    row.prints += 1
    row.printed_at = unit.now
    unit.enter(
        row.authority_id,
        "document.printed",
        subject=f"document/{row.id}",
        actor=principal.actor,
        prints=row.prints,
    )
    return row
