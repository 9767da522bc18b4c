"""Which language a caller of the API reads. Used by `errors.py`, and by routes whose answers hold
sentences of the law.

English unless `Accept-Language` names another one; what programs branch on is never translated.
"""

from __future__ import annotations

from typing import TypeVar

from flask import Response, make_response, request

from fieldapi.domain.words import Sentence
from fieldapi.locale import asked, gettext

_Answer = TypeVar("_Answer", bound=Response)


def spoken() -> str:
    """Return the one of `LANGUAGES` that `Accept-Language` asks for first, else English."""
    return asked(request.accept_languages)


def translated(value: object) -> object:
    """Return a JSON value with every sentence in it in the caller's language; the rest stays."""
    if isinstance(value, Sentence):
        return gettext(value, spoken())
    if isinstance(value, dict):
        return {name: translated(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [translated(one) for one in value]
    return value


def marked(response: _Answer) -> _Answer:
    """Return an answer that says which language it is in, and that others would get another."""
    response.content_language.add(spoken())
    response.vary.add("Accept-Language")
    return response


def said(value: object, status: int = 200) -> Response:
    """Return an answer whose sentences are in the caller's language."""
    return marked(make_response(translated(value), status))
