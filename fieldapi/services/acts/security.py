"""Declaration and security: asked for, deposited, forfeited, given back; cattle seized again for
want of it (Gujarat ss. 185(3), 189; Karnataka s. 13).
"""

from __future__ import annotations

from dataclasses import replace

from fieldapi import law
from fieldapi.services.acts.kinds import COUNTER, KEEPER, OFFICE, ActBody, ActKind, Paper, Scene
from fieldapi.services.acts.opening import add_heads
from fieldapi.services.acts.people import somebody


def _seized_again(scene: Scene, body: ActBody) -> ActBody:
    """Give each head that was delivered a new row that continues the old one."""
    body = somebody(scene, body)
    now = law.state(scene.case, scene.unit.now)
    taken = {row.previous_id for row in scene.custody.values()}
    old = body.custody or [
        one.id
        for one in now.heads.values()
        if is_delivered(one)
        and one.id not in taken
        and one.liable in (None, body.party or one.liable)
    ]
    heads = [
        row.id
        for head in old
        if head in now.heads and head not in taken
        for row in add_heads(scene, [now.heads[head].kind], origin="reseized", previous=head)
    ]
    return replace(body, custody=tuple(heads))


def is_delivered(head: law.HeadState) -> bool:
    """Say whether a head was delivered on a deposit."""
    return head.became == "released_on_deposit"


ACTS = (
    ActKind(
        "demand_security",
        COUNTER,
        ("dated",),
        prepare=somebody,
        pickable=is_delivered,
        papers=(Paper("declaration"),),
    ),
    ActKind(
        "deposit_security",
        COUNTER,
        ("paid_paise", "declaration", "paper_serial"),
        prepare=somebody,
        pickable=is_delivered,
        papers=(Paper("deposit_receipt", "deposit"),),
    ),
    ActKind("re_seize", KEEPER, ("pound", "by"), prepare=_seized_again, pickable=is_delivered),
    ActKind(
        "refund_security",
        COUNTER,
        ("application", "receipt_signed", "security"),
        prepare=somebody,
        papers=(Paper("refund_entry"),),
    ),
    ActKind("forfeit_security", OFFICE, ("order_no", "finding", "security"), prepare=somebody),
)
