"""The command line: `fieldapi …`. One file per group of commands; each is loaded when it is asked
for. A new command is one line in `COMMANDS`.
"""

from __future__ import annotations

import os
import sys

from fieldapi.cli.frame import Frame, Listed

COMMANDS: tuple[Listed, ...] = (
    Listed("Run", "demo", "fieldapi.cli.demo:demo"),
    Listed("Run", "demo-data", "fieldapi.cli.demo_data:demo_data"),
    Listed("Run", "serve", "fieldapi.cli.serve:serve"),
    Listed("Run", "migrate", "fieldapi.cli.serve:migrate_"),
    Listed("Run", "sweep", "fieldapi.cli.serve:sweep"),
    Listed("Run", "worker", "fieldapi.cli.serve:worker"),
    Listed("Set up", "authority", "fieldapi.cli.authority:authority"),
    Listed("Set up", "pound", "fieldapi.cli.pound:pound"),
    Listed("Set up", "fees", "fieldapi.cli.fees:fees"),
    Listed("Set up", "places", "fieldapi.cli.places:places"),
    Listed("Set up", "statutes", "fieldapi.cli.statutes:statutes"),
    Listed("People and phones", "people", "fieldapi.cli.people:people"),
    Listed("People and phones", "person", "fieldapi.cli.person:person"),
    Listed("People and phones", "enrol", "fieldapi.cli.enrol:enrol"),
    Listed("People and phones", "device", "fieldapi.cli.device:device"),
    Listed("People and phones", "phones", "fieldapi.cli.phones:phones"),
    Listed("People and phones", "erase", "fieldapi.cli.erase:erase"),
    Listed("Keep and check", "backup", "fieldapi.cli.backup:backup"),
    Listed("Keep and check", "backup-key", "fieldapi.cli.backup:backup_key"),
    Listed("Keep and check", "restore", "fieldapi.cli.backup:restore"),
    Listed("Keep and check", "bundle", "fieldapi.cli.bundle:bundle"),
    Listed("Keep and check", "hold", "fieldapi.cli.hold:hold"),
    Listed("Keep and check", "incident-pack", "fieldapi.cli.incident:incident_pack"),
    Listed("Keep and check", "ledger", "fieldapi.cli.ledger:ledger"),
    Listed("Keep and check", "ops", "fieldapi.cli.ops:ops"),
    Listed("Keep and check", "photos", "fieldapi.cli.photos:photos"),
)

cli = Frame("fieldapi", COMMANDS)


def main() -> None:
    """Run the command line and leave with its exit code: 0 done, 1 not done, 2 not understood.

    What it writes is readable by its own user alone: nearly all of it is about people.
    """
    os.umask(0o077)
    sys.exit(cli.run())
