"""Compares what a step expects with what followed. Every key of `expect` has to be known here.

Called by `player.py`. A fault names what was compared, what was expected and what came.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from fieldapi.law.account import owner_account
from fieldapi.law.caps import reimbursement
from fieldapi.law.clocks import complaint_until
from fieldapi.law.days import day_of
from fieldapi.law.dues import Line, Quote, rupees
from fieldapi.law.facts import Case, Complaint, Seizure
from fieldapi.law.particulars import whole
from fieldapi.law.profile import SeizureRule
from fieldapi.law.running import ClockState, clocks
from fieldapi.law.scene import Judgement, Verdict
from fieldapi.law.state import state
from fieldapi.packs.cases.story import Plain, Row, Step, StoryError
from fieldapi.packs.cases.values import count, day, instant, paise, row, texts

Fault: TypeAlias = tuple[str, str, str]
# Not compared: they say how, in words, for readers.
WORDS = frozenset({"note", "how", "heads", "why"})


def judgement(step: Step, judged: Judgement) -> Iterator[Fault]:
    """Yield faults of an act's verdict, lines, sums and flags."""
    wanted = step.expect
    yield from verdict(step, judged.verdict, leave=_JUDGED)
    yield from _lines(wanted, judged.lines)
    sums: dict[str, int | None] = {
        "total": judged.total_paise,
        "rest": judged.rest_paise,
        "deficit": judged.deficit_paise,
        "needed": whole(judged.done.data, "needed_paise"),
        "still_needed": whole(judged.done.data, "still_needed_paise"),
        "moved": sum(one.paise for one in judged.moves),
    }
    for name, got in sums.items():
        if name in wanted:
            yield from _sum(name, wanted[name], got)
    if "from_proceeds" in wanted:
        yield from _went(row(wanted["from_proceeds"]), judged, source="held.proceeds")
    for name, got_codes in (("flags", judged.flags), ("notes", judged.notes)):
        if name in wanted:
            yield from _same(name, sorted(texts(wanted[name])), sorted(got_codes))
    yield from _went(row(wanted.get("to")), judged)


_JUDGED = frozenset(
    {
        "deficit",
        "flags",
        "from_proceeds",
        "lines",
        "moved",
        "needed",
        "notes",
        "rest",
        "still_needed",
        "to",
        "total",
    }
)


def _went(wanted: Row, judged: Judgement, *, source: str = "") -> Iterator[Fault]:
    got: Counter[str] = Counter()
    for one in judged.moves:
        got[one.target] += one.paise if one.source.startswith(source) else 0
    for account_, sum_ in wanted.items():
        yield from _sum(f"to {account_}", sum_, got[account_])


def verdict(step: Step, answer: Verdict, *, leave: frozenset[str] = frozenset()) -> Iterator[Fault]:
    """Yield faults of a verdict: allowed, rule, section, not_before, code."""
    wanted = {key: value for key, value in step.expect.items() if key not in leave}
    for name, got in (("allowed", answer.allowed), ("rule", answer.rule), ("code", answer.code)):
        if name in wanted:
            yield from _same(name, wanted.pop(name), got)
    if "cites" in wanted:
        yield from _cites(str(wanted.pop("cites")), answer)
    if "section" in wanted:
        section = str(wanted.pop("section"))
        if section != answer.section:
            yield "section", section, answer.section
    if "not_before" in wanted:
        moment = instant(wanted.pop("not_before"))
        yield from _same("not_before", moment.isoformat(), _iso(answer.not_before))
    unknown = set(wanted) - WORDS
    if unknown:
        raise StoryError(f"{step.where}: expect has {', '.join(sorted(unknown))}")


def _cites(words: str, answer: Verdict) -> Iterator[Fault]:
    """One of the sections that a text names has to be among those of the answer."""
    named = re.findall(r"r\.?\s?\d+|\d+(?:\([0-9a-z]+\))*", words)
    given = re.findall(r"r\.?\s?\d+|\d+(?:\([0-9a-z]+\))*", answer.section)
    if not any(one.startswith(each) or each.startswith(one) for one in named for each in given):
        yield "cites", words, answer.section


def quote(step: Step, quotes: Sequence[Quote]) -> Iterator[Fault]:
    """Yield faults of a quote: lines, total, head, times, missing."""
    wanted = step.expect
    yield from _lines(wanted, [line for one in quotes for line in one.lines])
    if "total" in wanted:
        totals = [one.total_paise for one in quotes]
        known = [one for one in totals if one is not None]
        yield from _sum("total", wanted["total"], sum(known) if len(known) == len(totals) else None)
    for name, got in (("head", quotes[-1].head), ("times", quotes[-1].times)):
        if name in wanted:
            yield from _same(name, wanted[name], got)
    for name, codes in (("missing", quotes[-1].missing), ("notes", quotes[-1].notes)):
        if name in wanted:
            yield from _same(name, sorted(texts(wanted[name])), sorted(codes))


def _lines(wanted: Row, lines: Iterable[Line]) -> Iterator[Fault]:
    if "lines" not in wanted:
        return
    got: Counter[str] = Counter()
    for one in lines:
        got[one.line] += one.paise
    expected = {name: paise(sum_) for name, sum_ in row(wanted["lines"]).items()}
    for name in sorted({*expected, *got}):
        if expected.get(name, 0) != got[name]:
            yield f"line {name}", rupees(expected.get(name, 0)), rupees(got[name])


