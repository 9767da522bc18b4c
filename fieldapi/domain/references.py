"""Human numbers of seizures, minted on the phone without a network and never changed.

`RJK-07-2611-0042-G`: authority code, device number, year and month, counter, check letter. Used by
records, services (the server mints with device 00) and search. Has a JS twin in the web app.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fieldapi.domain.values import Fault, Vocabulary
from fieldapi.domain.words import sentence
from sync.strict import JSON

# 23 letters without I, O and Q: a prime modulus, and no letter that is read as a digit.
LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
PATTERN = r"([A-Z]{3,5})-([0-9]{2,4})-([0-9]{2})(0[1-9]|1[0-2])-([0-9]{4,6})-([A-Z])"
SERVER_DEVICE = 0
_SHAPE = re.compile(PATTERN)


@dataclass(frozen=True)
class Reference:
    """The parts of a reference. `year` has two digits."""

    authority: str
    device: int
    year: int
    month: int
    counter: int


def check_letter(stem: str) -> str:
    """Return the check letter of a reference without it; hyphens do not count.

    The text is read as a number in base 36. A wrong digit, a swap of two neighbouring digits and a
    wrong check letter are always found. Of wrong letters in the authority code A for X, B for Y and
    C for Z (either way) are not: they lie 23 apart.

    >>> check_letter("RJK-07-2611-0042")
    'G'
    """
    return LETTERS[int(stem.replace("-", ""), 36) % len(LETTERS)]


def mint(authority: str, device: int, *, year: int, month: int, counter: int) -> str:
    """Return the reference with its check letter. `year` may have four digits.

    Raises ValueError if a part does not fit: authority of 3 to 5 letters A-Z, device up to 9999,
    counter up to 999999.

    >>> mint("RJK", 7, year=2026, month=11, counter=42)
    'RJK-07-2611-0042-G'
    """
    stem = f"{authority}-{device:02d}-{year % 100:02d}{month:02d}-{counter:04d}"
    text = f"{stem}-{check_letter(stem)}" if re.fullmatch("[A-Z0-9-]+", stem) else stem
    if _SHAPE.fullmatch(text) is None:
        raise ValueError(f"no reference can be made of {stem!r}")
    return text


def parse(text: str) -> Reference:
    """Return the parts of a reference. Raises ValueError if its form or its check letter is wrong.

    >>> parse("RJK-07-2611-0042-G").counter
    42
    """
    match = _SHAPE.fullmatch(text)
    if match is None or check_letter(text[:-2]) != match[6]:
        raise ValueError(f"not a reference: {text!r}")
    return Reference(match[1], int(match[2]), int(match[3]), int(match[4]), int(match[5]))


def is_reference(text: str) -> bool:
    """Say whether `text` is a reference with the right check letter."""
    try:
        parse(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class ReferenceText:
    """The value type of `seizure.reference`."""

    def faults(self, value: JSON, words: Vocabulary) -> Iterator[Fault]:
        """Yield one fault for a wrong form or a wrong check letter."""
        if not isinstance(value, str) or not is_reference(value):
            yield Fault(sentence("This is not a reference, or its check letter is wrong."))

    def schema(self) -> dict[str, JSON]:
        """Return the JSON Schema of a reference."""
        return {"type": "string", "pattern": f"^{PATTERN}$", "format": "reference"}


REFERENCE = ReferenceText()
