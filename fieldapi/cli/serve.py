"""`fieldapi serve`, `migrate`, `sweep` and `worker`: what runs an installation."""

from __future__ import annotations

import signal
import threading

import click

from fieldapi import logs, migrate
from fieldapi.cli.desk import Desk, json_option
from fieldapi.pending import runner_of
from fieldapi.serving import Listen
from fieldapi.serving import serve as listen_until_stopped


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, help="Port; 0 takes a free one.")
@click.option("--threads", default=16, show_default=True, help="Requests answered at once, each.")
@click.option("--workers", type=int, help="Processes: one on SQLite, else one for each core.")
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


@click.command()
@json_option
@click.pass_obj
def sweep(desk: Desk) -> None:
    """Do all pending work once: what a crash left, photos to look at, deadlines."""
    logs.configure(desk.settings.log_level, desk.settings.log_folder)
    done = runner_of(desk.house).run_once()
    desk.say(f"{done} done.", {"done": done})


@click.command()
@click.pass_obj
def worker(desk: Desk) -> None:
    """Do pending work until stopped, beside the processes that serve."""
    logs.configure(desk.settings.log_level, desk.settings.log_folder)
    stopped = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stopped.set())
    runner = runner_of(desk.house)
    runner.start()
    stopped.wait()
    runner.stop()
