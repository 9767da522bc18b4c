"""Makes the books of a pound: fees, register, daily statement, refunds. Shared by api and console,
which give them as pages to print and as CSV.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from sqlalchemy.orm import Session

from fieldapi.documents import books, saying, sheets
from fieldapi.documents.books import Cover
from fieldapi.documents.sheets import Sheet, Table
from fieldapi.domain.access import Principal, keeps, sees_all
from fieldapi.domain.act_labels import ACCOUNTS, HEADS, LINES
from fieldapi.domain.words import sentence
from fieldapi.models import Notification
from fieldapi.packs import Packs
from fieldapi.problems import NotFound
from fieldapi.queries import papers, registers
from fieldapi.queries.registers import Day, Stall

Span = tuple[date, date]


def book(  # noqa: PLR0913 - which book of which pound, for whom
    session: Session, principal: Principal, packs: Packs, pound_id: str, *, name: str, span: Span
) -> Sheet:
    """Return a book of a pound. `span`: first and last day. Raises `NotFound`."""
    make = BOOKS.get(name)
    if make is None:
        raise NotFound("There is no such book.")
    at = registers.stall(session, pound_id, authority_id=principal.authority_id)
    if not (sees_all(principal) or keeps(principal, pound_id)):
        raise NotFound("There is no such pound.")
    return make(session, at, cover_of(at, packs, span[1]), span)


def cover_of(at: Stall, packs: Packs, today: date) -> Cover:
    """Return what stands over a book of a pound: the authority's languages, else the statute's."""
    profile = packs.profile(at.statute, on=today)
    languages = [one for one in at.languages if one != "en"] or [
        one for one in profile.languages if one != "en"
    ]
    language = languages[0] if languages else "en"
    names = papers.kind_names(packs, language)
    return Cover(at.authority, at.pound, profile.name, language, names)


def scale_of(row: Notification) -> dict[str, object]:
    """Return a scale as the books read it."""
    return {
        "kind": row.kind,
        "number": row.number,
        "area": row.area,
        "is_sample": row.is_sample,
        "rates": json.loads(row.data).get("rates", []),
    }


def _fees(session: Session, at: Stall, cover: Cover, span: Span) -> Sheet:
    found = registers.scales(session, at, on=span[1])
    return books.fee_list(cover, [scale_of(one) for one in found])


def _register(session: Session, at: Stall, cover: Cover, span: Span) -> Sheet:
    both = cover.tongue.both
    columns = (
        sentence("No."),
        sentence("Brought to the pound on"),
        sentence("Cattle"),
        sentence("Report no."),
        sentence("Seizer"),
        sentence("Owner"),
        sentence("What became of them"),
    )
    rows = [
        [
            one.serial,
            saying.moment(one.came_at),
            cover.counted(one.animals),
            one.reference,
            one.seizer,
            ", ".join(one.owners),
            ", ".join(
                f"{cover.tongue.both(HEADS[became])}: {n}" for became, n in one.became.items()
            ),
        ]
        for one in registers.register(session, at, since=span[0], until=span[1])
    ]
    table = Table([both(one) for one in columns], rows, whole=(0, 3))
    facts = [(sentence("Days"), _days(span))]
    return cover.sheet(sentence("Pound register"), facts=facts, tables=[table], notes=_none(rows))


def _statement(session: Session, at: Stall, cover: Cover, span: Span) -> Sheet:
    found = registers.day(session, at, on=span[1])
    facts = [(sentence("Day"), saying.day(found.day))]
    tables = [_cattle(cover, found), _money(cover, found)]
    notes = [] if tables[0].rows else [sentence("No cattle stood in this pound on this day.")]
    return cover.sheet(sentence("Daily statement"), facts=facts, tables=tables, notes=notes)


def _cattle(cover: Cover, found: Day) -> Table:
    both = cover.tongue.both
    columns = (
        sentence("Kind"),
        sentence("In the morning"),
        sentence("Came"),
        sentence("Left"),
        sentence("In the evening"),
    )
    left: dict[str, int] = {}
    for (kind, _), n in found.left.items():
        left[kind] = left.get(kind, 0) + n
    kinds = sorted({*found.before, *found.came, *left, *found.after})
    rows = [
        [
            books.opening(cover.kind(kind)),
            *(str(counts.get(kind, 0)) for counts in (found.before, found.came, left, found.after)),
        ]
        for kind in kinds
    ]
    return Table([both(one) for one in columns], rows, numeric=(1, 2, 3, 4))


def _money(cover: Cover, found: Day) -> Table:
    both = cover.tongue.both
    columns = [both(one) for one in (sentence("For"), sentence("To"), sentence("Amount"))]
    came = both(sentence("Received"))
    rows = [
        [_said(LINES, line, cover), came, saying.rupees(paise)]
        for line, paise in sorted(found.received.items())
    ]
    rows += [
        [_said(LINES, line, cover), _said(ACCOUNTS, account, cover), saying.rupees(-paise)]
        for (line, account), paise in sorted(found.spent.items())
    ]
    total = sum(found.received.values()) - sum(found.spent.values())
    rows.append([both(sentence("Held more than before")), "", saying.rupees(total)])
    return Table(columns, rows, numeric=(2,), is_last_row_sum=True)


def _said(labels: Mapping[str, str], code: str, cover: Cover) -> str:
    """Return the label of a code in both languages; the code itself if it has none."""
    return cover.tongue.both(labels[code]) if code in labels else code.replace("_", " ")


def _refunds(session: Session, at: Stall, cover: Cover, span: Span) -> Sheet:
    columns = (sentence("Day"), sentence("Depositor"), sentence("Amount"), sentence("Signature"))
    rows = [
        [sheets.day(one["at"]), one["party"], saying.rupees(one["paise"]), ""]
        for one in registers.refunds(session, at, since=span[0], until=span[1])
    ]
    table = Table([cover.tongue.both(one) for one in columns], rows, numeric=(2,))
    facts = [(sentence("Days"), _days(span))]
    notes = _none(rows)
    return cover.sheet(sentence("Register of refunds"), facts=facts, tables=[table], notes=notes)


def _none(rows: Sequence[object]) -> list[str]:
    """An empty page says that it is meant to be empty."""
    return [] if rows else [sentence("Nothing was entered on these days.")]


def _days(span: Span) -> str:
    first, last = (saying.day(one) for one in span)
    return first if first == last else f"{first} – {last}"


# Books of the last day of a span alone.
OF_A_DAY = frozenset({"daily-statement", "fee-list"})
BOOKS: Mapping[str, Callable[[Session, Stall, Cover, Span], Sheet]] = {
    "fee-list": _fees,
    "register": _register,
    "daily-statement": _statement,
    "refunds": _refunds,
}
