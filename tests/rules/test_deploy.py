"""What deploy/ installs names settings that exist, and nothing that changes by itself."""

from __future__ import annotations

import re
import subprocess

import pytest
import yaml  # type: ignore[import-untyped]  # it ships no types

from tests.support.tree import ROOT

_NAME = re.compile(r"\bFIELDAPI_[A-Z_]+\b")
# Of compose.yaml alone: it makes settings of them.
_OF_COMPOSE = {"FIELDAPI_HOST", "FIELDAPI_OWNER_PASSWORD", "FIELDAPI_APP_PASSWORD"}
_FILES = ("compose.yaml", "Dockerfile", "deploy/install.sh", "deploy/roles.sh", "deploy/Caddyfile")


@pytest.mark.parametrize("name", _FILES)
def test_settings_of_an_installation_are_known_to_the_program(name: str) -> None:
    known = set(_NAME.findall((ROOT / "fieldapi" / "settings.py").read_text()))
    assert set(_NAME.findall((ROOT / name).read_text())) <= known | _OF_COMPOSE


def test_compose_has_every_part_and_pins_what_it_fetches() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]

    assert set(services) == {"database", "store", "migrate", "app", "worker", "proxy"}
    images = [one["image"] for one in services.values()]
    assert [one for one in images if ":" not in one and one != "fieldapi"] == []
    assert [name for name, one in services.items() if "ports" in one] == ["proxy"]
    owners = [name for name, one in services.items() if "OWNER_DATABASE" in str(one)]
    assert owners == ["migrate"]


def test_image_runs_without_rights_and_says_whether_it_is_ready() -> None:
    text = (ROOT / "Dockerfile").read_text()
    last = text[text.rindex("\nFROM ") :]

    assert re.search(r"^USER (?!root)", last, re.MULTILINE)
    assert "HEALTHCHECK" in last
    assert "STOPSIGNAL SIGTERM" in last
    assert "--require-hashes" in text


@pytest.mark.parametrize("name", ["install.sh", "roles.sh", "s3.sh"])
def test_shell_scripts_parse(name: str) -> None:
    assert subprocess.run(["sh", "-n", ROOT / "deploy" / name], check=False).returncode == 0
