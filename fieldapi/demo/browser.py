"""A reviewer's browser, as far as the console needs one: cookies, links, pictures and forms. It
sends what a person would send, and knows of a page only what stands on it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

from fieldapi.demo.telling import Mismatch

_TIMEOUT_S = 30


@dataclass(slots=True)
class Form:
    """A form: where it goes, what it carries unseen, what may be chosen."""

    action: str
    hidden: dict[str, str] = field(default_factory=dict)
    choices: list[str] = field(default_factory=list)


class Page(HTMLParser):
    """A page as it was received. `text`: its words, with single spaces."""

    def __init__(self, path: str, html: str) -> None:
        super().__init__()
        self.path = path
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.pictures: list[str] = []
        self._words: list[str] = []
        self.feed(html)
        self.text = " ".join(" ".join(self._words).split())

    def form(self, action: str) -> Form:
        """Return the form that goes to a path ending so. Raises `Mismatch`."""
        found = next((one for one in self.forms if one.action.endswith(action)), None)
        if found is None:
            raise Mismatch(f"the page {self.path} has no form for {action}")
        return found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take down forms, links and pictures."""
        has = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(has.get("action", "")))
        elif tag == "a":
            self.links.append(has.get("href", ""))
        elif tag == "img":
            self.pictures.append(has.get("src", ""))
        elif tag == "input" and self.forms:
            self._input(has)

    def handle_data(self, data: str) -> None:
        """Take down words."""
        self._words.append(data)

    def _input(self, has: dict[str, str]) -> None:
        if has.get("type") == "hidden":
            self.forms[-1].hidden[has["name"]] = has.get("value", "")
        elif has.get("type") == "radio":
            self.forms[-1].choices.append(has.get("value", ""))


class Browser:
    """One browser at one server."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self.cookies = CookieJar()
        # No proxy of the surroundings: the server is on this machine.
        self._opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(self.cookies))

    def open(self, path: str) -> Page:
        """Return a page. Raises `Mismatch` if it is refused."""
        return Page(path, self._send(path).decode())

    def picture(self, path: str) -> bytes:
        """Return a picture. Raises `Mismatch` if it is refused."""
        return self._send(path)

    def submit(self, form: Form, **typed: str) -> Page:
        """Send a form and return the page that follows. Raises `Mismatch` if it is refused."""
        body = urlencode({**form.hidden, **typed}).encode()
        return Page(form.action, self._send(form.action, body).decode())

    def _send(self, path: str, body: bytes | None = None) -> bytes:
        origin = {} if body is None else {"Origin": self._base_url}
        request = Request(self._base_url + path, body, origin)  # noqa: S310 - http, on loopback
        try:
            with self._opener.open(request, timeout=_TIMEOUT_S) as answer:
                content: bytes = answer.read()
                return content
        except HTTPError as refused:
            raise Mismatch(f"the server answered {refused.code} at {path}") from refused
