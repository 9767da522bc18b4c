"""Facts and steps of YAML stories, each as one or more steps of our own. Called by `stories.py`."""

# Every translator of a step is asked in the same way, whether it needs the story or not.
# ruff: noqa: ARG001

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from fieldapi.law.acts import ACTS, canonical
from fieldapi.packs.cases.story import Plain, Row
from fieldapi.packs.cases.values import count, day, row, rows, texts

if TYPE_CHECKING:
    from fieldapi.packs.cases.stories import Told

ALLOWED = {True: "yes", False: "no", "warn": "warn", "yes": "yes", "no": "no"}
REMOVALS = frozenset(
    {
        "issue_removal_order",
        "record_order_made_elsewhere",
        "record_default",
        "direct_police_removal",
        "impose_fine",
        "sell_for_fine",
    }
)
BARRED = ("keeper", "police", "constable", "member", "servant", "sarpanch", "officer")
KIN = ("brother", "wife", "husband", "son", "daughter", "father", "mother", "cousin", "relative")
# Acts that may leave out their person: it is the one of whom the story spoke last.
WITH_LAST = frozenset({"release", "deposit_under_protest", "deliver_on_deposit"})
ACCOUNTS = {"local_authority": "local_authority_fund", "district": "district_magistrate"}
_YOUNG = {"calf_born": "calf", "kid_born": "goat"}
TEN_DAYS = timedelta(days=10)
Made = Iterator[Row]


# ---- facts ---------------------------------------------------------------------------------


def of_fact(fact: Row, told: "Told") -> Made:
    """Yield the steps that a fact stands for."""
    what = str(fact.get("what"))
    if what == "seizure":
        yield _seizure(fact, told)
    elif what == "impounded":
        yield from _impounded(fact, told)
    elif what in ("died", "escaped", "rescued", "born"):
        yield _lost(what, fact, told)
    elif what in ("calf_born", "kid_born"):
        yield _lost("born", {"animals": {_YOUNG[what]: 1}, **fact}, told)
    elif what == "owner_appears":
        yield from _appears(fact, told)
    elif what in ("claim", "offer_to_pay", "appear", "dispatch_to_pound"):
        yield from of_steps([{**fact, "act": what}], told)
    else:
        told.left.append(f"fact {what}")


def _seizure(fact: Row, told: "Told") -> Row:
    name = str(fact.get("id") or f"S{len(told.heads) + 1}")
    animals = row(fact.get("animals"))
    told.heads[name] = {kind: count(many) for kind, many in animals.items()}
    step: dict[str, Plain] = {"at": fact["at"], "act": "seizure", "seizure": name}
    for key in ("capacity", "ground", "damage", "animals"):
        step[key] = fact.get(key)
    step["place"] = str(fact.get("place") or "").replace(" ", "_")
    if "linked_to" in fact:
        step["continues"] = fact["linked_to"]
    if "seized_in" in fact:
        step["area"] = fact["seized_in"]
    owner = fact.get("owner") or _only_owner(told)
    if owner:
        step["owners"] = {str(owner): animals}
    return step


def _only_owner(told: "Told") -> str | None:
    """A later seizure of a story with one person is that person's, too."""
    return next(iter(told.people)) if len(told.people) == 1 and len(told.heads) > 1 else None


def _impounded(fact: Row, told: "Told") -> Made:
    name = str(fact.get("of") or next(iter(told.heads)))
    kinds = told.heads[name]
    step: dict[str, Plain] = {"at": fact["at"], "act": "impound", "seizure": name}
    step["pound_area"] = fact.get("pound_area")
    if isinstance(fact.get("animals"), Mapping):
        step["animals"] = fact["animals"]
    elif "animals" in fact and len(kinds) == 1:
        step["animals"] = {next(iter(kinds)): count(fact["animals"])}
    owners = dict(row(fact.get("owners")))
    keepers: dict[str, Plain] = {}
    free = {**kinds}
    for party, parts in row(fact.get("persons")).items():
        for key, many in row(parts).items():
            held = many if isinstance(many, Mapping) else _so_many(free, count(many))
            (owners if key.startswith("own") else keepers)[party] = held
    if "owner" in fact:
        owners[str(fact["owner"])] = {**kinds}
    step["owners"], step["keepers"] = owners, keepers
    for party, times in row(fact.get("times_before")).items():
        told.priors.extend(
            {"party": party, "on": f"2020-01-{n:02}", "head": 1} for n in range(1, count(times) + 1)
        )
    yield step


def _so_many(free: dict[str, int], many: int) -> dict[str, Plain]:
    """Return so many heads of what is left, kind by kind in their order, and take them off."""
    found: dict[str, Plain] = {}
    for kind, left in free.items():
        taken = min(left, many - sum(map(count, found.values())))
        free[kind] = left - taken
        if taken:
            found[kind] = taken
    return found


