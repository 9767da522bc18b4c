"""Plays the stories beside the statutes through HTTP: each step is a request, at its own time.

The same files are played through `law` alone in `tests/unit/law`; here the whole house answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta

from flask import Flask

from fieldapi.clock import format_instant
from fieldapi.ids import new_id
from fieldapi.law.register import Notification
from fieldapi.packs.cases.player import OWN, REMOVALS, SUMS, plain
from fieldapi.packs.cases.story import Step, Story
from fieldapi.packs.cases.values import count, day, instant, paise, row, texts
from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.pound_house import Body, PoundHouse, found_pound
from tests.support.story_ending import Ending, suits

OUTSIDE = frozenset({"sum", "account"})
Fault = str


class StoryHouse(Ending):
    """A story under way. `cases`: ids by the names of their seizures."""

    def __init__(self, app: Flask, database: Database, clock: StoppedClock, story: Story) -> None:
        self.story, self.clock = story, clock
        clock.now = story.steps[0].at - timedelta(minutes=5)
        self.house: PoundHouse = found_pound(app, database, clock, story.version)
        self.database = database
        self.cases: dict[str, str] = {}
        self.complaints: dict[str, str] = {}
        self.pounds: dict[str, str] = {}
        self.orders: dict[str, str] = {}
        self.faults: list[Fault] = []
        self._set_up()

    def play(self) -> list[Fault]:
        """Return what did not follow."""
        for step in self.story.steps:
            self.clock.now = step.at
            handler = _STEPS.get(step.act)
            if handler is not None:
                handler(self, step)
            elif step.act in REMOVALS or "order" in step.row:
                self._order(step)
            elif step.act not in OUTSIDE:
                self._act(step)
        if self.story.final:
            self._final(self.story.final, self.story.steps[-1].at)
        return self.faults

    # ---- around the cases ----------------------------------------------------------------------

    def _set_up(self) -> None:
        for one in self.story.register:
            self._enter(one)
        for calendar, days in (
            ("office", self.story.calendars.office),
            ("pound", self.story.calendars.pound),
        ):
            listed = sorted(days)[:400]
            if listed:
                closed = [{"day": day_.isoformat(), "reason": "closed"} for day_ in listed]
                change = {"id": new_id(), "calendar": calendar, "closed": closed}
                answer = self.house.as_("admin").post("/api/v1/calendars", json=change)
                assert answer.status_code == 200, answer.json
        for prior in self.story.priors:
            body: Body = {
                "id": new_id(),
                "party_id": self.house.party(prior.party),
                "impounded_on": prior.on.isoformat(),
                "head": prior.head,
                "legality": prior.legality,
                "source": "paper register",
            }
            answer = self.house.as_("keeper").post("/api/v1/prior-impoundings", json=body)
            assert answer.status_code == 201, answer.json

    def _enter(self, one: Notification) -> None:
        rates = [
            {
                name: value
                for name, value in {
                    "kind": rate.kind,
                    "paise": rate.paise,
                    "percent": rate.percent,
                    "head_from": rate.head_from,
                    "head_to": rate.head_to,
                    "times_from": rate.times_from,
                    "times_to": rate.times_to,
                    "first_day_paise": rate.first_day_paise,
                }.items()
                if value is not None
            }
            for rate in one.rates
        ]
        data: Body = {"names": sorted(one.names)} if one.names else {}
        if rates:
            data["rates"] = rates
        if one.forfeit_percent is not None:
            data["forfeit_percent"] = one.forfeit_percent
        body = {
            "effective_from": max(one.effective_from, date(1900, 1, 1)).isoformat(),
            "effective_to": one.effective_to.isoformat() if one.effective_to else None,
            "number": one.number or one.id,
            "area": one.area,
            "pound_id": self._pound(one.pound) if one.pound else None,
            "is_sample": one.is_sample,
            "data": data,
        }
        if not one.is_approved:
            body["approved_by"] = None
        self.house.notify(one.kind, **body)

    def _pound(self, name: str) -> str:
        if name == "A":
            return self.house.pound_id
        if name not in self.pounds:
            body = {"id": new_id(), "name": name, "lat": 22.3, "lon": 70.8}
            assert self.house.as_("admin").post("/api/v1/pounds", json=body).status_code == 201
            self.pounds[name] = str(body["id"])
        return self.pounds[name]

    def _switch(self, step: Step) -> None:
        self.house.notify(f"section_{step.row['section']}", effective_from="1994-04-15")

    def _notify(self, step: Step) -> None:
        from fieldapi.packs.cases.reader import notification  # noqa: PLC0415

        if step.expect.get("allowed") != "no":
            self._enter(notification(step.row))

    # ---- cases ---------------------------------------------------------------------------------

    def _seizure(self, step: Step) -> None:
        name = str(step.row.get("seizure") or f"S{len(self.cases) + 1}")
        animals = {kind: count(n) for kind, n in row(step.row.get("animals")).items()}
        fields: Body = {
            "capacity": step.row.get("capacity") or "any_other_person",
            "ground": step.row.get("ground") or "straying",
            "place_kind": step.row.get("place") or "street",
            "damage_done": step.row.get("damage") is True,
        }
        if isinstance(step.row.get("area"), str):
            fields["place_text"] = step.row["area"]
        elif self.story.village:
            fields["place_text"] = self.story.village
        self.cases[name] = self.house.seize(animals, **fields)
        self._identify(name, step)

    def _identify(self, name: str, step: Step) -> None:
        for role, key in (("owner", "owners"), ("keeper", "keepers")):
            for party, animals in row(step.row.get(key)).items():
                pick = [{"kind": kind, "n": count(n)} for kind, n in row(animals).items()]
                self.house.done(
                    self.cases[name],
                    "identify",
                    by="decider",
                    party=party,
                    pick=pick,
                    **{"as": role},
                )

    def _names(self, step: Step) -> list[str]:
        named = texts(step.row.get("seizures")) or texts(step.row.get("seizure"))
        if named:
            return named
        if len(self.cases) == 1:
            return list(self.cases)
        party = step.row.get("party")
        wanted = self.house.parties.get(str(party))
        found = [
            name
            for name in self.cases
            if any(
                party is None or head["liable"] == wanted
                for head in self._custody(name)
                if head["became"] is None
            )
        ]
        return found or list(self.cases)[-1:]

    def _heads(self, name: str, step: Step) -> list[str] | None:
        lots = texts(step.row.get("lots"))
        if lots:
            return [self._lot(name, lot, step.act) for lot in lots]
        animals = row(step.row.get("animals"))
        if not animals or step.act in {"born", "re_seize"}:
            return None
        party = step.row.get("party")
        wanted = self.house.parties.get(str(party)) if party else None
        custody, found = self._custody(name), []
        for kind, many in animals.items():
            fit = [
                head["id"]
                for head in custody
                if head["kind"] == kind and suits(head, step.act, wanted)
            ]
            found += fit[: count(many)]
        return found

    def _lot(self, name: str, lot: str, act: str) -> str:
        custody = self._custody(name)
        kind, _, n = lot.rpartition(" ")
        if n.isdigit():
            return str([head["id"] for head in custody if head["kind"] == kind][int(n) - 1])
        fit = [head for head in custody if head["kind"] == lot]
        if act == "knock_down":
            listed = [head for head in fit if head["state"] == "on_auction"]
            return str((listed or fit)[0]["id"])
        return str(([head for head in fit if head["became"] is None] or fit)[0]["id"])

    # ---- acts ----------------------------------------------------------------------------------

    def _body(self, step: Step, names: list[str]) -> Body:
        body: Body = {"id": new_id(), "act": step.act, **self._particulars(step)}
        if isinstance(step.row.get("party"), str):
            body["party"] = self.house.party(str(step.row["party"]))
        heads = self._named_heads(step, names, body.get("party"))
        if step.act == "born":
            pairs = row(step.row.get("animals")).items()
            body["pick"] = [{"kind": kind, "n": count(n)} for kind, n in pairs]
        elif heads or texts(step.row.get("lots")):
            body["custody"] = heads
        if step.row.get("mode") in {"record", "check"}:
            body["mode"] = step.row["mode"]
        elif step.row.get("apply") is False:
            body["mode"] = "check"
        if "of" in step.row:
            body["surplus"] = self._surpluses(names[0], step)
        if "mother" in step.row:
            body["mother"] = self._lot(names[0], str(step.row["mother"]), step.act)
        return body

    def _particulars(self, step: Step) -> Body:
        skipped = {*OWN, *SUMS}
        body = {key: plain(value) for key, value in step.row.items() if key not in skipped}
        for key in SUMS:
            if key in step.row:
                body["paise" if key == "amount" else f"{key}_paise"] = paise(step.row[key])
        if "pound_area" in body:
            body["pound"] = self._pound(str(body.pop("pound_area")))
        elif step.act in {"impound", "dispatch_to_pound"}:
            body["pound"] = self._pound(str(body.get("pound") or "A"))
        if step.act == "knock_down":
            body["buyer"] = self.house.party(f"buyer {step.row.get('buyer') or 'a'}")
        return body

    def _named_heads(self, step: Step, names: list[str], party: str | None) -> list[str]:
        found = [one for name in names for one in self._heads(name, step) or []]
        if found or len(names) == 1:
            return found
        return [
            head["id"]
            for name in names
            for head in self._custody(name)
            if head["became"] is None and head["liable"] in (None, party)
        ]

    def _surpluses(self, name: str, step: Step) -> list[str]:
        sums = {paise(one) for one in texts(step.row["of"])}
        held = self.house.case(self.cases[name])["money"]["surpluses"]
        return [one["id"] for one in held if one["paise"] in sums]

    def _act(self, step: Step) -> None:
        names = self._names(step)
        if "paid" in step.row and len(names) > 1:
            self._judge(step, [self._post(names[0], self._body(step, names), step)], names)
            return
        answers = [self._post(name, self._body(step, [name]), step) for name in names]
        self._judge(step, answers, names)

    def _post(self, name: str, body: Body, step: Step) -> Body:
        told = self._ask(f"/api/v1/cases/{self.cases[name]}/acts", body, step)
        if told.get("allowed", "no") != "no":
            self._identify(name, step)
        return told

    def _ask(self, path: str, body: Body, step: Step) -> Body:
        """Post an act; what needs a reason gets one, and is noted as a warning."""
        client = self.house.as_("decider")
        answer = client.post(path, json=body)
        told: Body = answer.json
        slug = str(told.get("type", "")).rpartition(":")[2]
        if slug == "act-needs-reason":
            again = client.post(path, json={**body, "reason": "the story goes on"})
            if again.status_code != 201:
                self._fault(step, "warned act", "201", str(again.json))
            return {**again.json, "allowed": again.json.get("allowed") or "warn"}
        if slug == "act-not-allowed":
            return {**told, "allowed": "no"}
        if answer.status_code not in {200, 201}:
            self._fault(step, "answer", "201", f"{answer.status_code} {told}")
            return {}
        return told

    def _judge(self, step: Step, answers: list[Body], names: list[str]) -> None:
        order = ("no", "warn", "yes")
        known = [one for one in answers if one.get("allowed") in order]
        if not known:
            return
        worst = min(known, key=lambda one: order.index(one["allowed"]))
        wanted = step.expect
        for key in ("allowed", "rule", "code", "section"):
            if key in wanted:
                self._same(step, key, wanted[key], worst.get(key) or "")
        if "not_before" in wanted:
            moment = format_instant(instant(wanted["not_before"]))
            self._same(step, "not_before", moment, worst.get("not_before"))
        self._sums(step, known)
        if "heads" in wanted:
            got = Counter(head["state"] for name in names for head in self._custody(name))
            for name, many in row(wanted["heads"]).items():
                self._same(step, f"heads {name}", many, got[name])

    def _sums(self, step: Step, answers: list[Body]) -> None:
        wanted, first = step.expect, answers[0]
        if "lines" in wanted:
            self._lines(step, answers)
        if "total" in wanted:
            totals = [answer.get("total") or 0 for answer in answers]
            self._same(step, "total", paise(wanted["total"]), sum(totals))
        data = first.get("data") or {}
        sums = {
            "rest": first.get("balance"),
            "deficit": first.get("deficit"),
            "needed": data.get("needed_paise"),
            "still_needed": data.get("still_needed_paise"),
        }
        for name, got in sums.items():
            if name in wanted and (data or name in {"rest", "deficit"}):
                self._same(step, name, paise(wanted[name]), got or 0)
        if "flags" in wanted and first.get("flags") is not None:
            self._same(step, "flags", sorted(texts(wanted["flags"])), sorted(first["flags"]))

    def _lines(self, step: Step, answers: list[Body]) -> None:
        got: Counter[str] = Counter()
        for answer in answers:
            for line in answer.get("lines") or []:
                got[line["line"]] += line["paise"]
        expected = {name: paise(sum_) for name, sum_ in row(step.expect["lines"]).items()}
        for name in sorted({*expected, *got}):
            self._same(step, f"line {name}", expected.get(name, 0), got[name])

    # ---- removal orders ------------------------------------------------------------------------

    def _order(self, step: Step) -> None:
        name = str(step.row.get("order") or "order")
        body = {"id": new_id(), "act": step.act, **self._particulars(step)}
        if "animals" in step.row:
            body["animals"] = plain(step.row["animals"])
        if isinstance(step.row.get("party"), str):
            body["party"] = self.house.party(str(step.row["party"]))
        if name not in self.orders:
            kind = body.pop("kind", "special")
            new = {"id": new_id(), "kind": kind, "owner": body.get("party")}
            answer = self.house.as_("decider").post("/api/v1/removal-orders", json=new)
            assert answer.status_code == 201, answer.json
            self.orders[name] = str(new["id"])
        path = f"/api/v1/removal-orders/{self.orders[name]}/acts"
        self._judge(step, [self._ask(path, body, step)], [])

    # ---- questions -----------------------------------------------------------------------------

    def _quote(self, step: Step) -> None:
        if step.row.get("security") is False or "animals" in step.row or "lots" in step.row:
            return
        answers = []
        for name in self._names(step):
            party = self.house.parties.get(str(step.row.get("party")))
            dues = self.house.case(self.cases[name])["dues"]
            answers += [one for one in dues if one["party"] == party]
        if answers:
            self._sums(step, answers)
        else:
            self._fault(step, "quote", "one", "none")

    def _clock(self, step: Step) -> None:
        for name in self._names(step):
            clocks = self.house.case(self.cases[name])["clocks"]
            of = paise(step.row["of"]) if "of" in step.row else None
            found = [
                one for one in clocks if one["rule"] == step.row["rule"] and of in (None, one["of"])
            ]
            if step.expect.get("absent") is True:
                self._same(step, "clock", [], found)
            elif not found:
                self._fault(step, "clock", str(step.row["rule"]), "none")
            else:
                self._clock_is(step, found[-1])

    def _clock_is(self, step: Step, one: Body) -> None:
        wanted = step.expect
        if "last_day" in wanted:
            self._same(step, "last_day", day(wanted["last_day"]).isoformat(), one["last_day"])
        if "rolled_last_day" in wanted:
            got = one["rolled_last_day"] or one["last_day"]
            self._same(step, "rolled", day(wanted["rolled_last_day"]).isoformat(), got)
        for key in ("last_moment", "opens_at"):
            if key in wanted:
                self._same(step, key, format_instant(instant(wanted[key])), one[key])
        for key in ("state", "section", "verified"):
            if key in wanted:
                self._same(step, key, wanted[key], one[key])

    def _state(self, step: Step) -> None:
        wanted = row(step.expect.get("heads"))
        got = Counter(head["state"] for name in self.cases for head in self._custody(name))
        for name, many in wanted.items():
            self._same(step, f"heads {name}", many, got[name])

    def _complaint(self, step: Step) -> None:
        name = self._names(step)[0]
        body: Body = {
            "id": new_id(),
            "case": self.cases[name],
            "by": self.house.party(str(step.row.get("party") or "somebody")),
            "text": "the seizure was illegal",
            "heads": self._heads(name, step) or [],
        }
        answer = self.house.as_("keeper").post("/api/v1/complaints", json=body)
        if answer.status_code != 201:
            self._fault(step, "complaint", "201", str(answer.json))
            return
        self.complaints[str(step.row.get("id") or "complaint")] = str(body["id"])
        if "late" in step.expect:
            told = {"no": "yes", "doubtful": "doubtful", "yes": "late"}[str(step.expect["late"])]
            self._same(step, "in_time", told, answer.json["in_time"])

    def _decision(self, step: Step) -> None:
        """The order of whoever decides, written in by one and looked at by another."""
        complaint = self.complaints[str(step.row.get("id") or "complaint")]
        path, outcome = f"/api/v1/complaints/{complaint}/acts", step.row["outcome"]
        order: Body = {"act": "record_order", "outcome": outcome, "order_no": "M-1", "by": "JMFC"}
        if (meant := self._heads(self._names(step)[0], replace(step, act="complaint"))) is not None:
            order["custody"] = meant
        if outcome == "illegal":
            seizer = self.house.party("seizer")
            named: Body = {"act": "name_respondent", "party": seizer, "part": "seizer"}
            self._accept(path, named, "reviewer")
        told = self._accept(path, order, "admin")
        if "reimbursement" in step.expect:
            back = [one["paise"] for one in told["lines"] if one["line"] == "reimbursement"]
            self._same(step, "reimbursement", paise(step.expect["reimbursement"]), sum(back))
        if outcome != "illegal":
            self._accept(path, {"act": "confirm_order"}, "reviewer")

    def _accept(self, path: str, body: Body, who: str) -> Body:
        answer = self.house.as_(who).post(
            path, json={"id": new_id(), "reason": "the story goes on", **body}
        )
        assert answer.status_code == 201, (body, answer.json)
        found: Body = answer.json
        return found

    def _same(self, step: Step, what: str, wanted: object, got: object) -> None:
        if wanted != got:
            self._fault(step, what, str(wanted), str(got))

    def _fault(self, step: Step, what: str, wanted: str, got: str) -> None:
        self.faults.append(f"{step.where} {step.act}: {what}: expected {wanted}, got {got}")


_STEPS: Mapping[str, Callable[[StoryHouse, Step], None]] = {
    "seizure": StoryHouse._seizure,  # noqa: SLF001 - the table of the class itself
    "section": StoryHouse._switch,  # noqa: SLF001
    "notify": StoryHouse._notify,  # noqa: SLF001
    "complaint": StoryHouse._complaint,  # noqa: SLF001
    "decision": StoryHouse._decision,  # noqa: SLF001
    "quote": StoryHouse._quote,  # noqa: SLF001
    "clock": StoryHouse._clock,  # noqa: SLF001
    "state": StoryHouse._state,  # noqa: SLF001
}


def playable(stories: Iterator[Story]) -> list[Story]:
    """Return the stories of cases and orders. A value that somebody confirms in the middle of a
    story is another story here: a case keeps what was confirmed when its report came.
    """
    return [
        story
        for story in stories
        if any(step.act == "seizure" or "order" in step.row for step in story.steps)
        and not any(step.act == "confirm" for step in story.steps)
    ]
