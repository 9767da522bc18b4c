"""Says the value of a field as people read it: codes by their labels, instants in India's time,
places in degrees, amounts in rupees. Flask-free; called by the builders of the case page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fieldapi.clock import parse_instant
from fieldapi.console.words import Words
from fieldapi.law.profile import StatuteProfile

_INSTANTS = frozenset(
    {"arrived_at", "received_at", "requested_at", "seized_at", "sent_at", "taken_at"}
)


@dataclass(frozen=True)
class Values:
    """Says values under one statute in one language. `pounds`: names by id."""

    words: Words
    profile: StatuteProfile
    pounds: Mapping[str, str]

    def say(self, name: str, value: Any) -> str:  # noqa: ANN401 - a value of any field
        """Return the value of field `name`; a dash where there is none."""
        if value is None or value in ("", []):
            return "–"
        if isinstance(value, bool):
            return self.words.truth(value)
        if isinstance(value, dict):
            return self._members(name, value)
        if isinstance(value, list):
            return "; ".join(self.say(name, one) for one in value)
        return self._plain(name, value)

    def _plain(self, name: str, value: Any) -> str:  # noqa: ANN401 - as above
        if name == "damage.estimate_paise":
            return self.words.rupees(int(value))
        if name == "size":
            return self.words.size(value)
        if isinstance(value, int | float):
            return self.words.number(value)
        if name in _INSTANTS:
            return self.words.moment(parse_instant(value))
        if name == "pound_id":
            return self.pounds.get(value, value)
        return self.words.code(name, value, self.profile)

    def _members(self, name: str, value: Mapping[str, Any]) -> str:
        if "lat" in value:
            return self.place(value)
        if "count" in value:
            return self.words.herd({value["kind"]: value["count"]})
        if name == "statements":
            return self._statement(value)
        if name == "individuals":
            said = (value.get(one) for one in ("marks", "ear_tag", "condition"))
            told = ", ".join(str(one) for one in said if one)
            return f"{value['number']}: {told}" if told else ""
        if name == "withdrawn":
            return self.words.gettext("Withdrawn: {reason}", reason=value.get("reason") or "–")
        said = (value.get(one) for one in ("name", "parent", "residence", "mobile", "part"))
        return ", ".join(str(one) for one in said if one) or "–"

    def _statement(self, said: Mapping[str, Any]) -> str:
        words = self.words
        what = words.code("about", said["about"], self.profile)
        field = [words.field(said["field"])] if said.get("field") else []
        head = " · ".join([what, *field, words.moment(parse_instant(said["said_at"]))])
        answer = words.code("answer", said["answer"], self.profile) if said.get("answer") else ""
        return f"{head}: {' '.join(one for one in (answer, said.get('text')) if one) or '–'}"

    def place(self, location: Mapping[str, Any]) -> str:
        """Return a place in degrees, latitude first, and how well it is known."""
        at = f"{location['lat']:.5f}, {location['lon']:.5f}"
        return f"{at} · {self.words.accuracy(location.get('accuracy_m'))}"
