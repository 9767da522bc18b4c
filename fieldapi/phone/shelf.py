"""The phone app's files as they are served: one build, one folder, named by what is in it.

A page and everything it loads come from `/app/shelf/{build}/`, so an old page never meets a new
script. Called by the views and by the tests of the budgets. Must never import Flask.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import join, normpath
from posixpath import split as split_path

from fieldapi.locale import FALLBACK, LANGUAGES, web_messages
from fieldapi.packs import load_packs

PREFIX = "/app/shelf/"
FIRST_MODULE = "app.js"
PAGE = "index.html"
_MEDIA = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "opus": "audio/ogg",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
_PACKED = frozenset({"css", "html", "js", "json", "svg"})
# Not part of a build: the worker has a fixed address, the install dialogue asks for the icons.
_APART = frozenset({"sw.js", "off.js", "app.webmanifest", "icon-192.png", "icon-512.png"})
# Whole lines of comment, and the white space before code: half of what a slow line would carry.
_BLOCK = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*$", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"^[ \t]*//.*$|^[ \t]+", re.MULTILINE)
_VOICE = re.compile(r"voices/(?P<language>\w+)/(?P<word>\w+)\.opus")
_IMPORT = re.compile(r'^(?:import|export)\b[^"]*?"(\.{1,2}/[^"]+)";', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Stored:
    """One file. `packed`: gzipped, where that makes it smaller."""

    path: str
    media: str
    content: bytes
    packed: bytes | None = None

    @property
    def wire_bytes(self) -> int:
        """Return what a phone pays for it."""
        return len(self.content if self.packed is None else self.packed)


@dataclass(frozen=True, slots=True)
class Shelf:
    """A build. `files`: by path below the folder; `apart`: what has an address of its own."""

    build: str
    files: Mapping[str, Stored]
    apart: Mapping[str, Stored]

    def url(self, path: str) -> str:
        """Return where a file of this build is found."""
        return f"{PREFIX}{self.build}/{path}"

    def worker(self, name: str = "sw.js") -> bytes:
        """Return the service worker, told on its first line which build it is of. Recordings are
        fetched when they are first heard: all of them would weigh more than the app.
        """
        kept = [self.url(path) for path in self.files if not _VOICE.fullmatch(path)]
        about = {"build": self.build, "page": self.url(PAGE), "files": kept}
        return f"self.SHELF = {json.dumps(about)};\n".encode() + self.apart[name].content


@cache
def shelf() -> Shelf:
    """Return the build that this version of the program serves."""
    return build_of(read_sources())


def read_sources() -> dict[str, bytes]:
    """Return every file of the app by its path, and what it says in each language but English."""
    found = dict(_walk(files("fieldapi") / "webapp", ""))
    for language in set(LANGUAGES) - {FALLBACK}:
        said = json.dumps(_words(language), ensure_ascii=False, separators=(",", ":"))
        found[f"locale/{language}.json"] = said.encode()
    found["voices.json"] = json.dumps(voices(found), separators=(",", ":")).encode()
    return found


def voices(paths: Iterable[str]) -> dict[str, list[str]]:
    """Return which words local speakers have recorded, `voices/{language}/{word}.opus`."""
    spoken: dict[str, list[str]] = {}
    for path in sorted(paths):
        if (parts := _VOICE.fullmatch(path)) is not None:
            spoken.setdefault(parts["language"], []).append(parts["word"])
    return spoken


def _words(language: str) -> dict[str, object]:
    """Return sentences of the app and labels of the statutes, so that a phone needs no network to
    change its language.
    """
    labels = {
        code: [kind.labels[language].one, kind.labels[language].other]
        for code, kind in load_packs().kinds.items()
    }
    sentences = web_messages(language, folder="fieldapi/statutes/") | web_messages(language)
    return {"sentences": sentences, "kinds": labels}


def build_of(sources: Mapping[str, bytes]) -> Shelf:
    """Return the build made of `sources`. The same bytes are the same build."""
    digest = hashlib.sha256()
    for path in sorted(sources):
        digest.update(f"{path}\n{hashlib.sha256(sources[path]).hexdigest()}\n".encode())
    build = digest.hexdigest()[:12]
    apart = {path: _stored(path, sources[path]) for path in _APART}
    inside = {path: sources[path] for path in sorted(sources) if path not in _APART}
    inside[PAGE] = _page(inside[PAGE], f"{PREFIX}{build}/", modules(sources))
    return Shelf(build, {path: _stored(path, inside[path]) for path in inside}, apart)


def modules(sources: Mapping[str, bytes], first: str = FIRST_MODULE) -> list[str]:
    """Return the scripts that a page needs before it can do anything, in the order met."""
    found = [first]
    for path in found:
        folder = split_path(path)[0]
        for name in _IMPORT.findall(sources[path].decode()):
            met = normpath(join(folder, name))
            if met not in found:
                found.append(met)
    return found


def _page(page: bytes, folder: str, needed: list[str]) -> bytes:
    """Return the page with addresses of this build, its scripts named so that none waits."""
    preloads = "\n".join(f'<link rel="modulepreload" href="{folder}{path}">' for path in needed)
    text = page.decode().replace("<!-- modules -->", preloads)
    return text.replace('"./', f'"{folder}').encode()


def _walk(folder: Traversable, below: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for one in folder.iterdir():
        path = f"{below}{one.name}"
        if one.is_dir():
            found += _walk(one, f"{path}/")
        elif _ending(path) in _MEDIA:
            found.append((path, one.read_bytes()))
    return found


def lean(script: str) -> str:
    r"""Return a script without comments that fill lines; each line keeps its number.

    >>> lean("/** Why. */\n  // how\n  go(); // now\n")
    '\n\ngo(); // now\n'
    """
    bare = _BLOCK.sub(lambda found: "\n" * found[0].count("\n"), script)
    return _LINE.sub("", bare)


def _stored(path: str, content: bytes) -> Stored:
    if path.endswith(".js"):
        content = lean(content.decode()).encode()
    packed = gzip.compress(content, mtime=0) if _ending(path) in _PACKED else None
    is_smaller = packed is not None and len(packed) < len(content)
    return Stored(path, _MEDIA[_ending(path)], content, packed if is_smaller else None)


def _ending(path: str) -> str:
    return path.rpartition(".")[2]
