"""Photos of 3 MiB by tus-js-client, four at once: to the tus server of npm with its file store, and
to ours, in turn. Seconds, CPU of the server, and the memory of our largest process.

    ./dev bench tus [--photos 200] [--rounds 2] [--json]

Ours hashes, fsyncs and enters every photo; the other keeps bytes and leaves them to the system's
cache. The reports that announce the photos are in before, and work of theirs is done. Pictures are
made when no more photos come in; what is made before is told apart. Once as the client does by
itself, an upload created and then filled, and once with its `uploadDataDuringCreation`: one request
a photo, to either server. Needs npm: without it this says so.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from fieldapi.imaging.specimen import Specimen, draw
from tests.support import tus_js
from tests.support.personas import found_village
from tests.support.photos import TAKEN, UPLOADS
from tests.support.reports import photo_body, seizure_body
from tests.support.serving import Served, is_of_pictures, serve_on_sqlite
from tests.support.tus_js import PhotoFile
from tools import node

SIZE = 3 * 1024 * 1024
_PER_REPORT = 20
_SETTLES_S, _RESTS_CPU_S = 20.0, 0.1
_WAYS: dict[str, dict[str, bool]] = {"": {}, "_in_one": {"uploadDataDuringCreation": True}}


@dataclass(slots=True)
class Turn:
    """What one upload of all photos took."""

    seconds: float
    cpu_s: float
    pictures_cpu_s: float = 0.0
    memory_mib: float = 0.0


@dataclass(slots=True)
class Peak:
    """The greatest memory of any process of a server while it is watched."""

    served: Served
    mib: float = 0.0
    _done: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Look ten times a second until the block ends."""
        thread = threading.Thread(target=self._watch, daemon=True)
        thread.start()
        yield
        self._done.set()
        thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.1):
            self.mib = max(self.mib, _web_mib(self.served))


def main() -> None:
    """Print the numbers of one run."""
    ask = _arguments()
    try:
        node.packages(tus_js.SCRIPTS)
    except (node.NodeMissing, subprocess.CalledProcessError) as exc:
        print(f"bench tus was skipped, npm's packages are not here: {exc}")
        return
    turns: dict[str, list[Turn]] = {f"{who}{way}": [] for way in _WAYS for who in ("npm", "ours")}
    with TemporaryDirectory() as name:
        folder = tus_js.bench_folder(Path(name) / "tus")
        photos = [tus_js.photo_file(folder, content) for content in _contents(ask.photos)]
        for way in list(_WAYS) * ask.rounds:
            turns[f"npm{way}"].append(_theirs(folder, Path(name, "npm"), photos, way))
            turns[f"ours{way}"].append(_ours(folder, Path(name, "ours"), photos, way))
            # Kept, they make later rounds slower: memory that nothing held before costs more.
            shutil.rmtree(Path(name, "npm"))
            shutil.rmtree(Path(name, "ours"))
    print(json.dumps(_told(ask, turns), indent=None if ask.json else 2))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def _contents(count: int) -> Iterator[bytes]:
    """Yield photos of the size, each another by its last bytes."""
    photo = draw(Specimen(1, TAKEN, lat=22.30391, lon=70.80216, size=(1600, 1200)))
    chance = random.Random(1)
    for _ in range(count):
        yield photo.ljust(SIZE - 16, b"\0") + chance.randbytes(16)


def _theirs(folder: Path, store: Path, photos: list[PhotoFile], way: str) -> Turn:
    store.mkdir()
    command = [node.node().program, "serve.mjs", str(store)]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            root = psutil.Process(process.pid)
            before = _cpu_s(root)
            seconds = _upload(folder, f"http://127.0.0.1:{port}/files", photos, {}, way)
            cpu_s = _cpu_s(root) - before
        finally:
            process.terminate()
    whole = [one for one in store.iterdir() if one.suffix != ".json"]
    if {one.stat().st_size for one in whole} != {SIZE} or len(whole) != len(photos):
        sys.exit("the tus server of npm did not keep every photo")
    return Turn(seconds, cpu_s)


def _ours(folder: Path, data: Path, photos: list[PhotoFile], way: str) -> Turn:
    data.mkdir()
    with serve_on_sqlite(data) as served:
        headers = _announce(served, photos)
        _settle(served)
        peak = Peak(served)
        cpu, pictures = served.cpu_s(), served.pictures_cpu_s()
        with peak.watched():
            place = f"http://127.0.0.1:{served.port}{UPLOADS}"
            seconds = _upload(folder, place, photos, headers, way)
        drawn = served.pictures_cpu_s() - pictures
        return Turn(seconds, served.cpu_s() - cpu - drawn, drawn, peak.mib)


def _announce(served: Served, photos: list[PhotoFile]) -> dict[str, str]:
    """Report seizures that announce the photos; return who uploads them."""
    asha = found_village(served.database)["asha"]
    headers = {**asha.headers, "Content-Type": "application/json"}
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    for start in range(0, len(photos), _PER_REPORT):
        told = [
            photo_body(b"", id=one.id, sha256=one.sha256, size=SIZE)
            for one in photos[start : start + _PER_REPORT]
        ]
        connection.request(
            "POST", "/api/v1/seizures", json.dumps(seizure_body(photos=told)), headers
        )
        answer = connection.getresponse()
        if answer.status != http.HTTPStatus.CREATED:
            sys.exit(f"the server answered {answer.status}: {answer.read()[:300]!r}")
        answer.read()
    connection.close()
    return asha.headers


def _settle(served: Served) -> None:
    """Wait until the reports were held against each other, which is no part of any upload."""
    end = time.monotonic() + _SETTLES_S
    while time.monotonic() < end:
        before = served.cpu_s()
        time.sleep(1)
        if served.cpu_s() - before < _RESTS_CPU_S:
            return


def _upload(
    folder: Path, endpoint: str, photos: list[PhotoFile], headers: dict[str, str], way: str
) -> float:
    """Upload all, four at once; return the seconds that Node says it took."""
    *said, took = tus_js.upload(folder, endpoint, photos, headers=headers, at_once=4, **_WAYS[way])
    if failed := [one for one in said if "sent" not in one]:
        sys.exit(f"{len(failed)} photos did not arrive: {failed[0]}")
    return float(took["seconds"])


def _cpu_s(process: psutil.Process) -> float:
    return sum(process.cpu_times()[:2])


def _web_mib(served: Served) -> float:
    """Return the resident memory of the largest process that answers requests."""
    sizes = [0]
    for one in (served.root, *served.root.children(recursive=True)):
        try:
            if not is_of_pictures(one):
                sizes.append(one.memory_info().rss)
        except psutil.Error:
            continue
    return float(max(sizes)) / 2**20


def _told(ask: argparse.Namespace, turns: dict[str, list[Turn]]) -> dict[str, object]:
    best = {name: min(one.seconds for one in of) for name, of in turns.items()}
    rounded = {
        name: [{key: round(value, 2) for key, value in asdict(one).items()} for one in of]
        for name, of in turns.items()
    }
    return {
        "photos": ask.photos,
        "bytes_each": SIZE,
        "at_once": 4,
        **rounded,
        **{f"ours_to_npm{way}": round(best[f"ours{way}"] / best[f"npm{way}"], 2) for way in _WAYS},
    }


if __name__ == "__main__":
    main()
