"""The warm process behind `child.py`: loads the decoders once, then forks one child per photo and
reports what became of it. Started as `python -m fieldapi.imaging.worker` with pipes and a bare
environment; it decodes no photo itself and holds no secret.

One line of JSON in, one line out: `{"path", "claimed_type", "out_dir", "now"}` to
`{"analysis": {…}}`, `{"died": "crashed" | "timeout"}` or `{"unreadable": [errno, text]}`.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from PIL import Image
from PIL.ExifTags import GPS, IFD, Base

from fieldapi.imaging.analyse import analyse
from fieldapi.imaging.decode import set_up

WALL_S = 60
_NICE = 10  # pictures can wait, whoever asks the server something cannot
_CPU_S = 20
_LIMITS = {
    resource.RLIMIT_AS: 1536 * 1024 * 1024,
    resource.RLIMIT_FSIZE: 32 * 1024 * 1024,
    resource.RLIMIT_NOFILE: 32,
    resource.RLIMIT_CORE: 0,
}
_ANSWER_LIMIT = 4 * 1024 * 1024


def main() -> None:
    """Serve jobs until the other end of standard input is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends our input
    os.nice(_NICE)
    set_up()
    _warm_up()
    for line in sys.stdin.buffer:
        answer = run(json.loads(line))
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()


def _warm_up() -> None:
    """Load what decoding loads late, so that no child has to; then spare the children's memory."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        photo = folder / "blank.jpg"
        exif = Image.Exif()
        exif[Base.Make], exif[IFD.GPSInfo] = "warm", {GPS.GPSLatitudeRef: "N"}
        Image.new("RGB", (640, 480)).save(photo, exif=exif)
        analyse(photo, claimed_type=None, out_dir=folder, now=datetime.now(UTC))
    gc.freeze()


def run(job: dict[str, Any], *, wall_s: float = WALL_S) -> dict[str, Any]:
    """Do one job in a forked child and say how it ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work(job, writing)
    os.close(writing)
    answer = _read_until(reading, time.monotonic() + wall_s)
    os.close(reading)
    if answer is None:
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if answer is None or status == -signal.SIGXCPU:
        return {"died": "timeout"}
    if status != 0:
        return {"died": "crashed"}
    return dict(json.loads(answer))


def _work(job: dict[str, Any], writing: int) -> NoReturn:
    """Analyse in the child and leave by `_exit`: nothing of the worker may run twice."""
    status = 1
    try:
        for limit, value in _LIMITS.items():
            resource.setrlimit(limit, (value, value))
        resource.setrlimit(resource.RLIMIT_CPU, (_CPU_S, 2 * _CPU_S))  # SIGXCPU, then SIGKILL
        answer = json.dumps(_answer(job)).encode()
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(answer)
        status = 0
    except Exception:  # noqa: BLE001 - nothing may return into the worker; the log has it
        traceback.print_exc()
    finally:
        os._exit(status)


def _answer(job: dict[str, Any]) -> dict[str, Any]:
    try:
        analysis = analyse(
            Path(job["path"]),
            claimed_type=job["claimed_type"],
            out_dir=Path(job["out_dir"]),
            now=datetime.fromisoformat(job["now"]),
        )
    except OSError as exc:
        return {"unreadable": [exc.errno, exc.strerror]}
    return {"analysis": analysis.to_json()}


def _read_until(reading: int, deadline: float) -> bytes | None:
    """Return all that the child writes, or None if it is not done by the deadline."""
    answer = b""
    while len(answer) < _ANSWER_LIMIT:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([reading], [], [], left)[0]:
            return None
        piece = os.read(reading, 65536)
        if not piece:
            return answer
        answer += piece
    return None


if __name__ == "__main__":
    main()
