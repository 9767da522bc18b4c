"""What may be left out of a bundle that goes to people outside, by choice. Pure: names of fields.

Read by services, queries and the documents of a bundle. A choice takes the payloads of the ops that
say such a value with it: what was signed is there whole or not at all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fieldapi.domain.words import sentence


@dataclass(frozen=True, slots=True)
class Redaction:
    """One choice. `fields`: `kind.field`, a dot at the end for all below it; `subjects`: of photos
    whose pictures go.
    """

    says: str
    fields: tuple[str, ...] = ()
    subjects: frozenset[str] = frozenset()

    def covers(self, kind: str, field: str) -> bool:
        """Say whether a field is left out."""
        name = f"{kind}.{field}"
        return any(name == one or (one[-1] == "." and name.startswith(one)) for one in self.fields)


REDACTIONS: Mapping[str, Redaction] = MappingProxyType(
    {
        "owner": Redaction(
            sentence("The owner: name, parent, residence, mobile"), ("seizure.owner.",)
        ),
        "seizer": Redaction(
            sentence("Who seized and who brought the cattle"),
            ("seizure.seizer", "intake.brought_by"),
        ),
        "officer": Redaction(
            sentence("Police officers who were asked for help"),
            ("aid.officer.", "aid.requested_by"),
        ),
        "witnesses": Redaction(sentence("Witnesses"), ("seizure.witnesses",)),
        "persons": Redaction(sentence("People named in a police report"), ("aid.persons",)),
        "texts": Redaction(
            sentence("Free text: places, damage, remarks, captions"),
            (
                *("seizure.place_text", "seizure.damage.text", "seizure.remarks", "photo.caption"),
                *("seizure.statements", "aid.statements", "intake.statements"),
                *("aid.refusal_reason", "aid.narrative", "intake.condition", "intake.remarks"),
            ),
        ),
        # Reasons go with every choice about words; this one is about nothing else.
        "reasons": Redaction(
            sentence("Reasons that people gave, and what official acts were told")
        ),
        "photos_person": Redaction(sentence("Photos of people"), subjects=frozenset({"person"})),
        "photos_document": Redaction(
            sentence("Photos of documents"), subjects=frozenset({"document"})
        ),
    }
)

# Choices about pictures alone. Every other one is about what people wrote, and what they write as a
# reason or tell an act may say the same once more.
_PICTURES = frozenset({"photos_person", "photos_document"})


def takes_reasons(chosen: Collection[str]) -> bool:
    """Say whether reasons, and what acts were told, stay outside as well.

    >>> takes_reasons(["witnesses"]), takes_reasons(["photos_person"])
    (True, False)
    """
    return not _PICTURES.issuperset(chosen)


def is_left_out(chosen: Collection[str], kind: str, field: str) -> bool:
    """Say whether one of the choices leaves this field out.

    >>> is_left_out(["owner"], "seizure", "owner.mobile")
    True
    >>> is_left_out(["owner"], "seizure", "ground")
    False
    """
    return any(REDACTIONS[one].covers(kind, field) for one in chosen)


def is_picture_left_out(chosen: Collection[str], subject: str | None) -> bool:
    """Say whether one of the choices leaves photos of this subject out."""
    return any(subject in REDACTIONS[one].subjects for one in chosen)
