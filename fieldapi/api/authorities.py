"""The authority of whoever asks. One is founded at the command line, by the operator."""

from __future__ import annotations

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.schemas.authorities import AuthoritySchema
from fieldapi.api.schemas.common import PageSchema, list_of
from fieldapi.api.turns import reading
from fieldapi.problems import NotFound
from fieldapi.queries import authorities as queries
from fieldapi.queries.authorities import AuthorityView
from fieldapi.queries.pages import Page

blp = blueprint("authorities", "/api/v1/authorities", "The authority that owns the records")


@blp.get("")
@needs("authority.read")
@blp.arguments(PageSchema, location="query")
@blp.response(200, list_of(AuthoritySchema))
def index(_query: dict[str, object]) -> Page[AuthorityView]:
    """List the authorities that you belong to: one."""
    return Page([_own(principal().authority_id)], None)


@blp.get("/<authority_id>")
@needs("authority.read")
@blp.response(200, AuthoritySchema)
def read(authority_id: str) -> AuthorityView:
    """Give your authority."""
    return _own(authority_id)


def _own(authority_id: str) -> AuthorityView:
    if authority_id != principal().authority_id:
        raise NotFound
    return reading(lambda session, who: queries.authority(session, who.authority_id))
