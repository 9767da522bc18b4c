"""What acts and lines of money are called in the book of a case. Flask-free; called by the chapters
of the register and of complaints.
"""

from __future__ import annotations

from fieldapi.console.court.case import CourtCase
from fieldapi.domain import act_labels, complaint_labels


def act_name(case: CourtCase, slug: str) -> str:
    """Return what an act is called in the language of the book."""
    label = act_labels.ACTS.get(slug) or complaint_labels.ACTS.get(slug)
    return slug.replace("_", " ") if label is None else case.words.gettext(label)


def line_name(case: CourtCase, line: str) -> str:
    """Return what a line of money is called."""
    label = act_labels.LINES.get(line)
    return line.replace("_", " ") if label is None else case.words.gettext(label)
