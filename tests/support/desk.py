"""A browser of a test at the console: signs in, reads pages, sends the forms that stand on them.

bina = desk("bina")
page = bina.get("/console/")
bina.send(page, "/console/language", language="gu")
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from html.parser import HTMLParser
from typing import Any

from flask import Flask

from fieldapi.models import SignIn
from fieldapi.services import passwords, sessions, sign_ins
from fieldapi.services.authorise import operator
from fieldapi.unit import Database
from tests.support.house import Answer, Client, client_with
from tests.support.paper_forms import forms_of
from tests.support.personas import Persona
from tests.support.pound_house import PoundHouse

PASSWORD = "green-field-42-rain"
CONSOLE = "/console/"
SIGN_IN = "/console/sign-in"


class _Forms(HTMLParser):
    """Collects the hidden fields of every form by its address; of two, those of the first."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: dict[str, dict[str, list[str]]] = {}
        self._open: dict[str, list[str]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = {}
            self.forms.setdefault(found.get("action", ""), self._open)
        if tag == "input" and found.get("type") == "hidden" and self._open is not None:
            name, value = found["name"], found.get("value", "")
            # A name that stands there more than once is sent more than once.
            self._open[name] = [*self._open[name], value] if name in self._open else [value]

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None


@dataclass(slots=True)
class Page:
    """What a browser got. `text`: what is read on it, without tags and with single blanks."""

    answer: Answer
    html: str = ""
    forms: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.html = self.answer.get_data(as_text=True)
        parser = _Forms()
        parser.feed(self.html)
        self.forms = {
            action: {
                name: values if len(values) > 1 else values[0] for name, values in form.items()
            }
            for action, form in parser.forms.items()
        }

    @property
    def status(self) -> int:
        return self.answer.status_code

    @property
    def text(self) -> str:
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", self.html)).split())


@dataclass(slots=True)
class Browser:
    """One browser. Forms are sent as a page had them, with what a person adds."""

    client: Client

    def get(self, path: str, **headers: str) -> Page:
        return Page(self.client.get(path, headers=headers))

    def send(self, page: Page, action: str, /, **typed: str) -> Page:
        """Send the form with this address from `page`; redirects are not followed.

        What no form of the page asks for cannot be typed: send that by `client.post`.
        """
        fit = [one for one in forms_of(page.html) if one.action == action]
        known = {name for one in fit for name in (*one.names, *one.hidden, *dict(one.buttons))}
        assert set(typed) <= known, f"{action} asks for nothing like {set(typed) - known}"
        return Page(self.client.post(action, data={**page.forms[action], **typed}))

    def sign_in(self, name: str, password: str = PASSWORD) -> Page:
        return self.send(self.get(SIGN_IN), SIGN_IN, name=name, password=password)


@cache
def _hashed() -> str:
    """Return the password as it is kept: to hash it takes as long as a test does, on purpose."""
    return passwords.hashed(PASSWORD)


def give_password(database: Database, persona: Persona) -> None:
    """Give a persona a sign-in under their own name."""
    boss, given = operator(persona.authority_id), (persona.person_id, persona.name, _hashed())
    database.transact(lambda unit: sign_ins.store(unit, boss, given))


def enter(client: Client, database: Database, persona: Persona) -> str:
    """Let a browser be signed in as from this moment, as the form for it leaves it; returns the
    token of the session. The form itself is tried by the tests of signing in.
    """
    row = SignIn(authority_id=persona.authority_id, person_id=persona.person_id)
    token = database.transact(lambda unit: sessions.insert(unit, row, sessions.Browser()))
    with client.session_transaction() as cookie:
        cookie["token"] = token
    return token


def at_desk(app: Flask, database: Database, persona: Persona) -> Browser:
    """Return a browser of somebody who has a password and signed in just now."""
    give_password(database, persona)
    opened = Browser(client_with(app))
    enter(opened.client, database, persona)
    return opened


def at_counter(pound: PoundHouse, name: str = "keeper") -> Browser:
    """Return the browser of one of the people of a pound."""
    return at_desk(pound.app, pound.database, pound.people[name])
