"""Runs pending work: what the database says is still to be done, until it says nothing more.

Pending work is a query, so nothing is lost when a process is. A job has to be idempotent: after a
crash, or beside a sweep, a subject may be run twice. `serving` starts a runner, `sweep` runs once,
`worker` has the same jobs run by procrastinate.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from math import ceil
from pathlib import Path

import structlog
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from fieldapi.ids import new_id
from fieldapi.lulls import Lull, Standstill
from fieldapi.models import JobFailure
from fieldapi.models.bulk import among
from fieldapi.storage import StorageDenied, StorageUnavailable
from fieldapi.unit import Database, Unit

IDLE_S = 0.5
# What comes meanwhile is done in one go: to ask what is pending costs more than to do little of it.
BREATH_S = 0.1
ASLEEP_S = 5.0
LONGEST_WAIT = timedelta(hours=1)
# A store that is down comes back for all at once; one that refuses us waits for a person.
STORE_DOWN_WAIT, STORE_DENIED_WAIT = timedelta(minutes=1), timedelta(minutes=5)
_FORGET_AFTER = timedelta(days=7)
_MAX_DOUBLINGS = 12

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """A kind of pending work. `pending`: the subjects that wait, oldest first, at most some
    hundred at once; `run`: does one subject, and after it `pending` no longer names it.
    `at_once`: how many subjects are run beside each other. `is_local`: it looks at files of this
    host, so that no worker elsewhere can do it. `newest`: changes while more of its work comes in;
    then the job can wait until no more does. `lot`: how many subjects are taken along in one go: to
    queue a job costs more than most of them take. `together`: does a lot for less than each alone
    costs, and returns how each went: None, or why it failed; what it does not name it left pending
    for the next look. If it raises, each is run alone.
    """

    name: str
    pending: Callable[[Session], list[str]]
    run: Callable[[str], None]
    at_once: int = 1
    is_local: bool = False
    newest: Callable[[Session], object] | None = None
    lot: int = 20
    together: Callable[[Sequence[str]], Mapping[str, Exception | None]] | None = None


class JobRunner:
    """Runs jobs, in turn, in a thread of its own. Of all processes on `lock` only one works.

    `is_relieved`: says whether a worker lives that does all but the local jobs. `moved`: changes
    with whatever may give any but those something to do; without it they are looked at each time.
    """

    def __init__(
        self,
        database: Database,
        jobs: Sequence[Job],
        *,
        lock: Path,
        is_relieved: Callable[[Session], bool] = lambda _session: False,
        moved: Callable[[Session], object] | None = None,
    ) -> None:
        self._database = database
        self._jobs = tuple(jobs)
        self._lock = lock
        self._is_relieved = is_relieved
        self._still = None if moved is None else Standstill(moved)
        self._lulls = {job.name: Lull(job.newest) for job in jobs if job.newest is not None}
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to work in the background."""
        self._stopping.clear()
        self._thread = threading.Thread(target=self._live, name="jobs", daemon=True)
        self._thread.start()

    def stop(self, timeout_s: float = 25.0) -> bool:
        """Finish the subject at hand and end; say whether it ended in time."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout_s)
        return self._thread is None or not self._thread.is_alive()

    def run_once(self) -> int:
        """Run what is pending and due, job by job: what one leaves to the next is done as well.
        Return how many subjects went well.
        """
        return sum(self._run(job, due(self._database, job)) for job in self._jobs)

    def _live(self) -> None:
        while not self._stopping.is_set():
            with _only_one(self._lock) as is_ours:
                while is_ours and not self._stopping.is_set():
                    self._stopping.wait(BREATH_S if self.turn() else IDLE_S)
            self._stopping.wait(ASLEEP_S)

    def turn(self) -> int:
        """Do what is due, once, and return how much of it went well. For the thread, and tests."""
        try:
            return sum(self._run(job, subjects) for job, subjects in self._look())
        except Exception:
            # The thread outlives a database that is down.
            log.exception("jobs_failed")
            self._stopping.wait(ASLEEP_S)
            return 0

    def _look(self) -> list[tuple[Job, list[str]]]:
        """Return what is due of every job, looked up in one go: that costs half as much."""
        with self._database.read() as session:
            jobs = self._looked_at(session)
            timely = [job for job in jobs if self._has_time_for(job, session)]
            found = _due(session, timely, self._database.clock())
        if self._still and timely == [*self._jobs] and not any(subjects for _, subjects in found):
            self._still.note()
        return found

    def _looked_at(self, session: Session) -> list[Job]:
        """Return the jobs that may have something to do here."""
        is_theirs = self._is_relieved(session) or (self._still and self._still.is_here(session))
        return [job for job in self._jobs if job.is_local or not is_theirs]

    def _has_time_for(self, job: Job, session: Session) -> bool:
        return job.newest is None or self._lulls[job.name].is_here(session)

    def _run(self, job: Job, subjects: Sequence[str]) -> int:
        run, taken = partial(self._done, job), lots(subjects, job.at_once, most=job.lot)
        if job.at_once == 1:
            return sum(map(run, taken))
        with ThreadPoolExecutor(job.at_once, thread_name_prefix=job.name) as pool:
            return sum(pool.map(run, taken))

    def _done(self, job: Job, lot: Sequence[str]) -> int:
        return attempt_all(self._database, job, lot, is_ending=self._stopping.is_set)


def lots(subjects: Sequence[str], beside: int, *, most: int) -> list[Sequence[str]]:
    """Return the subjects in lots of up to `most`, and of less if there are not enough for all.

    >>> lots("abcdefg", 3, most=20)
    ['abc', 'def', 'g']
    """
    size = max(1, min(most, ceil(len(subjects) / beside)))
    return [subjects[start : start + size] for start in range(0, len(subjects), size)]


def due(database: Database, job: Job) -> list[str]:
    """Return the subjects that wait and do not rest after a failure, oldest first."""
    ((_, subjects),) = all_due(database, [job])
    return subjects


def all_due(database: Database, jobs: Sequence[Job]) -> list[tuple[Job, list[str]]]:
    """Return what is due of every job, as `due` does, in one snapshot."""
    with database.read() as session:
        return _due(session, jobs, database.clock())


def _due(session: Session, jobs: Sequence[Job], now: datetime) -> list[tuple[Job, list[str]]]:
    resting = _resting(session, now)
    return [
        (job, [each for each in job.pending(session) if (job.name, each) not in resting])
        for job in jobs
    ]


def attempt_all(
    database: Database, job: Job, lot: Sequence[str], *, is_ending: Callable[[], bool]
) -> int:
    """Run a lot, together if the job can, and return how many subjects went well.

    `is_ending`: says whether what is left of it is left to the next look.
    """
    if job.together is not None and len(lot) > 1 and not is_ending():
        done = _attempt_together(database, job, subjects=lot, run=job.together)
        if done is not None:
            return done
    return sum(not is_ending() and attempt(database, job, one) for one in lot)


def _attempt_together(
    database: Database,
    job: Job,
    *,
    subjects: Sequence[str],
    run: Callable[[Sequence[str]], Mapping[str, Exception | None]],
) -> int | None:
    """Return how many of the subjects went well; None if each has to be run alone."""
    with structlog.contextvars.bound_contextvars(request_id=new_id(), job=job.name):
        began = time.perf_counter()
        try:
            went = run(subjects)
        except Exception as exc:
            # One of them fails all: alone it fails for itself, and rests.
            log.warning("jobs_one_by_one", subjects=len(subjects), exc_info=exc)
            return None
        for subject, error in went.items():
            if error is not None:
                tries = _note_failed(database, job, subject, error)
                log.warning("job_failed", subject=subject, tries=tries, exc_info=error)
        # What was left keeps its failures: else one that ends its child never gets to its last try.
        done = [subject for subject, error in went.items() if error is None]
        taken = round((time.perf_counter() - began) * 1000, 1)
        log.info("jobs_done", subjects=done, failed=len(went) - len(done), duration_ms=taken)
        _forget_failures(database, job, done)
        return len(done)


def attempt(database: Database, job: Job, subject: str) -> bool:
    """Run one subject and say whether it went well; a failure is noted, and tried again later.

    Every log line of it, and every call of the photo store, carries one id of its own.
    """
    with structlog.contextvars.bound_contextvars(request_id=new_id(), job=job.name):
        began = time.perf_counter()
        try:
            job.run(subject)
        except Exception as exc:
            # One subject must not stop the others.
            tries = _note_failed(database, job, subject, exc)
            log.warning("job_failed", subject=subject, tries=tries, exc_info=exc)
            return False
        taken = round((time.perf_counter() - began) * 1000, 1)
        log.info("job_done", subject=subject, duration_ms=taken)
        _forget_failures(database, job, [subject])
        return True


def _note_failed(database: Database, job: Job, subject: str, error: Exception) -> int:
    return database.transact(partial(_note_failure, job=job, subject=subject, error=error))


def wait_after(tries: int, error: Exception | None = None) -> timedelta:
    """Return how long a subject rests after it failed `tries` times: 2, 4, 8 s … one hour.

    `error`: what it failed of last. While the store is down it is never more than a minute, so
    that what waits is done soon after; when the store refuses us it is five.
    """
    if isinstance(error, StorageDenied):
        return STORE_DENIED_WAIT
    longest = STORE_DOWN_WAIT if isinstance(error, StorageUnavailable) else LONGEST_WAIT
    return min(timedelta(seconds=2 ** min(tries, _MAX_DOUBLINGS)), longest)


def _resting(session: Session, now: datetime) -> set[tuple[str, str]]:
    """Return by job the subjects that failed and are not to be tried again yet."""
    found = session.execute(
        select(JobFailure.job, JobFailure.subject).where(JobFailure.again_at > now)
    )
    return {(job, subject) for job, subject in found}


def _note_failure(unit: Unit, *, job: Job, subject: str, error: Exception) -> int:
    row = unit.session.get(JobFailure, (job.name, subject))
    if row is None:
        row = JobFailure(job=job.name, subject=subject, tries=0)
        unit.session.add(row)
    row.tries += 1
    row.again_at = unit.now + wait_after(row.tries, error)
    # The class only: a message may quote the data.
    row.reason = f"{type(error).__module__}.{type(error).__qualname__}"
    return row.tries


def _forget_failures(database: Database, job: Job, subjects: Sequence[str]) -> None:
    """Drop the failures of subjects that went well, if there are any."""
    with database.read() as session:
        known = select(JobFailure.subject).where(
            JobFailure.job == job.name, among(session, JobFailure.subject, subjects)
        )
        failed = list(session.scalars(known))
    if failed:
        database.transact(partial(_forget, job=job, subjects=failed))


def _forget(unit: Unit, *, job: Job, subjects: Sequence[str]) -> None:
    """Drop the failures of subjects that went well, and those that nobody asks for any more."""
    of_job = JobFailure.job == job.name
    is_stale = JobFailure.again_at < unit.now - _FORGET_AFTER
    unit.session.execute(
        delete(JobFailure).where(of_job, JobFailure.subject.in_(subjects) | is_stale)
    )


@contextmanager
def _only_one(path: Path) -> Iterator[bool]:
    """Say whether this process is the one that works; the system frees the lock when it dies."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield _try_lock(descriptor)
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
