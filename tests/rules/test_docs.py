"""The documents against the tree: what they name exists, and what has to be named is.

Their examples are run by `tests/integration/test_examples.py`; their sentences nobody checks.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import PurePosixPath

import click
import pytest

from fieldapi import limits
from fieldapi.cli import cli
from fieldapi.domain import checks, flags
from fieldapi.models.person import ROLES
from fieldapi.packs import validate
from fieldapi.problems import catalogue
from fieldapi.services.ops import arrival
from tests.support import documents, tree
from tools.commands import main as dev

DOCUMENTS = documents.names()
GUIDE = "docs/protocol/sync.md"
STATUTES = "docs/statutes.md"
COMMAND = re.compile(
    r"(?:(?<![\w/.-])|bin/)fieldapi((?: [a-z][\w-]*)+|(?= -))((?: --?[\w-]+| \S+)*)"
)
SETTING = re.compile(r"FIELDAPI_[A-Z_]+[A-Z]")
LINK = re.compile(r"\]\(([^)\s]+)\)")
ENDINGS = (".json", ".lock", ".mako", ".md", ".po", ".py", ".sh", ".toml", ".yaml")
ROOMS = ("deploy/", "docs/", "fieldapi/", "migrations/", "sync/", "tests/", "tools/")
MADE_WHILE_RUNNING = {
    *("MANIFEST.json", "phone.json", "report.md"),
    *("bundle.json", "records.json", "keys/devices.json"),
}
CODE = re.compile(r"[a-z]+(?:-[a-z]+)+")


def commands(name: str) -> Iterator[str]:
    """Yield every line of a document that may hold a command: of blocks, and between backticks."""
    for block in documents.blocks(name):
        yield from block.replace("\\\n", " ").splitlines()
    yield from documents.spans(name)


@cache
def folders() -> frozenset[str]:
    return frozenset(str(up) for name in tree.files() for up in PurePosixPath(name).parents)


def is_there(path: str) -> bool:
    """Say whether a path of the documents exists; one without its beginning may be meant too."""
    bare = path.rstrip("/")
    return any(fnmatch(f"/{name}", f"*/{bare}") for name in (*tree.files(), *folders()))


def looks_like_a_path(text: str) -> bool:
    is_named = text.endswith(ENDINGS) or text.startswith(ROOMS)
    return is_named and re.fullmatch(r"[\w.*-][\w./*-]+", text) is not None


def anchors(name: str) -> set[str]:
    """Return what a link may name in a document, as the hosts of repositories make it."""
    heads = re.findall(r"^#+ (.*)$", documents.prose(name), re.MULTILINE)
    kept = (re.sub(r"[^\w\- ]", "", head.lower()) for head in heads)
    return {head.strip().replace(" ", "-") for head in kept}


def find_command(words: list[str]) -> click.Command:
    """Return what the words of a command line name. Raises AssertionError for no command."""
    found: click.Command = cli
    for word in words:
        if not isinstance(found, click.Group):
            break
        inner = found.get_command(click.Context(found), word)
        assert inner is not None, f"there is no `fieldapi {' '.join(words)}`"
        found = inner
    return found


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_dev_command_of_a_document_exists(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    dev(["help"])
    offered = set(re.findall(r"^  (\w+)", capsys.readouterr().out, re.MULTILINE))
    named = {word for line in commands(name) for word in re.findall(r"\./dev ([a-z]\w*)", line)}

    assert named - offered == set()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_fieldapi_command_of_a_document_exists_with_its_options(name: str) -> None:
    for line in commands(name):
        for words, rest in COMMAND.findall(line):
            found = find_command(words.split())
            known = {option for each in found.params for option in each.opts + each.secondary_opts}
            wrong = set(re.findall(r"(?<= )--[a-z-]+", rest)) - known - {"--help", "--version"}

            assert wrong == set(), line


def test_every_command_of_the_program_is_in_a_document() -> None:
    text = " ".join(" ".join(tree.text(name).split()) for name in DOCUMENTS)
    missing = [" ".join(words) for words in _leaves(cli, ()) if " ".join(words) not in text]

    assert missing == []


def _leaves(found: click.Command, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command that is no group."""
    if not isinstance(found, click.Group):
        yield ("fieldapi", *words)
        return
    context = click.Context(found)
    for name in found.list_commands(context):
        inner = found.get_command(context, name)
        assert inner is not None
        yield from _leaves(inner, (*words, name))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_path_of_a_document_exists(name: str) -> None:
    named = {text for text in documents.spans(name) if looks_like_a_path(text)}

    assert {path for path in named - MADE_WHILE_RUNNING if not is_there(path)} == set()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_of_a_document_leads_somewhere(name: str) -> None:
    here = PurePosixPath(name).parent
    broken = set()
    for target in LINK.findall(documents.prose(name)):
        path, _, anchor = target.partition("#")
        if path.startswith(("http://", "https://")):
            continue
        file = (tree.ROOT / here / path).resolve() if path else tree.ROOT / name
        is_good = file.exists() and file.is_relative_to(tree.ROOT)
        if not is_good or (anchor and anchor not in anchors(str(file.relative_to(tree.ROOT)))):
            broken.add(target)

    assert broken == set()


