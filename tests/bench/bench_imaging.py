"""Prints what a photo costs: 13 megapixels against one draft decode in the same run, and a photo of
300 kB from file to answer through the warm worker. Of a HEIC only the worker's time is told,
nothing smaller decodes it.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from PIL import Image

from fieldapi.imaging import Analyser
from fieldapi.imaging.analyse import analyse
from fieldapi.imaging.decode import set_up
from fieldapi.imaging.specimen import Specimen, draw

ROUNDS = 9
IST = timezone(timedelta(hours=5, minutes=30))
TAKEN = datetime(2026, 11, 30, 14, 5, 9, tzinfo=IST)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", nargs="*", type=Path, help="of your own; else two are drawn")
    photos: list[Path] = parser.parse_args().photos
    set_up()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for photo in photos or _drawn(folder):
            measure(photo, folder)


def _drawn(folder: Path) -> Iterator[Path]:
    for name, size in {"large.jpg": (4160, 3120), "usual.jpg": (1400, 1050)}.items():
        (folder / name).write_bytes(drawn(size))
        yield folder / name


def drawn(size: tuple[int, int]) -> bytes:
    return draw(Specimen(1, TAKEN, 22.30391, 70.80216, size=size))


def measure(photo: Path, folder: Path) -> None:
    with Image.open(photo) as image:
        print(f"{image.width} x {image.height}, {photo.stat().st_size // 1000} kB")
        has_draft = image.format in {"JPEG", "MPO"}
    analyser = Analyser(1)
    drafts: dict[str, Callable[[], object]] = {
        "draft decode to 1280": lambda: draft(photo).load(),
        "draft decode, scaled to 1280": lambda: draft(photo).thumbnail((1280, 1280)),
    }
    times = least(
        {
            **(drafts if has_draft else {}),
            "whole pipeline": lambda: analysed(photo, folder),
            "through the warm worker": lambda: asked(analyser, photo, folder),
        }
    )
    # The worker's CPU is its own: the clock of its process counts in hundredths, so ask often.
    before = ticks(analyser)
    for _ in range(2 * ROUNDS):
        asked(analyser, photo, folder)
    own = (ticks(analyser) - before) / os.sysconf("SC_CLK_TCK") / ROUNDS / 2 * 1000
    times["through the warm worker"] = (own, times["through the warm worker"][1])
    base = times.get("draft decode, scaled to 1280")
    for step, (cpu, wall) in times.items():
        ratio = f" {cpu / base[0]:5.2f} x scaled draft" if base else ""
        print(f"  {step:30} {wall:6.1f} ms {cpu:6.1f} ms CPU{ratio}")
    analyser.close()


def draft(photo: Path) -> Image.Image:
    image = Image.open(photo)
    image.draft("RGB", (1280, 1280))
    return image


def analysed(photo: Path, folder: Path) -> None:
    analyse(photo, claimed_type="image/jpeg", out_dir=folder, now=datetime.now(UTC))


def asked(analyser: Analyser, photo: Path, folder: Path) -> None:
    analyser.analyse_photo(photo, claimed_type="image/jpeg", out_dir=folder)


def ticks(analyser: Analyser) -> int:
    """Return the CPU time of the warm worker and its children so far, in clock ticks."""
    pid = analyser._idle[0]._process.pid  # noqa: SLF001 - there is no other way to look at it
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15]))


def least(steps: dict[str, Callable[[], object]]) -> dict[str, tuple[float, float]]:
    """Return the least CPU and wall time of each step in ms, the steps taking turns."""
    times = {step: (float("inf"), float("inf")) for step in steps}
    for _ in range(ROUNDS):
        for step, run in steps.items():
            cpu, wall = time.process_time(), time.perf_counter()
            run()
            taken = ((time.process_time() - cpu) * 1000, (time.perf_counter() - wall) * 1000)
            times[step] = (min(times[step][0], taken[0]), min(times[step][1], taken[1]))
    return times


if __name__ == "__main__":
    main()
