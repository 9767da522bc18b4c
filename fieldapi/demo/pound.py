"""At the pound: Mohan counts the cattle in, finds out whose they are, takes what is due and lets
them go against a receipt. Over HTTP, as any program of a pound would.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.request import Request, urlopen

from fieldapi.clock import format_instant, system_clock
from fieldapi.demo.field import HERD, Report
from fieldapi.demo.server import Server
from fieldapi.demo.setting import Village
from fieldapi.demo.telling import Teller, require
from fieldapi.documents.sheets import rupees
from fieldapi.ids import new_id

_PHONE = {"make": "Desk", "model": "Pound", "colour": "black", "os": "Linux", "app_version": "1.0"}
_WAIT_S = 30
Body = dict[str, Any]


class Counter:
    """The pound's program: a token, and the address of the server."""

    def __init__(self, url: str, *, code: str = "", token: str = "") -> None:
        """Take a token that is known, or enrol with a one-time code."""
        self._url, self._token = url, token
        if code:
            answer = self.post("/api/v1/devices", {"code": code, "device": _PHONE})
            self._token = str(answer["token"])

    def raw(self, path: str) -> bytes:
        """Return a file."""
        return self._send(path, None)

    def post(self, path: str, body: Body) -> Body:
        """Post a body and return the answer."""
        found: Body = json.loads(self._send(path, json.dumps(body).encode()))
        return found

    def get(self, path: str) -> Body:
        """Return what stands at an address."""
        found: Body = json.loads(self._send(path, None))
        return found

    def page(self, path: str) -> str:
        """Return a page as text."""
        return self._send(path, None).decode()

    def act(self, case: str, act: str, **body: object) -> Body:
        """Perform an official act in a case."""
        return self.post(f"/api/v1/cases/{case}/acts", {"id": new_id(), "act": act, **body})

    def _send(self, path: str, data: bytes | None) -> bytes:
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        request = Request(f"{self._url}{path}", data, headers)  # noqa: S310 - our own server
        with urlopen(request, timeout=_WAIT_S) as answer:  # noqa: S310 - our own server
            body: bytes = answer.read()
            return body


def keep(tell: Teller, server: Server, *, village: Village, report: Report) -> None:
    """Impound, identify, quote, release; then read the case and the board back."""
    counter = Counter(server.url, code=village.mohan_code)
    with tell.step("impound", "counting the cattle in") as done:
        serial = _take_in(counter, village, report)
        done(f"Mohan counted {sum(HERD.values())} heads in: register no. {serial}", serial=serial)
    with tell.step("quote", "asking what is due") as done:
        owner, due = _quote(counter, village, report)
        done(f"Ramesh Solanki owes {rupees(due)}, with the section of each line", due=due)
    with tell.step("release", "releasing the cattle") as done:
        made = counter.act(report.id, "release", party=owner, paid_paise=due)
        require(made["total"] == due, f"the receipt says {made['total']}")
        receipt = f"/api/v1/documents/{made['documents'][0]['id']}.html"
        require(rupees(due) in counter.page(receipt), "the receipt does not show the sum")
        done(f"he paid and took them home: receipt no. {made['serials'][0]}")
    with tell.step("board", "reading the case and the board") as done:
        _require_ended(counter, village, report)
        done("the case is closed, its money balances; the public board names no owner")


def _take_in(counter: Counter, village: Village, report: Report) -> str:
    counter.post(
        "/api/v1/intakes",
        {
            "id": new_id(),
            "seizure_id": report.id,
            "pound_id": village.pound_id,
            "received_at": format_instant(system_clock()),
            "counts": [{"kind": kind, "count": n} for kind, n in HERD.items()],
        },
    )
    entry = counter.get(f"/api/v1/cases/{report.id}")["history"][0]
    require(entry["act"] == "impound", f"the first act is {entry['act']}")
    return str(entry["serials"][0])


def _quote(counter: Counter, village: Village, report: Report) -> tuple[str, int]:
    owner = str(
        counter.post(
            "/api/v1/parties",
            {"id": new_id(), "name": "Ramesh Solanki", "residence": "Bedi"},
        )["id"]
    )
    counter.act(report.id, "identify", party=owner)
    quote = counter.get(f"/api/v1/parties/{owner}/quote?pound={village.pound_id}")
    require(all(line["section"] for line in quote["lines"]), "a line names no section")
    return owner, int(quote["total"])


def _require_ended(counter: Counter, village: Village, report: Report) -> None:
    case = counter.get(f"/api/v1/cases/{report.id}")
    require(case["state"] == "closed", f"the case is {case['state']}")
    require(case["money"]["balance"] == 0, "the money of the case does not balance")
    board = counter.page(f"/board/{village.pound_id}")
    require("SAMPLE" in board, "the board does not say that its scale is a sample")
    require("Ramesh" not in board, "the board names an owner")
