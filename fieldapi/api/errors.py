"""Turns whatever was raised into one problem document (RFC 9457), or a page where people read.

The only place that knows both problems and HTTP. Unexpected failures are logged here, once.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from types import MappingProxyType

import structlog
from flask import Flask, Response, g, request
from gunicorn.http.errors import (
    ChunkMissingTerminator,
    InvalidChunkExtension,
    InvalidChunkSize,
    NoMoreData,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from fieldapi import problems
from fieldapi.api.language import marked, translated
from fieldapi.domain.words import sentence
from fieldapi.engine import is_down
from fieldapi.problems import Problem
from fieldapi.storage import IntegrityError, SpoolFull, StorageDenied, StorageUnavailable

MEDIA = "application/problem+json"
PAGES = ("/app/", "/board/", "/console/", "/enrol/", "/verify")

Page = Callable[[Problem, str], str]
log = structlog.get_logger(__name__)

_BY_STATUS: Mapping[int, type[Problem]] = MappingProxyType(
    {
        400: problems.BadRequest,
        401: problems.NotAuthenticated,
        403: problems.NotAllowed,
        404: problems.NotFound,
        405: problems.MethodNotAllowed,
        409: problems.Conflict,
        410: problems.UploadGone,
        412: problems.PreconditionFailed,
        413: problems.TooLarge,
        415: problems.UnsupportedMedia,
        416: problems.RangeNotSatisfiable,
        422: problems.InvalidBody,
        428: problems.PreconditionRequired,
        429: problems.TooManyRequests,
        503: problems.Unavailable,
    }
)
# What gunicorn says, while a body is read, of chunks that are none.
_MALFORMED = (ChunkMissingTerminator, InvalidChunkExtension, InvalidChunkSize, NoMoreData)
_WAITING = (problems.TooManyRequests.status, problems.Unavailable.status)
# Members of a problem that clients also look for in a header.
_HEADERS = {"retry_after": "Retry-After", "upload_offset": "Upload-Offset", "allow": "Allow"}


def install(app: Flask, page: Page) -> None:
    """Answer every failure of `app`; `page` makes the HTML for people, from problem and id."""

    def answer(error: Exception) -> Response | RequestRedirect:
        if isinstance(error, RequestRedirect):
            return error
        problem = _with_wait(as_problem(error))
        return _as_page(problem, page) if is_page(request.path) else as_response(problem)

    app.register_error_handler(Exception, answer)


def is_page(path: str) -> bool:
    """Say whether people, not programs, read what is at `path`."""
    return path.startswith(PAGES) or f"{path}/" in PAGES


def as_problem(error: Exception) -> Problem:
    """Return what to tell the caller; logs what the caller cannot be told."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, HTTPException) and error.code is not None and error.code in _BY_STATUS:
        return _from_http(error, _BY_STATUS[error.code])
    if isinstance(error, _MALFORMED):
        return problems.BadRequest("The chunks of the body are not well formed.")
    if _is_full(error):
        log.error("storage_full", exc_info=error)
        return problems.InsufficientStorage()
    if _is_down(error):
        log.error("part_down", exc_info=error)
        return problems.Unavailable()
    log.error("request_failed", exc_info=error)
    return problems.Internal("The server's log has the rest under this request's id.")


def as_response(problem: Problem) -> Response:
    """Return the problem document, in the caller's language, with the headers that belong to it."""
    title = sentence(problem.title)
    titled = {"title": title, "detail": problem.detail or title}
    document = translated({**problem.document(g.request_id), **titled})
    body = json.dumps(document, ensure_ascii=False)
    return marked(Response(body, problem.status, _headers(problem), content_type=MEDIA))


def retry_after() -> int:
    """Return seconds to wait, spread wide so that phones do not come back in one moment."""
    return random.randint(5, 65)  # noqa: S311 - jitter


def _with_wait(problem: Problem) -> Problem:
    if problem.status in _WAITING:
        problem.extensions.setdefault("retry_after", retry_after())
    return problem


def _as_page(problem: Problem, page: Page) -> Response:
    html = page(problem, g.request_id)
    return Response(
        html, problem.status, _headers(problem), content_type="text/html; charset=utf-8"
    )


def _headers(problem: Problem) -> dict[str, str]:
    headers = {
        header: str(problem.extensions[name])
        for name, header in _HEADERS.items()
        if name in problem.extensions
    }
    if problem.status == problems.NotAuthenticated.status:
        headers["WWW-Authenticate"] = "Bearer"
    return headers


def _from_http(error: HTTPException, kind: type[Problem]) -> Problem:
    methods = getattr(error, "valid_methods", None)
    return kind(allow=", ".join(sorted(methods))) if methods else kind()


def _is_full(error: Exception) -> bool:
    return isinstance(error, SpoolFull)


def _is_down(error: Exception) -> bool:
    if isinstance(error, IntegrityError | StorageUnavailable | StorageDenied | PoolTimeout):
        return True
    return isinstance(error, DBAPIError) and is_down(error)