def test_every_document_is_reached_from_the_readme() -> None:
    reached, ahead = set(), {"README.md"}
    while ahead:
        name = ahead.pop()
        reached.add(name)
        links = (target.partition("#")[0] for target in LINK.findall(documents.prose(name)))
        files = {(tree.ROOT / name).parent.joinpath(link).resolve() for link in links if link}
        found = {
            str(file.relative_to(tree.ROOT)) for file in files if file.is_relative_to(tree.ROOT)
        }
        ahead |= (found & set(DOCUMENTS)) - reached

    assert set(DOCUMENTS) - reached == set()


def test_settings_of_the_program_and_of_the_documents_are_the_same() -> None:
    known = set(SETTING.findall(tree.text("fieldapi/settings.py")))
    of_compose = set(SETTING.findall(tree.text("compose.yaml")))
    named = {setting for name in DOCUMENTS for setting in SETTING.findall(tree.text(name))}

    assert named - known - of_compose == set()
    assert known - set(SETTING.findall(tree.text("docs/operations.md"))) == set()


def test_readme_shows_the_demo_before_the_tests() -> None:
    first, second, *_ = re.findall(r"^\./dev (\w+)$", tree.text("README.md"), re.MULTILINE)

    assert (first, second) == ("demo", "test")


def test_readme_names_every_role() -> None:
    table = re.findall(r"^\| `(\w+)` \| [a-z]", tree.text("README.md"), re.MULTILINE)

    assert sorted(table) == sorted(ROLES)


def test_codes_of_the_guide_are_those_of_the_program() -> None:
    slugs = {problem.slug for problem in catalogue()}
    said = [value for module in (arrival, checks) for value in vars(module).values()]
    spoken = {code for code in said if isinstance(code, str) and CODE.fullmatch(code)}
    named = {text for text in documents.spans(GUIDE) if CODE.fullmatch(text)}

    assert named - slugs - spoken == set()
    assert spoken - named == set()


def test_numbers_of_the_guide_are_those_of_the_program() -> None:
    text = tree.text(GUIDE)

    assert f"at most {limits.SYNC_OPS} ops, {limits.SYNC_WIRE_BYTES // limits.MIB} MiB" in text
    assert f"{limits.SYNC_INFLATED_BYTES // limits.MIB} MiB inflated" in text
    assert f"| largest photo | {limits.PHOTO_BYTES // limits.MIB} MiB |" in text
    assert f"at most {limits.CHECKED_CHUNK_BYTES // limits.MIB} MiB; kept whole" in text


@pytest.mark.parametrize("table", ["kinds", "capacities", "grounds", "place_kinds"])
def test_page_of_the_statutes_names_every_code(table: str) -> None:
    files = [name for name in tree.files() if re.fullmatch(r"fieldapi/statutes/\w+\.toml", name)]
    rows = [row for name in files for row in tomllib.loads(tree.text(name)).get(table, [])]
    codes = {row["code"] for row in rows}

    assert codes
    assert codes - set(documents.spans(STATUTES)) == set()


def test_page_of_the_statutes_counts_what_is_unsure() -> None:
    levels = [finding.level for finding in validate()]
    counts = re.search(r"(\d+) values .* (\d+) on which .* (\d+) labels", tree.text(STATUTES))

    assert counts is not None
    assert [int(count) for count in counts.groups()] == [
        levels.count(level) for level in ("unverified", "silent", "unchecked")
    ]


def test_flags_of_the_documents_exist() -> None:
    raised = re.findall(r"flagged\s+`(\w+)`", "".join(tree.text(name) for name in DOCUMENTS))

    assert raised
    assert set(raised) - set(flags.FLAGS) == set()


def test_tests_that_the_documents_name_exist() -> None:
    every = {match for name in tree.python("tests/") for match in _tests_in(tree.text(name))}
    named = {text for name in DOCUMENTS for text in documents.spans(name)}
    examples = {"test_closed_code_lets_nobody_in"}

    assert {text for text in named if re.fullmatch(r"test_\w+", text)} - every - examples == set()


def _tests_in(text: str) -> list[str]:
    return re.findall(r"^def (test_\w+)", text, re.MULTILINE)


def test_documents_that_the_code_names_exist() -> None:
    named = {
        (name, document)
        for name in tree.code()
        for document in re.findall(r"(?<![\w.*])[\w./-]*\w\.md\b", tree.text(name))
        if document not in MADE_WHILE_RUNNING
    }

    assert {(name, document) for name, document in named if not is_there(document)} == set()
