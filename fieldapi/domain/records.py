"""The records that phones write: kinds, fields, classes, personal, who may write. One table.

Read by sync (merge classes), services (parking, who may), schemas and `/sync/schema`. To add a
field, add a row here, a column, a migration, a schema and a form. Must never import Flask or SQL.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from fieldapi.domain import shapes as shape
from fieldapi.domain import values as value
from fieldapi.domain.references import REFERENCE
from fieldapi.domain.values import Choice, ValueType
from sync.kind import Field, Kind
from sync.strict import JSON

SCHEMA_VERSION = 1
EVIDENCE, REGISTER, LATEST, SET, SERVER = "evidence", "register", "latest", "set", "server"


@dataclass(frozen=True)
class RecordField:
    """One field: dotted leaf name, merge class, type of its value (of an element, for a set).

    `competes`: only the same person's ops replace each other. `key`: the member that tells elements
    of a set apart, None = the element itself. `parent`: the kind this record hangs under;
    `refers`: what another id names (a record kind, or `pound`).
    """

    name: str
    klass: str
    type: ValueType
    personal: bool = False
    required: bool = False
    competes: bool = False
    key: str | None = None
    parent: str | None = None
    refers: str | None = None


@dataclass(frozen=True)
class Right:
    """One line of "who may write": a role, on which records, which fields (None = all of them).

    `where` is `own`: the record was created by the same person; or `at_pound`: the intake, or the
    seizure that the record belongs to, is at a pound that the person keeps (for `pound_id` itself:
    before or after the change). `capacities`: only people who hold one of them.
    """

    role: str
    where: str
    fields: frozenset[str] | None = None
    capacities: frozenset[str] | None = None


@dataclass(frozen=True)
class RecordKind:
    """One kind of record. `one_of`: groups of fields of which at least one is required.

    Beside `fields` every kind has the register field `withdrawn`: written by `retract` and by
    decisions, never by `set`, shown as a boolean, so it is no row here. `server` names what only
    the server writes; a client's value for one is recorded and answered `not-yours`.
    """

    name: str
    fields: Mapping[str, RecordField]
    rights: tuple[Right, ...]
    server: tuple[str, ...]
    one_of: tuple[tuple[str, ...], ...] = ()
    parents: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        """Read the parent links off the fields."""
        links = {one.name: one.parent for one in self.fields.values() if one.parent is not None}
        object.__setattr__(self, "parents", MappingProxyType(links))


def _rows(*rows: RecordField) -> Mapping[str, RecordField]:
    return MappingProxyType({row.name: row for row in rows})


F = RecordField
OWN, AT_POUND = "own", "at_pound"
REPORTER_OWN = Right("reporter", OWN)
# What a keeper describes of the animals of others.
KEEPERS = ("marks", "ear_tags", "individuals")
STATEMENTS = F("statements", SET, shape.STATEMENT, key="id", personal=True)

SEIZURE = RecordKind(
    name="seizure",
    fields=_rows(
        F("reference", EVIDENCE, REFERENCE),
        F("seized_at", EVIDENCE, value.INSTANT, required=True),
        F("location", EVIDENCE, shape.LOCATION),
        F("location_absent_reason", EVIDENCE, value.CODE),
        F("sent_at", EVIDENCE, value.INSTANT),
        F("origin", EVIDENCE, Choice(("phone", "api", "paper"))),
        F("capacity", REGISTER, value.CODE, required=True),
        F(
            "ground",
            REGISTER,
            Choice(("trespass_with_damage", "trespass", "straying")),
            required=True,
        ),
        F("place_kind", REGISTER, value.CODE, required=True),
        F("damage_done", REGISTER, value.TRUTH),
        F("seizer", REGISTER, shape.SEIZER, personal=True),
        F("place_text", LATEST, value.FREE, personal=True),
        F("survey_no", LATEST, value.SHORT),
        F("damage.text", LATEST, value.FREE, personal=True),
        F("damage.crop", LATEST, value.SHORT),
        F("damage.estimate_paise", LATEST, value.PAISE),
        F("owner.known", LATEST, value.TRUTH, personal=True),
        F("owner.name", LATEST, value.NAME, personal=True),
        F("owner.parent", LATEST, value.LINE, personal=True),
        F("owner.residence", LATEST, value.LINE, personal=True),
        F("owner.mobile", LATEST, value.MOBILE, personal=True),
        F("pound_id", LATEST, value.UUID, refers="pound"),
        F("remarks", LATEST, value.FREE, personal=True),
        F("fixes", SET, shape.FIX, key="fixed_at"),
        F("witnesses", SET, shape.WITNESS, key="id", personal=True),
        STATEMENTS,
    ),
    one_of=(("location", "location_absent_reason"),),
    rights=(REPORTER_OWN, Right("pound_keeper", AT_POUND, frozenset({"pound_id"}))),
    server=("state", "flags", "received_at", "trust", "dues"),
)

ANIMAL = RecordKind(
    name="animal",  # one lot of one kind
    fields=_rows(
        F("seizure_id", EVIDENCE, value.UUID, required=True, parent="seizure"),
        F("kind", REGISTER, value.ANIMAL_KIND, required=True, competes=True),
        F("count", REGISTER, value.HEAD, required=True, competes=True),
        F("sex", LATEST, Choice(("female", "male", "castrated", "mixed", "unknown"))),
        F("age_class", LATEST, Choice(("young", "adult", "old", "mixed", "unknown"))),
        F("colour", LATEST, value.SHORT),
        F("horns", LATEST, value.SHORT),
        F("marks", LATEST, value.LINE),
        F("condition", LATEST, value.LINE),
        F("milch", LATEST, value.TRUTH),
        F("ear_tags", SET, value.EAR_TAG),
        F("individuals", SET, shape.INDIVIDUAL, key="number"),
    ),
    rights=(
        REPORTER_OWN,
        Right("pound_keeper", AT_POUND, frozenset({"kind", "count", *KEEPERS})),
    ),
    server=("flags", "received_at", "trust"),
)

PHOTO = RecordKind(
    name="photo",
    fields=_rows(
        F("seizure_id", EVIDENCE, value.UUID, parent="seizure"),
        F("aid_id", EVIDENCE, value.UUID, parent="aid"),
        F("intake_id", EVIDENCE, value.UUID, parent="intake"),
        F("sha256", EVIDENCE, value.SHA256, required=True),
        F("size", EVIDENCE, value.BYTES, required=True),
        F("media_type", EVIDENCE, value.MEDIA_TYPE, required=True),
        F("taken_at", EVIDENCE, value.INSTANT),
        F("location", EVIDENCE, shape.LOCATION),
        F("source", EVIDENCE, Choice(("camera", "gallery"))),
        F("animal_id", LATEST, value.UUID, refers="animal"),
        F("subject", LATEST, Choice(("animals", "damage", "place", "person", "document"))),
        F("caption", LATEST, value.FREE, personal=True),
    ),
    one_of=(("seizure_id", "aid_id", "intake_id"),),
    rights=(REPORTER_OWN, Right("pound_keeper", OWN)),
    server=("state", "verdict", "flags", "received_at", "trust"),
)

AID = RecordKind(
    name="aid",  # police help against resistance or rescue
    fields=_rows(
        F(
            "ground",
            REGISTER,
            Choice(("resistance", "likely_resistance", "likely_rescue", "rescue_committed")),
            required=True,
        ),
        F("rendered", REGISTER, value.TRUTH),
        F("refusal_reason", REGISTER, value.FREE, personal=True),
        F("outcome", REGISTER, value.LINE),
        F("seizure_id", REGISTER, value.UUID, parent="seizure"),
        F("requested_at", EVIDENCE, value.INSTANT, required=True),
        F("arrived_at", EVIDENCE, value.INSTANT),
        F("location", EVIDENCE, shape.LOCATION),
        F("requested_by", LATEST, value.NAME, personal=True),
        F("officer.name", LATEST, value.NAME, personal=True),
        F("officer.rank", LATEST, value.SHORT, personal=True),
        F("officer.number", LATEST, value.SHORT, personal=True),
        F("officer.station", LATEST, value.LINE, personal=True),
        F("gd_no", LATEST, value.SHORT),
        F("fir_no", LATEST, value.SHORT),
        F("esakshya_sid", LATEST, value.SHORT),
        F("narrative", LATEST, value.NARRATIVE, personal=True),
        F("persons", SET, shape.PERSON, key="id", personal=True),
        STATEMENTS,
    ),
    rights=(Right("reporter", OWN, capacities=frozenset({"police", "police_officer"})),),
    server=("flags", "received_at", "trust"),
)

INTAKE = RecordKind(
    name="intake",  # what arrived at the pound
    fields=_rows(
        F("seizure_id", EVIDENCE, value.UUID, required=True, parent="seizure"),
        F("pound_id", EVIDENCE, value.UUID, required=True, refers="pound"),
        F("received_at", EVIDENCE, value.INSTANT, required=True),
        F("location", EVIDENCE, shape.LOCATION),
        F("counts", REGISTER, shape.COUNTS, required=True),
        F("brought_by", LATEST, value.NAME, personal=True),
        F("condition", LATEST, value.FREE, personal=True),
        F("remarks", LATEST, value.FREE, personal=True),
        STATEMENTS,
    ),
    rights=(Right("pound_keeper", AT_POUND),),
    server=("flags", "trust"),
)

KINDS: Mapping[str, RecordKind] = MappingProxyType(
    {kind.name: kind for kind in (SEIZURE, ANIMAL, PHOTO, AID, INTAKE)}
)

# Everyone else's writes are held `not-yours`. A reviewer and a deciding officer may write any field
# of any kind, but only in an op that carries `decision` or `fixes`.
DECIDING_ROLES = frozenset({"decider", "reviewer"})


def fields_of(kind: str, *, personal: bool) -> tuple[str, ...]:
    """Return the names of the personal fields of `kind`, or of the others, in table order."""
    return tuple(row.name for row in KINDS[kind].fields.values() if row.personal is personal)


def is_personal(kind: str, names: Collection[str]) -> bool:
    """Say whether an op on these fields counts as personal: one personal or unknown one does.

    >>> is_personal("seizure", ["ground"]), is_personal("seizure", ["ground", "owner.name"])
    (False, True)
    """
    rows = KINDS[kind].fields if kind in KINDS else {}
    return any(name not in rows or rows[name].personal for name in names)


def missing(kind: str, shown: Mapping[str, JSON]) -> tuple[str, ...]:
    """Return what keeps the record `incomplete`: required fields without a value, in table order.

    Of a group of alternatives the first stands for all.
    """
    table = KINDS[kind]

    def gaps() -> Iterator[str]:
        for row in table.fields.values():
            if row.required and shown.get(row.name) is None:
                yield row.name
        for group in table.one_of:
            if all(shown.get(name) is None for name in group):
                yield group[0]

    return tuple(gaps())


@cache
def merge_kind(name: str) -> Kind:
    """Return the kind as `sync` sees it: names, classes, competing fields, set keys, server fields.

    Raises KeyError for an unknown kind.
    """
    table = KINDS[name]
    rows = {
        row.name: Field(row.name, row.klass, competes=row.competes, key=row.key)
        for row in table.fields.values()
    }
    return Kind(name, {**rows, **{one: Field(one, SERVER) for one in table.server}})


def schema_document() -> dict[str, JSON]:
    """Return the table as JSON for `GET /api/v1/sync/schema`."""
    kinds: dict[str, JSON] = {name: _kind_document(kind) for name, kind in KINDS.items()}
    return {"schema": SCHEMA_VERSION, "kinds": kinds, "decided_by": _names(DECIDING_ROLES)}


def _kind_document(kind: RecordKind) -> dict[str, JSON]:
    fields: dict[str, JSON] = {row.name: _field_document(row) for row in kind.fields.values()}
    return {
        "fields": fields,
        "one_of": [_names(group) for group in kind.one_of],
        "withdrawn": {"class": REGISTER, "written_by": "retract"},
        "server": _names(kind.server),
        "may_write": [_right_document(right) for right in kind.rights],
    }


def _field_document(row: RecordField) -> dict[str, JSON]:
    document: dict[str, JSON] = {
        "class": row.klass,
        "type": row.type.schema(),
        "personal": row.personal,
        "required": row.required,
        "competes": row.competes,
    }
    links = {"key": row.key, "parent": row.parent, "refers": row.refers}
    return {**document, **{name: link for name, link in links.items() if link is not None}}


def _right_document(right: Right) -> dict[str, JSON]:
    fields = None if right.fields is None else _names(sorted(right.fields))
    document: dict[str, JSON] = {"role": right.role, "where": right.where, "fields": fields}
    return (
        document
        if right.capacities is None
        else {**document, "capacities": _names(sorted(right.capacities))}
    )


def _names(names: Collection[str]) -> list[JSON]:
    return [*names]
