"""Forms as a browser without scripts has them: every field of a page with what stands in it, filled
in only where a person could, sent by the button that was pressed.

    form = forms_of(page.html).to("/console/slips/new")
    client.post(form.action, data=form.filled(**{"owner.name": "Sasi"}))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

Attributes = dict[str, str]
Typed = Mapping[str, str | list[str] | None]
_BUTTONS = frozenset({"submit", "image", "reset", "button"})
_TICKED = frozenset({"checkbox", "radio"})


@dataclass(slots=True)
class Box:
    """One field. `kind`: text, hidden, checkbox, radio, select, file. `offered`: what may be chosen
    where not everything may be written; `value`: what stands in it, None: nothing is sent.
    """

    name: str
    kind: str
    value: str | None
    offered: list[str] = field(default_factory=list)
    is_needed: bool = False
    most: int | None = None


@dataclass(slots=True)
class PaperForm:
    """A form of a page. `buttons`: what its submit buttons add, the first stands for Enter."""

    action: str
    method: str
    boxes: list[Box] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    @property
    def names(self) -> frozenset[str]:
        """Return the names of the fields that a person fills in."""
        return frozenset(box.name for box in self.boxes if box.kind != "hidden")

    @property
    def hidden(self) -> frozenset[str]:
        """Return the names of the fields that nobody sees."""
        return frozenset(box.name for box in self.boxes if box.kind == "hidden")

    def filled(
        self,
        said: Typed | None = None,
        /,
        *,
        press: tuple[str, str] | None = None,
        **more: str | list[str] | None,
    ) -> dict[str, list[str]]:
        """Return what is sent once `said` and `more` were filled in; what no person could do is
        refused.

        A list ticks these and unticks the others. `press`: the name and value of a button.
        """
        typed = {**(said or {}), **more}
        self._refuse_unknown(typed)
        for name, chosen in typed.items():
            assert not isinstance(chosen, list) or set(chosen) <= self.offered(name), (name, chosen)
        sent: dict[str, list[str]] = {}
        for box in self.boxes:
            value = self._value(box, typed)
            if value is not None:
                sent.setdefault(box.name, []).append(value)
        pressed = press or next(iter(self.buttons), ("", ""))
        assert pressed == ("", "") or pressed in self.buttons, (pressed, self.buttons)
        if pressed[0]:
            sent.setdefault(pressed[0], []).append(pressed[1])
        return sent

    def offered(self, name: str) -> frozenset[str]:
        """Return what may be chosen or ticked under a name."""
        return frozenset(one for box in self.boxes if box.name == name for one in box.offered)

    def _refuse_unknown(self, typed: Mapping[str, object]) -> None:
        unknown = set(typed) - self.names
        assert not unknown, f"{self.action} asks for nothing like {sorted(unknown)}"

    @staticmethod
    def _value(box: Box, typed: Typed) -> str | None:
        if box.kind == "hidden" or box.name not in typed:
            told = box.value
        else:
            told = _told(box, typed[box.name])
        assert told or not box.is_needed, f"{box.name} has to be filled in"
        assert box.most is None or len(told or "") <= box.most, f"{box.name} has no room for it"
        return told


def _told(box: Box, typed: str | list[str] | None) -> str | None:
    if box.kind in _TICKED:
        chosen = typed if isinstance(typed, list) else [typed]
        return box.offered[0] if box.offered[0] in chosen else None
    assert not isinstance(typed, list), f"{box.name} takes one answer"
    assert box.kind != "select" or typed in box.offered, f"{box.name} offers {box.offered}"
    return typed


class Forms(HTMLParser):
    """The forms of a page, in their order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[PaperForm] = []
        self._open: PaperForm | None = None
        self._box: Box | None = None
        self.feed(html)

    def __iter__(self) -> Iterator[PaperForm]:
        return iter(self.found)

    def to(self, action: str, *, nth: int = 0) -> PaperForm:
        """Return the form that goes to an address."""
        fit = [one for one in self.found if one.action == action]
        assert fit, f"no form goes to {action}, only to {[one.action for one in self.found]}"
        return fit[nth]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take down a form and what stands in it."""
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = PaperForm(told.get("action", ""), told.get("method", "get").lower())
            self.found.append(self._open)
        if self._open is None or "disabled" in told:
            return
        if tag == "button" and told.get("type", "submit") == "submit":
            self._open.buttons.append((told.get("name", ""), told.get("value", "")))
        elif tag in {"input", "select", "textarea"} and told.get("name"):
            self._add(tag, told)
        elif tag == "option" and self._box is not None:
            self._offer(told)

    def handle_endtag(self, tag: str) -> None:
        """Leave what ends."""
        if tag == "form":
            self._open = None
        if tag in {"select", "textarea"}:
            self._box = None

    def handle_data(self, data: str) -> None:
        """Take down what stands in a field of several lines; its first line break is none."""
        if self._box is not None and self._box.kind == "text":
            self._box.value = f"{self._box.value or ''}{data}".removeprefix("\n")

    def _add(self, tag: str, told: Attributes) -> None:
        kind = told.get("type", "text") if tag == "input" else tag
        if self._open is None or kind in _BUTTONS:
            return
        value: str | None = told.get("value", "")
        made = Box(told["name"], "text" if kind not in _KINDS else kind, value)
        made.is_needed = "required" in told and kind not in _TICKED
        made.most = int(told["maxlength"]) if "maxlength" in told else None
        if kind in _TICKED:
            made.offered, made.value = [value or "on"], None
            if "checked" in told:
                made.value = value or "on"
        self._open.boxes.append(made)
        self._box = made if tag in {"select", "textarea"} else None

    def _offer(self, told: Attributes) -> None:
        box = self._box
        if box is None or box.kind != "select":
            return
        box.offered.append(told.get("value", ""))
        if "selected" in told or len(box.offered) == 1:
            box.value = told.get("value", "")


_KINDS = frozenset({"hidden", "select", "file", *_TICKED})


def forms_of(html: str) -> Forms:
    """Return the forms of a page."""
    return Forms(html)
