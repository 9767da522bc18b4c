"""Every system that an Act asks for names the stories and tests that show it; they are there."""

from __future__ import annotations

import re
import tomllib

from fieldapi.services.acts.registry import ACTS as ACTS_OF_CASES
from tests.rules.test_scenarios import written
from tests.support import tree

PAGE = "docs/statutes.md"
SYSTEMS = (
    "seizure by capacity and place",
    "24 hours, to the right pound",
    "police aid",
    "pounds and keepers, vesting",
    "scales of fines and feeding, the public list",
    "appearance, claim, offer, delivery, receipt",
    "delivery on deposit and its two clocks",
    "unclaimed: report, notice, proclamation, waiting days, auction, other disposal",
    "default: as many as necessary, account, balance, refusal",
    "deductions by branch",
    "surplus windows, fund, remittances",
    "who may not buy",
    "complaint, evidence review, adjudication, caps, reimbursement",
    "security: declaration, scale, six months, forfeiture, refund",
    "removal orders",
    "offences with caps, prior convictions, defence",
    "law in force by place and date",
)
ACTS = ("gujarat", "kerala", "karnataka")


def _rows() -> dict[str, list[str]]:
    section = tree.text(PAGE).partition("## Each system")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line[:2] == "| "]
    return {row[0]: row[1:] for row in rows[1:]}


def _stories(act: str) -> set[str]:
    told = tomllib.loads(tree.text(f"fieldapi/statutes/{act}.cases.toml"))
    return {str(case["id"]) for case in told["cases"]}


def test_every_system_has_its_row() -> None:
    assert tuple(_rows()) == SYSTEMS


def test_every_act_says_who_does_it() -> None:
    section = tree.text("docs/register.md").partition("## Who does what")[2].partition("\n## ")[0]

    assert sorted(set(ACTS_OF_CASES) - set(re.findall(r"`(\w+)`", section))) == []


def test_every_cell_names_what_is_there() -> None:
    tests = written()
    stories = {act: _stories(act) for act in ACTS}
    missing = [
        (system, act, name or "nothing")
        for system, cells in _rows().items()
        for act, cell in zip(ACTS, cells, strict=True)
        for name in (re.findall(r"`([^`]+)`", cell) or ([] if cell == "–" else [""]))
        if name not in tests | stories[act]
    ]

    assert missing == []
