"""The parts of the console that a reader may open, in the order in which the head names them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flask import current_app, request

from fieldapi.domain.access import Principal, may
from fieldapi.domain.words import sentence

HOME = "/console/"


@dataclass(frozen=True, slots=True)
class Section:
    """One part. `view`: its first page; `action`: what one has to be allowed; `beside`: where else
    its pages are.
    """

    view: str
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
    Section("inbox", HOME, sentence("Inbox"), "console.open", ("/console/cases/",)),
    Section("complaints_list", "/console/complaints", sentence("Complaints"), "complaint.read"),
    Section("waiting_ops", "/console/waiting", sentence("Set aside"), "op.read"),
    Section("pound", "/console/pound", sentence("Pound"), "register.read"),
    Section("exports", "/console/exports", sentence("Export"), "export.read"),
    Section("phones", "/console/phones", sentence("Phones"), "device.read"),
    Section("admin", "/console/admin", sentence("Admin"), "person.read"),
)


def links(principal: Principal) -> Iterator[Link]:
    """Yield the parts that a reader may open."""
    for one in SECTIONS:
        is_there = f"console.{one.view}" in current_app.view_functions
        if is_there and may(principal, one.action):
            yield Link(one.path, one.label, _is_current(one))


def _is_current(one: Section) -> bool:
    if one.path == HOME:
        return request.path == HOME or request.path.startswith(one.beside)
    return f"{request.path}/".startswith(f"{one.path}/")
