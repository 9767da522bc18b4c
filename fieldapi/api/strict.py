"""Reads request bodies as strict JSON and hands schema faults on by field path.

Views use `@blp.arguments(...)`, or `json_body()` where they need the value as it was sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn

import marshmallow as ma
from flask import Request, g, request
from webargs.core import missing
from webargs.flaskparser import FlaskParser

from fieldapi.problems import BadRequest, InvalidBody, InvalidJson
from sync.wire import JSON, WireError, loads

BODY = "json"
_SCHEMA = "_schema"


@dataclass(frozen=True, slots=True)
class JsonBody:
    """A body as it came: `raw` bytes, and the one `value` they mean."""

    raw: bytes
    value: dict[str, JSON]


def json_body() -> JsonBody:
    """Return the body of this request, an object. Raises `InvalidJson`; reads it only once."""
    if "json_body" not in g:
        raw = request.get_data(cache=True)
        g.json_body = JsonBody(raw, json_object(raw))
    body: JsonBody = g.json_body
    return body


def json_object(raw: bytes) -> dict[str, JSON]:
    """Return the JSON object in `raw`. Raises `InvalidJson` for anything else."""
    try:
        value = loads(raw)
    except WireError as exc:
        raise invalid_json(exc) from exc
    if not isinstance(value, dict):
        raise InvalidJson("The body has to be one JSON object.", code="not-an-object")
    return value


def invalid_json(fault: WireError) -> InvalidJson:
    """Return the problem that tells a fault; names and values in it stay as they are spelt."""
    return InvalidJson(f"{fault.detail[:1].upper()}{fault.detail[1:]}.", code=fault.code)


class StrictParser(FlaskParser):
    """Parses what `@blp.arguments` declares, without the kindness of the usual JSON reader."""

    DEFAULT_UNKNOWN_BY_LOCATION = {  # noqa: RUF012 - the library's own form
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "query": ma.RAISE,
        "querystring": ma.RAISE,
    }

    def load_json(self, req: Request, schema: ma.Schema) -> object:
        """Return the body; nothing sent at all counts as an object without members."""
        if not req.get_data(cache=True) and req.mimetype == "":
            return missing
        return json_body().value

    def handle_error(
        self, error: ma.ValidationError, req: Request, schema: ma.Schema, **_: object
    ) -> NoReturn:
        """Raise the problem that fits the place of the fault, with messages by field path."""
        ((place, messages),) = error.normalized_messages().items()
        errors = by_path(messages)
        if place == BODY:
            raise InvalidBody(_summary(errors), errors=errors) from error
        raise BadRequest(_summary(errors), errors=errors) from error


def by_path(messages: object) -> dict[str, list[str]]:
    """Return marshmallow's nested messages flat.

    >>> by_path({"animals": {0: {"count": ["Too many."]}}, "id": ["Missing."]})
    {'animals.0.count': ['Too many.'], 'id': ['Missing.']}
    """
    flat: dict[str, list[str]] = {}
    for path, message in _walk(messages, ()):
        flat.setdefault(".".join(path), []).append(message)
    return flat


def _walk(messages: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(messages, Mapping):
        for name, inner in messages.items():
            yield from _walk(inner, path if name == _SCHEMA else (*path, str(name)))
    elif isinstance(messages, list | tuple):
        for inner in messages:
            yield from _walk(inner, path)
    else:
        yield path, str(messages)


def _summary(errors: Mapping[str, list[str]]) -> str:
    names = [name for name in errors if name]
    return f"Look at: {', '.join(names[:10])}." if names else "Some values cannot be taken."
