"""Makes the names of photos in a sentence links to them. Flask-free; called by templates."""

from __future__ import annotations

import re
from collections.abc import Mapping

from markupsafe import Markup, escape


def linked(sentence: str, links: Mapping[str, Mapping[str, str]]) -> Markup:
    """Return a sentence with the names in it as links. `links`: the attributes of each, by name."""
    if not links:
        return escape(sentence)
    longest_first = sorted(links, key=len, reverse=True)
    name = re.compile(f"({'|'.join(map(re.escape, longest_first))})(?![0-9])")
    parts = name.split(sentence)
    return Markup().join(
        _link(part, links[part]) if place % 2 else escape(part) for place, part in enumerate(parts)
    )


def _link(name: str, attributes: Mapping[str, str]) -> Markup:
    said = Markup(" ").join(
        Markup('{}="{}"').format(key, value) for key, value in attributes.items()
    )
    return Markup("<a {}>{}</a>").format(said, name)
