"""Prints the bill of materials (CycloneDX 1.6, JSON) of what is installed with the program.

Made from requirements.lock alone: names, versions and the hashes that are accepted. Licences are
read from the environment, where a package says one. Called by `./dev sbom`.
"""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import PackageNotFoundError, metadata
from typing import Any

import fieldapi
from tools.paths import ROOT

_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def main() -> int:
    """Print the document."""
    print(json.dumps(document((ROOT / "requirements.lock").read_text()), indent=2))
    return 0


def document(lock: str) -> dict[str, Any]:
    """Return the bill of what a lock file pins."""
    pins = list(_PIN.finditer(lock))
    ends = [*(pin.start() for pin in pins[1:]), len(lock)]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": _component("fieldapi", fieldapi.__version__, kind="application")},
        "components": [
            _component(pin[1].lower(), pin[2], hashes=_HASH.findall(lock[pin.end() : end]))
            for pin, end in zip(pins, ends, strict=True)
        ],
    }


def _component(
    name: str, version: str, *, kind: str = "library", hashes: list[str] | None = None
) -> dict[str, object]:
    found: dict[str, object] = {
        "type": kind,
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name}@{version}",
        "properties": [{"name": "sha256", "value": one} for one in hashes or ()],
    }
    licence = _licence(name)
    return found | ({"licenses": [{"license": {"name": licence}}]} if licence else {})


def _licence(name: str) -> str | None:
    try:
        said = metadata(name)
    except PackageNotFoundError:
        return None
    names = [name for name in ("License-Expression", "License") if name in said]
    text = said[names[0]] if names else ""
    return text.splitlines()[0][:100] if text else None


if __name__ == "__main__":
    sys.exit(main())
