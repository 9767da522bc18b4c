"""What the admin's forms have in common: an id that lets a form be sent twice and done once, and
faults in words beside their fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import request

from fieldapi.console import door
from fieldapi.console.house import house
from fieldapi.console.pages import words
from fieldapi.domain.words import sentence
from fieldapi.ids import is_id
from fieldapi.problems import BadRequest, Conflict, IdReuse, InvalidBody
from fieldapi.services.requests import RequestId, bind
from fieldapi.unit import Unit

Faults = dict[str, str]
_TAKEN = sentence("Something of this name or number is there already.")
_SENT = sentence("This form was sent before with other content. Start again.")


def form_id() -> str:
    """Return the id that the form carries. Raises `BadRequest` for a form that is not ours."""
    given = request.form.get("id")
    if not is_id(given):
        raise BadRequest("This form is not one of these pages.")
    return str(given)


def text(name: str) -> str:
    """Return what was typed under a name, trimmed."""
    return request.form.get(name, "").replace("\r\n", "\n").strip()


def once(scope: str, key: str, add: Callable[[Unit], object]) -> Faults:
    """Do `add` in a unit, once for the id `key`; returns faults by field, empty if it is done."""
    who = door.principal()
    said = {name: value for name, value in request.form.items() if name not in _UNSAID}

    def work(unit: Unit) -> None:
        if bind(unit, who, RequestId(scope, key, {**said}), current=lambda: key):
            add(unit)

    try:
        house().database.transact(work)
    except InvalidBody as exc:
        return faults_of(exc.errors, exc.detail)
    except IdReuse:
        return {"form": words().gettext(_SENT)}
    except Conflict:
        return {"form": words().gettext(_TAKEN)}
    return {}


def faults_of(errors: Mapping[str, list[str]], detail: str) -> Faults:
    """Return the faults that a service named, in words, by the first part of their path."""
    speech, found = words(), Faults()
    for path, said in errors.items():
        found[path.partition(".")[0]] = " ".join(map(speech.gettext, said))
    return found or {"form": speech.gettext(detail)}


_UNSAID = frozenset({"csrf_token", "proof_came_from", "proof_password"})
