"""Sentences of the catalogues: written in English where they are said, translated at the edge.

Used by every layer that says something to people. Imports nothing of the project.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self, TypeAlias

# A value of a placeholder; a `Sentence` among them is translated too.
Param: TypeAlias = str | int


class Sentence(str):
    """An English text that knows what it was made of: `message` of the catalogue and `params`.

    It is text like any other wherever nobody translates; `fieldapi.locale.gettext` says it in
    another language.
    """

    message: str
    params: Mapping[str, Param]

    __slots__ = ("message", "params")

    def __new__(cls, message: str, params: Mapping[str, Param]) -> Self:
        """Return the message with its `{named}` places filled, in English."""
        said = super().__new__(cls, message.format(**params) if params else message)
        said.message, said.params = str(message), params
        return said

    def __getnewargs__(self) -> tuple[str, Mapping[str, Param]]:  # type: ignore[override]
        """Return what a copy is made of."""
        return self.message, self.params


def sentence(message: str, /, **params: Param) -> Sentence:
    """Return a sentence; `pybabel extract -k sentence` collects it for `fieldapi/locale`.

    >>> sentence("At most {most} reports at once.", most=50)
    'At most 50 reports at once.'
    """
    return Sentence(message, params)
