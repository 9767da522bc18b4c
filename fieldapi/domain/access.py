"""What each role may ask for and which records it sees: the rules of access, as pure functions.

`services.authorise` finds out who is asking; the doors, the queries and the services judge by
what stands here. Must never import Flask or SQL.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from types import MappingProxyType

from fieldapi.domain.labels import ROLES
from fieldapi.domain.words import sentence
from fieldapi.problems import NotAllowed

_EVERYONE = frozenset({"reporter", "pound_keeper", "reviewer", "decider", "admin", "auditor"})
_FIELD = frozenset({"reporter", "pound_keeper"})
_DESK = frozenset({"reviewer", "decider"})
_OFFICE = frozenset({"admin", "auditor"})
_ADMIN = frozenset({"admin"})

# What each role may ask for. Which records it then sees or writes, the predicates below say.
PERMISSIONS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "act.perform": _FIELD | _DESK | _ADMIN,
        "aid.read": _EVERYONE,
        "aid.report": _FIELD,
        "authority.change": _ADMIN,
        "authority.read": _EVERYONE,
        "bundle.make": _DESK | _ADMIN,
        "bundle.read": _DESK | _OFFICE,
        "calendar.change": _ADMIN,
        "calendar.read": _EVERYONE,
        "case.read": _EVERYONE,
        "comment.add": _DESK,
        "complaint.read": _DESK | _OFFICE,
        "complaint.take": _DESK | _ADMIN | {"pound_keeper"},
        "console.open": _DESK | _OFFICE | {"pound_keeper"},
        "deadline.read": _DESK | _OFFICE | {"pound_keeper"},
        "device.judge": _ADMIN,
        "device.read": _OFFICE,
        "document.print": _DESK | _ADMIN | {"pound_keeper"},
        "document.read": _EVERYONE,
        "duplicate.judge": _DESK,
        "enrolment.issue": _ADMIN,
        "enrolment.read": _OFFICE,
        "erasure.make": _ADMIN | {"decider"},
        "export.read": _DESK | _OFFICE,
        "health.read": _OFFICE,
        "intake.read": _EVERYONE,
        "intake.report": _FIELD,
        "ledger.read": _DESK | _OFFICE,
        "notification.add": _ADMIN,
        "notification.read": _DESK | _OFFICE | {"pound_keeper"},
        "offence.read": _DESK | _OFFICE | {"pound_keeper"},
        "offence.report": _FIELD | _DESK | _ADMIN,
        "op.judge": _DESK,
        "op.read": _DESK | _OFFICE,
        "party.add": _DESK | _ADMIN | {"pound_keeper"},
        "party.merge": _DESK | _ADMIN,
        "party.read": _DESK | _OFFICE | {"pound_keeper"},
        "person.add": _ADMIN,
        "person.read": _OFFICE,
        "photo.read": _EVERYONE,
        "photo.upload": _FIELD,
        "place.import": _ADMIN,
        "pound.add": _ADMIN,
        "pound.read": _OFFICE | _DESK,
        "prior_impounding.add": _DESK | _ADMIN | {"pound_keeper"},
        "prior_impounding.read": _DESK | _OFFICE | {"pound_keeper"},
        "register.read": _DESK | _OFFICE | {"pound_keeper"},
        "removal_order.make": _ADMIN | {"decider"},
        "removal_order.read": _DESK | _OFFICE,
        "review.read": _DESK | _OFFICE,
        "seizure.assign": _DESK | _ADMIN,
        "seizure.correct": _FIELD | _DESK,
        "seizure.read": _EVERYONE,
        "seizure.report": _FIELD,
        "seizure.review": _DESK,
        "slip.key_in": frozenset({"reporter"}),
        "statute.confirm": _ADMIN | {"decider"},
        "statute.read": _DESK | _OFFICE | {"pound_keeper"},
        "sync.pull": _EVERYONE,
        "sync.push": _FIELD | _DESK,
    }
)
# A phone whose fingerprint nobody confirmed yet: it hands in (all of it is held), reads nothing.
PENDING_MAY = frozenset(
    {
        "aid.report",
        "intake.report",
        "photo.upload",
        "seizure.report",
        "sync.pull",
        "sync.push",
    }
)


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is asking, at this moment. `actor`: 16 hex digits, by which the ledger names them.

    `pounds`: the pounds a keeper keeps; None means all of the authority's. `device_id`: None for
    a console session and for the operator. `is_confirmed`: False for a pending device.
    """

    authority_id: str
    person_id: str
    device_id: str | None
    actor: str
    roles: frozenset[str]
    pounds: frozenset[str] | None
    is_confirmed: bool

    def has(self, *roles: str) -> bool:
        """Say whether this principal holds one of `roles`."""
        return not self.roles.isdisjoint(roles)


