"""The parts of the console that a reader may open, in the order in which the head names them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from flask import request

from fieldapi.domain.access import Principal, may
from fieldapi.domain.words import sentence

HOME = "/console/"
POUND = "/console/pound"
# Pages of the register that are not below the page of a pound.
_AT_COUNTER = re.compile(r"/console/(?:cases/[^/]+/(?:acts|done)|papers|parties|slips)(?:/|$)")


@dataclass(frozen=True, slots=True)
class Section:
    """One part. `action`: what one has to be allowed; `beside`: where else its pages are."""

    path: str
    label: str
    action: str
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A part as the head of a page shows it."""

    path: str
    label: str
    is_current: bool


SECTIONS = (
    Section(
        HOME,
        sentence("Inbox"),
        "console.open",
        ("/console/cases/", "/console/duplicates/", "/console/bundles/", "/console/bulk"),
    ),
    Section("/console/complaints", sentence("Complaints"), "complaint.read"),
    Section("/console/waiting", sentence("Set aside"), "op.read"),
    Section(POUND, sentence("Pound"), "register.read"),
    Section("/console/exports", sentence("Export"), "export.read"),
    Section("/console/phones", sentence("Phones"), "device.read"),
    Section("/console/admin", sentence("Admin"), "person.read"),
)


def home(principal: Principal) -> str:
    """Return the page with which somebody begins: whoever keeps a pound, and no more, with it."""
    return POUND if principal.roles == {"pound_keeper"} else HOME


def links(principal: Principal) -> Iterator[Link]:
    """Yield the parts that a reader may open."""
    for one in SECTIONS:
        if may(principal, one.action):
            yield Link(one.path, one.label, _is_current(one))


def _is_current(one: Section) -> bool:
    is_at_counter = _AT_COUNTER.match(request.path) is not None
    if one.path == HOME:
        is_case = request.path.startswith(one.beside) and not is_at_counter
        return request.path == HOME or is_case
    if one.path == POUND and is_at_counter:
        return True
    return f"{request.path}/".startswith(f"{one.path}/")
