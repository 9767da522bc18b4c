"""What the parts of the stand-alone verifier say when something does not fit.

Joined into one `verify.py` by `alone.program`; must never import anything but the standard library.
"""

import hashlib
import re

# ---- what does not fit ---------------------------------------------------------------------------

HEX = re.compile(r"[0-9a-f]*")


class Fault(Exception):
    """Something that does not fit; the rest of its part is not looked at."""


class Uncompared(Exception):
    """Something that could not be held against the bundle: it says nothing for it or against it."""


def need(fits, otherwise):
    if not fits:
        raise Fault(otherwise)


def from_hex(text, size):
    need(len(text) == 2 * size and HEX.fullmatch(text), "a number in hex has another form")
    return bytes.fromhex(text)


def sha256(data):
    return hashlib.sha256(data).digest()


def shown(text):
    """The text as a terminal may have it: what is no plain character is spelled out."""
    return "".join(one if " " <= one <= "~" else ascii(one)[1:-1] for one in str(text)[:4000])
