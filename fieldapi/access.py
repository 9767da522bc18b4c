"""How a view says who may come in and what body it takes; the doors (`api`, `console`) obey it.

A view that says nothing stops the app from starting. Pure marks: knows no Flask and no rule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from fieldapi import limits

View = TypeVar("View", bound=Callable[..., Any])
Door = Literal["public", "token", "session"]

_MARK = "_fieldapi_access"
JSON_MEDIA = ("application/json",)


@dataclass(frozen=True, slots=True)
class Access:
    """What one view declared. `door`: None until one is named. `action`: what `authorise` is
    asked; None where being signed in is enough. `is_great`: the console asks for the
    password again. `media`: content types taken, empty for any.
    """

    door: Door | None = None
    action: str | None = None
    is_great: bool = False
    media: tuple[str, ...] = JSON_MEDIA
    max_bytes: int = limits.JSON_BYTES
    is_gzip_taken: bool = False


def access_of(view: object) -> Access:
    """Return what `view` declared, wherever the mark stands among its decorators."""
    found = getattr(view, _MARK, None)
    return found if isinstance(found, Access) else Access()


def public(view: View) -> View:
    """Let anybody in: no token is looked at."""
    return _mark(view, door="public")


def signed_in(view: View) -> View:
    """Let in whoever holds a valid bearer token, whatever the role."""
    return _mark(view, door="token")


def needs(action: str) -> Callable[[View], View]:
    """Let in whoever holds a bearer token and a role that may do `action`, e.g. `seizure.create`.

    Checked before the body is read, so that a stranger learns nothing from field errors.
    """
    return lambda view: _mark(view, door="token", action=action)


def session(action: str | None = None, *, is_great: bool = False) -> Callable[[View], View]:
    """Let in whoever is signed in to the console and may do `action`; the console checks it.

    `is_great`: what a browser left open must not do; the password is asked for again.
    """
    return lambda view: _mark(view, door="session", action=action, is_great=is_great)


def takes(
    *media: str, max_bytes: int = limits.JSON_BYTES, is_gzip_taken: bool = False
) -> Callable[[View], View]:
    """Say which bodies come in: content types (none: any), bytes on the wire, gzip or not."""
    return lambda view: _mark(view, media=media, max_bytes=max_bytes, is_gzip_taken=is_gzip_taken)


def _mark(view: View, **parts: Any) -> View:  # noqa: ANN401 - handed on
    setattr(view, _MARK, replace(access_of(view), **parts))
    return view
