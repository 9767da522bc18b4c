"""Plays a story through `law`: does what its steps do, and tells what did not follow.

Called by the suite and by `fieldapi statutes check --cases`. A step that is answered with no
changes nothing; one that only warns is done, as if a written reason stood beside it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date

from fieldapi.law.acts import canonical
from fieldapi.law.caps import check_sum
from fieldapi.law.cases import judge, judge_together
from fieldapi.law.dues import Line, dues, rupees
from fieldapi.law.facts import Complaint, Proposal
from fieldapi.law.holdings import surpluses
from fieldapi.law.legality import upheld_in_part
from fieldapi.law.register import NOTHING_IN_FORCE
from fieldapi.law.removals import RemovalCase, judge_removal
from fieldapi.law.scales import double_fine_excess
from fieldapi.law.scene import NO, Judgement, Verdict
from fieldapi.law.state import HeadState, state
from fieldapi.packs import Packs
from fieldapi.packs.cases import expect, final
from fieldapi.packs.cases.reader import notification
from fieldapi.packs.cases.stage import Stage
from fieldapi.packs.cases.story import Mismatch, Step, Story, StoryError
from fieldapi.packs.cases.values import count, day, instant, paise, row, texts
from sync.strict import JSON

TODAY = date(2026, 11, 30)
SUMS = ("paid", "price", "expenses", "amount")
REMOVALS = frozenset(
    {
        "comply",
        "direct_police_removal",
        "impose_fine",
        "issue_removal_order",
        "record_default",
        "record_order_made_elsewhere",
        "sell_for_fine",
        "serve",
    }
)
# Keys of a step that say which heads, of whom and in which case; others are the act's particulars.
OWN = frozenset(
    {
        "agent",
        "animals",
        "apply",
        "keepers",
        "lots",
        "mode",
        "of",
        "order",
        "owners",
        "party",
        "seizure",
        "seizures",
    }
)


def play(packs: Packs, story: Story) -> list[Mismatch]:
    """Return what did not follow in a story, in the order of its steps. Raises StoryError."""
    player = Player(packs, story)
    for step in story.steps:
        player.play(step)
    if story.final:
        player.found.extend(final.check(player.stage, player.step(), story.final))
    return player.found


class Player:
    """A story under way."""

    def __init__(self, packs: Packs, story: Story) -> None:
        """Set the stage."""
        self.stage = Stage(story, packs.profile(story.version, on=TODAY))
        self.found: list[Mismatch] = []
        self._story, self._n = story, 0

    def step(self) -> Step:
        """Return the last step, or one that stands for the end of a story without steps."""
        if not self._story.steps:
            raise StoryError(f"{self._story.id} has no steps")
        return self._story.steps[-1]

    def play(self, step: Step) -> None:
        """Do one step and compare what followed."""
        own = _OWN.get(step.act)
        if own is not None:
            self._tell(step, own(self, step))
        elif step.act in REMOVALS or "order" in step.row:
            self._tell(step, expect.judgement(step, self._removal(step)))
        else:
            self._act(step)

    def _tell(self, step: Step, faults: Iterator[expect.Fault]) -> None:
        for what, expected, got in faults:
            self.found.append(Mismatch(self._story.id, step.where, what, expected, got))

    # ---- official acts -------------------------------------------------------------------------

    def _act(self, step: Step) -> None:
        names = self._names(step)
        before = dict(self.stage.cases)
        acts = [self._proposal(name, step) for name in names]
        together = [(self.stage.case(name), act) for name, act in zip(names, acts, strict=True)]
        is_joint = len(names) > 1 and "paid" in step.row
        judged = judge_together(together) if is_joint else tuple(judge(*one) for one in together)
        self._tell(step, expect.judgement(step, _merged(judged)))
        if step.row.get("mode") == "check" or step.row.get("apply") is False:
            self.stage.cases = before
            return
        is_recorded = step.row.get("mode") == "record"
        for name, one in zip(names, judged, strict=True):
            if one.verdict.allowed != NO or (is_recorded and one.verdict.is_possible):
                self.stage.did(name, one.done)
                self._identify(name, step)
            else:
                self.stage.cases[name] = before[name]
        self._tell(step, expect.heads(step, [self.stage.case(name) for name in names]))

    def _names(self, step: Step) -> list[str]:
        named = texts(step.row.get("seizures")) or texts(step.row.get("seizure"))
        if named:
            return named
        return list(self.stage.cases)[:1] if len(self.stage.cases) == 1 else self._with(step)

    def _with(self, step: Step) -> list[str]:
        """Return the cases in which the step's person has heads; all, if it names nobody."""
        party = step.row.get("party")
        found = [name for name in self.stage.cases if self._has(name, party, step)]
        return found or list(self.stage.cases)[-1:]

    def _has(self, name: str, party: object, step: Step) -> bool:
        held = state(self.stage.case(name), step.at).in_custody()
        return party is None or any(one.liable == party for one in held)

    def _proposal(self, name: str, step: Step) -> Proposal:
        self._n += 1
        act = canonical(step.act)
        party = step.row.get("party")
        heads = self._heads(name, step, act)
        mode = "record" if step.row.get("mode") == "record" else "perform"
        data = self._data(step, name)
        who = party if isinstance(party, str) else None
        return Proposal(f"act {self._n}", act, step.at, step.at, mode, who, heads, data)

    def _data(self, step: Step, name: str) -> dict[str, JSON]:
        data = {key: plain(value) for key, value in step.row.items() if key not in OWN}
        if step.row.get("paid") == "due":
            data["paid"] = rupees(self._due(name, step))
        for key in SUMS:
            if key in step.row and data.get(key) is not None:
                data["paise" if key == "amount" else f"{key}_paise"] = paise(data[key])  # type: ignore[arg-type]
        if "of" in step.row:
            data["surplus"] = self._surpluses(name, step)
        if "mother" in step.row:
            now = state(self.stage.case(name), step.at)
            data["mother"] = _lot(name, str(step.row["mother"]), now.heads, step.act)
        return data

    def _due(self, name: str, step: Step) -> int:
        """Return what is asked for: the whole of it, in one case, or in each."""
        now = state(self.stage.case(name), step.at)
        party = step.row.get("party") or _only({one.liable for one in now.in_custody()})
        who = party if isinstance(party, str) else None
        with_security = canonical(step.act) == "release"
        heads = self._heads(name, step, step.act) or None
        owed = dues(self.stage.case(name), who, step.at, heads, with_security=with_security)
        return owed.total_paise or 0

    def _surpluses(self, name: str, step: Step) -> JSON:
        """Return the surpluses that a step names by their sums."""
        sums = {paise(one) for one in texts(step.row["of"])}
        held = surpluses(state(self.stage.case(name), step.at))
        return [one.id for one in held if one.paise in sums]

    def _heads(self, name: str, step: Step, act: str) -> tuple[str, ...]:
        case = self.stage.case(name)
        now = state(case, step.at)
        lots = texts(step.row.get("lots"))
        if act == "born":
            kinds = [
                k for k, many in row(step.row.get("animals")).items() for _ in range(count(many))
            ]
            return self.stage.add_heads(name, kinds, step.at, "born")
        if act == "re_seize":
            old = [one for one in now.heads.values() if one.became == "released_on_deposit"]
            return self.stage.seize_again(name, tuple(old), step.at)
        if lots:
            return tuple(_lot(name, one, now.heads, act) for one in lots)
        return tuple(_picked(step, act, now.heads))

    def _identify(self, name: str, step: Step) -> None:
        """Tell whose the heads are, as the keeper found out when they came in."""
        for role, key in (("owner", "owners"), ("keeper", "keepers")):
            for party, animals in row(step.row.get(key)).items():
                told = {"party": party, "as": role, "animals": animals}
                self._act(Step(step.at, "identify", {**told, "seizure": name}, {}, step.where))

    # ---- steps of their own --------------------------------------------------------------------

    def _seizure(self, step: Step) -> Iterator[expect.Fault]:
        name = str(step.row.get("seizure") or f"S{len(self.stage.cases) + 1}")
        self.stage.seize(name, step.at, step.row)
        self._identify(name, step)
        rules = self.stage.profile.seizure_rules_for(
            str(step.row.get("capacity")), str(step.row.get("place"))
        )
        yield from expect.seizure(step, rules, self.stage.case(name).seizure)

    def _switch(self, step: Step) -> Iterator[expect.Fault]:
        self.stage.switch(str(step.row.get("section")))
        return iter(())

    def _notify(self, step: Step) -> Iterator[expect.Fault]:
        """A new entry of the register: a special fine beyond the cap is refused, kind by kind."""
        entry = notification(step.row)
        case = next(iter(self.stage.cases), None)
        register = self.stage.case(case).register if case else None
        if register is None:
            register = replace(NOTHING_IN_FORCE, notifications=tuple(self.stage.notifications))
        on = day(step.row.get("from") or step.at)
        excess = double_fine_excess(self.stage.profile, register, entry, on)
        if not excess or step.expect.get("allowed") != "no":
            self.stage.notifications.append(entry)
        yield from expect.excess(step, excess)

    def _confirm(self, step: Step) -> Iterator[expect.Fault]:
        keys = frozenset(texts(step.row.get("keys")))
        self.stage.profile = self.stage.profile.confirmed(keys)
        return iter(())

    def _complaint(self, step: Step) -> Iterator[expect.Fault]:
        name = self._names(step)[0]
        case = self.stage.case(name)
        party = step.row.get("party")
        found = Complaint(
            str(step.row.get("id") or "complaint"),
            step.at,
            party if isinstance(party, str) else None,
            heads=self._heads(name, step, "complaint"),
        )
        self.stage.complain(name, found)
        yield from expect.complaint(step, case, found)

    def _decision(self, step: Step) -> Iterator[expect.Fault]:
        name = self._names(step)[0]
        wanted = str(step.row.get("id") or "complaint")
        found = next((one for one in self.stage.case(name).complaints if one.id == wanted), None)
        if found is None:
            raise StoryError(f"{step.where}: there is no complaint {wanted!r}")
        decided = replace(found, outcome=str(step.row.get("outcome")), decided_at=step.at)
        is_in_part = bool(step.row.get("lots") or step.row.get("animals"))
        named = self._heads(name, step, "complaint") if is_in_part else ()
        everything = [head.id for head in self.stage.case(name).heads]
        parts = upheld_in_part(decided, named, everything)
        for one in parts:
            self.stage.complain(name, one)
        yield from expect.decision(step, self.stage.case(name), parts[0])

    def _quote(self, step: Step) -> Iterator[expect.Fault]:
        party = step.row.get("party")
        who = party if isinstance(party, str) else None
        quotes = [
            dues(
                self.stage.case(name),
                who,
                step.at,
                self._heads(name, step, "quote") or None,
                with_security=step.row.get("security") is not False,
            )
            for name in self._names(step)
        ]
        yield from expect.quote(step, quotes)

    def _clock(self, step: Step) -> Iterator[expect.Fault]:
        for name in self._names(step):
            yield from expect.clock(step, self.stage.case(name))

    def _account(self, step: Step) -> Iterator[expect.Fault]:
        party = str(step.row.get("party"))
        yield from expect.account(step, self.stage.case(self._names(step)[0]), party)

    def _state(self, step: Step) -> Iterator[expect.Fault]:
        yield from expect.heads(step, [self.stage.case(name) for name in self._names(step)])
        yield from final.check_values(self.stage, step, step.expect)

    def _sum(self, step: Step) -> Iterator[expect.Fault]:
        sums = [paise(one) for one in texts(step.row.get("amount"))]
        answer = check_sum(
            self.stage.profile,
            str(step.row.get("cap")),
            sums,
            drafts=step.row.get("drafts") is True,
            has_reasons=step.row.get("special_reasons") is True,
        )
        yield from expect.verdict(step, answer)

    # ---- removal orders ------------------------------------------------------------------------

    def _removal(self, step: Step) -> Judgement:
        name = str(step.row.get("order") or "order")
        before = self.stage.orders.get(name) or RemovalCase(name, self.stage.profile)
        register = replace(NOTHING_IN_FORCE, notifications=tuple(self.stage.notifications))
        order = replace(before, profile=self.stage.profile, register=register)
        self._n += 1
        kept = (*step.row.items(),)
        data = {key: plain(value) for key, value in kept if key == "animals" or key not in OWN}
        for key in ("paid", "price", "amount"):
            if key in step.row:
                data["paise" if key == "amount" else f"{key}_paise"] = paise(step.row[key])
        party = step.row.get("party")
        who = party if isinstance(party, str) else None
        act = Proposal(f"act {self._n}", step.act, step.at, step.at, "perform", who, (), data)
        judged = judge_removal(order, act)
        if judged.verdict.allowed != NO:
            self.stage.orders[name] = order.after(judged.done)
        return judged


