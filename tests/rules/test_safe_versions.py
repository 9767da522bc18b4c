"""No package below the version that closed a known hole: known without asking any service.

An audit by a service may have no feed where it runs and then looks harmless; this list does not.
"""

from __future__ import annotations

import re

import pytest

from tools.paths import ROOT

# The hole that the version closed stands beside it.
LEAST = {
    "werkzeug": "3.1.6",  # names of devices in safe_join (CVE-2026-27199)
    "flask": "3.1.3",  # Vary: Cookie left out (CVE-2026-27205)
    "pillow": "12.3.0",  # writing PSD, FITS bombs (CVE-2026-25990, CVE-2026-40192)
    "gunicorn": "23.0.0",  # two framings of one request (CVE-2024-1135, CVE-2024-6827)
    "marshmallow": "4.1.2",  # load(many=True) that burns CPU (CVE-2025-68480)
}
# They had holes of their own kind and are not needed here.
NEVER = ("pyjwt", "authlib", "python-jose", "flask-talisman", "python-multipart")


def _pins(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text()
    found = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", text, re.MULTILINE)
    return {package.lower(): version for package, version in found}


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_no_package_is_older_than_what_closed_its_known_hole(lock: str) -> None:
    pins = _pins(lock)
    old = {
        name: pins[name]
        for name, least in LEAST.items()
        if name in pins and _numbers(pins[name]) < _numbers(least)
    }
    assert old == {}
    assert lock != "requirements.lock" or pins.keys() >= LEAST.keys()


def test_no_package_for_tokens_that_explain_themselves_is_needed() -> None:
    assert [name for name in NEVER if name in _pins("requirements.lock")] == []
