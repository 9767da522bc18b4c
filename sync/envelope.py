"""A push read in two steps: the envelope, then each op as a slice of the body.

What is wrong inside one op is that op's fault; only a broken envelope refuses the whole. The slice
is the payload that is kept, byte for byte. `wire` hands these names on to the API.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sync.strict import (
    JSON,
    MAX_DEPTH,
    WireError,
    check_depth,
    check_texts,
    decode_at,
    has_suspect_escape,
    loads,
    skip_space,
)

MAX_OPS = 500
# Reading an op where it stands is fastest, but an error there costs a pass over the whole body:
# after so many, each op is cut out first.
_TRIES = 8

_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|["\[\]{},]', re.DOTALL)
_CLOSES = {"]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Slice:
    """One element of `ops`: its bytes, and its value or what is wrong with it."""

    raw: bytes
    value: JSON
    error: WireError | None = None


@dataclass(frozen=True, slots=True)
class Envelope:
    """The members of a push without `ops`, and its ops in order."""

    members: dict[str, JSON]
    ops: list[Slice]


def read_envelope(body: bytes, *, max_ops: int = MAX_OPS) -> Envelope:
    """Return the envelope in `body`, its ops cut out as they came.

    Raises WireError if the envelope or the array of ops is no strict JSON, or holds more than
    `max_ops`; an op that is none gets its error in its slice.
    """
    return _Reader(body, max_ops).read()


class _Reader:
    """A cursor over the body. Keeps: `_at` never moves past what was understood."""

    def __init__(self, body: bytes, max_ops: int) -> None:
        self._body = body
        self._is_ascii = body.isascii()
        try:
            self._text, self._tries = body.decode(), _TRIES
        except UnicodeDecodeError:
            # Bad bytes may stand inside an op; as surrogates they find their way back to its slice.
            self._text, self._tries = body.decode(errors="surrogateescape"), 0
        self._is_suspect = not self._tries or has_suspect_escape(self._text)
        self._max_ops = max_ops
        self._at = 0

    def read(self) -> Envelope:
        members: dict[str, JSON] = {}
        ops: list[Slice] | None = None
        self._expect("{")
        while self._has_next("}", is_first=not members and ops is None):
            name = self._name()
            if name in members or (name == "ops" and ops is not None):
                raise WireError("duplicate-key", "the envelope names a member twice")
            if name == "ops":
                ops = self._ops()
            else:
                members[name] = self._member()
        if skip_space(self._text, self._at) != len(self._text):
            raise WireError("envelope", f"something follows the envelope at {self._at}")
        return Envelope(members, ops or [])

    def _ops(self) -> list[Slice]:
        ops: list[Slice] = []
        self._expect("[")
        while self._has_next("]", is_first=not ops):
            if len(ops) == self._max_ops:
                raise WireError("too-many-ops", f"more than {self._max_ops} ops")
            ops.append(self._op())
        return ops

    def _op(self) -> Slice:
        start = self._at = skip_space(self._text, self._at)
        if self._tries:
            try:
                value, self._at = decode_at(self._text, start)
            except WireError:
                self._tries -= 1
            else:
                return self._checked(start, value)
        self._at = _end_of(self._text, start)
        raw = self._raw(start)
        try:
            return Slice(raw, loads(raw))
        except WireError as exc:
            return Slice(raw, None, exc)

    def _checked(self, start: int, value: JSON) -> Slice:
        try:
            self._check(value, start)
        except WireError as exc:
            return Slice(self._raw(start), None, exc)
        return Slice(self._raw(start), value)

    def _raw(self, start: int) -> bytes:
        if self._is_ascii:
            return self._body[start : self._at]
        return self._text[start : self._at].encode(errors="surrogateescape")

    def _name(self) -> str:
        name = self._member()
        if not isinstance(name, str):
            raise WireError("envelope", "a member of the envelope has no name")
        self._expect(":")
        return name

    def _member(self) -> JSON:
        start = skip_space(self._text, self._at)
        value, self._at = decode_at(self._text, start)
        self._check(value, start)
        return value

    def _check(self, value: JSON, start: int) -> None:
        if self._is_suspect:
            check_texts(value)
        brackets = self._text.count("[", start, self._at) + self._text.count("{", start, self._at)
        if brackets > MAX_DEPTH:
            check_depth(value, MAX_DEPTH)

    def _has_next(self, close: str, *, is_first: bool) -> bool:
        """Move to the next element or member, or past the end of the container."""
        at = skip_space(self._text, self._at)
        if self._text.startswith(close, at):
            self._at = at + 1
            return False
        if not is_first:
            self._expect(",")
        return True

    def _expect(self, mark: str) -> None:
        at = skip_space(self._text, self._at)
        if not self._text.startswith(mark, at):
            raise WireError("envelope", f"expected {mark} at {at}")
        self._at = at + 1


def _end_of(text: str, start: int) -> int:
    """Return where the element at `start` ends, whatever it holds; depth costs no stack.

    Raises WireError where even strings and brackets do not tell.
    """
    opened: list[str] = []
    for token in _TOKEN.finditer(text, start):
        mark = token[0]
        if mark in "[{":
            opened.append(mark)
        elif mark == '"':
            break
        elif mark in "]}" and opened:
            if opened.pop() != _CLOSES[mark]:
                break
            if not opened:
                return token.end()
        elif mark in ",]}" and not opened:
            return _end_of_word(text, start, token.start())
    raise WireError("envelope", f"the element at {start} has no end")


def _end_of_word(text: str, start: int, stop: int) -> int:
    word = text[start:stop].rstrip(" \t\n\r")
    if not word:
        raise WireError("envelope", f"no element at {start}")
    return start + len(word)
