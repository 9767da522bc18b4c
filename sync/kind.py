"""Which fields a kind of record has, and the class that merges each.

The table itself lives with the caller; `merge` only asks for names, classes and set keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from sync.claim import Named
from sync.classes import CLASSES, HEADED, HeadedClass, register
from sync.op import EVERYTHING, WITHDRAWN
from sync.strict import JSON


@dataclass(frozen=True, slots=True)
class Field:
    """A field. `klass`: a name in `sync.classes`. `competes`: an ordinary op replaces only what
    the same person said. `key`: the member that names an element of a set, None = the element.

    Raises ValueError for an unknown class.
    """

    name: str
    klass: str
    competes: bool = False
    key: str | None = None

    def __post_init__(self) -> None:
        if self.klass not in CLASSES:
            raise ValueError(f"no field class {self.klass!r}")

    @property
    def rules(self) -> HeadedClass:
        """Return the rules of its class. Raises KeyError for sets and the server's own."""
        return HEADED[self.klass]

    def replaced(self, named: Named) -> set[int]:
        """Return the places of what the new claim replaces of those it names.

        Only a decision replaces a decision, in every class.
        """
        gone = self.rules.replaced(named)
        return {old.place for old in gone if named.new.is_decision or not old.is_decision}

    def key_of(self, element: JSON) -> JSON:
        """Return what names this element of a set; an element without its key names itself."""
        if self.key is None or not isinstance(element, dict):
            return element
        return element.get(self.key, element)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of record and its fields by name. `headed`: those whose ops are heads until they are
    replaced, `withdrawn` among them, which every kind has.

    Raises ValueError for the two names that the protocol keeps for itself.
    """

    name: str
    fields: Mapping[str, Field]
    headed: Mapping[str, Field] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if WITHDRAWN in self.fields or EVERYTHING in self.fields:
            raise ValueError(f"a kind has no field {WITHDRAWN!r} or {EVERYTHING!r} of its own")
        headed = {name: one for name, one in self.fields.items() if one.klass in HEADED}
        headed[WITHDRAWN] = Field(WITHDRAWN, register.NAME)
        object.__setattr__(self, "headed", MappingProxyType(headed))
