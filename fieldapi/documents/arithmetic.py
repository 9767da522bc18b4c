"""How the arithmetic of a line of money is written, on pages, on papers and in the casebook alike:
days are called days and rates are rupees.

Called by the console and by `papers`. Must never import services, queries or SQL.
"""

from __future__ import annotations

import re

from fieldapi.documents.saying import rupees
from fieldapi.locale import ngettext

_FACTOR = re.compile(r"-?\d+(?:\.\d{2})?")
# The line whose three factors are heads, days and rate.
_BY_DAYS = "feeding"


def arithmetic(line: str, how: str, language: str) -> str:
    """Return the arithmetic of a line as people write it. `how`: as the register keeps it.

    >>> arithmetic("feeding", "2*3*55.50+1*1*20.00", "en")
    '2 × 3 days × ₹55.50 + 1 × 1 day × ₹20.00'
    >>> arithmetic("fine", "2*100.00", "en"), arithmetic("surplus", "what is left", "en")
    ('2 × ₹100.00', 'what is left')
    """
    has_days = line == _BY_DAYS
    return " + ".join(_product(one, language, has_days=has_days) for one in how.split("+") if one)


def _product(term: str, language: str, *, has_days: bool) -> str:
    factors = term.split("*")
    if not all(_FACTOR.fullmatch(one) for one in factors):
        return term
    said = [rupees(int(one.replace(".", ""))) if "." in one else one for one in factors]
    if has_days and len(factors) == 3:  # noqa: PLR2004 - heads, days, rate
        said[1] = ngettext("{number} day", "{number} days", int(factors[1]), language=language)
    return " × ".join(said)