_OWN: Mapping[str, Callable[[Player, Step], Iterator[expect.Fault]]] = {
    "seizure": Player._seizure,  # noqa: SLF001 - the table of the class itself
    "section": Player._switch,  # noqa: SLF001
    "notify": Player._notify,  # noqa: SLF001
    "confirm": Player._confirm,  # noqa: SLF001
    "complaint": Player._complaint,  # noqa: SLF001
    "decision": Player._decision,  # noqa: SLF001
    "quote": Player._quote,  # noqa: SLF001
    "clock": Player._clock,  # noqa: SLF001
    "account": Player._account,  # noqa: SLF001
    "state": Player._state,  # noqa: SLF001
    "sum": Player._sum,  # noqa: SLF001
}


def plain(value: object) -> JSON:
    """Return a value of a story as JSON: times as text, everything else as it is."""
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if hasattr(value, "hour"):
        return instant(value).isoformat()  # type: ignore[arg-type]
    return str(value)


def _only(parties: set[str | None]) -> str | None:
    return next(iter(parties)) if len(parties) == 1 else None


def _lot(name: str, lot: str, heads: Mapping[str, HeadState], act: str) -> str:
    """Return the head that a lot names: `cow 2` the second cow, `cow` the first one left."""
    if lot.rpartition(" ")[2].isdigit():
        named = f"{name}/{lot}"
        later = [one.id for one in heads.values() if one.previous == named]
        return later[-1] if later else named
    for one in heads.values():
        is_meant = one.kind == lot and (one.is_in_custody or act == "correct_custody")
        if is_meant and (act != "knock_down" or one.auction is not None):
            return one.id
    return f"{name}/{lot} 1"


