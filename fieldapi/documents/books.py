"""The books of a pound as sheets: list of fees, register, daily statement, refunds. HTML to print,
and the same rows as CSV that no spreadsheet takes for a formula.

Called by the api. Must never import services, queries or SQL: rows come in as values.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fieldapi.documents.cells import plain
from fieldapi.documents.saying import span
from fieldapi.documents.sheets import Pair, Sheet, Table, Tongue, rupees
from fieldapi.domain.labels import NOTIFICATIONS
from fieldapi.domain.words import sentence

SCALES: Mapping[str, str] = {
    kind: NOTIFICATIONS[kind]
    for kind in ("fee_schedule", "feeding_rates", "security_scale", "double_fine_area")
}


@dataclass(frozen=True, slots=True)
class Cover:
    """What stands over a book. `language`: beside English. `kind_names`: in both languages."""

    authority: str
    pound: str
    statute: str
    language: str
    kind_names: Mapping[str, str]

    @property
    def tongue(self) -> Tongue:
        """The two languages of the book."""
        return Tongue(self.language)

    def kind(self, code: str | None) -> str:
        """Return the name of a kind of animal; of any kind, where there is none."""
        return (
            self.tongue.both(sentence("Any kind"))
            if code is None
            else self.kind_names.get(code, code)
        )

    def counted(self, animals: Mapping[str, int]) -> str:
        """Return numbers of heads by kind on one line."""
        return ", ".join(f"{self.kind(kind)}: {n}" for kind, n in sorted(animals.items()))

    def sheet(
        self,
        title: str,
        *,
        facts: Sequence[Pair],
        tables: Sequence[Table],
        notes: Sequence[str] = (),
    ) -> Sheet:
        """Return a sheet of this book."""
        tongue = self.tongue
        return Sheet(
            language=self.language,
            title=tongue.pair(title),
            authority=f"{self.authority} · {self.pound}",
            subtitle=self.statute,
            facts=[(tongue.both(label), value) for label, value in facts],
            tables=tables,
            notes=[text for note in notes for text in tongue.pair(note) if text],
        )


def fee_list(cover: Cover, scales: Iterable[Mapping[str, Any]]) -> Sheet:
    """Return the list that hangs at the pound: every scale in force, with its notification."""
    tables = []
    facts: list[Pair] = []
    is_sample = False
    for one in scales:
        tables.append(rates_table(cover, one))
        is_sample = is_sample or bool(one["is_sample"])
    notes = [sentence("Nothing may be taken beyond this list.")]
    if is_sample:
        notes.insert(0, sentence("SAMPLE: this scale was invented to try things out."))
    if not tables:
        notes = [sentence("No scale is in force: nothing may be levied.")]
    return cover.sheet(
        sentence("List of fees and charges"), facts=facts, tables=tables, notes=notes
    )


def rates_table(cover: Cover, one: Mapping[str, Any]) -> Table:
    """Return the rows of one scale."""
    tongue = cover.tongue
    name = tongue.both(SCALES[one["kind"]])
    said = f"{name} · {one['number']}" + (f" · {one['area']}" if one.get("area") else "")
    rows = [
        [opening(cover.kind(rate.get("kind"))), _tier(rate, tongue), _amount(rate)]
        for rate in one["rates"]
    ]
    amount = tongue.both(sentence("Amount"))
    if not any(tier for _, tier, _ in rows):
        return Table([said, amount], [[kind, sum_] for kind, _, sum_ in rows], numeric=(1,))
    return Table([said, tongue.both(sentence("When")), amount], rows, numeric=(2,))


def _amount(rate: Mapping[str, Any]) -> str:
    return rupees(rate["paise"]) if rate.get("paise") is not None else f"{rate.get('percent')} %"


def opening(kind: str) -> str:
    """Return a kind as the first word of its row."""
    return kind[:1].upper() + kind[1:]


def _tier(rate: Mapping[str, Any], tongue: Tongue) -> str:
    parts = []
    for label, low, high in (
        (sentence("heads"), rate.get("head_from"), rate.get("head_to")),
        (sentence("times"), rate.get("times_from"), rate.get("times_to")),
    ):
        if low or high:
            parts.append(f"{tongue.both(label)} {span(low, high)}")
    if rate.get("paise") is None:
        parts.append(tongue.both(sentence("part of the first time")))
    if rate.get("first_day_paise") is not None:
        first_day = tongue.both(sentence("first day"))
        parts.append(f"{first_day} {rupees(rate['first_day_paise'])}")
    return "; ".join(parts)


def csv_of(sheet: Sheet) -> str:
    """Return every table of a sheet as CSV, one under the other."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    for table in sheet.tables:
        writer.writerow([plain(one) for one in table.columns])
        writer.writerows([plain(one) for one in row] for row in table.rows)
    return out.getvalue()
