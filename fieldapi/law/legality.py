"""How the impounding of some heads stands before the law: complained of, and adjudged which way.

Called by queries and by the stories, for what was impounded in other cases. Gujarat s. 189(2),
Karnataka s. 10(1).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from fieldapi.law.facts import Complaint
from fieldapi.law.scales import ILLEGAL

LAWFUL, DISPUTED, NOT_DISPUTED = "adjudged_lawful", "disputed", "not_disputed"


def parted(
    complaints: Iterable[Complaint], persons: Collection[str | None], heads: Iterable[str]
) -> Iterator[tuple[str, int]]:
    """Yield how many heads of one impounding stand how: those whose seizure was adjudged illegal
    apart, all others together. What others complained of in the same case is not theirs.
    """
    theirs = [one for one in complaints if one.by is None or one.by in persons]
    each = Counter(_of_head(theirs, head) for head in heads)
    illegal = each.pop(ILLEGAL, 0)
    if illegal:
        yield ILLEGAL, illegal
    if each:
        standing = (NOT_DISPUTED, LAWFUL, DISPUTED)
        yield next(one for one in standing if one in each), each.total()


def upheld_in_part(
    one: Complaint, named: Collection[str], everything: Iterable[str]
) -> tuple[Complaint, ...]:
    """Return a complaint as its order left it: where it names heads whose seizure is illegal, that
    of the others complained of was lawful. `everything`: all heads of the case.
    """
    others = tuple(head for head in one.heads or everything if head not in named)
    if one.outcome != "illegal" or not named or not others:
        return (one,)
    upheld = replace(one, heads=tuple(named))
    return (upheld, replace(one, id=f"{one.id}/others", outcome="lawful", heads=others))


def _of_head(complaints: Iterable[Complaint], head: str) -> str:
    outcomes = {one.outcome for one in complaints if not one.heads or head in one.heads}
    if "illegal" in outcomes:
        return ILLEGAL
    if None in outcomes:
        return DISPUTED
    return LAWFUL if outcomes else NOT_DISPUTED
