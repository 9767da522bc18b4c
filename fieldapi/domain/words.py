"""Marks sentences for the gettext catalogues without translating them.

Used by domain, law and the problem catalogue: they hand out English sentences, the edge renders
them. Imports nothing.
"""


def sentence(text: str) -> str:
    """Return `text` unchanged; `pybabel extract -k sentence` collects it for `fieldapi/locale`."""
    return text
