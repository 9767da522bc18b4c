"""Values made of several members: a place, a seizer, the counts of an intake, a witness.

Each is one value: it is sent, compared and replaced whole. Used by `records.py`.
Must never import anything but `values.py` and `words.py`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fieldapi.domain.values import (
    ANIMAL_KIND,
    EAR_TAG,
    FREE,
    HEAD,
    HEAD_COUNTED,
    INSTANT,
    LINE,
    MOBILE,
    NAME,
    SHORT,
    TOKEN,
    TRUTH,
    UUID,
    Choice,
    Fault,
    Real,
    ValueType,
    Vocabulary,
)
from fieldapi.domain.words import sentence
from sync.strict import JSON


@dataclass(frozen=True)
class Shape:
    """An object: every member of `needs`, any of `takes` (absent and null are one), no others."""

    needs: Mapping[str, ValueType]
    takes: Mapping[str, ValueType] = field(default_factory=dict)

    def faults(self, value: JSON, words: Vocabulary) -> Iterator[Fault]:
        """Yield the faults of every member, each under the member's name."""
        if not isinstance(value, dict):
            yield Fault(sentence("This must be an object."))
            return
        for name in self.needs:
            if value.get(name) is None:
                yield Fault(sentence("This is missing."), name)
        for name, member in value.items():
            yield from (fault.under(name) for fault in self._member(name, member, words))

    def _member(self, name: str, member: JSON, words: Vocabulary) -> Iterator[Fault]:
        kind = self.needs.get(name) or self.takes.get(name)
        if kind is None:
            yield Fault(sentence("This member is not known here."))
        elif member is not None:
            yield from kind.faults(member, words)

    def schema(self) -> dict[str, JSON]:
        """Return the JSON Schema of the object."""
        members = {**self.needs, **self.takes}
        return {
            "type": "object",
            "properties": {name: kind.schema() for name, kind in members.items()},
            "required": list(self.needs),
            "additionalProperties": False,
        }


@dataclass(frozen=True)
class ListOf:
    """A list of 1 to `most` elements; no two with the same member `unique`."""

    element: Shape
    most: int
    unique: str

    def faults(self, value: JSON, words: Vocabulary) -> Iterator[Fault]:
        """Yield the faults of every element under its index, then a repeated `unique` member."""
        if not isinstance(value, list) or not value:
            yield Fault(sentence("This must be a list with at least one element."))
            return
        if len(value) > self.most:
            message = sentence("This list has more than {most} elements.")
            yield Fault(message, params={"most": self.most})
            return
        for index, element in enumerate(value):
            yield from (fault.under(str(index)) for fault in self.element.faults(element, words))
        seen = [element.get(self.unique) for element in value if isinstance(element, dict)]
        if any(seen.index(one) != place for place, one in enumerate(seen)):
            message = sentence("Two elements of this list have the same {member}.")
            yield Fault(message, params={"member": self.unique})

    def schema(self) -> dict[str, JSON]:
        """Return the JSON Schema of the list; `uniqueBy` names the member that may not repeat."""
        return {
            "type": "array",
            "items": self.element.schema(),
            "minItems": 1,
            "maxItems": self.most,
            "uniqueBy": self.unique,
        }


_POINT: Mapping[str, ValueType] = {"lat": Real(-90, 90), "lon": Real(-180, 180)}
_FIX: Mapping[str, ValueType] = {
    # Half of the way round the earth: a fix that is worse says nothing, so it is no fix.
    "accuracy_m": Real(0, 20_037_509),
    "altitude_m": Real(-12_000, 100_000),
    "source": Choice(("gps", "network", "manual")),
    "mocked": TRUTH,
}
_PERSON: Mapping[str, ValueType] = {
    "parent": LINE,
    "residence": LINE,
    "mobile": MOBILE,
}

LOCATION = Shape(needs=_POINT, takes={**_FIX, "fixed_at": INSTANT})
"""WGS84 degrees. Sent once; a better fix that comes later is a `FIX`."""

FIX = Shape(needs={**_POINT, "fixed_at": INSTANT}, takes=_FIX)
"""A later fix of the same place, told apart by `fixed_at`."""

SEIZER = Shape(needs={"name": NAME}, takes={"residence": LINE, "signed": TRUTH})
"""Who seized, as the pound register asks it (Kerala Act s.7; Gujarat Rules 1998 r.3)."""

COUNTS = ListOf(Shape(needs={"kind": ANIMAL_KIND, "count": HEAD_COUNTED}), most=50, unique="kind")
"""What the keeper counted, one element for each kind."""

WITNESS = Shape(needs={"id": TOKEN}, takes={"name": NAME, **_PERSON, "signed": TRUTH})
PERSON = Shape(needs={"id": TOKEN}, takes={"name": NAME, **_PERSON, "part": SHORT})

STATEMENT = Shape(
    needs={"id": TOKEN, "said_at": INSTANT, "about": Choice(("correction", "conflict"))},
    takes={
        "record": UUID,
        "field": SHORT,
        "answer": Choice(("agree", "stay", "unsure")),
        "text": FREE,
    },
)
"""What somebody says to their record beside its values: why it was corrected, or their word on
another account of `field` of `record`. It changes no value.
"""

INDIVIDUAL = Shape(
    needs={"number": HEAD}, takes={"marks": LINE, "ear_tag": EAR_TAG, "condition": LINE}
)
"""One animal of a lot, told apart by its number among them: how it is known again."""
