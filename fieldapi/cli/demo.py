"""`fieldapi demo`: shows the whole way of a report on this machine, and leaves it running."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from fieldapi.cli.desk import Desk, json_option
from fieldapi.demo.story import Wish, play
from fieldapi.demo.telling import Teller


@click.command(short_help="Show a report's whole way, from phone to proof.")
@click.option("--once", "is_once", is_flag=True, help="End when the story is told; 0 if it held.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the server; else a free one.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Fresh folder to work in. Else var/demo-…, with --once a temporary one.",
)
@json_option
@click.pass_obj
def demo(desk: Desk, *, is_once: bool, port: int | None, data: Path | None) -> int:
    """Show a report's whole way: offline phone, bad network, review, proof.

    Real programs on this machine, in a folder of their own: the server, a phone, a browser. It ends
    with the addresses to look around at, and keeps them running until Ctrl-C.
    """
    return play(Teller(sys.stdout, is_json=desk.is_json), Wish(is_once, port, data))
