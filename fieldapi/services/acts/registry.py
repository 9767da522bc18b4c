"""Every act there is, by its slug and its other spellings. An act is added in the file of its
family; here is only the list of families.
"""

from __future__ import annotations

from collections.abc import Mapping

from fieldapi import law
from fieldapi.services.acts import (
    heads,
    orders,
    payments,
    people,
    sale,
    security,
    surplus,
    transit,
    unclaimed,
)
from fieldapi.services.acts.kinds import ActKind

_FAMILIES = (transit, people, payments, security, unclaimed, sale, surplus, heads, orders)
ACTS: Mapping[str, ActKind] = {kind.slug: kind for family in _FAMILIES for kind in family.ACTS}


def find(slug: str) -> ActKind | None:
    """Return the act of a slug, also of one in another spelling; None if there is none."""
    return ACTS.get(slug) or ACTS.get(law.canonical(slug))
