"""One table of a statute file, read strictly: a wrong type, a missing or an unknown key is named.

Used by the readers of this package only. Must never know what the keys mean.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import date, datetime
from typing import TypeVar

Value = TypeVar("Value")


class PackError(Exception):
    """A statute file cannot be used: `file`, `key` (dotted, lists by index) and what is wrong."""

    def __init__(self, file: str, key: str, message: str) -> None:
        """Keep the place beside the sentence."""
        super().__init__(f"{file}: {key}: {message}")
        self.file, self.key, self.message = file, key, message


class PackTable:
    """A table of a TOML file that remembers where it stands and which of its keys were read."""

    def __init__(self, file: str, path: str, data: Mapping[str, object]) -> None:
        """Wrap `data`, which stands at the dotted `path` of `file`."""
        self.file, self.path, self._data = file, path, data
        self._read: set[str] = set()

    def fault(self, key: str, message: str) -> PackError:
        """Return the error for a key of this table."""
        return PackError(self.file, f"{self.path}.{key}" if self.path else key, message)

    def has(self, key: str) -> bool:
        """Say whether the key is given."""
        return key in self._data

    def text(self, key: str, *, default: str | None = None) -> str:
        """Return a text that is not empty."""
        text = self._value(key, str, "a text", default=default)
        if not text.strip():
            raise self.fault(key, "must not be empty")
        return text

    def choice(self, key: str, codes: Collection[str]) -> str:
        """Return one of `codes`."""
        code = self.text(key)
        if code not in codes:
            raise self.fault(key, f"{code!r} is not one of {', '.join(codes)}")
        return code

    def whole(self, key: str) -> int:
        """Return a whole number; true and false are none."""
        number = self._value(key, int, "a whole number")
        if isinstance(number, bool):
            raise self.fault(key, "must be a whole number")
        return number

    def truth(self, key: str, *, default: bool | None = None) -> bool:
        """Return true or false."""
        return self._value(key, bool, "true or false", default=default)

    def day(self, key: str, *, default: date | None = None) -> date:
        """Return a date without time."""
        day = self._value(key, date, "a date", default=default)
        if isinstance(day, datetime):
            raise self.fault(key, "must be a date without time")
        return day

    def texts(self, key: str, *, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Return a list of texts without repeats."""
        absent: list[object] | None = None if default is None else [*default]
        values: list[object] = self._value(key, list, "a list of texts", default=absent)
        texts = tuple(one for one in values if isinstance(one, str))
        if len(texts) != len(values):
            raise self.fault(key, "must be a list of texts")
        if len(set(texts)) != len(texts):
            raise self.fault(key, "names something twice")
        return texts

    def table(self, key: str) -> "PackTable":
        """Return the table under `key`."""
        return self._inner(key, self._value(key, dict, "a table"))

    def tables(self, key: str) -> list["PackTable"]:
        """Return the list of tables under `key`, empty if it is absent."""
        values: list[object] = self._value(key, list, "a list of tables", default=[])
        return [self._inner(f"{key}[{place}]", one) for place, one in enumerate(values)]

    def names(self) -> tuple[str, ...]:
        """Return the keys of this table, in the order of the file."""
        return tuple(self._data)

    def named(self, key: str) -> Iterator[tuple[str, "PackTable"]]:
        """Yield name and table for each table inside the table `key`."""
        inner = self.table(key)
        yield from ((name, inner.table(name)) for name in inner.names())

    def done(self) -> None:
        """Raise PackError for a key that nobody asked for: most likely a slip of the pen."""
        for key in self._data:
            if key not in self._read:
                raise self.fault(key, "is not a known key")

    def _inner(self, key: str, value: object) -> "PackTable":
        if not isinstance(value, dict):
            raise self.fault(key, "must be a table")
        return PackTable(self.file, f"{self.path}.{key}" if self.path else key, value)

    def _value(
        self, key: str, kind: type[Value], what: str, *, default: Value | None = None
    ) -> Value:
        self._read.add(key)
        value = self._data.get(key, default)
        if value is None:
            raise self.fault(key, "is missing")
        if not isinstance(value, kind):
            raise self.fault(key, f"must be {what}")
        return value