def _lost(what: str, fact: Row, told: "Told") -> Row:
    name = str(fact.get("of") or next(iter(told.heads)))
    step: dict[str, Plain] = {"at": fact["at"], "act": what, "seizure": name}
    animals = fact.get("animals")
    if "mother" in fact:
        step["mother"] = fact["mother"]
    if "animal" in fact:
        step["lots"] = [str(fact["animal"])]
    elif isinstance(animals, Mapping):
        step["animals"] = animals
    elif len(told.heads[name]) == 1:
        step["animals"] = {next(iter(told.heads[name])): count(animals)}
    return step


def _appears(fact: Row, told: "Told") -> Made:
    party = _party(fact) or (next(iter(told.people)) if told.people else None)
    yield {"at": fact["at"], "act": "appear", "party": party}
    if "pays" in fact:
        yield {"at": fact["at"], "act": "receive_payment", "party": party, "paid": fact["pays"]}


# ---- steps ---------------------------------------------------------------------------------


def of_steps(given: Iterable[Row], told: "Told") -> Made:
    """Yield the steps that these stand for; one without a time happens with the one before it."""
    at: Plain = None
    removal = ""
    last: str | None = None
    for one in given:
        at = one.get("at", at)
        act = str(one.get("act"))
        step = {**one, "at": at}
        last = _party(one) or last
        if act in WITH_LAST and last is not None:
            step["owner"] = _party(one) or last
        if act in REMOVALS or (act == "receive_payment" and removal):
            removal = str(one.get("owner") or removal)
            yield _removal(step, act, removal, told)
        elif (known := _known(act)) is not None:
            yield from known(step, told)
        else:
            told.left.append(f"act {act}")


def _known(act: str) -> "Callable[[Row, Told], Made] | None":
    """Return how an act is told; complaints and decisions go by many names."""
    if act in _STEPS:
        return _STEPS[act]
    if canonical(act) in ACTS:
        return _plain
    if any(
        word in act
        for word in ("adjud", "decide", "decision", "declare", "dismiss", "award", "upheld")
    ):
        return _decide
    return _complain if "complain" in act else None


def _plain(one: Row, told: "Told") -> Made:
    step = _begin(one)
    for key in ("cause", "order_no", "officer_rank", "price", "animals", "manner"):
        if key in one and not (key == "animals" and not isinstance(one[key], Mapping)):
            step[key] = one[key]
    if "paid" in one:
        step["paid"] = one["paid"]
    if "amount" in one and "expect" in step and one.get("act") != "add_receipt_line":
        step["expect"] = {**row(step["expect"]), "total": one["amount"]}
    yield step


def _begin(one: Row) -> dict[str, Plain]:
    """Return time, act, person and the expectations that every step may have."""
    step: dict[str, Plain] = {"at": one["at"], "act": one.get("act")}
    party = _party(one)
    if party is not None:
        step["party"] = party
    expect: dict[str, Plain] = {}
    if one.get("allowed") in ALLOWED:
        expect["allowed"] = ALLOWED[one["allowed"]]
    if "not_before" in one:
        expect["not_before"] = one["not_before"]
    if one.get("allowed") is False and "sec" in one:
        expect["cites"] = one["sec"]
    if expect:
        step["expect"] = expect
    return step


def _party(one: Row) -> str | None:
    """Return the person of a step; what is done by somebody's agent is done for that person."""
    for key in ("owner", "by", "on"):
        given = str(one.get(key) or "")
        name = re.sub(r"\s*\(.*\)$", "", given)
        if "agent" in name:
            name = name.partition("'")[0]
        elif "'s " in name:
            name = name.rpartition(" ")[2]
        if name and name not in ("others", "the seizer"):
            return name
    return None


def _expect(step: dict[str, Plain], **more: Plain) -> None:
    step["expect"] = {**row(step.get("expect")), **{k: v for k, v in more.items() if v is not None}}


def _sums(value: Plain) -> dict[str, Plain] | None:
    """Return lines by name with what is nothing left out; `fine S1` counts as `fine`."""
    if not isinstance(value, list):
        return None
    sums: Counter[str] = Counter()
    for one in rows(value):
        name = str(one.get("line") or "").partition(" ")[0]
        sums[name] += round(float(str(one.get("amount"))) * 100)
    return {name: f"{sum_ / 100:.2f}" for name, sum_ in sums.items() if sum_ and name}


def _quote(one: Row, told: "Told") -> Made:
    step = _begin(one)
    step["seizures"] = [*told.heads]
    wanted = {key: one.get(key) for key in ("total",)}
    if len(told.heads) == 1:
        wanted.update({key: one.get(key) for key in ("times", "head")})
    _expect(step, lines=_sums(one.get("lines")), **wanted)
    yield step


