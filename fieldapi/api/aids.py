"""Police aid over REST."""

from __future__ import annotations

from fieldapi.api.captured import Noun, routes_of
from fieldapi.api.schemas.aids import AidSchema, NewAidSchema

blp = routes_of(
    Noun("aid", "aids", "Help that the police gave against resistance or rescue"),
    NewAidSchema,
    AidSchema,
)
