"""What the server can and cannot vouch for in a report, in plain words. Flask-free.

Each line says what is the case; `means` says what follows from it and what does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fieldapi.clock import parse_instant
from fieldapi.console.reports import Report
from fieldapi.console.words import Words
from fieldapi.ledger import TreeHead
from fieldapi.queries.photos import Aside

GOOD, WAIT, LOOK, BAD = "good", "wait", "look", "bad"
_GROUP = 4
_SOON_S = 120


@dataclass(frozen=True, slots=True)
class Line:
    """One statement. `tone`: good, wait, look, bad. `code`: a hash to compare, in groups."""

    tone: str
    says: str
    means: str
    code: str = ""


@dataclass(frozen=True)
class Integrity:
    """What is known beside the report: its entries' numbers, the ledger's head, and the other bytes
    that came for its photos.
    """

    words: Words
    seqs: Sequence[int]
    head: TreeHead
    aside: Sequence[Aside] = ()

    def lines(self, report: Report) -> list[Line]:
        """Return the statements, photos first."""
        return [
            *self._photos(report),
            self._received(report),
            self._clock(report),
            self._signature(report),
            self._ledger(),
        ]

    def _photos(self, report: Report) -> Iterator[Line]:
        photos = report["photos"]
        if not photos:
            yield Line(
                LOOK,
                self.words.gettext("The report has no photo."),
                self.words.gettext("A report counts without photos; there is less to go by."),
            )
        for number, photo in enumerate(photos, 1):
            yield self._photo(photo, number)
            yield from self._set_aside(photo, number)

    def _photo(self, photo: Report, number: int) -> Line:
        gettext, state = self.words.gettext, photo["state"]
        if state == "stored":
            return Line(
                GOOD,
                gettext("Photo {number}: the file stored is the file announced.", number=number),
                gettext(
                    "The hash that the phone announced equals the hash of what is stored. "
                    "It does not prove when, where or by whom it was taken."
                ),
                code=grouped(photo["sha256"]),
            )
        if state == "quarantined":
            return Line(
                BAD,
                gettext("Photo {number}: the file was set aside.", number=number),
                gettext(
                    "It is kept, but cannot be shown as a picture. The report stands without it."
                ),
                code=grouped(photo["sha256"]),
            )
        return Line(
            WAIT,
            gettext("Photo {number}: the file has yet to arrive.", number=number),
            gettext("The phone announced its hash; only that very file will be taken."),
            code=grouped(photo["sha256"]),
        )

    def _set_aside(self, photo: Report, number: int) -> Iterator[Line]:
        for one in self.aside:
            if one.photo_id != photo["id"]:
                continue
            said = self.words.gettext(
                "Photo {number}: other bytes came for it ({size}) and were put aside.",
                number=number,
                size=self.words.size(one.size),
            )
            means = self.words.gettext(
                "They replaced nothing. A bad line or app can do this, and so can somebody who"
                " wants to swap a photo."
            )
            yield Line(LOOK, said, means, code=grouped(one.sha256))

    def _received(self, report: Report) -> Line:
        gettext = self.words.gettext
        received = parse_instant(report["received_at"])
        when = self.words.moment(received)
        means = gettext(
            "The time of receipt is the server's own. The time of seizure is the phone's."
        )
        if not report.get("seized_at"):
            return Line(LOOK, gettext("Received {when}; no time of seizure.", when=when), means)
        late = (received - parse_instant(report["seized_at"])).total_seconds()
        if abs(late) < _SOON_S:
            return Line(GOOD, gettext("Received {when}, at once.", when=when), means)
        span = self.words.span(late)
        if late < 0:
            text = gettext(
                "Received {when}, {span} before the seizure that it tells of.", when=when, span=span
            )
            return Line(LOOK, text, means)
        return Line(
            GOOD, gettext("Received {when}, {span} after the seizure.", when=when, span=span), means
        )

    def _clock(self, report: Report) -> Line:
        gettext = self.words.gettext
        if any("clock_suspect" in one["flags"] for one in _records(report)):
            return Line(
                LOOK,
                gettext("A phone's clock did not fit the server's."),
                gettext("Times written by the phone may be wrong; the order of its entries holds."),
            )
        return Line(
            GOOD,
            gettext("The phone's clock fitted the server's."),
            gettext("It was compared at each delivery. A clock can still have been wrong before."),
        )

    def _signature(self, report: Report) -> Line:
        gettext = self.words.gettext
        if report["trust"] == "signed":
            return Line(
                GOOD,
                gettext("Signed by the phone's own key."),
                gettext(
                    "Nobody without this phone could have written it; who held it, it cannot say."
                ),
            )
        return Line(
            LOOK,
            gettext("Not signed."),
            gettext(
                "It came with the secret of an enrolled phone or program, over a protected line, "
                "but without a signature that others could check."
            ),
        )

    def _ledger(self) -> Line:
        gettext = self.words.gettext
        return Line(
            GOOD,
            gettext(
                "Entries {numbers} of {size} in the ledger.",
                numbers=numbers(self.seqs),
                size=self.words.number(self.head.size),
            ),
            gettext(
                "No entry can be changed or taken out without changing this root, which phones and "
                "papers carry away. It does not prove that what was entered is true."
            ),
            code=grouped(self.head.root.hex()),
        )


def _records(report: Report) -> Iterator[Report]:
    yield report
    for name in ("animals", "photos", "intakes"):
        yield from report[name]


def grouped(digest: str) -> str:
    """Return a hash in groups of four, as it is read aloud.

    >>> grouped("ab12cd34")
    'ab12 cd34'
    """
    return " ".join(digest[at : at + _GROUP] for at in range(0, len(digest), _GROUP))


def numbers(seqs: Sequence[int]) -> str:
    """Return numbers with runs drawn together.

    >>> numbers([5, 6, 7, 9])
    '5–7, 9'
    """
    runs: list[list[int]] = []
    for seq in sorted(seqs):
        if runs and seq == runs[-1][-1] + 1:
            runs[-1].append(seq)
        else:
            runs.append([seq])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
