"""Analyses photos in child processes: a hostile file can take down a child, never the server.
Services and jobs call `analyse_photo`; what runs in the child is `analyse.py`.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from fieldapi.imaging.facts import Analysis


def analyse_photo(
    path: Path, *, claimed_type: str | None, out_dir: Path, now: datetime | None = None
) -> Analysis:
    """Say what the photo at `path` is, and write its pictures into `out_dir`.

    `claimed_type`: the media type that the sender announced; another real one is flagged. `now`
    (aware) is what a date may not lie after. Never raises for what a file does: a decoder that
    dies or hangs is a rejected photo. Raises `OSError` if the file cannot be read at all.
    """
    raise OSError("no analyser has been started")
