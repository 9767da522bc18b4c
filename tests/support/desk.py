"""A browser of a test at the console: signs in, reads pages, sends the forms that stand on them.

bina = desk("bina")
page = bina.get("/console/")
bina.send(page, "/console/language", language="gu")
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from typing import Any

from fieldapi.services import sign_ins
from fieldapi.services.authorise import operator
from fieldapi.unit import Database
from tests.support.house import Answer, Client
from tests.support.personas import Persona

PASSWORD = "green-field-42-rain"
CONSOLE = "/console/"
SIGN_IN = "/console/sign-in"


class _Forms(HTMLParser):
    """Collects the hidden fields of every form by its address."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: dict[str, dict[str, list[str]]] = {}
        self._open: dict[str, list[str]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = self.forms.setdefault(found.get("action", ""), {})
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
        """Send the form with this address from `page`; redirects are not followed."""
        return Page(self.client.post(action, data={**page.forms[action], **typed}))

    def sign_in(self, name: str, password: str = PASSWORD) -> Page:
        return self.send(self.get(SIGN_IN), SIGN_IN, name=name, password=password)


def give_password(database: Database, persona: Persona) -> None:
    """Give a persona a sign-in under their own name."""
    sign_ins.set_password(
        database,
        operator(persona.authority_id),
        persona.person_id,
        name=persona.name,
        password=PASSWORD,
    )
