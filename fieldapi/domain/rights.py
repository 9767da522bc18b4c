"""Who may write what: reads the rights of the table for one person and one record.

Called by services before an op is merged; a field that is not yours makes the op `held`, it is
never lost. Must never look at a database: how the person stands to the record is an argument.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from fieldapi.domain.records import AT_POUND, DECIDING_ROLES, KINDS, OWN, Right


@dataclass(frozen=True)
class Standing:
    """How a person stands to one record at the time that counts.

    `is_author`: created it, from any device of theirs. `is_at_own_pound`: the record, or the
    seizure it belongs to, is at a pound that the person keeps, before or after this op.
    """

    roles: frozenset[str]
    capacities: frozenset[str] = field(default_factory=frozenset)
    is_author: bool = False
    is_at_own_pound: bool = False


def not_yours(kind: str, names: Collection[str], standing: Standing) -> tuple[str, ...]:
    """Return the fields among `names` that this person may not write, in the order given.

    >>> keeper = Standing(frozenset({"pound_keeper"}), is_at_own_pound=True)
    >>> not_yours("animal", ["count", "colour"], keeper)
    ('colour',)
    """
    rights = [right for right in KINDS[kind].rights if _has(standing, right)]
    return tuple(
        name
        for name in names
        if not any(right.fields is None or name in right.fields for right in rights)
    )


def may_create(kind: str, standing: Standing) -> bool:
    """Say whether this person may create such a record; whoever creates one is its author."""
    return any(right.fields is None and _has(standing, right) for right in KINDS[kind].rights)


def may_decide(standing: Standing) -> bool:
    """Say whether an op with `decision` or `fixes` by this person counts, on any field."""
    return bool(DECIDING_ROLES & standing.roles)


def _has(standing: Standing, right: Right) -> bool:
    if right.role not in standing.roles:
        return False
    if right.capacity is not None and right.capacity not in standing.capacities:
        return False
    return {OWN: standing.is_author, AT_POUND: standing.is_at_own_pound}[right.where]
