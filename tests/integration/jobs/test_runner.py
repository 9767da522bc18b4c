"""Pending work gets done: once if it goes well, later if it fails, by one process at a time."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from fieldapi import jobs
from fieldapi.jobs import Job, JobRunner, wait_after
from fieldapi.lulls import STILL_S, Lull, Standstill
from fieldapi.models import JobFailure
from fieldapi.storage import StorageDenied, StorageUnavailable
from fieldapi.unit import Database
from tests.support.clock import StoppedClock


class Pile:
    """Work that lies in a list; what is named in `bad` fails."""

    def __init__(self, *subjects: str, bad: tuple[str, ...] = ()) -> None:
        self.left = list(subjects)
        self.done: list[str] = []
        self.tries: list[str] = []
        self.bad = set(bad)

    def job(self, name: str = "pile") -> Job:
        return Job(name, lambda _session: list(self.left), self.run)

    def run(self, subject: str) -> None:
        self.tries.append(subject)
        if subject in self.bad:
            raise ValueError("Kanta Patel")
        self.left.remove(subject)
        self.done.append(subject)


RunnerOf = Callable[..., JobRunner]


@pytest.fixture
def runner_of(database: Database, tmp_path: Path) -> Iterator[RunnerOf]:
    runners: list[JobRunner] = []

    def make(*piles: Pile) -> JobRunner:
        todo = [pile.job(f"pile-{number}") for number, pile in enumerate(piles)]
        runners.append(JobRunner(database, todo, lock=tmp_path / "jobs.lock"))
        return runners[-1]

    yield make
    assert all(runner.stop() for runner in runners)


def _failures(database: Database) -> list[JobFailure]:
    with database.read() as session:
        return list(session.scalars(select(JobFailure)))


def _soon(claim: Callable[[], bool]) -> bool:
    ends = time.monotonic() + 5
    while not claim() and time.monotonic() < ends:
        time.sleep(0.01)
    return bool(claim())


@pytest.mark.database
def test_pending_subjects_are_run_in_their_order(runner_of: RunnerOf) -> None:
    pile = Pile("a", "b", "c")

    assert runner_of(pile).run_once() == 3
    assert pile.done == ["a", "b", "c"]


@pytest.mark.database
def test_failure_of_one_subject_stops_no_other(runner_of: RunnerOf, database: Database) -> None:
    pile, other = Pile("a", "b", bad=("a",)), Pile("x")

    assert runner_of(pile, other).run_once() == 2
    assert (pile.done, other.done) == (["b"], ["x"])
    (failure,) = _failures(database)
    assert (failure.job, failure.subject, failure.tries) == ("pile-0", "a", 1)
    assert failure.reason == "builtins.ValueError"


def test_subject_that_failed_rests_and_is_tried_again(
    runner_of: RunnerOf, clock: StoppedClock
) -> None:
    pile = Pile("a", bad=("a",))
    runner = runner_of(pile)
    runner.run_once()
    runner.run_once()
    clock.move(seconds=2)
    runner.run_once()

    assert pile.tries == ["a", "a"]


def test_success_forgets_the_failures_before_it(
    runner_of: RunnerOf, clock: StoppedClock, database: Database
) -> None:
    pile = Pile("a", bad=("a",))
    runner = runner_of(pile)
    runner.run_once()
    pile.bad.clear()
    clock.move(seconds=2)

    assert runner.run_once() == 1
    assert _failures(database) == []


def test_rest_doubles_up_to_an_hour() -> None:
    assert [wait_after(tries).seconds for tries in (1, 2, 3)] == [2, 4, 8]
    assert wait_after(10_000) == timedelta(hours=1)


def test_thread_outlives_a_query_that_fails(
    runner_of: RunnerOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "ASLEEP_S", 0.01)
    pile = Pile("a")
    broken = threading.Event()

    def pending(session: Session) -> list[str]:
        if not broken.is_set():
            broken.set()
            session.execute(text("SELECT nonsense"))
        return list(pile.left)

    runner = runner_of()
    runner._jobs = (Job("odd", pending, pile.run),)  # noqa: SLF001 - a job that no pile can be
    runner.start()

    assert _soon(lambda: pile.done == ["a"])


def test_work_that_comes_later_is_found(runner_of: RunnerOf) -> None:
    pile = Pile()
    runner_of(pile).start()
    pile.left.append("late")

    assert _soon(lambda: pile.done == ["late"])


def test_runner_stops_after_the_subject_at_hand(runner_of: RunnerOf) -> None:
    pile, has_begun, may_end = Pile("a", "b"), threading.Event(), threading.Event()

    def slow(subject: str) -> None:
        has_begun.set()
        may_end.wait(5)
        pile.run(subject)

    runner = runner_of()
    runner._jobs = (Job("slow", lambda _session: list(pile.left), slow),)  # noqa: SLF001
    runner.start()
    has_begun.wait(5)
    threading.Timer(0.1, may_end.set).start()

    assert runner.stop()
    assert pile.done == ["a"]


_HOLDER = (
    "import fcntl,sys; f=open(sys.argv[1],'w'); fcntl.flock(f,fcntl.LOCK_EX); print(1); input()"
)


def test_second_process_works_only_when_the_first_is_gone(
    runner_of: RunnerOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "ASLEEP_S", 0.05)
    pile = Pile("a")
    command = [sys.executable, "-uc", _HOLDER, str(tmp_path / "jobs.lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        first.stdout.readline()
        runner_of(pile).start()
        time.sleep(0.3)
        before = list(pile.done)
        first.kill()

    assert before == []
    assert _soon(lambda: pile.done == ["a"])


def test_subjects_are_run_beside_each_other_where_the_job_says_so(
    database: Database, tmp_path: Path
) -> None:
    """Each waits until the other has begun."""
    together = threading.Barrier(2)
    left = ["a", "b", "c", "d"]

    def run(subject: str) -> None:
        together.wait(5)
        left.remove(subject)

    job = Job("pairs", lambda _session: list(left), run, at_once=2)
    runner = JobRunner(database, [job], lock=tmp_path / "jobs.lock")

    assert (runner.run_once(), left) == (4, [])


def _by_lot(pile: Pile, fails: Callable[[str], bool]) -> Job:
    """Return a job that does a lot together, and says how each of it went."""

    def together(subjects: Sequence[str]) -> dict[str, Exception | None]:
        if "poison" in subjects:
            raise ValueError("Kanta Patel")
        for subject in subjects:
            if not fails(subject):
                pile.run(subject)
        return {one: ValueError("Kanta Patel") if fails(one) else None for one in subjects}

    return Job("lots", lambda _session: list(pile.left), pile.run, together=together)


@pytest.mark.database
def test_failure_in_a_lot_is_noted_for_itself(database: Database, tmp_path: Path) -> None:
    pile = Pile("a", "b", "c")
    job = _by_lot(pile, lambda subject: subject == "b")
    runner = JobRunner(database, [job], lock=tmp_path / "jobs.lock")

    assert (runner.run_once(), pile.done) == (2, ["a", "c"])
    assert [(one.subject, one.tries) for one in _failures(database)] == [("b", 1)]


def test_lot_that_fails_as_one_is_run_subject_by_subject(
    database: Database, tmp_path: Path
) -> None:
    pile = Pile("a", "poison", "c", bad=("poison",))
    job = _by_lot(pile, lambda _subject: False)
    runner = JobRunner(database, [job], lock=tmp_path / "jobs.lock")

    assert (runner.run_once(), pile.done) == (2, ["a", "c"])
    assert [one.subject for one in _failures(database)] == ["poison"]


def test_what_a_lot_leaves_is_pending_still(database: Database, tmp_path: Path) -> None:
    pile = Pile(*(f"{number:02}" for number in range(40)))
    sizes: list[int] = []

    def together(subjects: Sequence[str]) -> dict[str, Exception | None]:
        sizes.append(len(subjects))
        pile.run(subjects[0])
        return {subjects[0]: None}

    job = Job("slow", lambda _session: list(pile.left), pile.run, together=together)
    well = JobRunner(database, [job], lock=tmp_path / "jobs.lock").run_once()

    assert (well, sizes, len(pile.left)) == (2, [20, 20], 38)


def test_what_a_lot_leaves_keeps_the_failures_that_it_had(
    database: Database, clock: StoppedClock, tmp_path: Path
) -> None:
    """Of two poisons each look has time for one: both are tried again and again, both count."""
    pile = Pile("a", "b", bad=("a", "b"))
    runner = JobRunner(database, [pile.job("lots")], lock=tmp_path / "jobs.lock")
    runner.run_once()
    clock.move(hours=1)

    def together(subjects: Sequence[str]) -> dict[str, Exception | None]:
        return {subjects[0]: ValueError("Kanta Patel")}

    job = Job("lots", lambda _session: list(pile.left), pile.run, together=together)
    JobRunner(database, [job], lock=tmp_path / "jobs.lock").run_once()

    assert [(one.subject, one.tries) for one in _failures(database)] == [("a", 2), ("b", 1)]


def test_what_waits_for_the_store_is_tried_again_within_a_minute() -> None:
    down, denied = StorageUnavailable("down"), StorageDenied("403")
    assert wait_after(30, down) == timedelta(minutes=1)
    assert wait_after(1, denied) == wait_after(30, denied) == timedelta(minutes=5)


def test_work_that_can_wait_lets_a_burst_in_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something new every 0.3 s for 12 s, then nothing: time is once amid the burst, and after."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    newest: list[object] = [None]
    lull, session = Lull(lambda _session: newest[0]), Session()
    times = [lull.is_here(session)]
    for number in range(60):
        now[0] += 0.3
        newest[0] = min(number, 40)
        times.append(lull.is_here(session))

    assert [number for number, is_time in enumerate(times) if is_time] == [0, 35, *range(43, 61)]


def test_nothing_is_looked_for_while_nothing_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    now, size = [100.0], [7]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    still, session = Standstill(lambda _session: size[0]), Session()

    assert not still.is_here(session), "nobody has looked yet"
    still.note()
    assert still.is_here(session)
    size[0] += 1
    assert not still.is_here(session), "something moved"
    assert not still.is_here(session), "and nobody has looked since"
    still.note()
    now[0] += STILL_S
    assert not still.is_here(session), "time alone makes things due"


@pytest.mark.database
def test_runner_looks_again_once_something_moves(database: Database, tmp_path: Path) -> None:
    looks, size, pile = [0], [1], Pile()

    def pending(_session: Session) -> list[str]:
        looks[0] += 1
        return list(pile.left)

    job = Job("counted", pending, pile.run)
    files = Job("files", lambda _session: [], pile.run, is_local=True)
    lock = tmp_path / "jobs.lock"
    runner = JobRunner(database, [job, files], lock=lock, moved=lambda _session: size[0])
    assert (runner.turn(), runner.turn(), looks) == (0, 0, [1])

    pile.left.append("a")
    assert (runner.turn(), pile.done) == (0, [])
    size[0] += 1
    assert (runner.turn(), pile.done) == (1, ["a"])
