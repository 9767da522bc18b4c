"""`fieldapi worker` on PostgreSQL: the jobs of `pending`, handed out and run by procrastinate.

Every two seconds one of all workers looks what is pending and defers what is not queued yet, in
lots of one kind of work each; any worker runs one. Nothing lives in the queue alone: a queue that
is lost, or a worker that is killed, costs a look. Called by the command line.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

import psycopg
import structlog
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.jobs import Status
from psycopg_pool import PoolTimeout

from fieldapi.heap import give_memory_back
from fieldapi.house import House
from fieldapi.jobs import Job, all_due, attempt_all, lots
from fieldapi.pending import jobs_of
from fieldapi.settings import SettingsError
from fieldapi.worker_tables import LIVES_S, SCHEMA, is_installed

STOP_S = 25.0
_LOOK, _RUN = "look", "run"
_EVERY_2_S = "* * * * * */2"
_HEARTBEAT_S = LIVES_S / 3
_REST_S = 5.0
# Where a worker shares a machine with the server: phones are answered first.
_GIVES_WAY = 15
_FIRST = 100  # the look goes before what it found
_DOWN = (ConnectorException, psycopg.Error, PoolTimeout, OSError)
_QUEUED = (
    "SELECT args FROM procrastinate_jobs WHERE status IN ('todo', 'doing') AND task_name = %(task)s"
)

log = structlog.get_logger(__name__)


def work(house: House, *, at_once: int | None = None) -> None:
    """Work until SIGTERM or SIGINT. `at_once`: lots at once; else two more than cores.

    Raises `SettingsError` if the database has no tables for it.
    """
    with house.database.read() as session:
        if not is_installed(session):
            raise SettingsError(
                "FIELDAPI_DATABASE_URL",
                "this database has no tables for a worker",
                "run `fieldapi migrate` as the owner",
            )
    give_memory_back()
    os.nice(_GIVES_WAY)
    asyncio.run(_live(house, at_once or (os.cpu_count() or 1) + 2))


async def _live(house: House, at_once: int) -> None:
    """Work, and begin anew after the database was away."""
    stopped = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stopped.set)
    while not stopped.is_set():
        try:
            await _until_stopped(house, at_once, stopped)
        except _DOWN as exc:
            log.warning("worker_rests", exc_info=exc)
        with suppress(TimeoutError):
            await asyncio.wait_for(stopped.wait(), _REST_S)


async def _until_stopped(house: House, at_once: int, stopped: asyncio.Event) -> None:
    is_ending = threading.Event()
    app = app_of(house, at_once=at_once, is_ending=is_ending.is_set)
    async with app.open_async():
        worker = asyncio.create_task(
            app.run_worker_async(
                concurrency=at_once,
                delete_jobs="always",
                install_signal_handlers=False,
                fetch_job_polling_interval=2.0,
                shutdown_graceful_timeout=STOP_S,
                update_heartbeat_interval=_HEARTBEAT_S,
                stalled_worker_timeout=LIVES_S,
            )
        )
        log.info("working", workers=at_once)
        told = asyncio.create_task(stopped.wait())
        await asyncio.wait({worker, told}, return_when=asyncio.FIRST_COMPLETED)
        told.cancel()
        is_ending.set()
        worker.cancel()
        with suppress(asyncio.CancelledError):
            await worker


def app_of(
    house: House,
    *,
    at_once: int = 1,
    is_ending: Callable[[], bool] = lambda: False,
) -> App:
    """Return the engine over one installation: a look, and one task that runs any lot.

    `at_once`: how many lots run beside each other. `is_ending`: says whether what is left of a lot
    is left to the next look.
    """
    jobs = {job.name: job for job in jobs_of(house) if not job.is_local}
    app = App(connector=_connector(house))

    @app.periodic(cron=_EVERY_2_S)
    @app.task(name=_LOOK, queueing_lock=_LOOK, priority=_FIRST)
    async def _look(timestamp: int) -> None:  # noqa: ARG001 - the engine says when it was due
        await look(app, house, jobs, beside=at_once)

    @app.task(name=_RUN)
    def _run(name: str, subjects: list[str]) -> None:
        attempt_all(house.database, jobs[name], subjects, is_ending=is_ending)

    return app


async def look(app: App, house: House, jobs: Mapping[str, Job], *, beside: int = 1) -> int:
    """Defer what is pending and not queued; return in how many lots. Frees what dead workers held.

    `beside`: how many lots a worker runs beside each other: what is little is shared out.
    """
    for stalled in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=LIVES_S):
        if stalled.id is not None:
            await app.job_manager.finish_job_by_id_async(stalled.id, Status.FAILED, delete_job=True)
    rows = await app.connector.execute_query_all_async(_QUEUED, task=_RUN)
    # A job of an older program names one subject: who takes it fails, and it is looked for again.
    told = [row["args"] for row in rows]
    queued = {(one["name"], subject) for one in told for subject in one.get("subjects", ())}
    count = 0
    wanted = partial(all_due, house.database, tuple(jobs.values()))
    for job, subjects in await asyncio.to_thread(wanted):
        left = [one for one in subjects if (job.name, one) not in queued]
        for lot in lots(left, beside, most=job.lot):
            count += await _defer(app, job.name, lot)
    return count


async def _defer(app: App, name: str, lot: Sequence[str]) -> bool:
    # Of two looks at the same time one is too much.
    lock = f"{name}/{lot[0]}"
    task = app.configure_task(_RUN, queueing_lock=lock, allow_unknown=False)
    try:
        await task.defer_async(name=name, subjects=[*lot])
    except AlreadyEnqueued:
        return False
    return True


def _connector(house: House) -> PsycopgConnector:
    return PsycopgConnector(
        conninfo=house.settings.database_url.replace("+psycopg", "", 1),
        kwargs={"options": f"-c search_path={SCHEMA} -c timezone=UTC"},
        min_size=1,
        max_size=6,
        timeout=10.0,
    )