def _release(one: Row, told: "Told") -> Made:
    """What a step does not speak of is in order: it is not what the story is about."""
    step = _begin(one)
    step["paid"] = one.get("paid", "due" if one.get("allowed") is not False else "0.00")
    step["declaration"] = "signed" if one.get("declaration", "signed") == "signed" else None
    step["register_signature"] = one.get("register_signature", True) in (True, "yes", "signed")
    if isinstance(one.get("animals"), Mapping):
        step["animals"] = one["animals"]
    if len(told.heads) > 1:
        step["seizures"] = [*told.heads]
    if one.get("allowed") is not False:
        _expect(step, lines=_sums(one.get("lines")), total=one.get("total"))
    if "party" not in step and len(told.people) == 1:
        step["party"] = next(iter(told.people))
    yield step


def _hold(one: Row, told: "Told") -> Made:
    step = _begin(one)
    sums = _sums(one.get("dues") or one.get("lines"))
    spent = (sums or {}).get("sale_expenses")
    step["expenses"] = one.get("sale_expenses", spent or "0.00")
    _expect(step, lines=sums, needed=one.get("outstanding"))
    yield step
    lots = one.get("lots")
    if isinstance(lots, Mapping) and one.get("allowed") is True:
        for lot, price in lots.items():
            yield {"at": one["at"], "act": "knock_down", "lots": [lot], "price": price}
        yield {
            "at": one["at"],
            "act": "apply_proceeds",
            "expect": {"rest": one.get("surplus", one.get("balance", "0.00"))},
        }


def _knock(one: Row, told: "Told") -> Made:
    step = _begin(one)
    step.pop("party", None)
    bidder, money = str(one.get("bidder") or ""), str(one.get("paid_from") or "")
    step["lots"], step["price"] = [str(one.get("lot"))], one.get("price", "1.00")
    is_kin = any(word in bidder for word in KIN)
    step["is_related"] = is_kin
    step["buyer_is"] = [] if is_kin else [word for word in BARRED if word in bidder.lower()]
    step["paid_by_is"] = [word for word in BARRED if word in money.lower()]
    _expect(step, still_needed=one.get("still_needed"))
    if one.get("flag"):
        _expect(step, flags=[str(one["flag"])])
    yield step


def _apply(one: Row, told: "Told") -> Made:
    step = _begin(one)
    given = rows(one.get("lines"))
    if given and "to" in given[0]:
        paid: dict[str, Plain] = {_account(str(each["to"])): each["amount"] for each in given}
        _expect(step, from_proceeds=paid)
    else:
        _expect(step, lines=_sums(one.get("lines")))
    _expect(step, rest=one.get("surplus", one.get("balance")), deficit=one.get("deficit"))
    yield step


def _account(text: str) -> str:
    word = re.split(r"[\s(]", text.strip())[0].lower()
    return next((end for key, end in ACCOUNTS.items() if key in word), word)


def _accounted(one: Row, told: "Told") -> Made:
    step = _begin(one)
    party = step.get("party") or (next(iter(told.people)) if told.people else None)
    contents = row(one.get("contents"))
    yield {**step, "party": party}
    expect: dict[str, Plain] = {}
    names = {"a_": "seized", "c_": "charges", "d_": "sold", "e_": "proceeds"}
    for key, value in contents.items():
        name = names.get(key[:2])
        if name is not None:
            expect[name] = value if isinstance(value, int) else str(value).partition(" ")[0]
    yield {"at": one["at"], "act": "account", "party": party, "expect": expect}


def _notice(one: Row, told: "Told") -> Made:
    step = _begin(one)
    if "particulars" in one:
        given = [each.replace(" ", "_") for each in texts(one["particulars"])]
        step["particulars"] = [*given]
    said = texts(one.get("proclamation"))
    places = [place for place in ("village", "market") if any(place in each for each in said)]
    step["proclamation"] = [*places]
    yield step


def _proof(one: Row) -> dict[str, Plain]:
    text = str(one.get("proof") or "")
    if not text:
        return {}
    officer = "nobody" if "not authorised" in text else "authorised officer"
    on = re.search(r"\d{4}-\d\d-\d\d", text)
    return {"officer": officer, **({"accepted_at": f"{on[0]}T10:00:00+05:30"} if on else {})}


def _pay_surplus(one: Row, told: "Told") -> Made:
    step = _begin(one)
    step["proof"] = _proof(one) or {"officer": "authorised officer"}
    step["established"] = one.get("established") in (True, "yes")
    _expect(step, total=one.get("amount"))
    if one.get("allowed") is False:
        step["expect"] = {k: v for k, v in row(step["expect"]).items() if k != "total"}
    yield step
    then = re.match(r"(credit_surplus_to_fund) ([\d.]+\d)", str(one.get("then") or ""))
    if then is not None:
        expect: Row = {"allowed": "yes", "total": then[2]}
        yield {"at": one["at"], "act": then[1], "expect": expect}


