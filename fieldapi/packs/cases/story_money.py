"""Schedules and sums of YAML stories in the form of our own case files. Called by `stories.py`."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from fieldapi.packs.cases.story import Plain, Row
from fieldapi.packs.cases.values import count, paise, row, rows

LONG_AGO = "2020-01-01"
SCHEDULES = {
    "pound_fee": "fee_schedule",
    "fine": "fee_schedule",
    "fine_per_head": "fee_schedule",
    "feeding_per_day": "feeding_rates",
    "security_per_head": "security_scale",
}
OUT = {
    "village_fund_fees": "village_fund.pound_fee",
    "village_fund_feeding": "village_fund.feeding",
    "security_refunded": "payer.security",
    "owner_surplus": "payer.surplus",
    "District_Magistrate": "district_magistrate",
    "feeding_as_profile_says": "pound",
    "fine_as_State_directs": "fine_as_state_directs",
    "village_fund_surplus": "village_fund.surplus",
    "State_Government": "state_government",
    "security_forfeited": "state_government",
}
ENDS = frozenset(
    {"local_authority_fund", "keeper", "sale_expenses", "village_fund", "pound", "payer"}
)


def register(own: Row) -> list[Plain]:
    """Return the register that the schedules of one Act make."""
    found: list[Plain] = []
    forfeit = re.match(r"\d+", str(own.get("forfeit_part") or ""))
    for key, value in own.items():
        if key in SCHEDULES:
            entry: dict[str, Plain] = {
                "id": key,
                "kind": SCHEDULES[key],
                "from": LONG_AGO,
                "sample": True,
                "rates": [*_rates(row(value))],
            }
            if key == "security_per_head" and forfeit is not None:
                entry["forfeit_percent"] = int(forfeit[0])
            found.append(entry)
    found.append(
        {"id": "proof", "kind": "proof_officer", "from": LONG_AGO, "names": ["authorised officer"]}
    )
    return found


def special(entry: Row) -> Iterator[Row]:
    """Yield special fines of an area as they are entered: the refused ones first, each alone."""
    given = [one for one in rows(entry.get("special")) if "allowed" in one]
    at = str(row(entry.get("base")).get("from") or LONG_AGO)
    step: Row = {
        "at": at,
        "act": "notify",
        "kind": "double_fine_area",
        "area": entry.get("special_area"),
    }
    for one in given:
        if one["allowed"] is False:
            rates: Row = {str(one["kind"]): one["amount"]}
            yield {**step, "id": "refused", "rates": rates, "expect": {"allowed": "no"}}
    good: Row = {str(one["kind"]): one["amount"] for one in given if one["allowed"] is True}
    if good:
        yield {**step, "id": "special", "rates": good, "expect": {"allowed": "yes"}}


def _rates(value: Row) -> Iterator[Row]:
    """Yield rows: by kind, or by time (`time_1`, `time_3_up`) and head tier (`1-5`, `6+`)."""
    for key, sums in value.items():
        if not isinstance(sums, Mapping):
            yield {"kind": key, "rupees": sums}
            continue
        time = int(re.sub(r"\D", "", key) or 1)
        for tier, sum_ in sums.items():
            low, _, high = str(tier).rstrip("+").partition("-")
            made: dict[str, Plain] = {"rupees": sum_, "times_from": time, "head_from": int(low)}
            if not key.endswith("up"):
                made["times_to"] = time
            if high:
                made["head_to"] = int(high)
            yield made


def final(data: Row, heads: Mapping[str, Mapping[str, int]], left: list[str], end: str) -> Row:
    """Return what holds at the end: money in and out, animals, and whether it is closed."""
    money, ends = row(data.get("money")), row(data.get("final"))
    wanted = _moved(money)
    others = (str(value) for key, value in ends.items() if key not in ("case", "animals"))
    words = [str(ends.get("case") or ""), *others]
    if any("CLOSED" in one for one in words):
        wanted["closed"] = True
    if "not before" in words[0]:
        wanted["open_until"] = end
    animals = _animals(ends.get("animals"), heads)
    if animals:
        wanted["animals"] = animals
    elif "animals" in ends:
        left.append(f"final animals {ends['animals']}")
    return wanted


def _moved(money: Row) -> dict[str, Plain]:
    came: Counter[str] = Counter()
    for name, sum_ in row(money.get("in")).items():
        came[_payer(name)] += paise(sum_)
    sums: Row = {name: f"{sum_ // 100}.{sum_ % 100:02}" for name, sum_ in came.items()}
    out: Row = {_end_of(name): sum_ for name, sum_ in row(money.get("out")).items()}
    return {key: value for key, value in (("in", sums), ("out", out)) if value}


def _payer(name: str) -> str:
    if "sale" in name:
        return "buyer"
    return name.partition("_")[0]


def _end_of(name: str) -> str:
    if name in OUT:
        return OUT[name]
    return name if name in ENDS else "payer"


def _animals(value: Plain, heads: Mapping[str, Mapping[str, int]]) -> dict[str, Plain]:
    """Return how many heads are in each state: from `all SOLD`, `7 RELEASED_PAID`, or by kind."""
    total: Counter[str] = Counter()
    for kinds in heads.values():
        total.update(kinds)
    if isinstance(value, str):
        match = re.fullmatch(r"(all|\d+) ([A-Z_]+)", value.strip())
        if match is None:
            return {}
        many = sum(total.values()) if match[1] == "all" else int(match[1])
        return {match[2].lower(): many}
    found: Counter[str] = Counter()
    for key, word in row(value).items():
        kind = re.sub(r"_\d+$", "", key)
        found[str(word).lower()] += 1 if kind != key else count(total[kind])
    return {**found}
