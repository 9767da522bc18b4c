"""Looks at every screen of the phone app in five languages, light and dark: with axe, at 320 px,
with large text, with a thumb's size between what is pressed.

    ./dev soak screens
"""

from __future__ import annotations

import os
import subprocess
import sys

from tests.web.test_phone_screens import ALL_LOOKS

_TESTS = "tests/web/test_phone_screens.py"


def main() -> int:
    """Run the looks that `./dev test` takes two of; return 1 if a screen hinders anybody."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", _TESTS, *sys.argv[1:]]
    return subprocess.run(command, check=False, env={**os.environ, ALL_LOOKS: "1"}).returncode


if __name__ == "__main__":
    sys.exit(main())
