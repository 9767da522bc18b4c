"""Throws what the OpenAPI document allows, and what it does not, at every operation of the API.

Called by the contract test (a few examples) and by `./dev soak contract` (many).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import load_all_checks
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode

from fieldapi.api.errors import is_page
from tests.support.personas import Village

# What is not looked for, and why. Everything else that schemathesis knows is.
NOT_LOOKED_FOR: Mapping[str, str] = {
    "positive_data_acceptance": "a well-formed id of nothing is 404, a well-formed act may be 409",
    "negative_data_rejection": "an unknown member of an op is kept (docs/protocol/sync.md)",
    "ignored_auth": "held by the matrix of routes and roles, for every route",
    "use_after_free": "nothing is ever deleted",
    "ensure_resource_availability": "a report may be held until somebody looks at it",
}
WHO = ("admin", "asha", "bina", "mohan")


@dataclass(slots=True)
class Walk:
    """What a walk over all operations found. `asked`: requests sent, by operation."""

    asked: dict[str, int] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)


def walk(app: Flask, village: Village, *, examples: int, start: int = 0) -> Walk:
    """Ask every operation so many times as each of four people, well and badly."""
    found = Walk()
    for label, operation in operations(app):
        for number, name in enumerate(WHO):
            _ask(found, label, operation, village[name].headers, (examples, start + number))
    return found


def operations(app: Flask) -> Iterator[tuple[str, schemathesis.APIOperation]]:
    """Yield every documented operation."""
    document = schemathesis.openapi.from_wsgi("/openapi.json", app)
    document.config.generation.update(modes=[GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
    for result in document.get_all_operations():
        operation = result.ok() if isinstance(result, Ok) else None
        assert operation is not None, result
        # Pages answer people in HTML; tests/integration/console and tests/web read them.
        if not is_page(operation.path):
            yield operation.label, operation


def _ask(
    found: Walk,
    label: str,
    operation: schemathesis.APIOperation,
    headers: Mapping[str, str],
    size: tuple[int, int],
) -> None:
    examples, start = size

    @seed(start)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def ask(case: schemathesis.Case) -> None:
        found.asked[label] = found.asked.get(label, 0) + 1
        try:
            case.call_and_validate(headers=dict(headers), excluded_checks=_excluded())
        except FailureGroup as group:
            for one in group.exceptions:
                found.failures.setdefault(f"{label}: {one.title}", str(one)[:500])
        except Failure as one:
            found.failures.setdefault(f"{label}: {one.title}", str(one)[:500])

    ask()


def _excluded() -> list[Any]:
    load_all_checks()
    known = schemathesis.checks.CHECKS
    return [known.get_one(name) for name in NOT_LOOKED_FOR]
