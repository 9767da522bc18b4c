"""What can go wrong between a phone and its server, each with the one thing to do about it.

Raised by the transport and the facade, read by apps. In every case the queue stays as it was.
"""

from __future__ import annotations

from collections.abc import Mapping


class Fault(Exception):
    """Something kept the phone from handing in what it holds; nothing of it was lost."""


class LinkDown(Fault):
    """The network broke or fell silent: the request may or may not have been done. Resend."""


class Busy(Fault):
    """The server asked for patience. `wait_s`: the seconds it named, None if it named none."""

    def __init__(self, status: int, wait_s: float | None) -> None:
        super().__init__(f"the server answered {status}")
        self.status = status
        self.wait_s = wait_s


class NotOurServer(Fault):
    """Something else answered (a captive portal, a proxy) or the answer makes no sense."""


class NotSignedIn(Fault):
    """The token no longer opens the door. The queue waits; an export can carry it in."""


class EpochChanged(Fault):
    """The server was restored from a backup: offer everything again, pull from the start."""


class TooMuch(Fault):
    """The request was larger than the server takes: send less at once."""


class UpgradeNeeded(Fault):
    """The server no longer speaks this protocol: the app needs an update."""


class Refused(Fault):
    """The server understood and said no. `slug`: the stable name of the problem, empty for an
    answer to HEAD; `headers`: of the answer, names in lower case.
    """

    def __init__(self, status: int, slug: str, headers: Mapping[str, str]) -> None:
        super().__init__(f"{status} {slug}")
        self.status = status
        self.slug = slug
        self.headers = headers


class AlreadySyncing(Fault):
    """Another process of this phone is at it; it will take everything along."""


class NotEnrolled(Fault):
    """The phone has no device yet: it cannot stamp what it captures."""


class AlreadyEnrolled(Fault):
    """This folder belongs to a device already; its ops go out under that device's name."""


class InsecureAddress(Fault):
    """Plain HTTP to another machine would show the token to everyone on the way."""


class UnknownRecord(Fault):
    """The phone holds nothing under this kind and id."""
