"""Adds to the numbers of `/metrics` what database, photo store and disk say of themselves.

Read anew at most every ten seconds, so that several collectors cost no more than one. A part that
is down is a number of its own, never a failure of the page.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping

import structlog
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError

from fieldapi.house import House
from fieldapi.queries.vitals import Vital, vitals

FRESH_S = 10.0
_PREFIX = "fieldapi_"
_LABELS: Mapping[str, str] = {
    "pending": "of",
    "pending_oldest_seconds": "of",
    "job_failing": "job",
    "queue_jobs": "status",
    "part_up": "part",
    "disk_free_bytes": "of",
}
log = structlog.get_logger(__name__)
State = Callable[[], Mapping[str, str]]


class Vitals:
    """The numbers of one installation, kept for a moment. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._text = b""
        self._until = 0.0
        self._of: House | None = None

    def text(self, parts: House, states: State) -> bytes:
        """Return them in Prometheus' text format. `states`: how each part is, as `/readyz` says."""
        with self._lock:
            if time.monotonic() >= self._until or parts is not self._of:
                registry = CollectorRegistry()
                registry.register(_Read(_all(parts, states())))
                self._text = generate_latest(registry)
                self._of, self._until = parts, time.monotonic() + FRESH_S
            return self._text


def _all(parts: House, states: Mapping[str, str]) -> Iterator[Vital]:
    for name, state in states.items():
        yield Vital("part_up", "Whether a part answers.", float(state == "ok"), name)
    free = float(shutil.disk_usage(parts.settings.data).free)
    yield Vital("disk_free_bytes", "Free space of a disk.", free, "data")
    held = sum(path.stat().st_size for path in parts.settings.spool.glob("*") if path.is_file())
    yield Vital("spool_bytes", "Partial uploads on this host.", float(held))
    if states.get("database") != "ok" or states.get("schema") != "ok":
        return
    try:
        with parts.database.read() as session:
            yield from list(vitals(session, parts.database.clock()))
    except SQLAlchemyError as exc:
        log.warning("vitals_failed", exc_info=exc)


class _Read(Collector):
    """Hands numbers on that were read already."""

    def __init__(self, found: Iterable[Vital]) -> None:
        self._families: dict[str, GaugeMetricFamily] = {}
        for one in found:
            self._add(one)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield each kind of number once."""
        yield from self._families.values()

    def _add(self, one: Vital) -> None:
        label = _LABELS.get(one.name)
        family = self._families.get(one.name)
        if family is None:
            family = GaugeMetricFamily(
                _PREFIX + one.name, one.about, labels=[label] if label else None
            )
            self._families[one.name] = family
        family.add_metric([one.label] if label else [], one.value)
