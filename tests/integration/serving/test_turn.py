"""Writers of an SQLite file work one at a time, whichever process they live in."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fieldapi.turn import Turn
from tests.support.tree import ROOT

_HOLDS = """
import sys
from pathlib import Path
from fieldapi.turn import Turn
with Turn(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def queue(tmp_path: Path) -> Path:
    """Where writers queue."""
    return tmp_path / "turn"


@pytest.fixture
def other(queue: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process, which holds the turn until its input ends."""
    command = [sys.executable, "-c", _HOLDS, str(queue)]
    with subprocess.Popen(
        command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def _entering(turn: Turn) -> tuple[threading.Thread, threading.Event]:
    """Return a thread that waits for the turn, and what tells that it got in."""
    inside = threading.Event()

    def enter() -> None:
        with turn:
            inside.set()

    thread = threading.Thread(target=enter, daemon=True)
    thread.start()
    return thread, inside


def test_turn_of_another_process_is_waited_for(queue: Path, other: subprocess.Popen[str]) -> None:
    thread, inside = _entering(Turn(queue))
    came_early = inside.wait(0.2)
    other.communicate("")
    thread.join(10)

    assert not came_early
    assert inside.is_set()


def test_turn_of_a_killed_process_is_free(queue: Path, other: subprocess.Popen[str]) -> None:
    thread, inside = _entering(Turn(queue))
    other.kill()
    thread.join(10)

    assert inside.is_set()


def test_block_that_raises_lets_the_next_one_in(queue: Path) -> None:
    turn = Turn(queue)
    with pytest.raises(ZeroDivisionError), turn:
        _fail()
    thread, inside = _entering(turn)
    thread.join(10)
    turn.close()

    assert inside.is_set()


def test_turn_without_a_place_to_queue_is_an_error_and_stays_free(tmp_path: Path) -> None:
    turn = Turn(tmp_path / "nowhere" / "turn")

    for _ in range(2):
        with pytest.raises(FileNotFoundError), turn:
            pass


def _fail() -> None:
    raise ZeroDivisionError
