"""A decoder that dies, hangs or grows costs one photo; the server and the next photo go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from fieldapi.imaging import CORES, Analyser, Analysis, WorkerGoneError, worker
from fieldapi.imaging.facts import Reason, Verdict
from tests.support import images


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "photo"
    path.write_bytes(images.field_photo())
    return path


@pytest.fixture
def analyser() -> Iterator[Analyser]:
    made = Analyser(2)
    yield made
    made.close()


def analysed(analyser: Analyser, photo: Path) -> Analysis:
    return analyser.analyse_photo(photo, claimed_type="image/jpeg", out_dir=photo.parent)


def job(photo: Path) -> dict[str, object]:
    now = "2026-12-01T00:00:00+00:00"
    return {"path": str(photo), "claimed_type": None, "out_dir": str(photo.parent), "now": now}


def _die(*_: object, **__: object) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("nobody survives that")


def _hang(*_: object, **__: object) -> NoReturn:
    while True:
        time.sleep(60)


def _spin(*_: object, **__: object) -> NoReturn:
    while True:
        pass


def _grow(*_: object, **__: object) -> NoReturn:
    bytearray(4_000_000_000)
    raise AssertionError("there was no limit")


def _raise(*_: object, **__: object) -> NoReturn:
    raise RuntimeError("a decoder's own error")


def test_a_photo_is_analysed_in_a_child(analyser: Analyser, photo: Path) -> None:
    found = analysed(analyser, photo)
    assert (found.verdict, found.width, found.height) == (Verdict.ACCEPT, 640, 480)
    assert found.preview == photo.parent / "preview.jpg"
    assert found.preview.read_bytes().startswith(b"\xff\xd8")


@pytest.mark.parametrize("fault", [_die, _grow, _raise])
def test_a_child_that_dies_is_a_crash(
    photo: Path, monkeypatch: pytest.MonkeyPatch, fault: Callable[..., NoReturn]
) -> None:
    monkeypatch.setattr(worker, "analyse", fault)
    assert worker.run(job(photo)) == {"died": "crashed"}


def test_a_child_that_hangs_is_ended(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "analyse", _hang)
    assert worker.run(job(photo), wall_s=0.2) == {"died": "timeout"}


def test_a_child_that_spins_is_ended(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "analyse", _spin)
    monkeypatch.setattr(worker, "_CPU_S", 1)
    assert worker.run(job(photo), wall_s=30) == {"died": "timeout"}


@pytest.mark.parametrize(
    "died, reason",
    [("crashed", Reason.DECODER_CRASHED), ("timeout", Reason.DECODER_TIMEOUT)],
)
def test_a_dead_child_is_a_rejected_photo_without_pictures(
    analyser: Analyser, photo: Path, monkeypatch: pytest.MonkeyPatch, died: str, reason: Reason
) -> None:
    (photo.parent / "preview.jpg").write_bytes(b"half a picture")
    monkeypatch.setattr("fieldapi.imaging.child._Worker.ask", lambda *_: {"died": died})
    found = analysed(analyser, photo)
    assert (found.verdict, found.reason) == (Verdict.REJECT, reason)
    assert not (photo.parent / "preview.jpg").exists()


def test_a_file_that_cannot_be_read_is_our_fault(analyser: Analyser, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        analysed(analyser, tmp_path / "absent")


def test_a_worker_killed_from_outside_is_replaced(analyser: Analyser, photo: Path) -> None:
    analysed(analyser, photo)
    os.kill(_pid(analyser), signal.SIGKILL)
    with pytest.raises(WorkerGoneError):
        analysed(analyser, photo)
    assert analysed(analyser, photo).verdict == Verdict.ACCEPT


def test_a_worker_knows_no_secret(
    analyser: Analyser, photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELDAPI_SECRET_KEY", "swordfish")
    analysed(analyser, photo)
    names = Path(f"/proc/{_pid(analyser)}/environ").read_bytes()
    assert b"swordfish" not in names
    assert b"FIELDAPI" not in names


def test_many_threads_share_the_workers(analyser: Analyser, photo: Path) -> None:
    found: list[Analysis] = []
    threads = [
        threading.Thread(target=lambda: found.append(analysed(analyser, photo))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.verdict for one in found] == [Verdict.ACCEPT] * 6


def test_a_forked_server_gets_its_own_worker(analyser: Analyser, photo: Path) -> None:
    analysed(analyser, photo)
    child = os.fork()
    if child == 0:
        is_good = analysed(analyser, photo).verdict == Verdict.ACCEPT
        analyser.close()
        os._exit(0 if is_good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert analysed(analyser, photo).verdict == Verdict.ACCEPT


def test_the_worker_ends_with_the_server(photo: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path; from fieldapi.imaging import child\n"
        f"child.analyse_photo(Path({str(photo)!r}), claimed_type=None, "
        f"out_dir=Path({str(photo.parent)!r}))\n"
        "print(child._shared._idle[0]._process.pid, flush=True); os._exit(9)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == 9, done.stderr
    deadline = time.monotonic() + 10
    while Path(f"/proc/{int(done.stdout)}").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not Path(f"/proc/{int(done.stdout)}").exists()


@pytest.mark.parametrize("bomb", [images.bomb_png(), images.bomb_jpeg()], ids=["png", "jpeg"])
def test_a_bomb_takes_no_memory(photo: Path, bomb: bytes) -> None:
    photo.write_bytes(bomb)
    program = (
        "from datetime import UTC, datetime; from pathlib import Path\n"
        "from fieldapi.imaging import analyse, decode\n"
        f"decode.set_up(); found = analyse.analyse(Path({str(photo)!r}), claimed_type=None, "
        f"out_dir=Path({str(photo.parent)!r}), now=datetime.now(UTC))\n"
        "status = Path('/proc/self/status').read_text()\n"
        "print(found.reason, status.partition('VmHWM:')[2].split()[0])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    reason, peak_kb = done.stdout.split()
    assert reason == b"too_many_pixels"
    assert int(peak_kb) < 200_000


def test_a_server_holds_no_decoder() -> None:
    """HEIC and the rest are decoded in children alone: the app could not if it would."""
    program = (
        "import sys, fieldapi.app, fieldapi.serving, fieldapi.pending\n"
        "print([n for n in ('pi_heif', 'fieldapi.imaging.decode') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout == b"[]\n"


def test_there_is_a_place_for_each_core() -> None:
    assert Analyser()._slots._initial_value == CORES == len(os.sched_getaffinity(0))  # type: ignore[attr-defined]  # noqa: SLF001


def _pid(analyser: Analyser) -> int:
    return analyser._idle[0]._process.pid  # noqa: SLF001 - there is no other way to look at it