def _picked(step: Step, act: str, heads: Mapping[str, HeadState]) -> Iterator[str]:
    """Yield so many heads of each kind as the step says, of its person, in their order."""
    for kind, many in row(step.row.get("animals")).items():
        fitting = [one for one in heads.values() if one.kind == kind and _suits(one, step, act)]
        if act == "identify":
            fitting.sort(key=lambda one: one.liable is not None)
        if len(fitting) < count(many):
            raise StoryError(f"{step.where}: there are not {many} {kind} for this")
        yield from (one.id for one in fitting[: count(many)])


def _suits(head: HeadState, step: Step, act: str) -> bool:
    party = step.row.get("party")
    if act == "identify":
        role = head.keeper if step.row.get("as") == "keeper" else head.owner
        return role is None and head.is_in_custody
    if act in ("impound", "dispatch_to_pound"):
        return head.is_in_custody and head.impounded_at is None
    if act == "complaint":
        return party is None or head.liable == party
    is_way = act == "rescued" and head.is_in_custody
    is_his = party is None or head.liable in (None, party)
    return is_his and (is_way or head.is_impounded)


def _merged(judged: tuple[Judgement, ...]) -> Judgement:
    """Return judgements of one step as one: the hardest verdict, all lines and moves."""
    order = ("no", "warn", "yes")
    verdict: Verdict = min(
        (one.verdict for one in judged), key=lambda one: order.index(one.allowed)
    )
    totals = [one.total_paise for one in judged if one.total_paise is not None]
    lines: tuple[Line, ...] = tuple(line for one in judged for line in one.lines)
    return replace(
        judged[0],
        verdict=verdict,
        lines=lines,
        total_paise=sum(totals) if totals else None,
        moves=tuple(move for one in judged for move in one.moves),
        flags=tuple(flag for one in judged for flag in one.flags),
    )
