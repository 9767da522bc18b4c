"""Looks at every screen of the phone app and every page of the console in five languages, light and
dark: with axe, at 320 px, with large text, at the size of what is pressed.

    ./dev soak screens [-k inbox]

What it does not know is told to pytest.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from tests.web import test_console_access as console
from tests.web import test_phone_screens as phone

_TESTS = ("tests/web/test_phone_screens.py", "tests/web/test_console_access.py")


def main() -> int:
    """Run the looks that `./dev test` takes two of; return 1 if a screen hinders anybody."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    _, further = parser.parse_known_args()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", *_TESTS, *further]
    looks = {console.ALL_LOOKS: "1", phone.ALL_LOOKS: "1"}
    return subprocess.run(command, check=False, env={**os.environ, **looks}).returncode


if __name__ == "__main__":
    sys.exit(main())
