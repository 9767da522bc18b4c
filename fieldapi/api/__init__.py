"""The HTTP door for programs: parses, calls services and queries, dumps. One file per noun.

A new noun is added to `BLUEPRINTS`, and its rows to `tests/rules/route_matrix.py`.
"""

from __future__ import annotations

from fieldapi.api import (
    aids,
    authorities,
    calendars,
    cases,
    confirmations,
    devices,
    docs,
    documents,
    enrolments,
    erasures,
    health,
    imports,
    intakes,
    limits,
    me,
    notifications,
    ops,
    parties,
    people,
    photos,
    pounds,
    prior_impoundings,
    reviews,
    rxdb,
    seizures,
    sync,
    tus,
)
from fieldapi.api.blueprint import Blueprint

BLUEPRINTS: tuple[Blueprint, ...] = (
    aids.blp,
    authorities.blp,
    calendars.blp,
    cases.blp,
    cases.deadlines_blp,
    confirmations.blp,
    prior_impoundings.blp,
    notifications.blp,
    parties.blp,
    devices.blp,
    documents.blp,
    enrolments.blp,
    erasures.blp,
    imports.blp,
    intakes.blp,
    me.blp,
    ops.blp,
    people.blp,
    photos.blp,
    pounds.blp,
    reviews.blp,
    rxdb.blp,
    seizures.blp,
    sync.blp,
    tus.blp,
    limits.blp,
    health.blp,
    docs.blp,
)
