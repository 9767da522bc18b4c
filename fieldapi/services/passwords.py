"""Passwords: what is too easy to guess, and how one is kept (argon2id).

Called by `sign_ins` and `invitations`. The list of what is too easy is our own and short: lists
of leaked passwords hold few of twelve characters, and those are made of the same words in a row.
Argon2 runs outside every transaction: it takes a while on purpose.
"""

from __future__ import annotations

import re
import secrets
import threading
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from fieldapi.domain.words import sentence
from fieldapi.services.fields import refuse

LEAST, MOST = 12, 200
NONE_FITS = "!"
_FEWEST_DIFFERENT = 5
_WORDS = """
    abcdefghijklmnopqrstuvwxyz abc123 access admin administrator asdfghjkl asdf baseball batman
    bharat canada cattle change changeme charlie computer correcthorsebatterystaple cow cricket
    default dragon fieldapi flower football forever freedom ganesh god guest gujarat hello
    iloveyou india indian internet jaihind jesus karnataka kerala keyboard krishna letmein login
    love loveyou manage manager master me monkey mumbai my name new office one
    panchayat pass passcode passphrase password please police pound princess qazwsxedc qazwsx
    qwerty qwertyuiop qweasdzxc root sachin secret security server shadow sriram sunshine
    superman super temp temporary test testing the this trustno user village welcome welcometo
    whatever windows word world yourname you your zxcvbnm zxcvbn
""".split()  # noqa: SIM905 - a hundred words read best as a paragraph
_LEET = str.maketrans("013457@$", "oieastas")
_LETTERS = re.compile(r"[^a-z]+")
_ENDS = re.compile(r"^[^a-z]+|[^a-z]+$")
_RUNS = ("0123456789" * 20, "9876543210" * 20, "1234567890" * 20)

_hasher = PasswordHasher()
# Each hash takes 64 MiB: as many at once as a small server has room for.
_room = threading.BoundedSemaphore(4)


def generate() -> str:
    """Return a random password of 100 bits in groups that can be read aloud."""
    letters = "abcdefghijkmnopqrstuvwxyz23456789"
    groups = ["".join(secrets.choice(letters) for _ in range(5)) for _ in range(4)]
    return "-".join(groups)


def check(password: str, *, name: str = "") -> None:
    """Raise `InvalidBody` for a password that is short, common or the name itself."""
    if len(password) < LEAST:
        raise refuse("password", sentence("At least {least} characters.", least=LEAST))
    if len(password) > MOST:
        raise refuse("password", sentence("At most {most} characters.", most=MOST))
    if is_common(password) or (name and name.lower() in password.lower()):
        raise refuse("password", sentence("Too easy to guess."))


def is_common(password: str) -> bool:
    """Say whether a password is a row of well-known words, of digits in order, or of few letters.

    >>> is_common("P@ssw0rd2024!!"), is_common("nine cows and a calf")
    (True, False)
    """
    lower = password.lower()
    digits = re.sub(r"\D", "", lower)
    if len(set(lower)) < _FEWEST_DIFFERENT or _is_repeated(lower):
        return True
    if digits == lower and any(digits in run for run in _RUNS):
        return True
    if any(one.isalpha() and not one.isascii() for one in lower):
        return False
    spellings = (lower, lower.translate(_LEET), _ENDS.sub("", lower).translate(_LEET))
    return any(_is_made_of_words(_LETTERS.sub("", one)) for one in spellings)


def hashed(password: str) -> str:
    """Return what is kept of a password."""
    with _room:
        return _hasher.hash(password)


def fits(kept: str, password: str) -> bool:
    """Say whether `kept` was made from `password`; takes as long where it was not."""
    with _room:
        try:
            return _hasher.verify(kept, password[: MOST + 1])
        except (VerificationError, InvalidHashError):
            return False


@cache
def nobodys() -> str:
    """Return a hash that no password fits, to spend as long on an unknown name."""
    return hashed(secrets.token_hex(16))


def _is_repeated(text: str) -> bool:
    """Say whether the text is one short piece again and again."""
    return text in (text + text)[1:-1] and len(text) > 1


def _is_made_of_words(letters: str) -> bool:
    """Say whether the letters are nothing but words of the list, one after another; no letter at
    all counts, too: digits and signs in a row.
    """
    reached = {0}
    for start in range(len(letters)):
        if start in reached:
            reached |= {start + len(word) for word in _WORDS if letters.startswith(word, start)}
    return len(letters) in reached