def clock(step: Step, case: Case) -> Iterator[Fault]:
    """Yield faults of one clock: `rule` picks it, `of` the sum, everything else is compared."""
    wanted = step.expect
    found = [
        one
        for one in clocks(case, step.at)
        if one.rule == step.row.get("rule") and _is_of(one, step.row.get("of"))
    ]
    if wanted.get("absent") is True:
        yield from _same("clock", [], [one.rule for one in found])
        return
    if not found:
        yield "clock", str(step.row.get("rule")), "none"
        return
    if "starts" in wanted:
        start = day(wanted["starts"])
        found = [one for one in found if day_of(one.starts_at) == start] or found
    yield from _clock(wanted, found[-1])


def _is_of(one: ClockState, of: Plain) -> bool:
    return of is None or one.of_paise == paise(of)


def _clock(wanted: Row, one: ClockState) -> Iterator[Fault]:
    days = {
        "starts": day_of(one.starts_at),
        "last_day": one.last_day,
        "rolled_last_day": one.rolled_last_day or one.last_day,
    }
    for name, got in days.items():
        if name in wanted:
            yield from _same(name, day(wanted[name]).isoformat(), str(got))
    moments = {"last_moment": one.last_moment, "opens_at": one.opens_at}
    for name, moment in moments.items():
        if name in wanted:
            yield from _same(name, instant(wanted[name]).isoformat(), _iso(moment))
    for name, text in (
        ("state", one.state),
        ("section", one.section),
        ("verified", one.is_verified),
    ):
        if name in wanted:
            yield from _same(name, wanted[name], text)


def seizure(step: Step, rules: Sequence[SeizureRule], facts: Seizure) -> Iterator[Fault]:
    """Yield faults of who may seize: `rules` that fit, and whether damage is missing."""
    if "rules" in step.expect:
        yield from _same("rules", texts(step.expect["rules"]), [one.rule for one in rules])
    if "damage_missing" in step.expect:
        needed = bool(rules) and all(one.damage_required for one in rules)
        yield from _same(
            "damage_missing", step.expect["damage_missing"], needed and not facts.has_damage
        )


def excess(step: Step, found: Mapping[str, tuple[int, int]]) -> Iterator[Fault]:
    """Yield faults of a special fine that was entered: `allowed`, and `most` for its kinds."""
    if "allowed" in step.expect:
        yield from _same("allowed", step.expect["allowed"], "no" if found else "yes")
    for kind, sum_ in row(step.expect.get("most")).items():
        yield from _sum(f"most {kind}", sum_, found.get(kind, (0, 0))[1])


def complaint(step: Step, case: Case, made: Complaint) -> Iterator[Fault]:
    """Yield faults of a complaint: whether it is late, on every reading or on one."""
    if "late" in step.expect:
        until = complaint_until(case)
        late = "no"
        if until is not None and until.is_over(made.made_at):
            late = "yes" if until.is_surely_over(made.made_at) else "doubtful"
        yield from _same("late", step.expect["late"], late)


def decision(step: Step, case: Case, decided: Complaint) -> Iterator[Fault]:
    """Yield faults of a decision: what the seizer has to pay back."""
    if "reimbursement" in step.expect:
        got = sum(one.paise for one in reimbursement(case, decided))
        yield from _sum("reimbursement", step.expect["reimbursement"], got)


def account(step: Step, case: Case, party: str) -> Iterator[Fault]:
    """Yield faults of the account to an owner: contents (a) to (f)."""
    got = owner_account(case, party, step.at)
    wanted = step.expect
    for name, value in (("seized", got.seized), ("sold", got.sold)):
        if name in wanted:
            yield from _same(name, wanted[name], value)
    for name, sum_ in (("charges", got.charges_paise), ("proceeds", got.proceeds_paise)):
        if name in wanted:
            yield from _sum(name, wanted[name], sum_)
    went = dict(got.went_to)
    for name, paid in row(wanted.get("went_to")).items():
        yield from _sum(f"went to {name}", paid, went.get(name, 0))
    if "impounded_at" in wanted:
        moment = instant(wanted["impounded_at"]).isoformat()
        yield from _same("impounded_at", moment, _iso(got.impounded_at))


def heads(step: Step, cases: Sequence[Case]) -> Iterator[Fault]:
    """Yield faults of the states of heads after a step: `heads = {"released_paid" = 2}`."""
    wanted = row(step.expect.get("heads"))
    if not wanted:
        return
    got = Counter(one.state for case in cases for one in state(case, step.at).heads.values())
    for name, many in wanted.items():
        yield from _same(f"heads {name}", count(many), got[name])


def _sum(name: str, wanted: Plain, got: int | None) -> Iterator[Fault]:
    expected = paise(wanted)
    if expected != (got or 0):
        yield name, rupees(expected), "nothing" if got is None else rupees(got)


def _same(name: str, wanted: object, got: object) -> Iterator[Fault]:
    if wanted != got:
        yield name, str(wanted), str(got)


def _iso(moment: object) -> str:
    return moment.isoformat() if hasattr(moment, "isoformat") else str(moment)
