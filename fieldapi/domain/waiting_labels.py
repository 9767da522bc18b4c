"""Why a delivery of a phone was set aside, in words for a reviewer. Codes are those of the protocol
(docs/protocol/sync.md, section 7).

Called by the console. Must never import anything but `words.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fieldapi.domain.words import sentence

WHY: Mapping[str, str] = MappingProxyType(
    {
        "access-ended": sentence("The phone or the person may no longer write here."),
        "bad-id": sentence("The phone's app made an id that is none. The app is at fault."),
        "bad-signature": sentence(
            "The signature does not fit. Either it was changed on the way, or the app is at fault."
        ),
        "deferred": sentence("The phone's app is newer than this server. It comes in by itself."),
        "device-pending": sentence("The phone waits for its six digits to be compared."),
        "id-reuse": sentence("Something else came under the same id before. The first one stands."),
        "invalid-json": sentence(
            "It cannot be read: the bytes are damaged, or the app is at fault."
        ),
        "not-yours": sentence("Whoever wrote it is not one who may write this."),
        "too-large": sentence("It is larger than what is taken."),
        "too-late": sentence("It takes something back that the office had acted on already."),
        "unknown-device": sentence("It names a phone that is not known here."),
        "unknown-kind": sentence("It is of a kind that this server does not know."),
    }
)
ELSE = sentence("A value is not one that can be taken.")
STANDINGS: Mapping[str, str] = MappingProxyType(
    {
        "held": sentence("Waits for you"),
        "quarantined": sentence("Cannot be read"),
        "deferred": sentence("Newer than the server"),
        "released": sentence("Let in"),
        "rejected": sentence("Turned down"),
        "corrected": sentence("Corrected"),
    }
)
