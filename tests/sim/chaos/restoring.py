"""R22 to R24 for PostgreSQL and S3 behind a real server: a backup while phones push, the database
lost, an older point restored beside the photo store, and phones that hold what came since.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch
from zipfile import ZipFile

from sqlalchemy import func, select

from fieldapi import ledger
from fieldapi.backup import make_backup, restore
from fieldapi.house import House, open_house
from fieldapi.models import OpRow, Photo
from fieldapi.services import replay
from fieldapi.services.photos import audit as photo_audit
from fieldapi.services.photos.audit import Share
from fieldapi.settings import Settings
from sync.client.device import Phone
from sync.client.transport import Backoff, Transport
from tests.sim.chaos.lines import photograph
from tests.sim.chaos.scenario import Found, Ground
from tests.sim.chaos.storms import one_host
from tests.support.cluster import Cluster
from tests.support.personas import Village, found_village, issue

_RESTORED = "older_point"
_RTO_S = 30 * 60


def older_point(ground: Ground) -> Found:
    """R22, R23: what phones were acknowledged after the backup is lost, and comes back from them.

    Counts the ops and photos that the restore lost, and the seconds until it was served again.
    """
    with one_host(ground) as made:
        village = found_village(made.house.database)
        phones = [
            _enrolled(made, village, number) for number in range(max(2, min(ground.phones, 8)))
        ]
        _push(phones, ground.reports, made.folder)
        backup = _back_up(made, phones)
        _push(phones, ground.reports, made.folder)
        for phone in phones:
            phone.upload()
        made.hosts[0].stop()
        found = _restored(made, backup, phones, village)
        for phone in phones:
            phone.close()
    return found


def _enrolled(made: Cluster, village: Village, number: int) -> Phone:
    asha = village["asha"]
    code = issue(made.house.database, asha.authority_id, asha.person_id)
    phone = Phone(made.folder / f"phone-{number}", connect=_line)
    phone.enrol(made.hosts[0].address, code, {"make": "Nokia"})
    return phone


def _line(base_url: str, token: str | None) -> Transport:
    return Transport(base_url, token, backoff=Backoff(tries=3, first_s=0.05))


def _push(phones: list[Phone], reports: int, folder: Path) -> None:
    """Let each phone report so often with a photo each, and hand in the reports alone."""
    for phone in phones:
        for number in range(reports):
            content = f"photo {phone.device.id} {number} {time.monotonic_ns()}".encode()
            photograph(phone, folder, content)
        phone.sync()


def _back_up(made: Cluster, phones: list[Phone]) -> Path:
    """Make a backup beside phones that push; in a thread, as phones belong to this one."""
    thread = threading.Thread(target=make_backup, args=(made.house, made.folder / "backup"))
    thread.start()
    while thread.is_alive():
        _push(phones[:1], 1, made.folder)
        phones[0].upload()
    thread.join()
    return made.folder / "backup"


def _restored(made: Cluster, backup: Path, phones: list[Phone], village: Village) -> Found:
    """Restore into an empty database, serve it, and let phones come back."""
    made.postgres.create(_RESTORED)
    began = time.monotonic()
    _restore_and_serve(made, backup)
    rto_s = time.monotonic() - began
    house = open_house(Settings.from_env(made.hosts[0].environ))
    kept = {op for phone in phones for op in _kept(phone, made.folder)}
    lost = kept - _stored(house)
    found = Found({"phones": len(phones), "ops": len(kept), "rto_s": round(rto_s, 1)})
    found.counts |= {"ops_lost_by_the_restore": len(lost)}
    found.claim(lost, "nothing was newer than the backup: the drill shows nothing")
    found.claim(rto_s < _RTO_S, f"served again after {rto_s:.0f} s")
    _come_back(found, phones)
    # Photos whose files phones had let go lie in the store: the nightly look takes them in.
    with patch.object(photo_audit, "FRESH", timedelta()):
        found.counts["photos_taken_in"] = photo_audit.audit(house, Share()).adopted.count
    gone = kept - _stored(house)
    found.counts |= {"ops_lost_for_good": len(gone)}
    found.claim(not gone, f"{len(gone)} acknowledged ops are lost")
    _hold_against(found, house, village.rjk)
    made.hosts[0].stop()
    house.database.close()
    made.postgres.drop(_RESTORED)
    return found


def _restore_and_serve(made: Cluster, backup: Path) -> None:
    host = made.hosts[0]
    environ = dict(host.environ)
    for name in ("FIELDAPI_DATABASE_URL", "FIELDAPI_OWNER_DATABASE_URL"):
        environ[name] = environ[name].rpartition("/")[0] + f"/{_RESTORED}"
    restore(backup, made.folder / "restored", environ=environ)
    host.environ = {**environ, "FIELDAPI_DATA": str(made.folder / "restored")}
    host.start()
    host.wait_ready()


def _come_back(found: Found, phones: list[Phone]) -> None:
    for phone in phones:
        phone.sync()
        phone.upload()
        state = phone.state()
        found.claim(not state.waiting, f"{state.waiting} ops wait")
        found.claim(not state.photos_waiting, f"{state.photos_waiting} photos wait")
        found.claim(not state.alarms, f"alarms {state.alarms}")


def _hold_against(found: Found, house: House, authority: str) -> None:
    with house.database.read() as session:
        verified = ledger.verify(session, authority, house.keys)
        differences = replay.check(session, authority).differences
    report = photo_audit.audit(house, Share())
    with house.database.read() as session:
        announced = session.scalar(select(func.count()).select_from(Photo))
    found.counts |= {"ledger": verified.size, "photos": report.known}
    found.claim(report.known == announced, f"{report.known} photos of {announced} are there")
    found.claim(not verified.faults, f"the ledger does not verify: {verified.faults[:1]}")
    found.claim(not differences, f"{len(differences)} records are not what their ops make")
    found.claim(report.is_sound, "photos are not sound")


def _stored(house: House) -> set[str]:
    with house.database.read() as session:
        return set(session.scalars(select(OpRow.op)))


def _kept(phone: Phone, folder: Path) -> Iterator[str]:
    phone.export(folder / "kept.zip")
    with ZipFile(folder / "kept.zip") as opened:
        for line in opened.read("ops.jsonl").splitlines():
            yield json.loads(line)["op"]