def _claim_surplus(one: Row, told: "Told") -> Made:
    yield _begin(one)
    if "pay_allowed" in one:
        proof = _proof(one)
        at = str(proof.get("accepted_at") or one["at"])
        allowed = ALLOWED.get(one["pay_allowed"])
        yield {"at": at, "act": "pay_surplus", "proof": proof, "expect": {"allowed": allowed}}


def _credit(one: Row, told: "Told") -> Made:
    step = _begin(one)
    if re.fullmatch(r"\d+\.\d\d", str(one.get("of") or "")):
        step["of"] = one["of"]
    yield step


def _security(one: Row, told: "Told") -> Made:
    step = _begin(one)
    step["application"] = one.get("application", "yes") in (True, "yes")
    if one.get("allowed") is not False:
        _expect(step, total=one.get("amount"))
    yield step


def _remit(one: Row, told: "Told") -> Made:
    for line in rows(one.get("lines")) or [one]:
        to = str(line.get("to"))
        if "retain" in to:
            continue
        step = _begin(one)
        step["to"] = _account(to.replace(" ", "_"))
        if "amount" in line:
            step["amount"] = line["amount"]
            _expect(step, total=line["amount"])
        yield step


def _complain(one: Row, told: "Told") -> Made:
    step = _begin(one)
    made: dict[str, Plain] = {"at": one["at"], "act": "complaint", "party": step.get("party")}
    if "late" in str(one.get("flag") or ""):
        made["expect"] = {"late": "yes"}
    yield {**made, **_about(one)}


def _about(one: Row) -> dict[str, Plain]:
    """Return which complaint, and about which heads, if a step says it."""
    said = {key: one[key] for key in ("id", "lots") if key in one}
    if isinstance(one.get("animals"), Mapping):
        said["animals"] = one["animals"]
    if "lot" in one:
        said["lots"] = [str(one["lot"])]
    return said


def _decide(one: Row, told: "Told") -> Made:
    said = " ".join(str(value).lower() for value in one.values())
    outcome = "illegal" if "illegal" in said else "dismissed" if "dismiss" in said else "lawful"
    yield {"at": one["at"], "act": "decision", "outcome": outcome, **_about(one)}


def _removal(one: Row, act: str, order: str, told: "Told") -> Row:
    """A removal order: what a step does not speak of is in order, what is `missing` is not."""
    step = _begin(one)
    is_issue = act in ("issue_removal_order", "record_order_made_elsewhere")
    is_bad = one.get("allowed") is False or act == "record_order_made_elsewhere"
    about = str(row(told.data.get("facts")).get(str(one.get("owner"))) or "")
    is_general = "general" in str(one.get("kind") or "")
    step["order"] = f"{order} {one.get('place')} {is_bad}" if is_issue and is_bad else order or "P"
    if is_general:
        step["order"], step["kind"] = "general", "general"
    if is_issue:
        head = re.search(r"\d+", about)
        step["ground"] = one.get("ground", "ii")
        step["is_resident"] = "non-resident" not in about if about else step["ground"] == "i"
        step["owns_head"] = one.get("head", int(head[0]) if head else None)
        step["place"] = one.get("place", "Banni") if one.get("place") != "missing" else None
        step["place_in_state"] = "place within the State" not in str(one.get("reason") or "")
        step["period_until"] = one.get("period_until", str(day(one["at"]) + TEN_DAYS))
        step["animals"] = {"other": 1 if "milch" in str(one.get("animals") or "") else 0}
    for key in ("officer_rank", "amount", "pay_by", "paid"):
        if key in one:
            step[key] = one[key]
    if act == "sell_for_fine":
        step["is_in_order"] = "not in the order" not in str(one.get("lot"))
        step["price"] = one.get("price", "1000.00")
    if act == "impose_fine":
        step["pay_by"] = one.get("pay_by", "2030-01-01")
    if one.get("flag"):
        _expect(step, flags=[str(one["flag"])])
    return step


_STEPS: Mapping[str, Callable[[Row, "Told"], Made]] = {
    "quote": _quote,
    "release": _release,
    "deposit_under_protest": _release,
    "deliver_on_deposit": _release,
    "hold_auction": _hold,
    "knock_down": _knock,
    "apply_proceeds": _apply,
    "account_to_owner": _accounted,
    "post_notice": _notice,
    "pay_surplus": _pay_surplus,
    "claim_surplus": _claim_surplus,
    "credit_surplus_to_fund": _credit,
    "refund_security": _security,
    "forfeit_security": _security,
    "remit": _remit,
}
