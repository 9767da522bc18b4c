"""The pack for a report of an incident: whole, sealed, and without a word of people."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from fieldapi.house import House
from tests.support.commands import Run
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.reports import seizure_body

CANARIES = ("Ramesh-canary", "9876543210", "canary well", "22.30391", "csd1_", "Asha")


def test_pack_is_whole_and_names_nobody(
    run: Run, house: House, as_person: AsPerson, village: Village, tmp_path: Path
) -> None:
    owner = {"known": True, "name": "Ramesh-canary", "mobile": "9876543210"}
    body = seizure_body(owner=owner, remarks="near the canary well")
    as_person("asha").post("/api/v1/seizures", json=body)
    as_person("bina").get(f"/api/v1/seizures/{body['id']}")
    pack, actor = tmp_path / "pack", village["bina"].actor
    span = ("--since", "2026-11-01T00:00:00Z", "--until", "2026-12-24T00:00:00Z")
    told = run("incident-pack", str(pack), *span, "--actor", actor, "--json")

    assert told.code == 0
    texts = "".join(path.read_text() for path in pack.iterdir())
    assert [one for one in CANARIES if one in texts] == []
    touched = [json.loads(line) for line in (pack / "touched.jsonl").read_text().splitlines()]
    assert [one["kind"] for one in touched if one["subject"] == f"seizure/{body['id']}"] == [
        "record.viewed"
    ]
    sealed = ["sha256sum", "--check", "--quiet", "MANIFEST.sha256"]
    assert subprocess.run(sealed, cwd=pack, check=False).returncode == 0
    assert "do not verify: none" in (pack / "report.md").read_text()
    assert run("incident-pack", str(pack)).code == 1
