"""The order that cattle leave a local area (Gujarat s. 190): its ground, finding, place and period,
in the words that such an order needs to stand.

Called by `papers`. Drawn from the data that its act stored.
"""

from __future__ import annotations

from datetime import date

from fieldapi.documents import saying
from fieldapi.documents.parts import Body, Data, party
from fieldapi.documents.sheets import Tongue
from fieldapi.domain.words import sentence

_GROUNDS = {
    "i": sentence(
        "(i) The grazing land set apart is not enough for the cattle of the permanent residents."
    ),
    "ii": sentence(
        "(ii) Crops or grass are likely to be damaged by cattle of somebody who is not a resident."
    ),
}
_COUNTED = {"dry_or_useless": sentence("Dry or useless"), "other": sentence("Others")}
_STATED = {True: sentence("Yes"), False: sentence("No")}


def removal(data: Data, tongue: Tongue) -> Body:
    """Return what an order to remove cattle says."""
    said = data["act"]["data"]
    ground, owned = str(said.get("ground") or ""), said.get("owns_head")
    resident = said.get("is_resident")
    facts = [
        *party(data, sentence("To")),
        (sentence("Ground"), tongue.both(_GROUNDS[ground]) if ground in _GROUNDS else ground),
        (sentence("Finding"), str(said.get("finding") or "")),
        (
            sentence("Permanent resident here"),
            tongue.both(_STATED[resident]) if resident in _STATED else "",
        ),
        (sentence("Head owned"), str(owned) if owned else ""),
        (sentence("Cattle to be removed"), _counted(said, tongue)),
        (sentence("To be taken to"), str(said.get("place") or "")),
        (sentence("Until"), _day(str(said.get("period_until") or ""))),
    ]
    notes = (
        sentence("The cattle named here are to be taken away within this time."),
        sentence(
            "If they are not, the police may be directed to remove them, and a fine may be"
            " imposed, which is recovered by sale of these cattle if it is not paid in time."
        ),
    )
    return facts, [], notes


def _counted(said: Data, tongue: Tongue) -> str:
    animals = said.get("animals") or {}
    return ", ".join(
        f"{tongue.both(_COUNTED[name]) if name in _COUNTED else name}: {n}"
        for name, n in animals.items()
        if n
    )


def _day(text: str) -> str:
    """Return a day as papers write it; what is no day stays as it was said."""
    try:
        return saying.day(date.fromisoformat(text))
    except ValueError:
        return text
