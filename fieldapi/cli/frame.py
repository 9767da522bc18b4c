"""The frame of the command line: its help by sections, and how failures are told.

Exit codes: 0 done · 1 not done, with the reason in one line · 2 the command was not understood.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import groupby

import click
from sqlalchemy.exc import OperationalError

import fieldapi
from fieldapi.cli.desk import Desk
from fieldapi.problems import Problem
from fieldapi.settings import SettingsError

_HELP = """Offline-first intake, evidence and case handling for seizures of trespassing cattle.

\b
First steps:
  fieldapi authority add --code RJK --name "Rajkot Taluka Panchayat" --statute gujarat
  fieldapi person add --authority RJK --name "Asha" --role reporter --capacity police
  fieldapi enrol --person ID --card asha.html
  fieldapi serve
"""


@dataclass(frozen=True, slots=True)
class Listed:
    """A command: its section of the help, its name, and `module:function`."""

    section: str
    name: str
    place: str

    def load(self) -> click.Command:
        """Return the command; its module is imported only now."""
        module, _, function = self.place.partition(":")
        command: click.Command = getattr(import_module(module), function)
        return command


class Frame(click.Group):
    """The outermost group."""

    def __init__(self, name: str, listed: Sequence[Listed]) -> None:
        super().__init__(name, help=_HELP, no_args_is_help=True)
        self._listed = {one.name: one for one in listed}
        click.version_option(fieldapi.__version__, prog_name="fieldapi")(self)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        return list(self._listed)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        found = self._listed.get(cmd_name)
        return None if found is None else found.load()

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by section."""
        for section, ones in groupby(self._listed.values(), key=lambda one: one.section):
            rows = [(one.name, one.load().get_short_help_str(limit=80)) for one in ones]
            with formatter.section(section):
                formatter.write_dl(rows, col_max=12)

    def run(self, args: Sequence[str] | None = None) -> int:
        """Run and return the exit code; a failure is told in one line on standard error."""
        desk = Desk()
        try:
            return _code(self.main(args, prog_name=self.name, standalone_mode=False, obj=desk))
        except click.Abort:
            return desk.fail("stopped; nothing was changed")
        except click.ClickException as exc:
            exc.show()
            return exc.exit_code
        except SettingsError as exc:
            return desk.fail(f"{exc.name}: {exc.message}", hint=exc.hint)
        except Problem as exc:
            return desk.fail(exc.detail or exc.title, hint=_hint(exc), problem=exc)
        except OperationalError:
            return desk.fail("the database does not answer", hint="is FIELDAPI_DATABASE_URL right?")
        finally:
            desk.close()


def _code(returned: object) -> int:
    return returned if isinstance(returned, int) else 0


def _hint(problem: Problem) -> str:
    """Return what is wrong field by field, unless the detail says it already."""
    if problem.detail:
        return ""
    return "; ".join(f"{name}: {' '.join(said)}" for name, said in problem.errors.items())
