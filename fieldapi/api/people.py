"""People over REST: add one, give and end roles, list, read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.resends import Creation, create_once
from fieldapi.api.schemas.common import PageSchema, list_of
from fieldapi.api.schemas.people import (
    EndSchema,
    NewMembershipSchema,
    NewPersonSchema,
    PersonSchema,
    RoleSchema,
)
from fieldapi.api.turns import reading, turn_of
from fieldapi.queries import people as queries
from fieldapi.queries.pages import Page
from fieldapi.queries.people import MembershipView, PersonView
from fieldapi.services import people, record_views
from fieldapi.services.authorise import Principal
from fieldapi.services.people import Grant, NewPerson
from fieldapi.unit import Unit

blp = blueprint("people", "/api/v1/people", "People and what they may do")


@blp.post("")
@needs("person.add")
@blp.arguments(NewPersonSchema)
@blp.response(201, PersonSchema)
@blp.alt_response(200, schema=PersonSchema, description="An identical resend.")
def create(body: Mapping[str, Any]) -> tuple[Any, int]:
    """Add a person with their roles."""
    new = NewPerson(**{**body, "roles": [Grant(**role) for role in body["roles"]]})
    return create_once(
        Creation(
            "person",
            PersonSchema,
            add=lambda unit, who: people.add(unit, who, new),
            show=lambda session, who: _person(session, who, body["id"]),
        )
    )


@blp.get("")
@needs("person.read")
@blp.arguments(PageSchema, location="query")
@blp.response(200, list_of(PersonSchema))
def index(query: Mapping[str, Any]) -> Page[PersonView]:
    """List people, their mobile numbers masked."""
    turn = turn_of(query)
    return reading(lambda session, who: queries.people(session, who.authority_id, turn))


@blp.get("/<person_id>")
@needs("person.read")
@blp.response(200, PersonSchema)
def read(person_id: str) -> PersonView:
    """Give one person; an admin sees the mobile number whole."""
    shown: PersonView = reading(lambda session, who: _person(session, who, person_id))
    who = principal()
    if shown.mobile is not None and who.has("admin") and who.person_id != person_id:
        record_views.note_view(house().database, who, f"person/{person_id}")
    return shown


@blp.post("/<person_id>/roles")
@needs("person.add")
@blp.arguments(NewMembershipSchema)
@blp.response(201, RoleSchema)
@blp.alt_response(200, schema=RoleSchema, description="An identical resend.")
def grant(body: Mapping[str, Any], person_id: str) -> tuple[Any, int]:
    """Give a person one more role."""
    new = Grant(**body)
    return create_once(
        Creation(
            "membership",
            RoleSchema,
            add=lambda unit, who: people.grant(unit, who, new, person_id=person_id),
            show=lambda session, who: queries.membership(session, who.authority_id, body["id"]),
        )
    )


@blp.post("/<person_id>/roles/<role_id>/end")
@needs("person.add")
@blp.arguments(EndSchema)
@blp.response(200, RoleSchema)
def end(body: Mapping[str, Any], person_id: str, role_id: str) -> MembershipView:
    """End a role; one that is over stays as it is."""
    who = principal()

    def work(unit: Unit) -> MembershipView:
        people.get(unit, who, person_id)
        people.end(unit, who, role_id, at=body["at"], log=house().settings.outside_log)
        return queries.membership(unit.session, who.authority_id, role_id)

    return house().database.transact(work)


def _person(session: Session, who: Principal, person_id: str) -> PersonView:
    is_masked = not who.has("admin")
    return queries.person(session, who.authority_id, person_id, is_masked=is_masked)
