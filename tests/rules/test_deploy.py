"""What deploy/ installs names settings that exist, and nothing that changes by itself."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]  # it ships no types

from fieldapi.settings import Settings
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


def test_settings_of_compose_are_taken_in_a_volume_that_is_new(tmp_path: Path) -> None:
    service = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["app"]
    told = {
        name: re.sub(r"\$\{\w+(?::-(\d))?[^}]*\}", lambda found: found[1] or "word", value)
        for name, value in service["environment"].items()
    }
    told["FIELDAPI_LOG_FOLDER"] = told["FIELDAPI_LOG_FOLDER"].replace(
        "/var/lib/fieldapi", str(tmp_path)
    )

    settings = Settings.from_env({**told, "FIELDAPI_DATA": str(tmp_path)})

    assert settings.log_folder == tmp_path / "logs"
    assert settings.log_folder.is_dir()
    assert (settings.trusted_proxies, settings.public_url) == (1, "https://word")


def test_image_runs_without_rights_and_says_whether_it_is_ready() -> None:
    text = (ROOT / "Dockerfile").read_text()
    last = text[text.rindex("\nFROM ") :]

    assert re.search(r"^USER (?!root)", last, re.MULTILINE)
    assert "HEALTHCHECK" in last
    assert "STOPSIGNAL SIGTERM" in last
    assert "--require-hashes" in text


@pytest.mark.parametrize("name", ["fieldapi.sh", "install.sh", "roles.sh", "s3.sh"])
def test_shell_scripts_parse(name: str) -> None:
    assert subprocess.run(["sh", "-n", ROOT / "deploy" / name], check=False).returncode == 0


def test_operators_command_reads_the_settings_of_the_units_and_the_environment_goes_first(
    tmp_path: Path,
) -> None:
    program, settings = (
        tmp_path / "opt/fieldapi/bin/fieldapi",
        tmp_path / "etc/fieldapi/fieldapi.env",
    )
    for one in (program, settings):
        one.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "$FIELDAPI_STORAGE_URL $FIELDAPI_DATA $1"\n')
    program.chmod(0o755)
    settings.write_text(
        "# a word\n\nFIELDAPI_STORAGE_URL=s3://a?b=$(c)&d='e f'\nFIELDAPI_DATA=/x\n"
    )
    command = tmp_path / "command"
    text = (ROOT / "deploy" / "fieldapi.sh").read_text()
    command.write_text(text.replace("\nroot=\n", f"\nroot={tmp_path}\n"))

    said = subprocess.check_output(
        ["sh", command, "migrate"],
        env={"PATH": os.environ["PATH"], "FIELDAPI_DATA": "/y"},
        text=True,
    )

    assert said == "s3://a?b=$(c)&d='e f' /y migrate\n"


@pytest.mark.parametrize(
    "asked, code",
    [(["--help"], 0), (["--halp"], 2), (["--root"], 2), (["--root", "a", "b"], 2), ([""], 2)],
)
def test_installer_does_nothing_that_it_was_not_asked(asked: list[str], code: int) -> None:
    # With a Python that fails, an installation would end before its first act.
    told = subprocess.run(
        ["/bin/sh", ROOT / "deploy" / "install.sh", *asked],
        env={**os.environ, "PYTHON": "false"},
        capture_output=True,
        text=True,
        check=False,
    )

    usage, nothing = (told.stdout, told.stderr) if code == 0 else (told.stderr, told.stdout)
    assert (told.returncode, nothing) == (code, "")
    assert "deploy/install.sh --root DIR" in usage
