"""Gives every request its id, and says afterwards in one line and two numbers how it went.

Ids are always ours: one that a client sends could be made to point at another's log lines.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping

import structlog
from flask import Flask, Response, g, request
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from fieldapi.api.vitals import Vitals
from fieldapi.ids import new_id

_QUIET = frozenset({"/healthz", "/readyz", "/metrics"})
Counts = Mapping[str, int]
MEASURES = "fieldapi-measures"
log = structlog.get_logger(__name__)


class Measures:
    """The numbers of one app, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "fieldapi_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "fieldapi_request_seconds",
            "Time to answer.",
            ("method", "route"),
            registry=self.registry,
        )
        self.sync_results = Counter(
            "fieldapi_sync_results",
            "Ops answered, by status.",
            ("status",),
            registry=self.registry,
        )
        self.vitals = Vitals()

    def count_results(self, statuses: Counts) -> None:
        """Add what became of the ops of one push."""
        for status, count in statuses.items():
            self.sync_results.labels(status).inc(count)

    def text(self) -> bytes:
        """Return them in Prometheus' text format, summed over the processes of one server."""
        if not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            return generate_latest(self.registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)
        return generate_latest(together)


def install(app: Flask, measures: Measures) -> None:
    """Watch every request of `app`."""
    app.before_request(_begin)

    def finish(response: Response) -> Response:
        taken = time.perf_counter() - g.began
        measures.requests.labels(_method(), _route(), response.status_code).inc()
        measures.seconds.labels(_method(), _route()).observe(taken)
        _say(response.status_code, taken)
        return response

    app.after_request(finish)


def _begin() -> None:
    g.began = time.perf_counter()
    g.request_id = new_id()
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(
        request_id=g.request_id, method=_method(), route=_route()
    )


def _say(status: int, taken: float) -> None:
    speak = log.debug if _route() in _QUIET else log.info
    speak("request", status=status, duration_ms=round(taken * 1000, 1))


def _route() -> str:
    """Return the rule, never the path: paths may carry codes."""
    return request.url_rule.rule if request.url_rule else "-"


def _method() -> str:
    return request.method if request.method in _METHODS else "OTHER"


_METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
