"""Arrivals at a pound over REST."""

from __future__ import annotations

from fieldapi.api.captured import Noun, routes_of
from fieldapi.api.schemas.intakes import IntakeSchema, NewIntakeSchema

blp = routes_of(Noun("intake", "intakes", "What arrived at a pound"), NewIntakeSchema, IntakeSchema)
