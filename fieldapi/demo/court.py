"""For the court: Bina takes the reports out as a table, asks for the bundle of the case, and a
program that knows nothing of this one finds that every byte of it fits. Over HTTP.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fieldapi.bundle.alone import program
from fieldapi.demo.field import Report
from fieldapi.demo.phone import Crew
from fieldapi.demo.place import Place, shown
from fieldapi.demo.pound import Counter
from fieldapi.demo.proof import Kept
from fieldapi.demo.server import Server
from fieldapi.demo.telling import Mismatch, Teller, kb, require
from fieldapi.ids import new_id

_WITHIN_S, _LOOK_S = 90, 0.3


@dataclass(frozen=True, slots=True)
class Office:
    """What the desk works with: a server, a token, a head that the phone kept."""

    server: Server
    crew: Crew
    kept: Kept


def hand_over(tell: Teller, here: Place, office: Office, *, report: Report) -> Path:
    """Export, build, verify; return where the bundle lies."""
    desk = Counter(office.server.url, token=office.crew.tablet.device.token)
    with tell.step("export", "taking the reports out as a table") as done:
        rows = _export(desk, report)
        done(f"{rows} report taken out as CSV, its last line hashes the others", rows=rows)
    with tell.step("bundle", "building the court bundle") as done:
        made = _bundle(desk, report)
        file = here.root / "bundle.zip"
        file.write_bytes(desk.raw(made["download"]))
        held = made["contents"]
        done(
            f"bundle of {kb(made['size'])}: {held['originals']} photos, {held['ops']} words of"
            f" phones, {held['entries']} ledger entries",
            sha256=made["sha256"],
        )
    with tell.step("verify", "checking it with a program that needs nothing of this one") as done:
        _verify(here, file, made["sha256"], office.kept)
        done(f"verify.py: everything fits, and continues the phone's head: {shown(file)}")
    return file


def _export(desk: Counter, report: Report) -> int:
    data = desk.raw("/api/v1/exports/seizures.csv")
    end = data.rstrip(b"\n").rindex(b"\n") + 1
    above, last = data[:end], data[end:].decode()
    require(report.reference.encode() in above, "the table does not have the report")
    require(hashlib.sha256(above).hexdigest() in last, "the last line has another hash")
    return int(last.split(",")[1])


def _bundle(desk: Counter, report: Report) -> dict[str, Any]:
    """Ask for the bundle and wait until it is there."""
    asked = desk.post("/api/v1/bundles", {"id": new_id(), "seizure": report.id})
    until = time.monotonic() + _WITHIN_S
    while asked["state"] == "building":
        require(time.monotonic() < until, f"the bundle is at {asked['progress']} % for too long")
        time.sleep(_LOOK_S)
        asked = desk.get(f"/api/v1/bundles/{asked['id']}")
    require(asked["state"] == "ready", f"no bundle was made: {asked['missing']}")
    return asked


def _verify(here: Place, file: Path, sha256: str, kept: Kept) -> None:
    """Run the verifier in a Python that sees neither this program nor its packages."""
    found = hashlib.sha256(file.read_bytes()).hexdigest()
    require(found == sha256, "the file that came has another hash")
    alone = here.root / "verify.py"
    alone.write_bytes(program())
    done = subprocess.run(  # noqa: S603 - the file written just now
        [sys.executable, "-I", "-S", str(alone), str(file), "--head", str(kept.file)],
        capture_output=True,
        timeout=_WITHIN_S,
        check=False,
    )
    if done.returncode != 0:
        raise Mismatch((done.stdout + done.stderr).decode(errors="replace").strip())