def may(principal: Principal, action: str) -> bool:
    """Say whether `principal` may do `action`, a key of `PERMISSIONS`."""
    is_open = principal.is_confirmed or action in PENDING_MAY
    return is_open and not PERMISSIONS[action].isdisjoint(principal.roles)


def require(principal: Principal, action: str) -> None:
    """Raise `NotAllowed` unless `principal` may do `action`, a key of `PERMISSIONS`."""
    if may(principal, action):
        return
    if not principal.is_confirmed:
        raise NotAllowed(
            sentence("This device waits for its fingerprint to be confirmed."), reason="pending"
        )
    needed = sorted(PERMISSIONS[action])
    roles = reduce(_and, (ROLES[one] for one in needed))
    raise NotAllowed(sentence("Only these roles may do this: {roles}.", roles=roles), reason="role")


def _and(some: str, one: str) -> str:
    return sentence("{some} or {one}", some=some, one=one)


def keeps(principal: Principal, pound_id: str | None) -> bool:
    """Say whether `principal` is keeper of this pound."""
    if pound_id is None or not principal.has("pound_keeper"):
        return False
    return principal.pounds is None or pound_id in principal.pounds


def sees_all(principal: Principal) -> bool:
    """Say whether `principal` reads every record of the authority, personal fields included."""
    return principal.is_confirmed and principal.has("reviewer", "decider", "admin", "auditor")


def may_see_seizure(principal: Principal, *, author_id: str | None, pound_id: str | None) -> bool:
    """Say whether `principal` sees this seizure whole, with its photos and personal fields."""
    if not principal.is_confirmed:
        return False
    is_own = bool(principal.roles) and author_id == principal.person_id
    return sees_all(principal) or is_own or keeps(principal, pound_id)


def may_see_in_short(principal: Principal) -> bool:
    """Say whether `principal` sees open seizures of others by reference, counts and place only.

    Not a keeper: cases of other pounds are none of theirs.
    """
    return principal.is_confirmed and principal.has("reporter")


STAFF = "staff"


def audience(*, author_id: str | None, pound_id: str | None, is_withdrawn: bool) -> frozenset[str]:
    """Return who sees a case without having written it: the keepers of its pound, and field staff
    in short once it has an author and is not withdrawn.
    """
    keepers = set() if pound_id is None else {f"pound/{pound_id}"}
    is_listed = author_id is not None and not is_withdrawn
    return frozenset(keepers | ({STAFF} if is_listed else set()))


def author_audience(author_id: str) -> str:
    """Return the audience of one: whoever wrote the case."""
    return f"person/{author_id}"


def is_among(principal: Principal, audiences: Iterable[str]) -> bool:
    """Say whether a principal is one of `audiences`, as `audience` names them."""
    for one in audiences:
        kind, _, name = one.partition("/")
        if kind == "pound" and principal.is_confirmed and keeps(principal, name):
            return True
        if kind == "person" and principal.is_confirmed and principal.person_id == name:
            return True
        if kind == STAFF and may_see_in_short(principal):
            return True
    return False


def may_see_aid(principal: Principal, *, author_id: str | None) -> bool:
    """Say whether `principal` sees this police aid."""
    return principal.is_confirmed and (sees_all(principal) or author_id == principal.person_id)


def may_review(principal: Principal, *, author_ids: Iterable[str | None]) -> bool:
    """Say whether `principal` may review: never one of those who wrote what is judged."""
    return may(principal, "seizure.review") and principal.person_id not in set(author_ids)
