"""A phone is killed at any moment: what it said it saved is saved, and arrives once."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from sync.client.device import Phone
from tests.unit.sync_client.server import FieldServer

OFFICER = """
import sys
from pathlib import Path
from sync.client.device import Phone

with Phone(Path(sys.argv[1])) as phone:
    while True:
        print(phone.create("seizure", {"count": 5}), flush=True)
        phone.sync()
"""


@pytest.mark.parametrize("after_ms", [20, 45, 90, 180])
def test_7_19_killed_phone_loses_nothing_it_saved(
    phone: Phone, server: FieldServer, tmp_path: Path, after_ms: int
) -> None:
    officer = subprocess.Popen(
        [sys.executable, "-c", OFFICER, str(tmp_path / "phone")],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert officer.stdout is not None
    saved = [officer.stdout.readline().strip()]
    time.sleep(after_ms / 1000)
    officer.kill()
    saved += officer.communicate()[0].split()

    phone.sync()

    assert phone.state().waiting == 0
    assert set(saved) <= set(phone.records("seizure"))
    assert len(server.heads) == len(server.ops) == len(phone.records("seizure"))
