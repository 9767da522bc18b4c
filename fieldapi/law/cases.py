"""Judges acts: whether one may be done now, under which rule, from when, and what it would move.

Called by services, queries and the player of case files. The rules of each act are in `acts/`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain

from fieldapi.law.acts import ACTS, canonical
from fieldapi.law.facts import Case, Done, Proposal
from fieldapi.law.particulars import whole
from fieldapi.law.scene import (
    NO,
    Breach,
    Effect,
    Judgement,
    Rule,
    Scene,
    Verdict,
    scene_of,
    verdict,
)
from fieldapi.law.state import CaseState, HeadState

# Acts that stand on their own in a closed case: others need it to be opened again by order.
_WAY = frozenset({"seized", "in_transit"})


def judge(case: Case, act: Proposal) -> Judgement:
    """Return the verdict on an act and, unless it is impossible, what it brings about.

    `done` is the act as it has to be kept: with its heads, what it moved and what it adds to its
    particulars. Whether a doubtful or forbidden one is stored all the same is for the caller.
    """
    act = replace(act, act=canonical(act.act))
    rule = ACTS.get(act.act)
    scene = scene_of(case, act)
    if rule is None:
        return _judged(scene, verdict(case.profile, [Breach("act.unknown")], act=act.act), Effect())
    scene = replace(scene, heads=tuple(_heads(rule, scene)))
    asked = chain(_framed(rule, scene), rule.check(scene), _whose(rule, scene))
    answer = verdict(case.profile, asked, act=act.act)
    return _judged(scene, answer, rule.effect(scene) if answer.is_possible else Effect())


def _judged(scene: Scene, answer: Verdict, effect: Effect) -> Judgement:
    act = scene.act
    done = Done(
        id=act.id,
        n=len(scene.case.acts) + 1,
        act=act.act,
        at=act.happened_at,
        mode=act.mode,
        party=scene.party,
        heads=scene.ids or act.heads,
        data={**act.data, **effect.data},
        moves=effect.moves,
    )
    return Judgement(
        answer,
        done,
        effect.lines,
        effect.total_paise,
        effect.moves,
        effect.flags,
        effect.notes,
        effect.rest_paise,
        effect.deficit_paise,
    )


def _heads(rule: Rule, scene: Scene) -> Iterator[HeadState]:
    """Yield the heads that the act names, or else all that it can mean."""
    if scene.act.heads:
        known = scene.now.heads
        yield from (known[id] for id in scene.act.heads if id in known)
    elif rule.pick is not None:
        yield from rule.pick(scene)
    elif rule.heads != "none":
        mine = _of_party(scene.now, scene.act.party)
        yield from (one for one in mine if _fits(rule, one))


def _of_party(now: CaseState, party: str | None) -> Iterable[HeadState]:
    """A person's own heads; where nobody is known to own any, those of nobody."""
    if party is None:
        return now.heads.values()
    return now.of(party)


def _fits(rule: Rule, head: HeadState) -> bool:
    return {
        "custody": head.is_in_custody,
        "way": head.state in _WAY,
        "pound": head.is_impounded,
    }.get(rule.heads, True)


def _framed(rule: Rule, scene: Scene) -> Iterator[Breach]:
    """Yield what no act can do: on a closed case, on heads that are gone or not there yet."""
    if (
        scene.now.is_closed
        and not rule.after_close
        and not rule.is_fact
        and scene.act.act != "close"
    ):
        yield Breach("case.closed")
    if set(scene.act.heads) - set(scene.latest.heads):
        yield Breach("head.unknown")
    if rule.heads in ("custody", "way", "pound"):
        yield from _standing(rule, scene)
    if rule.needs_party and any(one.liable not in (None, scene.party) for one in scene.heads):
        yield Breach("heads.of_others")


def _whose(rule: Rule, scene: Scene) -> Iterator[Breach]:
    """Yield that nobody is named: asked last, for naming somebody mends nothing else."""
    if rule.needs_party and scene.party is None:
        yield Breach("party.missing")


def _standing(rule: Rule, scene: Scene) -> Iterator[Breach]:
    if not scene.heads:
        yield Breach("head.none")
    for head in scene.heads:
        if scene.latest.heads[head.id].became is not None:
            yield Breach("head.gone")
        elif rule.heads == "pound" and not head.is_impounded:
            yield Breach("head.not_in_pound")
        elif rule.heads == "way" and scene.latest.heads[head.id].impounded_at is not None:
            yield Breach("head.in_pound")


def check_acts(case: Case, at: datetime) -> tuple[tuple[str, Verdict], ...]:
    """Return every act with its verdict as things stand, its body empty. Impossible ones too."""
    found: list[tuple[str, Verdict]] = []
    for name in ACTS:
        act = Proposal("", name, at, at)
        found.append((name, judge(case, act).verdict))
    return tuple(found)


def judge_together(acts: Sequence[tuple[Case, Proposal]]) -> tuple[Judgement, ...]:
    """Return the judgements of one payment over several cases of a person: all or none.

    `paid_paise` of the first is the sum for all; each case takes what is due in it, the last one
    what is left, so that a wrong sum is refused somewhere.
    """
    left = whole(acts[0][1].data, "paid_paise") or 0
    judged: list[Judgement] = []
    for place, (case, act) in enumerate(acts):
        is_last = place == len(acts) - 1
        asked = judge(case, replace(act, data={**act.data, "paid_paise": 0}))
        due = max(0, asked.total_paise or 0)
        share = left if is_last else min(left, due)
        left -= share
        judged.append(judge(case, replace(act, data={**act.data, "paid_paise": share})))
    if any(one.verdict.allowed == NO for one in judged):
        refused = next(one.verdict for one in judged if one.verdict.allowed == NO)
        return tuple(replace(one, verdict=refused) for one in judged)
    return tuple(judged)
