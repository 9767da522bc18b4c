"""The phones of the demo: Asha's behind the bad network, and Bina's tablet beside the server. Both
are the reference client of `sync.client`, unchanged; only the line of Asha's is watched.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field

from fieldapi.demo.link import Link
from fieldapi.demo.place import Place
from fieldapi.demo.server import Server
from fieldapi.demo.setting import Village
from fieldapi.demo.telling import Teller
from fieldapi.services import codes
from sync.client.device import Phone
from sync.client.faults import LinkDown, Refused
from sync.client.response import Response
from sync.client.transport import Backoff, Request, Transport

_PHONE = {"make": "Fieldphone", "model": "FP-12", "os": "Android 14", "app_version": "1.0"}
_TABLET = {"make": "Desk", "model": "Tablet", "os": "Linux", "app_version": "1.0"}


@dataclass
class WatchedLine(Transport):
    """A phone's line that remembers where a broken upload went on. `breaks`: requests without an
    answer; `told`: the offset the server then told; `resumed_at`: the one the phone went on from.
    """

    breaks: int = 0
    told: int | None = None
    resumed_at: int | None = None

    def send(self, request: Request) -> Response:
        """Send once, and note it."""
        try:
            answer = super().send(request)
        except LinkDown:
            self.breaks += 1
            raise
        except Refused as refusal:
            self._hear(refusal.headers)
            raise
        if self.breaks and self.resumed_at is None and request.method == "PATCH":
            self.resumed_at = int(request.headers["Upload-Offset"])
        self._hear(answer.headers)
        return answer

    def _hear(self, headers: Mapping[str, str]) -> None:
        """Take down what the server tells of an upload that has yet to go on."""
        if self.resumed_at is None and "upload-offset" in headers:
            self.told = int(headers["upload-offset"])


@dataclass(slots=True)
class Crew:
    """Asha's phone behind the link, and Bina's tablet on the office network. `lines`: of the phone,
    as they were opened.
    """

    phone: Phone
    tablet: Phone
    lines: list[WatchedLine] = field(default_factory=list)


def enrol(
    tell: Teller, stack: ExitStack, place: Place, *, village: Village, net: tuple[Server, Link]
) -> Crew:
    """Enrol Asha's phone through the link, and Bina's tablet beside the server."""
    server, link = net
    lines: list[WatchedLine] = []

    def connect(base_url: str, token: str | None) -> Transport:
        lines.append(WatchedLine(base_url, token, backoff=Backoff(tries=4, first_s=0.1)))
        return lines[-1]

    phone = stack.enter_context(Phone(place.phone, connect=connect))
    tablet = stack.enter_context(Phone(place.tablet))
    with tell.step("enrol", "enrolling Asha's phone") as done:
        device = phone.enrol(link.url, village.asha_code, _PHONE)
        tablet.enrol(server.url, village.bina_code, _TABLET)
        code, number = codes.printed(village.asha_code), f"{device.number:02d}"
        done(f"Asha's phone enrolled by one-time code {code}: device {number}", device=number)
    return Crew(phone, tablet, lines)
