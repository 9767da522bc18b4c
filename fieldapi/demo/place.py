"""Where a demo lives: a fresh folder with the server's data, the phones' files and the logs.

The settings of whoever runs it play no part: a demo never touches another installation.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from shutil import rmtree

from fieldapi.clock import INDIA, system_clock
from fieldapi.settings import Settings, SettingsError

_ROOM = Path("var")
_TRIES = 20


@dataclass(frozen=True, slots=True)
class Place:
    """The folders of one demo. `server` is what `FIELDAPI_DATA` names."""

    root: Path

    @property
    def server(self) -> Path:
        return self.root / "server"

    @property
    def phone(self) -> Path:
        return self.root / "phone"

    @property
    def tablet(self) -> Path:
        return self.root / "tablet"

    @property
    def server_log(self) -> Path:
        return self.root / "server.log"

    @property
    def demo_log(self) -> Path:
        return self.root / "demo.log"

    def environ(self, port: int | None = None) -> dict[str, str]:
        """Return the environment of the demo's programs; `port`: where the server answers."""
        kept = {name: v for name, v in os.environ.items() if not name.startswith("FIELDAPI_")}
        address = {} if port is None else {"FIELDAPI_PUBLIC_URL": f"http://127.0.0.1:{port}"}
        return {**kept, "FIELDAPI_DATA": str(self.server), **address}

    def settings(self) -> Settings:
        """Return the settings of the demo's installation. Raises `SettingsError`."""
        return Settings.from_env(self.environ())


@contextmanager
def opened(data: Path | None, *, is_once: bool) -> Iterator[Place]:
    """Make the place of a demo. Raises `SettingsError`.

    With `data`, there; else for one run in a temporary folder, which goes unless it failed; else
    in a new folder under `var`.
    """
    if data is not None:
        yield Place(_made(data))
    elif is_once:
        with _passing() as folder:
            yield Place(folder)
    else:
        yield Place(_new(system_clock().astimezone(INDIA)))


@contextmanager
def _passing() -> Iterator[Path]:
    """Make a folder that goes with the block, unless it fails: then its logs are wanted."""
    folder, is_wanted = Path(tempfile.mkdtemp(prefix="fieldapi-demo-")), False
    try:
        yield folder
    except Exception:
        is_wanted = True
        raise
    finally:
        if not is_wanted:
            rmtree(folder, ignore_errors=True)


def shown(path: Path) -> str:
    """Return a path as short as it can be written from here."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _new(now: datetime) -> Path:
    for turn in range(1, _TRIES):
        name = f"demo-{now:%Y%m%d-%H%M%S}" + (f"-{turn}" if turn > 1 else "")
        if not (_ROOM / name).exists():
            return _made(_ROOM / name)
    raise AssertionError("twenty demos in one second")


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_fresh = not any(folder.iterdir())
    except OSError as exc:
        raise _unusable(folder, f"cannot be used ({exc.strerror})") from exc
    if not is_fresh:
        raise _unusable(folder, "is not empty")
    return folder.absolute()


def _unusable(folder: Path, why: str) -> SettingsError:
    return SettingsError("--data", f"the folder {folder} {why}", "name a new or an empty one")
