"""What the long simulations ask of whoever starts them, and the databases they run on."""

from __future__ import annotations

import argparse
import secrets
from contextlib import ExitStack
from pathlib import Path

from tests.support.databases import Databases, PostgresDatabases, SqliteDatabases
from tests.support.postgres import Postgres

KINDS = ("sqlite", "postgresql")


def asked(about: str | None, **sizes: int) -> argparse.Namespace:
    """Return what the command line says: each of `sizes` as an option, a seed (drawn if it is not
    given), and whether to answer in JSON. `about`: the docstring of the script.
    """
    return seeded(parser_of(about, **sizes))


def parser_of(about: str | None, **sizes: int) -> argparse.ArgumentParser:
    """Return the parser behind `asked`, for options of one's own."""
    parser = argparse.ArgumentParser(description=(about or "").splitlines()[0])
    for name, size in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=size)
    parser.add_argument("--seed", type=int, default=None, help="the first; drawn if not given")
    parser.add_argument("--json", action="store_true")
    return parser


def seeded(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Return what the command line says, with a seed in any case."""
    found = parser.parse_args()
    found.seed = secrets.randbelow(10**9) if found.seed is None else found.seed
    return found


def databases_of(kind: str, folder: Path, stack: ExitStack) -> Databases:
    """Return fresh databases of a kind, in `folder` or on a server that ends with `stack`."""
    if kind == "sqlite":
        return SqliteDatabases(folder)
    return PostgresDatabases(stack.enter_context(Postgres()))
