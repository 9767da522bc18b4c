"""Analyses photos in child processes: a hostile file can take down a child, never the server.
Services and jobs call `analyse_photo`. The processes are warm (`worker.py`); what runs in them is
`analyse.py`.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fieldapi.imaging.facts import Analysis, Reason, Verdict

CORES = len(os.sched_getaffinity(0))
"""How many photos are worth decoding at once: one for each core that we may use."""

_PICTURES = ("preview.jpg", "thumbnail.jpg")
_PATIENCE_S = 75
_DEATHS = {"crashed": Reason.DECODER_CRASHED, "timeout": Reason.DECODER_TIMEOUT}


class Analyser:
    """A pool of warm workers, started as they are needed. Safe between threads and after a fork.

    `workers`: how many photos are analysed at once; further callers wait.
    """

    def __init__(self, workers: int = CORES) -> None:
        self._workers = workers
        self._start_over()

    def analyse_photo(
        self, path: Path, *, claimed_type: str | None, out_dir: Path, now: datetime | None = None
    ) -> Analysis:
        """Say what the photo is; see the function of this name."""
        job = {
            "path": str(path.absolute()),
            "claimed_type": claimed_type,
            "out_dir": str(out_dir.absolute()),
            "now": (now or datetime.now(UTC)).isoformat(),
        }
        with self._worker() as worker:
            answer = worker.ask(job)
        if "unreadable" in answer:
            raise OSError(*answer["unreadable"])
        if "analysis" in answer:
            return Analysis.from_json(answer["analysis"])
        for name in _PICTURES:
            (out_dir / name).unlink(missing_ok=True)
        return Analysis(Verdict.REJECT, _DEATHS[answer["died"]])

    def close(self) -> None:
        """End the workers; the next photo starts a new one."""
        while worker := self._idle_worker():
            worker.close()

    @contextmanager
    def _worker(self) -> Iterator[_Worker]:
        """Lend a worker that nobody else uses; one that fails its borrower is not lent again."""
        if self._owner != os.getpid():  # forked: the old workers answer to our parent
            self._start_over()
        with self._slots:
            worker = self._idle_worker() or _Worker()
            try:
                yield worker
            except BaseException:
                worker.close()
                raise
            self._idle.append(worker)

    def _idle_worker(self) -> _Worker | None:
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _start_over(self) -> None:
        self._owner = os.getpid()
        self._slots = threading.BoundedSemaphore(self._workers)
        self._idle: deque[_Worker] = deque()


class _Worker:
    """One `worker.py` process at the other end of two pipes."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "fieldapi.imaging.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_environ(),
        )

    def ask(self, job: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to one job; a worker that is gone counts as a crash."""
        pipe_in, pipe_out = self._process.stdin, self._process.stdout
        if pipe_in is None or pipe_out is None:
            raise RuntimeError("the worker has no pipes")
        try:
            pipe_in.write(json.dumps(job).encode() + b"\n")
            pipe_in.flush()
        except BrokenPipeError:
            raise WorkerGoneError from None
        is_answered = bool(select.select([pipe_out], [], [], _PATIENCE_S)[0])
        line = pipe_out.readline() if is_answered else b""
        if not line:
            raise WorkerGoneError
        return dict(json.loads(line))

    def close(self) -> None:
        """End the process and collect it."""
        self._process.kill()
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):  # a job it never read
                self._process.stdin.close()
        with self._process:
            return


def _environ() -> dict[str, str]:
    """Return the whole environment of a worker: our secrets are not in it.

    Large pages spare a child, whose memory is all new, a tenth of its time.
    """
    return {
        "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry),
        "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    }


class WorkerGoneError(OSError):
    """The warm process ended: killed from outside, or it never started. Try again."""

    def __init__(self) -> None:
        super().__init__("the photo worker ended before it answered")


_shared = Analyser()
atexit.register(_shared.close)


def analyse_photo(
    path: Path, *, claimed_type: str | None, out_dir: Path, now: datetime | None = None
) -> Analysis:
    """Say what the photo at `path` is, and write its pictures into `out_dir`.

    `claimed_type`: the media type that the sender announced; another real one is flagged. `now`
    (aware) is what a date may not lie after. Never raises for what a file does: a decoder that
    dies or hangs is a rejected photo. Raises `OSError` if the file cannot be read at all, and
    `WorkerGoneError`, one of them, if the process that decodes was killed from outside.
    """
    return _shared.analyse_photo(path, claimed_type=claimed_type, out_dir=out_dir, now=now)
