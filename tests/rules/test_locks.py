"""The lock files pin all that pyproject.toml asks for, by hash, from nowhere in particular."""

from __future__ import annotations

import re
import tomllib

from tests.support import tree

_PIN = re.compile(r"^([a-z0-9-]+)==([^ ;\\]+)", re.MULTILINE)
_LOCKS = ("requirements.lock", "requirements-dev.lock")


def _wanted() -> set[str]:
    project = tomllib.loads(tree.text("pyproject.toml"))
    asked = project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    return {re.split(r"[^\w-]", each)[0].lower() for each in asked}


def _pins(lock: str) -> dict[str, str]:
    return dict(_PIN.findall(tree.text(lock)))


def test_everything_asked_for_is_pinned() -> None:
    pinned = {name for lock in _LOCKS for name in _pins(lock)}

    assert _wanted() - pinned == set()


def test_every_pin_has_a_hash() -> None:
    bare = [
        (lock, name)
        for lock in _LOCKS
        for name, following in re.findall(r"^([a-z0-9-]+)==.*\n(.*)", tree.text(lock), re.MULTILINE)
        if "--hash=sha256:" not in following
    ]

    assert bare == []


def test_nothing_is_pinned_twice() -> None:
    runtime, dev = (_pins(lock) for lock in _LOCKS)

    assert runtime.keys() & dev.keys() == set()


def test_locks_say_what_and_never_where() -> None:
    lines = [line for lock in _LOCKS for line in tree.text(lock).splitlines()]
    allowed = re.compile(
        r"#|--requirement requirements\.lock$|[a-z0-9-]+==| +--hash=sha256:[0-9a-f]{64}"
    )

    assert [line for line in lines if not allowed.match(line)] == []
