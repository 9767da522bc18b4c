"""The value types of field records: what is possible, said once for sync parking and REST errors.

Called by `shapes.py` and `records.py`, and through them by services and schemas. A check never
changes a value: what was sent is what is stored. Doubtful values are not refused here, `flags.py`
names them. Must never import Flask or SQL, nor read a clock.
"""

import math
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from fieldapi import limits
from fieldapi.domain.words import Sentence, sentence
from sync.strict import JSON

# Cc (controls), Cs (lone surrogates), the Bidi_Control property and the line separators: they can
# hide or reorder what a reviewer reads. U+200C and U+200D stay: Indic scripts need them.
_HIDDEN = (
    r"\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069"
    r"\ud800-\udfff\ufeff\ufffe\uffff"
)
# And what is not seen at all, Cf of Unicode but for those two: with it one name passes for another.
# A long text may have it, from wherever it was copied.
_UNSEEN = r"\xad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufff9-\ufffb\U000e0000-\U000e007f"
_REFUSED_IN_LINE = re.compile(rf"[\x00-\x1f{_HIDDEN}{_UNSEEN}]")
_REFUSED_IN_TEXT = re.compile(rf"[\x00-\x08\x0b\x0c\x0e-\x1f{_HIDDEN}]")
_RFC_3339 = re.compile(
    r"([0-9]{4})-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?"
    r"([Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])",
)
FIRST_YEAR, LAST_YEAR = 1990, 2100


class Vocabulary(Protocol):
    """The words of the statute in force that a value may need; `law.profile` satisfies it."""

    @property
    def known_kinds(self) -> Collection[str]:
        """Codes of every kind of animal the product knows, under any statute."""


@dataclass(frozen=True)
class Fault:
    """Why a value is impossible: `path` inside the value ("" = all of it) and a sentence.

    `message` is a catalogue key with named placeholders; `text` fills them in English.
    """

    message: str
    path: str = ""
    params: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def text(self) -> Sentence:
        """The sentence, placeholders filled."""
        return sentence(self.message, **self.params)

    def under(self, member: str) -> "Fault":
        """Return the same fault seen from the value that holds `member`."""
        path = f"{member}.{self.path}" if self.path else member
        return Fault(self.message, path, self.params)


class ValueType(Protocol):
    """One type of value. `faults` yields nothing for a possible value and never raises."""

    def faults(self, value: JSON, words: Vocabulary) -> Iterator[Fault]:
        """Yield every reason why `value` is impossible."""

    def schema(self) -> dict[str, JSON]:
        """Return the type as a JSON Schema fragment."""


def parse_instant(text: str) -> datetime:
    """Return the aware UTC datetime of an RFC 3339 date-time; digits past microseconds are dropped.

    Raises ValueError if it is not one, has no offset, or lies outside the years 1990 to 2100.

    >>> parse_instant("2026-12-01T14:30:00+05:30").isoformat()
    '2026-12-01T09:00:00+00:00'
    """
    match = _RFC_3339.fullmatch(text)
    if match is None:
        raise ValueError(text)
    if not FIRST_YEAR <= int(match[1]) <= LAST_YEAR:
        raise ValueError(text)
    fraction = (match[2] or ".0")[:7]
    stem = f"{text[:10]}T{text[11:19]}{fraction.ljust(7, '0')}"
    return datetime.fromisoformat(stem + match[3].upper().replace("Z", "+00:00")).astimezone(UTC)


def is_number(value: JSON) -> bool:
    """Say whether `value` is a finite JSON number; true and false are not numbers."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True)
class Text:
    """Text of at most `longest` characters, counted in NFC; line breaks only if `is_long`."""

    longest: int
    shortest: int = 0
    is_long: bool = False

    def faults(self, value: JSON, words: Vocabulary) -> Iterator[Fault]:
        """Yield faults of type, length, and characters that hide or reorder text."""
        if not isinstance(value, str):
            yield Fault(sentence("This must be text."))
            return
        length = len(value if value.isascii() else unicodedata.normalize("NFC", value))
        if length > self.longest:
            message = sentence("This text is longer than {longest} characters.")
            yield Fault(message, params={"longest": self.longest})
        if length < self.shortest or (self.shortest and not value.strip()):
            yield Fault(sentence("This must not be empty."))
        if (_REFUSED_IN_TEXT if self.is_long else _REFUSED_IN_LINE).search(value):
            yield Fault(sentence("This text has control characters that hide or reorder it."))

    def schema(self) -> dict[str, JSON]:
        """Return the JSON Schema of the text."""
        return {"type": "string", "minLength": self.shortest, "maxLength": self.longest}


@dataclass(frozen=True)
class Pattern:
    """Text that fits `pattern` whole; `message` says what it should look like."""

    pattern: str
    message: str
    name: str

    def faults(self, value: JSON, words: Vocabulary) -> Iterator[Fault]:
        """Yield one fault unless the whole text fits."""
        if not isinstance(value, str) or not re.fullmatch(self.pattern, value):
            yield Fault(self.message)

    def schema(self) -> dict[str, JSON]:
        """Return the JSON Schema of the pattern, named in `format`."""
        return {"type": "string", "pattern": f"^(?:{self.pattern})$", "format": self.name}


@dataclass(frozen=True)
class Whole:
    """A whole number from `least` to `most`; 9.0 equals 9 (RFC 8785), true is not 1."""

    least: int
    most: int

    def faults(self, value: JSON, words: Vocabulary) -> Iterator[Fault]:
        """Yield one fault for a fraction, another type, or a number out of range."""
        number = value if isinstance(value, int | float) and is_number(value) else None
        if number is None or number != int(number):
            yield Fault(sentence("This must be a whole number."))
        elif not self.least <= number <= self.most:
            message = sentence("This must be between {least} and {most}.")
            yield Fault(message, params={"least": self.least, "most": self.most})

    def schema(self) -> dict[str, JSON]:
        """Return the JSON Schema of the number."""
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


@dataclass(frozen=True)
class Real:
    """A finite number from `least` to `most`."""

    least: int
    most: int

    def faults(self, value: JSON, words: Vocabulary) -> Iterator[Fault]:
        """Yield one fault for another type or a number out of range."""
        if not isinstance(value, int | float) or not is_number(value):
            yield Fault(sentence("This must be a number."))
        elif not self.least <= value <= self.most:
            message = sentence("This must be between {least} and {most}.")
            yield Fault(message, params={"least": self.least, "most": self.most})

    def schema(self) -> dict[str, JSON]:
        """Return the JSON Schema of the number."""
        return {"type": "number", "minimum": self.least, "maximum": self.most}


@dataclass(frozen=True)
class Truth:
    """true or false."""

    def faults(self, value: JSON, words: Vocabulary) -> Iterator[Fault]:
        """Yield one fault for anything but true and false."""
        if not isinstance(value, bool):
            yield Fault(sentence("This must be true or false."))

    def schema(self) -> dict[str, JSON]:
        """Return the JSON Schema of a boolean."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Choice:
    """One code of a closed list."""

    codes: tuple[str, ...]

    def faults(self, value: JSON, words: Vocabulary) -> Iterator[Fault]:
        """Yield one fault that names the codes."""
        if not isinstance(value, str) or value not in self.codes:
            message = sentence("This must be one of: {codes}.")
            yield Fault(message, params={"codes": ", ".join(self.codes)})

    def schema(self) -> dict[str, JSON]:
        """Return the JSON Schema of the list."""
        return {"type": "string", "enum": list(self.codes)}


