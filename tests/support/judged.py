"""Small cases for single claims about verdicts: begun, impounded, and carried on act by act."""

from datetime import UTC, date, datetime, timedelta

from fieldapi.law.cases import judge
from fieldapi.law.facts import Case, Head, Proposal, Seizure
from fieldapi.packs import load_packs
from sync.strict import JSON
from tests.support.walks import REGISTER

NOON = datetime(2027, 3, 1, 6, 30, tzinfo=UTC)


def begun(name: str = "gujarat-1993", *kinds: str) -> Case:
    profile = load_packs().profile(name, on=date(2027, 1, 1))
    heads = tuple(Head(f"h{n}", kind) for n, kind in enumerate(kinds or ("cow",)))
    return Case("c", profile, Seizure(NOON), heads, register=REGISTER)


def do(case: Case, act: str, hours: float = 1, **more: JSON) -> Case:
    return case.after(judge(case, told(act, hours, more)).done)


def asked(act: str, hours: float = 1, **more: JSON) -> Proposal:
    return told(act, hours, more)


def told(act: str, hours: float, given: dict[str, JSON]) -> Proposal:
    more = dict(given)
    at = NOON + timedelta(hours=hours)
    party, heads = more.pop("party", None), more.pop("heads", [])
    ids = tuple(str(one) for one in heads) if isinstance(heads, list) else ()
    who = party if isinstance(party, str) else None
    return Proposal(f"{act}-{hours}", act, at, at, party=who, heads=ids, data=more)


def impounded(name: str = "gujarat-1993") -> Case:
    case = do(begun(name), "identify", 0, party="asha", heads=["h0"])
    return do(case, "impound", 2, pound="p")
