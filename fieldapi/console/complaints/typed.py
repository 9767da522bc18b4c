"""Reads the forms of complaints into the bodies that the services take. Flask-free.

A sum is typed in rupees; what is left empty is not sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, time
from decimal import Decimal, InvalidOperation

from fieldapi.clock import INDIA
from fieldapi.domain.values import FIRST_YEAR, LAST_YEAR
from fieldapi.law.complaints import ALLEGATIONS, DETAINER, SEIZER
from sync.wire import JSON

_MOST_PAISE = 10**12
_TRUTHS = frozenset({"well_founded", "release", "is_direct"})
_SUMS = frozenset({"expenses_paise", "paid_paise"})
_OWN = frozenset(
    {
        "csrf_token",
        "id",
        "proof_came_from",
        "proof_password",
        "compensation",
        "custody",
        "evidence",
        "payer",
    }
)


@dataclass(frozen=True, slots=True)
class Intake:
    """A complaint as it was typed. `party`: id of somebody known, or empty: then `name`. `agent`:
    the name of who came instead; `against`: of who is complained of, `part` (`seizer`, `detainer`).
    `made_on`: a day, empty for today.
    """

    party: str
    name: str
    residence: str
    text: str
    taken_down_by: str
    is_verbal: bool
    agent: str = ""
    is_acquainted: bool = False
    made_on: str = ""
    against: str = ""
    part: str = SEIZER
    allegations: list[tuple[str, str]] = field(default_factory=list)

    def sent(self) -> dict[str, JSON]:
        """Return what was typed, by which a form that is sent twice is known again."""
        said: dict[str, JSON] = {f"said-{code}": text for code, text in self.allegations}
        typed = {name: value for name, value in asdict(self).items() if name != "allegations"}
        return {**typed, **said}


def intake(form: Mapping[str, str]) -> Intake:
    """Return what the form of a new complaint says."""
    given = {name: text.strip() for name, text in form.items()}
    alleged = [
        (code, given.get(f"said-{code}", "")) for code in ALLEGATIONS if form.get(f"on-{code}")
    ]
    return Intake(
        party=given.get("party", ""),
        name=given.get("name", ""),
        residence=given.get("residence", ""),
        text=given.get("text", "").replace("\r\n", "\n"),
        taken_down_by=given.get("taken_down_by", ""),
        is_verbal="is_verbal" in form,
        agent=given.get("agent", ""),
        is_acquainted="is_acquainted" in form,
        made_on=given.get("made_on", ""),
        against=given.get("against", ""),
        part=DETAINER if given.get("part") == DETAINER else SEIZER,
        allegations=alleged,
    )


def is_day(text: str) -> bool:
    """Say whether a text is a day of these times as forms send it, or empty.

    >>> is_day("2026-12-01"), is_day(""), is_day("1.12."), is_day("0001-01-01")
    (True, True, False, False)
    """
    try:
        return not text or FIRST_YEAR <= date.fromisoformat(text).year <= LAST_YEAR
    except ValueError:
        return False


def start_of(text: str) -> datetime | None:
    """Return the first instant of a day in India, None for an empty text."""
    if not text:
        return None
    return datetime.combine(date.fromisoformat(text), time(), INDIA).astimezone(UTC)


def act(
    form: Mapping[str, str], slug: str, *, evidence: list[str], heads: list[str]
) -> dict[str, JSON]:
    """Return the body of an act. `heads`: those for which alone an order finds the seizure
    illegal. Raises `ValueError` for a sum that is none.
    """
    body: dict[str, JSON] = {"id": form.get("id", ""), "act": slug}
    for name, text in form.items():
        if name in _OWN or not text.strip():
            continue
        if name in _TRUTHS:
            body[name] = text == "1"
        elif name in _SUMS:
            body[name] = paise(text)
        else:
            body[name] = text.strip().replace("\r\n", "\n")
    if evidence:
        body["evidence"] = [*evidence]
    if heads:
        body["custody"] = [*heads]
    if form.get("compensation", "").strip():
        sum_paise = paise(form["compensation"])
        body["compensation"] = [{"party": form.get("payer", ""), "paise": sum_paise}]
    return body


def paise(text: str) -> int:
    """Return rupees as paise. Raises `ValueError`.

    >>> paise("1,450.50"), paise("₹ 12")
    (145050, 1200)
    """
    try:
        amount = Decimal(text.strip().lstrip("₹").replace(",", "").strip()) * 100
    except InvalidOperation as exc:
        raise ValueError(text) from exc
    if amount != amount.to_integral_value() or not 0 <= amount <= _MOST_PAISE:
        raise ValueError(text)
    return int(amount)
