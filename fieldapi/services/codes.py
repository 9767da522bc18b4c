"""The one-time codes by which a phone is enrolled: ten Crockford base32 characters and a check.

Pure. Called by `enrolments` and the enrolment cards. Crockford's check symbol is the number modulo
37; only codes whose symbol is one of the 32 plain characters are ever made.
"""

from __future__ import annotations

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 10
LOOKUP = 4
_CHECK_MODULUS = 37
_READ_AS = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})


def make(random: bytes) -> str | None:
    """Return the code of 50 bits from `random` (7 bytes or more), or None if it has no plain check.

    >>> make(bytes(7))
    '00000000000'
    """
    number = int.from_bytes(random[:7], "big") >> 6
    check = number % _CHECK_MODULUS
    if check >= len(ALPHABET):
        return None
    return _spell(number) + ALPHABET[check]


def normalise(typed: str) -> str:
    """Return what was typed as it was printed: upper case, no hyphens, O as 0, I and L as 1.

    >>> normalise("ol23-4567-89a")
    '0123456789A'
    """
    return typed.upper().translate(_READ_AS)


def is_well_typed(code: str) -> bool:
    """Say whether a normalised code has the right length, characters and check character.

    Any one wrong character and any swap of two neighbours are found.
    """
    if len(code) != LENGTH + 1 or any(one not in ALPHABET for one in code):
        return False
    number = 0
    for one in code[:LENGTH]:
        number = number * len(ALPHABET) + ALPHABET.index(one)
    return number % _CHECK_MODULUS == ALPHABET.index(code[LENGTH])


def printed(code: str) -> str:
    """Return the code in groups for reading aloud.

    >>> printed("0123456789A")
    '0123-4567-89A'
    """
    return f"{code[:4]}-{code[4:8]}-{code[8:]}"


def _spell(number: int) -> str:
    digits = []
    for _ in range(LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(reversed(digits))
