"""The line breaks at every byte, both ways: nothing is lost, nothing happens twice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from sync.client.device import Phone
from sync.client.faults import LinkDown
from tests.support.flaky_proxy import Plan, flaky_proxy
from tests.unit.sync_client.server import FieldServer

OpenPhone = Callable[[Path], Phone]


def host_of(address: str) -> tuple[str, int]:
    url = urlsplit(address)
    return url.hostname or "", url.port or 0


def test_proxy_carries_what_it_is_told_to_and_no_more(
    address: str, server: FieldServer, open_phone: OpenPhone, tmp_path: Path
) -> None:
    with flaky_proxy(host_of(address), Plan(reset_up_at=90), Plan(drop_answer=True)) as proxy:
        open_phone(tmp_path / "phone").enrol(proxy.address, "GOOD-CODE", {})

        assert proxy.connections == 4
        assert [each.path for each in server.requests].count("/api/v1/devices") == 2


@pytest.mark.parametrize("is_up", [True, False], ids=["request", "answer"])
def test_cut_at_any_byte_loses_nothing_and_doubles_nothing(
    phone: Phone, address: str, server: FieldServer, *, is_up: bool
) -> None:
    places = range(0, 2400, 60)
    cuts = [Plan(reset_up_at=at) if is_up else Plan(reset_down_at=at) for at in places]
    captured = []
    with flaky_proxy(host_of(address), *cuts) as proxy:
        phone.move(proxy.address)
        while proxy.connections < len(cuts):
            captured.append(phone.create("seizure", {"ground": "trespass"}))
            with suppress(LinkDown):
                phone.sync()
        phone.sync()

    assert phone.state().waiting == 0
    assert phone.records("seizure") == sorted(captured)
    assert len(server.ops) == len(captured)
