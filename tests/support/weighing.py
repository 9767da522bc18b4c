"""Weighs the processes of a cluster: memory, open files, CPU. Children come and go meanwhile (a
picture is looked into in a process of its own): one that has just ended weighs nothing.

Called by benches and long simulations.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil

from tests.support.cluster import Cluster, Process

_WATCH_S = 0.5


def own_processes(made: Cluster) -> list[psutil.Process]:
    """Return hosts and workers with all their children."""
    return processes_of(made.hosts, made.workers)


def processes_of(*groups: Iterable[Process]) -> list[psutil.Process]:
    """Return these hosts or workers with all their children."""
    started = [one.process for group in groups for one in group]
    return _with_children(process.pid for process in started if process is not None)


def database_processes(made: Cluster) -> list[psutil.Process]:
    """Return the PostgreSQL server with all its children."""
    noted = made.postgres.folder / "data" / "postmaster.pid"
    return _with_children([int(noted.read_text().split()[0])])


def memory_mib(processes: Iterable[psutil.Process]) -> float:
    """Return what they hold that no other process holds, in MiB."""
    return _sum(processes, lambda one: one.memory_full_info().uss) / 2**20


def open_files(processes: Iterable[psutil.Process]) -> int:
    """Return how many files and sockets they have open."""
    return int(_sum(processes, lambda one: one.num_fds()))


@dataclass(slots=True)
class Peak:
    """The most memory that hosts and workers took together."""

    mib: float = 0.0


@contextmanager
def watching(made: Cluster) -> Iterator[Peak]:
    """Look twice a second for as long as the block lasts."""
    peak, is_over = Peak(), threading.Event()

    def look() -> None:
        while not is_over.wait(_WATCH_S):
            peak.mib = max(peak.mib, memory_mib(own_processes(made)))

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield peak
    finally:
        is_over.set()
        watcher.join()


def cpu_s(processes: Iterable[psutil.Process]) -> float:
    """Return the CPU seconds they took so far, with those of children that have ended."""
    return _sum(processes, lambda one: sum(one.cpu_times()[:4]))


def _with_children(pids: Iterable[int]) -> list[psutil.Process]:
    found: list[psutil.Process] = []
    for pid in pids:
        try:
            root = psutil.Process(pid)
            found += [root, *root.children(recursive=True)]
        except psutil.NoSuchProcess:
            continue
    return found


def _sum(processes: Iterable[psutil.Process], weigh: Callable[[psutil.Process], float]) -> float:
    return sum(_weight(one, weigh) for one in processes)


def _weight(process: psutil.Process, weigh: Callable[[psutil.Process], float]) -> float:
    try:
        return float(weigh(process))
    except psutil.Error:
        return 0.0
