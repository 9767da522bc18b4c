"""The tree heads a phone has seen: carried away, brought back, and checked against each other.

Called by `inbox` and for every request. A root that does not continue the last one seen is an
alarm that is kept and shown; it never stops a phone from handing in what it holds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping

from sync import tree, wire
from sync.client.answer import TreeHead
from sync.wire import JSON


class TreeHeads:
    """The last proven head of each authority and epoch, on one open database."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def to_send(self) -> list[JSON]:
        """Return the heads for the next request, those of older epochs included until handed in."""
        return [
            {"authority": authority, "epoch": epoch, "size": size, "root": root}
            for authority, epoch, size, root in self._db.execute(
                "SELECT authority, epoch, size, root FROM tree_head ORDER BY authority, epoch"
            )
        ]

    def last_of(self, authority: str) -> Mapping[str, JSON] | None:
        """Return size and root of the present epoch's head, for the ops captured now."""
        row = self._db.execute(
            "SELECT size, root FROM tree_head WHERE authority = ? AND NOT is_witness", (authority,)
        ).fetchone()
        return {"size": row[0], "root": row[1]} if row else None

    def retire(self) -> None:
        """Turn all heads into witnesses of an epoch that is over."""
        self._db.execute("UPDATE tree_head SET is_witness = 1")

    def hand_in(self) -> None:
        """Let go of the witnesses: the server has them now."""
        self._db.execute("DELETE FROM tree_head WHERE is_witness")

    def take(self, heads: Iterable[TreeHead], *, now_ms: int) -> None:
        """Keep each head that continues the last one seen; an impossible one raises an alarm.

        A longer head without a proof is passed over: the next proof may start from the older one.
        """
        for head in heads:
            seen = self._db.execute(
                "SELECT size, root FROM tree_head WHERE authority = ? AND epoch = ?",
                (head.authority, head.epoch),
            ).fetchone()
            if not head.fits:
                self._raise_alarm(head, *(seen or (0, "")), now_ms=now_ms)
            elif seen is None or _continues(head, *seen):
                self._keep(head)
            elif head.size <= seen[0] or head.consistency:
                self._raise_alarm(head, *seen, now_ms=now_ms)

    def alarms(self) -> list[str]:
        """Return what did not fit, oldest first."""
        return [str(row[0]) for row in self._db.execute("SELECT detail FROM alarm ORDER BY at_ms")]

    def _keep(self, head: TreeHead) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO tree_head (authority, epoch, size, root) VALUES (?, ?, ?, ?)",
            (head.authority, head.epoch, head.size, head.root),
        )

    def _raise_alarm(self, head: TreeHead, size: int, root: str, *, now_ms: int) -> None:
        detail: dict[str, JSON] = {
            "authority": head.authority,
            "epoch": head.epoch,
            "seen": {"size": size, "root": root},
            "told": {"size": head.size, "root": head.root},
        }
        self._db.execute(
            "INSERT OR IGNORE INTO alarm (detail, at_ms) VALUES (?, ?)",
            (wire.canonical(detail).decode(), now_ms),
        )


def _continues(head: TreeHead, size: int, root: str) -> bool:
    try:
        proof = [bytes.fromhex(node) for node in head.consistency]
        seen, told = bytes.fromhex(root), bytes.fromhex(head.root)
    except ValueError:
        return False
    return tree.verify_consistency(size, seen, head.size, root=told, proof=proof)
