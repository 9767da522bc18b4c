"""Lists the jobs of this program: what may be pending in an installation, and how it is done.

Called by `serving`, `wsgi` and `fieldapi sweep`. A new kind of pending work is one line here.
"""

from __future__ import annotations

from collections.abc import Callable

from fieldapi.house import House
from fieldapi.jobs import Job, JobRunner
from fieldapi.services import deadlines, derivatives, neighbours, retention, upload_ends
from fieldapi.services.acts import arrivals
from fieldapi.services.ops import deferred

LOCK = "jobs.lock"
_JOBS: tuple[Callable[[House], Job], ...] = (
    upload_ends.finishing,
    upload_ends.expiring,
    upload_ends.crumbs,
    derivatives.analysing,
    derivatives.checking,
    deferred.merging,
    retention.letting_go,
    retention.dropping_logs,
    neighbours.comparing,
    arrivals.taking_in,
    deadlines.telling,
)


def jobs_of(house: House) -> tuple[Job, ...]:
    """Return every job over the parts of `house`."""
    return tuple(make(house) for make in _JOBS)


def runner_of(house: House) -> JobRunner:
    """Return a runner of every job, not started yet."""
    return JobRunner(house.database, jobs_of(house), lock=house.settings.data / LOCK)
