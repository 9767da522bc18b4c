"""Programs that waited too long for a thread are turned away; people and probes are not."""

from __future__ import annotations

from types import SimpleNamespace

from fieldapi.api.crowding import LATE_S
from tests.support.house import Client


def _late(waited_s: float) -> dict[str, object]:
    """Return what a request brings from `pacing` that waited so long."""
    return {"gunicorn.socket": SimpleNamespace(waited_s=waited_s)}


def test_late_programs_are_told_to_come_again_and_people_are_answered(client: Client) -> None:
    late = _late(LATE_S + 1)
    turned = [
        client.post(f"/api/v1/{path}", data=b"not even JSON", environ_overrides=late)
        for path in ("sync", "uploads", "devices")
    ]
    served = [
        client.get(path, environ_overrides=late).status_code
        for path in ("/healthz", "/readyz", "/console/sign-in", "/app/")
    ]
    in_time = client.get("/api/v1/me", environ_overrides=_late(LATE_S - 1))

    assert [answer.status_code for answer in turned] == [503] * 3
    assert all(5 <= int(answer.headers["Retry-After"]) <= 65 for answer in turned)
    assert served == [200] * 4
    assert in_time.status_code == 401
