"""The bill of materials names what the lock file pins, with its hashes."""

from __future__ import annotations

import re

from tools.paths import ROOT
from tools.sbom import document

LOCK = f"""\
flask==3.1.3 \\
    --hash=sha256:{"a" * 64} \\
    --hash=sha256:{"b" * 64}
    # via -r pyproject.toml
psycopg[binary]==3.3.1 ; python_version > "3" \\
    --hash=sha256:{"c" * 64}
"""


def test_bill_names_every_pin_with_its_hashes() -> None:
    components = document(LOCK)["components"]
    assert [(one["name"], one["version"], len(one["properties"])) for one in components] == [
        ("flask", "3.1.3", 2),
        ("psycopg", "3.3.1", 1),
    ]
    assert components[0]["purl"] == "pkg:pypi/flask@3.1.3"


def test_bill_of_this_program_is_whole() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    pins = len(re.findall(r"^[A-Za-z0-9].*==", lock, re.MULTILINE))
    components = document(lock)["components"]
    assert len(components) == pins > 20
    assert all(one["properties"] for one in components)
