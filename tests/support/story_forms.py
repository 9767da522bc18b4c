"""Plays stories by the forms of the console, without a script: the form of each act is opened,
filled in, checked and sent to its last page. Then the house is told the act once more, as the story
says it: only what the form said exactly so is taken for the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping

from flask import Flask

from fieldapi.clock import parse_instant
from fieldapi.console.register.typed import as_local, as_typed
from fieldapi.packs import load_packs
from fieldapi.packs.cases.story import Step, Story
from fieldapi.problems import ActNotAllowed, Problem
from fieldapi.services import sessions
from fieldapi.services.acts import performing
from fieldapi.services.acts.performing import Turn
from fieldapi.unit import Database
from sync.wire import JSON
from tests.support.clock import StoppedClock
from tests.support.desk import enter
from tests.support.house import Client, client_with
from tests.support.paper_forms import PaperForm, forms_of
from tests.support.pound_house import Body
from tests.support.story_house import StoryHouse

REASON = "the story goes on"
_YES, _WARN, _NO = (f"verdict--{word}" for word in ("yes", "warn", "no"))
_WITH_REASON = {"check": (), "perform": (_WARN,), "record": (_WARN, _NO)}
_COUNTED = {"pick": "n", "counts": "count"}
# What a form knows of what a story may call otherwise.
_ON_PAPER: Mapping[str, Callable[[str], str]] = {
    "declaration": lambda _: "signed",
    "manner": lambda told: told if told == "drum" else "other",
}
_UNTYPED = frozenset({"act", "id", "mode", "reason"})
Typed = dict[str, str | list[str] | None]


class FormStoryHouse(StoryHouse):
    """A story whose acts are done by forms. `seen`: the acts whose form came to its last page."""

    def __init__(self, app: Flask, database: Database, clock: StoppedClock, story: Story) -> None:
        self._client, self._token = client_with(app), ""
        self.seen, self._done = set[str](), set[str]()
        super().__init__(app, database, clock, story)

    def _ask(self, path: str, body: Body, step: Step) -> Body:
        if not path.startswith("/api/v1/cases/"):
            return super()._ask(path, body, step)
        case, said = path.split("/")[4], {"mode": "perform", **body}
        verdict = self._by_form(case, said, step)
        if verdict is None:  # the form lets nobody say this
            return self._told(case, {"mode": "perform", **body}, step, is_done=False)
        if verdict in _WITH_REASON[said["mode"]]:
            said["reason"] = REASON
        return self._told(case, said, step, is_done=said["id"] in self._done)

    def _told(self, case: str, said: Body, step: Step, *, is_done: bool) -> Body:
        """Return what the house answers to an act that was done by a form."""
        who, packs = sessions.verify(self.database, self._token), load_packs()
        try:
            outcome = self.database.transact(
                lambda unit: performing.act(Turn(unit, who, packs, case), said)
            )
        except ActNotAllowed as exc:
            return {**exc.extensions, "allowed": "no"}
        except Problem as exc:
            self._fault(step, "what the form said", str(said), f"{exc!r} {exc.extensions}")
            return {}
        if said["mode"] != "check" and outcome.is_new is is_done:
            self._fault(step, "done by the form", str(is_done), str(not is_done))
        told: Body = dict(outcome.answer)
        return {**told, "allowed": told.get("allowed") or "warn"} if "reason" in said else told

    # ---- the browser ---------------------------------------------------------------------------

    def _browser(self) -> Client:
        """Return the decider's browser, its password given just now."""
        self._token = enter(self._client, self.database, self.house.people["decider"])
        return self._client

    def _by_form(self, case: str, said: Body, step: Step) -> str | None:
        """Fill in the form of an act and send it as far as it goes; return what the check said,
        None where the form has no room for it.
        """
        browser, act = self._browser(), said["act"]
        path = f"/console/cases/{case}/acts/{act}"
        named = said.get("buyer") or said.get("party")
        page = browser.get(path, query_string={"party": named} if named else None)
        assert page.status_code == 200, page.text
        form = self._offering(browser, forms_of(page.text).to(path), said)
        said["id"] = form.filled()["id"][0]
        typed = self._typed(form, said)
        if not _is_offered(form, typed):
            return None
        checked = browser.post(path, data=form.filled(typed, press=("step", "look")))
        found = [word for word in (_YES, _WARN, _NO) if word in checked.text]
        if checked.status_code != 200 or len(found) != 1:
            got = f"{checked.status_code} {said} {_read(checked.text)}"
            self._fault(step, "check", "a verdict", got)
            return _NO
        is_going_on = said["mode"] == "record" or (found[0] != _NO and said["mode"] == "perform")
        if is_going_on:
            self._send(browser, checked.text, f"{path}/done", step, mode=said["mode"])
        return found[0]

    def _send(self, browser: Client, html: str, path: str, step: Step, *, mode: str) -> None:
        """Press the button of the check, and read the last page and the case."""
        form = next(
            one
            for one in forms_of(html)
            if one.action == path and (mode == "record") is ("mode" in one.hidden)
        )
        sent = form.filled({"reason": REASON} if "reason" in form.names else {})
        done = browser.post(path, data=sent)
        if done.status_code != 303:
            is_refused = done.status_code == 409 and _NO in done.text
            if not is_refused:
                self._fault(step, "last page", "303", f"{done.status_code} {_read(done.text)}")
            return
        key, act = sent["id"][0], path.split("/")[-2]
        if act not in self.seen:  # once for each: the pages after it are alike
            assert browser.get(done.headers["Location"]).status_code == 200
            case = browser.get(path.partition("/acts/")[0] + "/acts").text
            assert f'id="act-{key}"' in case, _read(case)
        self._done.add(key)
        self.seen.add(act)

    def _offering(self, browser: Client, form: PaperForm, said: Body) -> PaperForm:
        """Look for whoever the form does not offer yet in the register of people, by their name."""
        names = {key: name for name, key in self.house.parties.items()}
        for box in form.boxes:
            wanted = said.get(box.name)
            if box.name in {"party", "buyer", "paid_by"} and wanted and wanted not in box.offered:
                sent = form.filled(press=("step", "find"), q=names[wanted])
                form = forms_of(browser.post(form.action, data=sent).text).to(form.action)
        return form

    def _typed(self, form: PaperForm, said: Body) -> Typed:
        """Return what a person writes where, so that the form says this body. Of a single head
        there is nothing to choose: it is told by its kind.
        """
        typed: Typed = {name: "" for name in ("party", "buyer", "paid_paise") if name in form.names}
        for name in said.keys() - _UNTYPED:
            typed |= self._one(form, name, said)
        return typed

    def _one(self, form: PaperForm, name: str, said: Body) -> Typed:
        value = said[name]
        if name == "custody" and name not in form.names:
            return self._by_kind(form, said)
        if value is False:
            del said[name]
            return {}
        if name in _COUNTED:
            return {f"{name}.{one['kind']}": str(one[_COUNTED[name]]) for one in value}
        if name == "proof":
            return {"proof.officer": value["officer"]}
        if name in _ON_PAPER:
            said[name] = _ON_PAPER[name](value)
        return {name: _as_typed(name, said[name])}

    def _by_kind(self, form: PaperForm, said: Body) -> Typed:
        """Say which heads are meant by their kinds, as a form asks for few of them."""
        heads = self._heads_of(form, said["custody"])
        if any(head["became"] for head in heads):
            return {"custody": said["custody"]}  # it offers nothing that has left
        del said["custody"]
        kinds = Counter(head["kind"] for head in heads)
        told = "counts" if any(one.startswith("counts.") for one in form.names) else "pick"
        said[told] = [{"kind": kind, _COUNTED[told]: n} for kind, n in kinds.items()]
        return {f"{told}.{kind}": str(n) for kind, n in kinds.items()}

    def _heads_of(self, form: PaperForm, ids: list[str]) -> list[Body]:
        case = self.house.case(form.action.split("/")[3])
        return [head for head in case["custody"] if head["id"] in ids]


def _read(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html.partition("<main")[2]).split())


def _is_offered(form: PaperForm, typed: Typed) -> bool:
    """Say whether a form lets a person say this: what no law knows may not be chosen."""
    kinds = {box.name: box.kind for box in form.boxes}
    for name, value in typed.items():
        wanted = value if isinstance(value, list) else [value]
        is_free = kinds.get(name) not in {"select", "checkbox"}
        if name not in kinds or not (is_free or set(wanted) <= form.offered(name)):
            return False
    return True


def _as_typed(name: str, value: JSON) -> str | list[str]:
    if name.endswith("paise") and isinstance(value, int):
        return as_typed(value)
    if name == "bids" and isinstance(value, list):
        return "\n".join(map(str, value))
    if isinstance(value, list):
        return [str(one) for one in value]
    if name == "happened_at":
        return as_local(parse_instant(str(value)))
    return "1" if value is True or name == "declaration" else str(value)
