"""One spelling per value: RFC 8785, and equality of values with text compared in NFC.

Used by the merge, for hashes and signatures, and by the phone's twin in JavaScript.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from json.encoder import encode_basestring as quote
from math import isfinite
from operator import itemgetter
from unicodedata import is_normalized, normalize

from sync.strict import JSON, MAX_INTEGER, WireError

# Between these Python's shortest form of a double is ECMAScript's too.
_PLAIN_FROM, _PLAIN_TO = 1e-4, 1e16
_POINT_TO = 21  # ECMAScript writes no exponent up to this many digits before the point
_ZEROS_TO = 6  # … and up to this many zeros behind it


def canonical(value: JSON) -> bytes:
    """Return the value as RFC 8785 spells it, in UTF-8.

    Raises WireError for what strict JSON cannot say: lone surrogates, integers beyond 2^53 - 1,
    infinities, NaN.

    >>> canonical({"b": 9.0, "a": [1e21, "é"]}).decode()
    '{"a":[1e+21,"é"],"b":9}'
    """
    try:
        return _spell(value, str).encode()
    except UnicodeEncodeError:
        raise WireError("lone-surrogate", "a text holds half of a surrogate pair") from None


def equality_key(value: JSON) -> str:
    """Return a text that two values share exactly if they are equal: RFC 8785 over NFC."""
    return _spell(value, _nfc)


def equal(one: JSON, other: JSON) -> bool:
    """Say whether two values are the same value: `true` is not 1, 9 is 9.0, text in NFC.

    >>> equal({"a": 9}, {"a": 9.0}), equal(True, 1)
    (True, False)
    """
    if isinstance(one, str) and isinstance(other, str):
        return one == other or _nfc(one) == _nfc(other)
    return equality_key(one) == equality_key(other)


def are_equal(values: Iterable[JSON]) -> bool:
    """Say whether all values are one value; true of none."""
    rest = iter(values)
    for first in rest:
        return all(equal(first, other) for other in rest)
    return True


def _nfc(text: str) -> str:
    return text if is_normalized("NFC", text) else normalize("NFC", text)


def _spell(value: JSON, fix: Callable[[str], str]) -> str:
    if isinstance(value, str):
        return quote(fix(value))
    if isinstance(value, bool) or value is None:
        return _WORDS[value]
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, list):
        return "[" + ",".join([_spell(one, fix) for one in value]) + "]"
    if all(map(str.isascii, value)):  # then any order of code units is the order of the text
        members = sorted(value.items(), key=_name)
    else:
        members = sorted(((fix(name), one) for name, one in value.items()), key=_utf16_name)
    return "{" + ",".join([f"{quote(name)}:{_spell(one, fix)}" for name, one in members]) + "}"


_name = itemgetter(0)


def _utf16_name(member: tuple[str, JSON]) -> bytes:
    return member[0].encode("utf-16-be", "surrogatepass")


_WORDS: dict[bool | None, str] = {True: "true", False: "false", None: "null"}


def _number(number: float) -> str:
    """Return a number as ECMAScript's `String(number)` does."""
    if isinstance(number, int):
        if -MAX_INTEGER <= number <= MAX_INTEGER:
            return str(number)
        raise WireError("number-range", "an integer is beyond 2^53 - 1")
    if not isfinite(number):
        raise WireError("not-finite", "a number is not finite")
    if number.is_integer() and abs(number) < _PLAIN_TO:
        return str(int(number))
    if _PLAIN_FROM <= abs(number) < _PLAIN_TO:
        return repr(number)
    sign = "-" if number < 0 else ""
    return sign + _lay_out(*_digits(abs(number)))


def _digits(number: float) -> tuple[str, int]:
    """Return the shortest digits and where the decimal point stands among them."""
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = fraction.rstrip("0")
    digits = (whole + fraction).lstrip("0")
    lost = len(whole + fraction) - len(digits)
    return digits.rstrip("0"), len(whole) - lost + int(exponent or 0)


def _lay_out(digits: str, point: int) -> str:
    if len(digits) <= point <= _POINT_TO:
        return digits + "0" * (point - len(digits))
    if -_ZEROS_TO < point <= 0:
        return "0." + "0" * -point + digits
    fraction = "." + digits[1:] if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"
