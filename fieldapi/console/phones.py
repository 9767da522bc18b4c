"""The phones of the authority: six digits are compared here, and lost phones are ended."""

from __future__ import annotations

from flask import Response, redirect, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader
from fieldapi.console.sign_in import FORM
from fieldapi.problems import Conflict, NotFound
from fieldapi.queries import cases, devices
from fieldapi.queries.health import phone_uses
from fieldapi.services.devices import judge

_VERDICTS = ("confirm", "reject", "revoke")
_ORDER = ("pending", "confirmed", "rejected", "revoked")
_MOST = 200


@blp.get("/phones")
@session("device.read")
def phones() -> Response:
    """List the phones, those first whose fingerprint waits to be compared."""
    return _shown()


@blp.post("/phones/<device_id>/<verdict>")
@session("device.judge", is_great=True)
@takes(FORM)
def judge_phone(device_id: str, verdict: str) -> Response | Redirect:
    """Confirm, reject or revoke a phone. Raises `NotFound`."""
    if verdict not in _VERDICTS:
        raise NotFound
    parts, who = house(), door.principal()
    reason = request.form.get("reason", "")[:_MOST]
    log = parts.settings.outside_log
    try:
        parts.database.transact(
            lambda unit: judge(unit, who, device_id, verdict=verdict, reason=reason, log=log)
        )
    except Conflict:
        return _shown(fault=device_id, status=409)
    door.keep_note(f"phone-{verdict}")
    return redirect("/console/phones", 303)


def _shown(*, fault: str | None = None, status: int = 200) -> Response:
    who = door.principal()
    with house().database.read() as database:
        found = devices.all_devices(database, who.authority_id)
        names = cases.names(database, who.authority_id, {one.person_id for one in found})
        uses = phone_uses(database, who.authority_id)
        head = reader(database, who)
    found.sort(key=lambda one: (_ORDER.index(one.standing), one.number))
    shown = {"phones": found, "names": names, "reader": head, "fault": fault, "uses": uses}
    return page("phones.html", status=status, **shown)
