"""Brings stories that other people wrote in YAML into the form of our own case files.

A block holds `id`, `profile`, `facts`, `steps` and what is expected at each. Called by `files.py`.
What is not understood is named in `left`, never guessed; the rest of the story is played.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fieldapi.packs.cases import story_money, story_steps
from fieldapi.packs.cases.story import Plain, Row
from fieldapi.packs.cases.values import count, day, instant, row, rows, texts

# Acts that happen once: a variant that tells of one tells it instead of the main story.
INSTEAD = frozenset({"pay_surplus", "credit_surplus_to_fund"})
COMINGS = frozenset({"appear", "claim", "offer_to_pay"})
SECTIONS = {"section_189_applies": "189", "section_190_applies_to_local_area": "190"}
KNOWN = frozenset(
    {
        "id",
        "profile",
        "schedule_entry",
        "facts",
        "steps",
        "late_steps",
        "security",
        "clocks",
        "history",
        "money",
        "final",
        "silent",
        "variants",
        *SECTIONS,
    }
)


@dataclass
class Told:
    """A story under translation: its names, its heads, and what could not be read."""

    data: Row
    people: set[str] = field(default_factory=set)
    heads: dict[str, dict[str, int]] = field(default_factory=dict)
    priors: list[Plain] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def translate(blocks: list[Row], shared: Row) -> tuple[Row, tuple[str, ...]]:
    """Return a case file of these blocks and what was left out. `shared`: by name of the Act, the
    register that holds where no block named `common` gives schedules.
    """
    common = next((row(one["common"]) for one in blocks if "common" in one), {})
    told = [Told(one) for one in blocks if "profile" in one]
    cases: list[Plain] = [_case(one, common, shared) for one in told]
    left = tuple(f"{one.data.get('id')}: {each}" for one in told for each in one.left)
    calendar = {
        "office": common.get("calendar_office_closed", shared.get("office", [])),
        "pound": _closed(common.get("calendar_pound_closed", common.get("calendar_pound"))),
    }
    return {"calendar": calendar, "cases": cases}, left


def _closed(value: Plain) -> Plain:
    """Return closed days that a list names; a sentence says that there are none."""
    return value if isinstance(value, list) else []


def _case(told: Told, common: Row, shared: Row) -> Row:
    data = told.data
    version = str(data["profile"])
    act = version.partition("-")[0]
    own = row(common.get(act))
    register = story_money.register(own) if own else shared.get(act, [])
    _names(told)
    steps = _steps(told)
    variants: list[Plain] = [*_variants(told, steps)]
    told.left.extend(f"key {key}" for key in data if key not in KNOWN and "variant" not in key)
    return {
        "id": data.get("id"),
        "version": version,
        "register": register,
        "priors": [*_history(told), *told.priors],
        "steps": [*steps, *_clocks(told, steps)],
        "variants": [*variants],
        "final": story_money.final(told.data, told.heads, told.left, _end(steps)),
    }


def _names(told: Told) -> None:
    """Collect the people of a story: whoever owns, pays or is remembered."""
    facts = told.data.get("facts")
    for fact in rows(facts):
        owners = [*row(fact.get("owners")), *row(fact.get("persons"))]
        told.people.update(str(one) for one in [*owners, *texts(fact.get("owner"))])
    if isinstance(facts, Mapping):
        told.people.update(facts)
    told.people.update(row(told.data.get("history")))


def _steps(told: Told) -> list[Row]:
    """Return facts and steps in the order of their times, each as one or more of our own."""
    found: list[Row] = [*story_money.special(row(told.data.get("schedule_entry")))]
    facts = told.data.get("facts")
    for fact in rows(facts):
        found.extend(story_steps.of_fact(fact, told))
    given = [*rows(told.data.get("steps")), *rows(told.data.get("late_steps"))]
    given.extend(one for one in rows(told.data.get("security")) if "act" in one)
    found.extend(story_steps.of_steps(given, told))
    found.extend(_receipts(told))
    found.sort(key=lambda one: instant(one["at"]))
    first = instant(found[0]["at"]).isoformat() if found else ""
    on: list[Row] = [
        {"at": first, "act": "section", "section": section}
        for key, section in SECTIONS.items()
        if told.data.get(key) is True
    ]
    return [*on, *found]


def _receipts(told: Told) -> Iterator[Row]:
    """A clock that begins with a receipt tells when the local authority received a surplus."""
    for clock in rows(told.data.get("clocks")):
        if "received" in str(clock.get("starts")):
            on = day(str(clock["starts"]))
            yield {"at": f"{on} 10:00", "act": "hold_surplus", "expect": {"allowed": "yes"}}


def _variants(told: Told, main: list[Row]) -> Iterator[Row]:
    """Yield other ways to go: a list under a name is one, each row of `variants` its own."""
    groups = [("variant", [one]) for one in rows(told.data.get("variants"))]
    for key, value in told.data.items():
        if key.startswith("variant_") and isinstance(value, list):
            groups.append((key, rows(value)))
        elif key.startswith("variant_"):
            told.left.append(key)
    for name, given in groups:
        start = min(instant(one["at"]) for one in given if "at" in one)
        before = [one for one in main if instant(one["at"]) < start]
        if "first_appears" in name:
            before = [
                one for one in before if one["act"] not in ("appear", "claim", "offer_to_pay")
            ]
        first = instant(before[0]["at"]).isoformat() if before else start.isoformat()
        other = [*story_steps.of_steps(given, told)]
        instead = {one["act"] for one in other} & INSTEAD
        kept = (one for one in before if one["act"] not in instead)
        steps: list[Plain] = [*kept, *other]
        yield {"name": f"{name} {start.date()}", "from": first, "steps": steps}


def _history(told: Told) -> Iterator[Row]:
    for party, given in row(told.data.get("history")).items():
        for one in rows(given):
            legality = str(one.get("legality") or "not_disputed").replace(" ", "_")
            yield {
                "party": party,
                "on": str(day(one.get("impounded"))),
                "head": count(one.get("head")),
                "legality": legality,
            }


def _end(steps: list[Row]) -> str:
    return max((instant(one["at"]) for one in steps), default=instant("2000-01-01")).isoformat()


_CLOCK = {"sale_from": "opens_at", "refund_from": "opens_at"}


def _clocks(told: Told, steps: list[Row]) -> Iterator[Row]:
    """Yield the clocks, asked for when all has been done: none of them disappears."""
    end = _end(steps)
    given = [one for one in rows(told.data.get("clocks")) if "rule" in one]
    security = [
        {**one, "rule": "SEC-6M", "starts": one.get("deposited")}
        for one in rows(told.data.get("security"))
        if "act" not in one
    ]
    for clock in [*given, *security]:
        expect: dict[str, Plain] = {}
        for key in ("starts", "last_day", "last_moment", "sale_from", "refund_from", "verified"):
            if key in clock:
                expect[_CLOCK.get(key, key)] = clock[key]
        if "rolled_last_day" in clock:
            expect["rolled_last_day"] = clock["rolled_last_day"]
        of = str(clock.get("of") or "")
        asked: dict[str, Plain] = {"at": end, "act": "clock", "rule": clock["rule"]}
        if re.fullmatch(r"\d+\.\d\d", of):
            asked["of"] = of
        elif of:
            asked["seizure"] = of
        yield {**asked, "expect": expect}
