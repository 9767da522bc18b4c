"""`fieldapi serve`, `migrate`, `sweep` and `worker`: what runs an installation."""

from __future__ import annotations

import signal
import threading

import click

from fieldapi import logs, migrate
from fieldapi.cli.desk import Desk, json_option
from fieldapi.jobs import JobRunner
from fieldapi.pending import runner_of
from fieldapi.serving import Listen
from fieldapi.serving import serve as listen_until_stopped


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, help="Port; 0 takes a free one.")
@click.option("--threads", default=16, show_default=True, help="Requests answered at once, each.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    help="Processes: else one for each core, on SQLite two at most, on PostgreSQL two at least.",
)
@click.pass_obj
def serve(desk: Desk, *, host: str, port: int, threads: int, workers: int | None) -> None:
    """Serve the API and the console until stopped.

    The embedded database is brought to this program's schema first. Phones need https: put a
    proxy with TLS in front and name its address in FIELDAPI_PUBLIC_URL.
    """
    listen_until_stopped(desk.settings, Listen(host, port, threads, workers))


@click.command("migrate")
@json_option
@click.pass_obj
def migrate_(desk: Desk) -> None:
    """Bring the database to this program's schema, as its owner."""
    settings = desk.settings
    before = migrate.current(settings.owner_database_url)
    migrate.upgrade(settings.owner_database_url, settings.database_url)
    after = migrate.newest()
    done = f"The database is at {after}."
    text = done if before != after else f"{done} Nothing was to do."
    desk.say(text, {"from": before, "to": after})


@click.command(short_help="Do all pending work once.")
@json_option
@click.pass_obj
def sweep(desk: Desk) -> None:
    """Do all pending work once: what a crash left, photos to look at, deadlines."""
    logs.configure(desk.settings.log_level, desk.settings.log_folder)
    done = runner_of(desk.house).run_once()
    desk.say(f"{done} done.", {"done": done})


@click.command()
@click.option("--at-once", type=click.IntRange(1, 64), help="Lots at once: else cores and two.")
@click.pass_obj
def worker(desk: Desk, *, at_once: int | None) -> None:
    """Do pending work until stopped, beside the processes that serve.

    On PostgreSQL any number of workers share it, on any host, and the servers leave it to them
    while one lives. On SQLite one process works, this one where no server does.
    """
    logs.configure(desk.settings.log_level, desk.settings.log_folder)
    if desk.settings.is_sqlite:
        _work_alone(runner_of(desk.house))
        return
    # Loaded here: the embedded size goes without the engine.
    from fieldapi.worker import work  # noqa: PLC0415

    work(desk.house, at_once=at_once)


def _work_alone(runner: JobRunner) -> None:
    stopped = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stopped.set())
    runner.start()
    click.echo("SQLite: this process works wherever no server does.", err=True)
    stopped.wait()
    runner.stop()
