"""Says whether the process lives, whether it can serve, and how it fares.

`/metrics` is for a collector on the same host: anything that came through a proxy is told 404.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

import structlog
from flask import Response, current_app, request
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from fieldapi import migrate
from fieldapi.access import public
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.schemas.health import AliveSchema, ReadySchema
from fieldapi.api.watch import MEASURES, Measures
from fieldapi.house import House
from fieldapi.problems import NotFound, Unavailable
from fieldapi.storage import StorageDenied, StorageError

_FAULTS = (OSError, SQLAlchemyError, StorageError, RuntimeError)
_FORWARDED = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP")

log = structlog.get_logger(__name__)
blp = blueprint("health", "", "Is it there, is it ready, how does it fare")


@blp.get("/healthz")
@public
@blp.response(200, AliveSchema)
def alive() -> Mapping[str, str]:
    """Say that the process answers."""
    return {"status": "alive"}


@blp.get("/readyz")
@public
@blp.response(200, ReadySchema)
def ready() -> Mapping[str, object]:
    """Say that every part answers, or 503 with the part that does not."""
    parts = states()
    broken = [name for name, state in parts.items() if state != "ok"]
    if broken:
        raise Unavailable(f"Not ready: {', '.join(broken)}.", parts=parts)
    return {"status": "ready", "parts": parts}


@blp.get("/metrics")
@public
@blp.response(200, content_type="text/plain")
def metrics() -> Response:
    """Give the numbers of this server in Prometheus' text format, to its own host only."""
    if not _is_own_host():
        raise NotFound
    measures: Measures = current_app.extensions[MEASURES]
    vitals = measures.vitals.text(house(), states)
    return Response(measures.text() + vitals, content_type=CONTENT_TYPE_LATEST)


def states() -> dict[str, str]:
    """Return how each part is: `ok`, `failed` or `denied`."""
    return {name: _state(name, probe) for name, probe in PROBES.items()}


def _state(name: str, probe: Callable[[House], None]) -> str:
    began = time.perf_counter()
    try:
        probe(house())
    except StorageDenied as exc:
        log.exception("not_ready", part=name, exc_info=exc)
        return "denied"
    except _FAULTS as exc:
        log.warning("not_ready", part=name, exc_info=exc)
        return "failed"
    log.debug("probed", part=name, duration_ms=round((time.perf_counter() - began) * 1000, 1))
    return "ok"


def _probe_database(parts: House) -> None:
    with parts.database.read() as session:
        session.execute(text("SELECT 1"))


def _probe_schema(parts: House) -> None:
    if not migrate.is_served(parts.settings.database_url):
        raise RuntimeError("the database has another schema")


def _probe_storage(parts: House) -> None:
    parts.storage.probe()


def _probe_spool(parts: House) -> None:
    folder = parts.settings.spool
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / f".probe-{os.getpid()}-{time.monotonic_ns()}"
    probe.touch(mode=0o600)
    probe.unlink()


PROBES: Mapping[str, Callable[[House], None]] = {
    "database": _probe_database,
    "schema": _probe_schema,
    "storage": _probe_storage,
    "spool": _probe_spool,
}


def _is_own_host() -> bool:
    if any(name in request.headers for name in _FORWARDED):
        return False
    host = urlsplit(f"//{request.host}").hostname
    return _is_loopback(request.remote_addr) and _is_loopback(host)


def _is_loopback(address: str | None) -> bool:
    if address == "localhost":
        return True
    try:
        return address is not None and ip_address(address).is_loopback
    except ValueError:
        return False
