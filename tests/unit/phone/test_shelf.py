"""The phone app's files: one build is one name, small for a slow line, none from elsewhere."""

from __future__ import annotations

import json
import re

from fieldapi.phone.shelf import PAGE, Shelf, build_of, modules, read_sources, shelf, voices

KB = 1000


def wire_kb(found: Shelf, ending: str) -> float:
    return sum(one.wire_bytes for path, one in found.files.items() if path.endswith(ending)) / KB


def test_one_changed_byte_is_another_build() -> None:
    sources = read_sources()
    other = {**sources, "ui/home.js": sources["ui/home.js"] + b"\n"}

    assert build_of(sources).build == build_of(dict(reversed(sources.items()))).build
    assert build_of(sources).build != build_of(other).build


def test_page_names_nothing_of_another_build() -> None:
    found = shelf()
    page = found.files[PAGE].content.decode()
    addresses = re.findall(r'(?:href|src)="([^"]+)"', page)

    inside = [one for one in addresses if one.startswith("/app/shelf/")]
    assert set(addresses) - set(inside) == {"/app/app.webmanifest"}
    assert all(one.startswith(found.url("")) for one in inside)
    assert {one.removeprefix(found.url("")) for one in inside} <= set(found.files)


def test_every_import_is_on_the_shelf() -> None:
    sources = read_sources()
    scripts = [path for path in sources if path.endswith(".js")]

    met = {one for path in scripts for one in modules(sources, path)}
    assert met <= set(sources)


def test_app_is_light_enough_for_a_slow_line() -> None:
    found = shelf()

    first = [found.files[path].wire_bytes for path in modules(read_sources())]
    assert sum(first) / KB <= 60
    assert wire_kb(found, ".js") <= 120
    assert wire_kb(found, ".css") <= 8
    assert wire_kb(found, "pictures.svg") <= 12
    assert wire_kb(found, "") <= 250


def test_nothing_is_asked_of_another_server() -> None:
    written = (path for path in read_sources().items())
    named = {
        (path, address)
        for path, content in written
        if not path.endswith(".png")
        for address in re.findall(r"https?://[^\s\"'`)<]+", content.decode())
    }

    assert {address for _, address in named} <= {"http://www.w3.org/2000/svg"}


def test_page_has_no_script_and_no_style_of_its_own() -> None:
    page = shelf().files[PAGE].content.decode()

    assert not re.search(r"<script(?![^>]* src=)|<style|\son\w+=|style=", page)


def test_worker_knows_every_file_of_its_build() -> None:
    found = shelf()
    first, _, rest = found.worker().decode().partition("\n")

    assert found.build in first
    assert all(f'"{found.url(path)}"' in first for path in found.files)
    assert rest.encode() == found.apart["sw.js"].content


def test_recordings_are_listed_and_fetched_only_when_they_are_heard() -> None:
    recorded = {"voices/gu/cow.opus": b"OggS", "voices/gu/goat.opus": b"OggS"}
    sources = {**read_sources(), **recorded}
    sources["voices.json"] = json.dumps(voices(sources)).encode()
    found = build_of(sources)

    assert voices(sources) == {"gu": ["cow", "goat"]}
    assert found.files["voices/gu/cow.opus"].media == "audio/ogg"
    assert b".opus" not in found.worker()
