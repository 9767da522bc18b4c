"""What a request says it saw: the revision in `If-Match`."""

from __future__ import annotations

from flask import request


def if_match() -> str | None:
    """Return the revision in `If-Match`; None without the header, "" if it names no single one."""
    if "If-Match" not in request.headers:
        return None
    tags = request.if_match.as_set(include_weak=False)
    return next(iter(tags)) if len(tags) == 1 else ""
