"""Lists the jobs of this program: what may be pending in an installation, and how it is done.

Called by `serving`, `wsgi`, `worker` and `sweep`. A new kind of pending work is one line here.
"""

from __future__ import annotations

from collections.abc import Callable

from fieldapi import ledger
from fieldapi.console import court
from fieldapi.house import House
from fieldapi.jobs import Job, JobRunner
from fieldapi.services import (
    bundles,
    deadlines,
    neighbours,
    retention,
    urgencies,
    withdrawals,
)
from fieldapi.services.acts import arrivals
from fieldapi.services.bundles import withdrawals as bundle_withdrawals
from fieldapi.services.ops import deferred
from fieldapi.services.photos import derivatives, upload_ends
from fieldapi.worker_tables import has_worker

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
    withdrawals.following,
    urgencies.ranking,
    arrivals.taking_in,
    deadlines.telling,
    lambda house: bundles.building(house, court.draw),
    bundle_withdrawals.withdrawing,
)


def jobs_of(house: House) -> tuple[Job, ...]:
    """Return every job over the parts of `house`."""
    return tuple(make(house) for make in _JOBS)


def runner_of(house: House) -> JobRunner:
    """Return a runner of every job, not started yet.

    On PostgreSQL it keeps to the jobs of its own host for as long as a `fieldapi worker` lives, and
    does all when there is none: work is never left lying because a process was not started.
    """
    settings = house.settings
    return JobRunner(
        house.database,
        jobs_of(house),
        lock=settings.data / LOCK,
        is_relieved=has_worker,
        moved=ledger.sizes,
    )
