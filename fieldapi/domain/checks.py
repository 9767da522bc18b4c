"""Judges one value of one field: the same answer parks it in sync and names it on REST.

Called by services. A fault is a value of `FieldFault`, never an exception: one bad field must not
stop its neighbours. Must never change or coerce what it is shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fieldapi.domain.records import KINDS, SCHEMA_VERSION, RecordField
from fieldapi.domain.values import Fault, Vocabulary
from fieldapi.domain.words import sentence
from sync.strict import JSON

INVALID_VALUE, UNKNOWN_FIELD = "invalid-value", "unknown-field"
DEFERRED, NOT_YOURS = "deferred", "not-yours"


@dataclass(frozen=True)
class FieldFault:
    """Why a field was not merged: a code of the protocol, `path` from the record, a sentence."""

    name: str
    code: str
    path: str
    message: str
    params: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The sentence in English, placeholders filled; `message` is its catalogue key."""
        return self.message.format(**self.params)


def check_value(
    kind: str, name: str, value: JSON, *, profile: Vocabulary, schema: int = SCHEMA_VERSION
) -> FieldFault | None:
    """Return the first fault of `value` for field `name` of `kind`, or None if it can be merged.

    null clears a field and is always possible. For a `set` field `value` is one element of `add`.
    Under a `schema` newer than the product's an unknown field is `deferred`, not parked.
    Raises KeyError for an unknown kind: that is a fault of the whole op.
    """
    row = KINDS[kind].fields.get(name)
    if row is None:
        return _not_a_field(kind, name, schema)
    if value is None and row.klass != "set":
        return None
    fault = next(iter(row.type.faults(value, profile)), None)
    return None if fault is None else _invalid(row, fault)


def check_key(
    kind: str, name: str, key: JSON, *, schema: int = SCHEMA_VERSION
) -> FieldFault | None:
    """Return the fault of a `strike` key, or None: a key is text and the field must be a set."""
    row = KINDS[kind].fields.get(name)
    if row is None:
        return _not_a_field(kind, name, schema)
    if row.klass != "set" or not isinstance(key, str):
        return _invalid(
            row, Fault(sentence("Only elements of a list can be struck, by their key."))
        )
    return None


def wrong_verb(kind: str, name: str, verb: str) -> FieldFault | None:
    """Return the fault of a list under `set`, or of one value under `add` or `strike`."""
    row = KINDS[kind].fields.get(name)
    if row is None or (row.klass == "set") is (verb != "set"):
        return None
    if row.klass == "set":
        return _invalid(row, Fault(sentence("This is a list: send `add` or `strike`.")))
    return _invalid(row, Fault(sentence("This is one value: send `set`.")))


def _not_a_field(kind: str, name: str, schema: int) -> FieldFault:
    if name in KINDS[kind].server:
        message = sentence("Only the server writes this field.")
        return FieldFault(name, NOT_YOURS, name, message)
    if name == "withdrawn":
        message = sentence("A record is withdrawn by `retract`, not by `set`.")
        return FieldFault(name, INVALID_VALUE, name, message)
    if schema > SCHEMA_VERSION:
        message = sentence("This field is newer than the server; it is kept and merged later.")
        return FieldFault(name, DEFERRED, name, message)
    return FieldFault(name, UNKNOWN_FIELD, name, sentence("This field is not known."))


def _invalid(row: RecordField, fault: Fault) -> FieldFault:
    seen = fault.under(row.name)
    return FieldFault(row.name, INVALID_VALUE, seen.path, seen.message, seen.params)
