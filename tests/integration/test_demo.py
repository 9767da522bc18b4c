"""The demo tells the truth: it ends with 0 when all of it held, and says where it did not."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from fieldapi.domain.references import is_reference
from tests.support.tree import ROOT

Start = Callable[..., subprocess.Popen[str]]

_WITHIN_S = 120
STORY = [
    "migrate",
    "authority",
    "people",
    "fees",
    "serve",
    "enrol",
    "offline",
    "draw",
    "capture",
    "unknown",
    "sync",
    "cut",
    "read back",
    "analysed",
    "sign in",
    "look",
    "decide",
    "told",
    "impound",
    "quote",
    "release",
    "board",
    "export",
    "bundle",
    "verify",
    "ledger",
    "replay",
    "photos",
    "done",
]


def _start(*arguments: str, **environ: str) -> subprocess.Popen[str]:
    # Settings of another installation, which would not even start: the demo minds its own.
    others = {"FIELDAPI_DATABASE_URL": "mysql://elsewhere", "FIELDAPI_DATA": "/dev/null"}
    return subprocess.Popen(
        [sys.executable, "-m", "fieldapi.cli", "demo", *arguments],
        cwd=ROOT,
        env={**os.environ, **others, **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A runner in the background ignores Ctrl-C, and whatever it starts would inherit that.
        preexec_fn=_hear_ctrl_c,  # noqa: PLW1509 - nothing but one system call in the child
    )


def _hear_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _run(*arguments: str) -> tuple[int, str, str]:
    """Run a demo to its end; return exit code, output and what it said on the side."""
    with _start(*arguments) as process:
        out, err = process.communicate(timeout=_WITHIN_S)
    return process.returncode, out, err


@pytest.fixture
def started() -> Iterator[Start]:
    """Start demos that are gone when the test is over."""
    with ExitStack() as stack:

        def start(*arguments: str, **environ: str) -> subprocess.Popen[str]:
            process = stack.enter_context(_start(*arguments, **environ))
            stack.callback(process.terminate)
            return process

        yield start


def _read_until(process: subprocess.Popen[str], text: str) -> str:
    """Return what a demo says up to the first line with this text."""
    said = ""
    for line in process.stdout:
        said += line
        if text in line:
            return said
    raise AssertionError(f"the demo ended before {text}: {said}{process.stderr.read()}")


def _get(url: str) -> int:
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname, parts.port, timeout=30)
    try:
        connection.request("GET", parts.path)
        return connection.getresponse().status
    finally:
        connection.close()


def test_demo_reads_everything_back(tmp_path: Path) -> None:
    code, out, err = _run("--once", "--json", "--data", str(tmp_path / "demo"))
    lines = [json.loads(line) for line in out.splitlines()]
    told = {line["step"]: line for line in lines}

    assert (code, err, list(told)) == (0, "", STORY)
    assert all(line["ok"] for line in lines)
    assert is_reference(told["capture"]["reference"])
    assert told["unknown"]["known"] == 0
    assert 0 < told["cut"]["kept"] < told["cut"]["size"]
    assert told["told"]["reason"]
    assert told["ledger"]["entries"] == told["done"]["entries"] > told["sync"]["applied"]


def test_demo_keeps_running_until_it_is_interrupted(started: Start, tmp_path: Path) -> None:
    demo = started("--data", str(tmp_path / "demo"), PYTHONIOENCODING="ascii")
    said = _read_until(demo, "Ctrl-C ends it")
    urls = re.findall(r"http://[^ ,]+/(?:console/\S*|docs)", said)
    statuses = [_get(url) for url in urls]
    demo.send_signal(signal.SIGINT)
    _, err = demo.communicate(timeout=_WITHIN_S)

    assert statuses == [303, 303, 200]
    assert (demo.returncode, err) == (0, "")
    with pytest.raises(ConnectionRefusedError):
        _get(urls[0])
    assert (tmp_path / "demo/server/fieldapi.sqlite3").exists()


def test_demo_ends_quietly_in_the_middle(started: Start, tmp_path: Path) -> None:
    demo = started("--json", "--data", str(tmp_path / "demo"))
    url = json.loads(_read_until(demo, '"serve"').splitlines()[-1])["url"]
    demo.terminate()
    _, err = demo.communicate(timeout=_WITHIN_S)

    assert (demo.returncode, err) == (130, "")
    with pytest.raises(ConnectionRefusedError):
        _get(url)


def test_demo_names_the_step_that_failed(started: Start, tmp_path: Path) -> None:
    demo = started("--json", "--data", str(tmp_path / "demo"))
    _read_until(demo, '"serve"')
    for process in psutil.Process(demo.pid).children(recursive=True):
        process.kill()
    out, err = demo.communicate(timeout=_WITHIN_S)
    last = json.loads(out.splitlines()[-1])

    assert (demo.returncode, err, last["ok"]) == (1, "", False)
    assert last["step"] in STORY[4:]
    assert Path(last["server log"]).read_text()


def test_demo_leaves_a_folder_in_use_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    code, out, err = _run("--once", "--data", str(tmp_path))

    assert (code, out) == (1, "")
    assert "is not empty" in err
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


def test_demo_says_that_its_port_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, out, err = _run("--once", "--port", str(port))

    assert (code, out) == (1, "")
    assert f"port {port} cannot be used" in err
