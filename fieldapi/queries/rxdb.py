"""The pull of RxDB: pages of documents that are full until the end (docs/protocol/rxdb.md).

The same scan as `changes` makes, and the same sight; only the pages are cut otherwise. One move may
bring a whole case, so a page may end in the middle of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter

from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.domain.access import Principal
from fieldapi.keyring import Keyring
from fieldapi.ledger import Move, TreeHead
from fieldapi.problems import BadRequest, EpochChanged
from fieldapi.queries import cursors, sights
from fieldapi.queries.documents import Document, as_documents
from fieldapi.queries.places import Place, place_of, position_of, view_of
from fieldapi.queries.sights import Puller
from sync.wire import JSON

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a pull. `checkpoint`: what the client hands back to go on."""

    documents: list[Document]
    checkpoint: str


@dataclass(frozen=True, slots=True)
class _Spot:
    """A place between two documents: behind those that `move` brings up to `record_id`."""

    place: Place
    move: int = 0
    record_id: str = ""


_START = _Spot(Place(0))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Who pulls documents of which kind, and the ledger as it stands."""

    session: Session
    keys: Keyring
    principal: Principal
    kind: str
    head: TreeHead

    @property
    def holder(self) -> str:
        """Return whom the checkpoints serve, and nobody else."""
        who = self.principal.device_id or self.principal.person_id
        return f"{self.principal.authority_id}/{who}/rxdb/{self.kind}"

    def seal(self, spot: _Spot) -> str:
        """Return a spot as a checkpoint."""
        position: dict[str, JSON] = position_of(self.principal, spot.place, self.head)
        if spot.move:
            position |= {"m": spot.move, "i": spot.record_id}
        return cursors.seal(self.keys, self.holder, position)

    def spot(self, checkpoint: str) -> _Spot:
        """Return the spot of a checkpoint: the start for none, and for one that no longer holds,
        because an error would be asked for again and again.
        """
        try:
            position = cursors.unseal(self.keys, self.holder, checkpoint)
            place = place_of(self.principal, position, self.head)
        except (BadRequest, EpochChanged):
            return _START
        move, record_id = position.get("m"), position.get("i")
        is_within = isinstance(move, int) and position.get("v") == view_of(self.principal)
        return _Spot(place, int(str(move)), str(record_id)) if is_within else _Spot(place)

    def documents(self, start: _Spot) -> Iterator[tuple[_Spot, Document]]:
        """Yield the documents behind a spot, each with the spot behind it."""
        earlier = start.place.earlier
        puller = Puller(self.principal, earlier, self.head.epoch)
        after, is_more = start.place.after, True
        while is_more:
            moves = self._moves(after)
            sight = sights.look(self.session, puller, moves)
            told = sorted(
                (
                    ((move.seq, str(change["id"])), change)
                    for move in moves
                    for change in sight.changes(move)
                    if change["kind"] == self.kind
                ),
                key=itemgetter(0),
            )
            changes = [change for _, change in told]
            made = as_documents(self.session, self.principal, self.kind, changes)
            for ((seq, record_id), _), document in zip(told, made, strict=True):
                if (seq, record_id) > (start.move, start.record_id):
                    yield _Spot(Place(seq - 1, earlier), seq, record_id), document
            after = moves[-1].seq if moves else after
            is_more = len(moves) == _CHUNK

    def _moves(self, after: int) -> list[Move]:
        authority_id, until = self.principal.authority_id, self.head.size
        return ledger.moves_after(
            self.session, authority_id, after, limit=_CHUNK, until=until, kind=self.kind
        )


def pull(  # noqa: PLR0913 - a reader, a kind and a page
    session: Session, keys: Keyring, principal: Principal, kind: str, *, checkpoint: str, limit: int
) -> Page:
    """Return the next `limit` documents after `checkpoint` ("": from the start), fewer only at the
    end: RxDB takes a short page for the last. A checkpoint of another epoch, view or device starts
    over. An empty page moves nothing.
    """
    head = ledger.head(session, principal.authority_id)
    reader = _Reader(session, keys, principal, kind, head)
    checkpoint = _plain(checkpoint)
    start = reader.spot(checkpoint)
    found = list(islice(reader.documents(start), limit + 1))
    if not found:
        return Page([], reader.seal(start) if start == _START else checkpoint)
    is_last = len(found) <= limit
    spot = _Spot(Place(head.size)) if is_last else found[limit - 1][0]
    return Page([document for _, document in found[:limit]], reader.seal(spot))


def _plain(checkpoint: str) -> str:
    """Return the opaque part, also of a checkpoint that was sent as the object it is."""
    if not checkpoint.startswith("{"):
        return checkpoint
    try:
        return str(json.loads(checkpoint)["c"])
    except (ValueError, KeyError, RecursionError):
        return ""