@dataclass(frozen=True)
class AnimalKind:
    """The code of a kind of animal in `statutes/kinds.toml`.

    A kind that the statute in force does not count as cattle is doubtful, not impossible: it passes
    here and is flagged `kind_not_listed`.
    """

    def faults(self, value: JSON, words: Vocabulary) -> Iterator[Fault]:
        """Yield one fault for a kind that no statute of the product knows."""
        if not isinstance(value, str) or value not in words.known_kinds:
            yield Fault(sentence("This kind of animal is not known."))

    def schema(self) -> dict[str, JSON]:
        """Return the JSON Schema; the codes themselves are served with the statute in `/me`."""
        return {"type": "string", "format": "animal-kind"}


@dataclass(frozen=True)
class Instant:
    """An RFC 3339 date-time with offset, in the years 1990 to 2100."""

    def faults(self, value: JSON, words: Vocabulary) -> Iterator[Fault]:
        """Yield one fault for what `parse_instant` refuses."""
        message = sentence(
            "This must be a date and time with offset, such as 2026-12-01T14:30:00Z."
        )
        if not isinstance(value, str):
            yield Fault(message)
            return
        try:
            parse_instant(value)
        except ValueError:
            yield Fault(message)

    def schema(self) -> dict[str, JSON]:
        """Return the JSON Schema of an instant."""
        return {"type": "string", "format": "date-time"}


UUID = Pattern(
    "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    sentence("This must be a lower-case UUID with hyphens."),
    "uuid",
)
# A sum that an act brought in: the id of the act, and whose, where it brought in several.
HOLDING = Pattern(f"{UUID.pattern}(?:/(?:-|{UUID.pattern}))?", UUID.message, "holding")
SHA256 = Pattern(
    "[0-9a-f]{64}", sentence("This must be a SHA-256 in 64 lower-case hex digits."), "sha256"
)
MEDIA_TYPE = Pattern(
    "[a-z]{1,20}/[a-z0-9][a-z0-9.+-]{0,98}",
    sentence("This must be a media type such as image/jpeg."),
    "media-type",
)
MOBILE = Pattern(
    r"[6-9][0-9]{9}|\+91[6-9][0-9]{9}|\+(?!91|0)[0-9]{8,15}",
    sentence("This must be a mobile number of ten digits, or one with + and the country code."),
    "mobile",
)
# No check digit of the tag is published, so its length is all that can be held against it.
EAR_TAG = Pattern("[0-9]{12}", sentence("An ear tag has exactly twelve digits."), "ear-tag")
CODE = Pattern(
    "[a-z][a-z0-9_]{0,63}",
    sentence("This must be a code of small letters, digits and underscores."),
    "code",
)
TOKEN = Pattern(
    "[0-9A-Za-z][0-9A-Za-z._-]{0,63}",
    sentence("This must be an identifier of at most 64 letters, digits, dots or hyphens."),
    "token",
)
INSTANT, TRUTH, ANIMAL_KIND = Instant(), Truth(), AnimalKind()
NAME = Text(200, shortest=1)
LINE = Text(200)
SHORT = Text(64)
FREE = Text(2000, is_long=True)
NARRATIVE = Text(10_000, is_long=True)
# A lot of no animals is not a lot: one noted by mistake is withdrawn. More than 500 head in one lot
# is a slip of the finger; a larger herd is several lots.
HEAD = Whole(1, 500)
# A keeper may state that none of a kind arrived.
HEAD_COUNTED = Whole(0, 500)
PAISE = Whole(0, 10**11)
BYTES = Whole(1, limits.PHOTO_BYTES)
