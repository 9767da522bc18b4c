"""What the stand-alone verifier accepts, and that it finds everything else."""

from __future__ import annotations

import ast
import io
import random
import subprocess
import sys
import zipfile
from pathlib import Path

from fieldapi.bundle.alone import program
from fieldapi.bundle.alone.files import Archive
from fieldapi.bundle.alone.verify import check
from tests.support.bundle_tampering import CHANGES, faults, rebuilt, rewritten, stranger
from tests.support.told_bundle import Told

MUTATIONS = 300


def _unpacked(told: Told, folder: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(told.data)) as archive:
        archive.extractall(folder)
    return folder


def test_bundle_as_made_fits(told: Told) -> None:
    assert faults(told.data, told.head) == []


def test_clerk_checks_it_with_sha256sum_alone(told: Told, tmp_path: Path) -> None:
    folder = _unpacked(told, tmp_path)

    done = subprocess.run(
        ["sha256sum", "-c", "MANIFEST.sha256"], cwd=folder, capture_output=True, check=False
    )

    assert (done.returncode, done.stdout.count(b": OK\n")) == (0, len(told.members) - 2)


def test_verifier_stands_alone(told: Told, tmp_path: Path) -> None:
    folder = _unpacked(told, tmp_path / "unpacked")
    (tmp_path / "bundle.zip").write_bytes(told.data)
    (tmp_path / "head.txt").write_text(told.head)
    bare = [sys.executable, "-I", "-S", "unpacked/verify.py"]

    on_folder = subprocess.run(bare, cwd=tmp_path, capture_output=True, check=False)
    on_zip = subprocess.run(
        [*bare, "bundle.zip", "--head", "head.txt"], cwd=tmp_path, capture_output=True, check=False
    )

    assert (on_folder.returncode, on_folder.stderr) == (0, b"")
    assert (on_zip.returncode, on_zip.stderr) == (0, b"")
    assert folder.is_dir()


def test_verifier_is_python_3_8_with_nothing_beside_it() -> None:
    tree = ast.parse(program(), feature_version=(3, 8))

    imported = {
        name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert imported <= sys.stdlib_module_names
    assert {"fieldapi", "removeprefix", "removesuffix", "bit_count"}.isdisjoint(
        {getattr(node, "attr", "") for node in ast.walk(tree)}
    )


def test_rebuilding_what_is_there_changes_nothing(told: Told) -> None:
    assert rebuilt(told.members) == told.data


def test_every_mutation_is_found(told: Told) -> None:
    rng = random.Random(8)
    missed = []
    for _ in range(MUTATIONS):
        data, said = rng.choice(CHANGES)(rng, told.data, told.members)
        if data == told.data or faults(data):
            continue
        missed.append(said)

    assert missed == []


def test_wholesale_rebuild_is_found_with_one_old_head(told: Told) -> None:
    keys = told.house.keys
    by_stranger = rewritten(random.Random(1), told.members, stranger())
    by_server = rewritten(random.Random(2), told.members, (keys.public_key, keys.sign))

    assert (faults(by_stranger), faults(by_server)) == ([], [])
    assert faults(by_stranger, told.head) != []
    assert faults(by_server, told.head) != []


def test_key_known_from_elsewhere_is_enough_against_strangers(told: Told) -> None:
    by_stranger = rewritten(random.Random(1), told.members, stranger())
    source = Archive(io.BytesIO(by_stranger))

    assert check(source, known_key=told.house.keys.public_key.hex()).faults != []
