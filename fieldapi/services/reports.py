"""Turns REST bodies of captured records into changes: nested members to dotted fields, every value
checked by the same rules that park it in sync. All faults are named at once; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from fieldapi.domain import checks
from fieldapi.domain.records import KINDS, RecordKind
from fieldapi.domain.words import sentence
from fieldapi.ids import is_id
from fieldapi.law.profile import StatuteProfile
from fieldapi.problems import InvalidBody
from fieldapi.services.fields import look_at
from sync.wire import JSON

MAX_CHILDREN = 50
_NOT_AN_ID = sentence("This has to be a UUID in lower case.")
_NOT_A_LIST = sentence("This has to be a list.")
_NOT_AN_OBJECT = sentence("This has to be an object.")
_NEEDED = sentence("This is needed.")
_TOO_MANY = sentence("These are too many for one report.")
_TWICE = sentence("This id stands here twice.")

Body = Mapping[str, JSON]


@dataclass(slots=True)
class Reading:
    """Collects the faults of one body while its records are read."""

    profile: StatuteProfile
    errors: dict[str, list[str]] = field(default_factory=dict)

    def fault(self, path: str, message: str) -> None:
        """Note one fault under its path in the body."""
        self.errors.setdefault(path, []).append(message)

    def finish(self) -> None:
        """Raise `InvalidBody` if anything was noted."""
        if self.errors:
            raise InvalidBody(look_at(self.errors), errors=self.errors)

    def id_of(self, body: Body, path: str, member: str = "id") -> str:
        """Return the client-made id of a record."""
        value = body.get(member)
        if not is_id(value):
            self.fault(f"{path}{member}", _NOT_AN_ID)
            return ""
        return str(value)

    def fields(
        self, kind: str, body: Body, path: str, *, without: Iterable[str] = ()
    ) -> dict[str, JSON]:
        """Return the fields of a record by dotted name, each checked."""
        found = dict(flatten(KINDS[kind], body, set(without) | {"id"}))
        for name, value in found.items():
            for fault_path, message in self._faults(kind, name, value):
                self.fault(f"{path}{fault_path}", message)
        return found

    def require(self, kind: str, fields: Mapping[str, JSON], path: str, *, given: str) -> None:
        """Note every field that a new record of this kind cannot be without."""
        table = KINDS[kind]
        for row in table.fields.values():
            if row.required and fields.get(row.name) is None and row.name != given:
                self.fault(f"{path}{row.name}", _NEEDED)
        for group in table.one_of:
            if given not in group and all(fields.get(name) is None for name in group):
                self.fault(f"{path}{group[0]}", _NEEDED)

    def children(self, body: Body, name: str) -> list[tuple[str, Body]]:
        """Return the elements of a list of records, each with its path."""
        value = body.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fault(name, _NOT_A_LIST)
            return []
        if len(value) > MAX_CHILDREN:
            self.fault(name, _TOO_MANY)
            return []
        found: list[tuple[str, Body]] = []
        for index, one in enumerate(value):
            if isinstance(one, dict):
                found.append((f"{name}.{index}.", one))
            else:
                self.fault(f"{name}.{index}", _NOT_AN_OBJECT)
        return found

    def distinct(self, ids: Iterable[tuple[str, str]]) -> None:
        """Note every (path, id) whose id was there before."""
        seen: set[str] = set()
        for path, one in ids:
            if one and one in seen:
                self.fault(f"{path}id", _TWICE)
            seen.add(one)

    def _faults(self, kind: str, name: str, value: JSON) -> Iterable[tuple[str, str]]:
        row = KINDS[kind].fields.get(name)
        if row is not None and row.klass == "set":
            if not isinstance(value, list):
                yield name, _NOT_A_LIST
                return
            for index, element in enumerate(value):
                fault = checks.check_value(kind, name, element, profile=self.profile)
                if fault is not None:
                    tail = fault.path.removeprefix(name)
                    yield f"{name}.{index}{tail}", fault.text
            return
        fault = checks.check_value(kind, name, value, profile=self.profile)
        if fault is not None:
            yield fault.path, fault.text


def flatten(table: RecordKind, body: Body, without: set[str]) -> Iterable[tuple[str, JSON]]:
    """Yield dotted names and values. An object is taken apart only where its members are fields.

    An unknown member comes out under its own name, to be named as a fault.
    """
    groups = {name.split(".", 1)[0] for name in table.fields if "." in name}
    for name, value in body.items():
        if name in without:
            continue
        if name in groups and isinstance(value, dict):
            yield from ((f"{name}.{member}", inner) for member, inner in value.items())
        else:
            yield name, value
