"""`fieldapi device …`: list phones, confirm, reject, revoke them."""

from __future__ import annotations

from dataclasses import asdict

import click

from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.find import authority_option, boss_of, find_device
from fieldapi.models.device import STANDINGS
from fieldapi.queries.devices import DeviceView, all_devices, view_device
from fieldapi.queries.devices import device as one_device
from fieldapi.services import device_people, devices
from fieldapi.services.authorise import Principal
from fieldapi.unit import Unit

_SHOWN = ("number", "standing", "fingerprint", "make", "model", "person", "id")


@click.group()
def device() -> None:
    """Phones: list, confirm, reject, revoke, share.

    A DEVICE is named by its id, or by its number in the authority.
    """


@device.command("list", short_help="List the phones of an authority.")
@authority_option
@click.option("--standing", type=click.Choice(STANDINGS), help="Those of one standing only.")
@json_option
@click.pass_obj
def list_(desk: Desk, *, authority: str | None, standing: str | None) -> None:
    """List the phones of an authority, with the fingerprints their screens show."""
    boss = boss_of(desk, authority)
    with desk.house.database.read() as session:
        views = all_devices(session, boss.authority_id, standing=standing)
    rows = [{**asdict(view), "person": view.person_id} for view in views]
    desk.table(rows, _SHOWN, empty="There is no phone yet.")


@device.command(short_help="Confirm a phone whose six digits you compared.")
@click.argument("device")
@authority_option
@json_option
@click.pass_obj
def confirm(desk: Desk, *, device: str, authority: str | None) -> None:
    """Confirm a phone whose six digits you compared; what it handed in is let go."""
    _judge(desk, find_device(desk, device, authority), verdict="confirm")


@device.command()
@click.argument("device")
@authority_option
@click.option("--reason", default="", help="Told to the phone.")
@json_option
@click.pass_obj
def reject(desk: Desk, *, device: str, authority: str | None, reason: str) -> None:
    """Turn a pending phone down, and with it what it handed in."""
    _judge(desk, find_device(desk, device, authority), verdict="reject", reason=reason)


@device.command()
@click.argument("device")
@authority_option
@click.option("--reason", default="", help="Told to the phone.")
@json_option
@click.pass_obj
def revoke(desk: Desk, *, device: str, authority: str | None, reason: str) -> None:
    """End a phone: from its next request on its token is refused."""
    _judge(desk, find_device(desk, device, authority), verdict="revoke", reason=reason)


@device.command()
@click.argument("device")
@authority_option
@click.option("--person", "person_id", required=True, help="Id of the person.")
@click.option("--end", "is_end", is_flag=True, help="No longer, from now on.")
@json_option
@click.pass_obj
def share(desk: Desk, *, device: str, authority: str | None, person_id: str, is_end: bool) -> None:
    """Let one more person report from a phone; with --end, no longer."""
    boss, device_id = find_device(desk, device, authority)
    log = desk.house.settings.outside_log

    def work(unit: Unit) -> None:
        if is_end:
            device_people.leave(unit, boss, device_id, person_id, log=log)
        else:
            device_people.join(unit, boss, device_id, person_id)

    desk.house.database.transact(work)
    with desk.house.database.read() as session:
        view = one_device(session, boss.authority_id, device_id)
    text = f"Phone {view.number}: {', '.join(view.people or ())}"
    desk.say(text, asdict(view))


def _judge(desk: Desk, found: tuple[Principal, str], *, verdict: str, reason: str = "") -> None:
    boss, device_id = found
    log = desk.house.settings.outside_log
    row = desk.house.database.transact(
        lambda unit: devices.judge(unit, boss, device_id, verdict=verdict, reason=reason, log=log)
    )
    view: DeviceView = view_device(row)
    text = f"Phone {view.number} ({view.fingerprint}) is {view.standing}."
    desk.say(text, asdict(view))
