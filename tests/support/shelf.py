"""An app of a test that keeps documents as RxDB does: what it last had from the server beside what
it has now, pushed as rows and pulled by checkpoint.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from flask import Flask

from tests.support.house import Client, client_with
from tests.support.personas import Persona

Document = dict[str, Any]


@dataclass(slots=True)
class Shelf:
    """One kind of documents. `assumed`: what the server is taken to have; `local`: what is here."""

    client: Client
    kind: str
    assumed: dict[str, Document] = field(default_factory=dict)
    local: dict[str, Document] = field(default_factory=dict)
    checkpoint: str = ""

    def put(self, record: str, **values: Any) -> Document:
        """Write a document here; None takes a field out of it."""
        document = {**self.local.get(record, {"id": record, "_deleted": False}), **values}
        self.local[record] = {name: one for name, one in document.items() if one is not None}
        return self.local[record]

    def rows(self) -> list[Document]:
        """Return the rows that a push would send."""
        changed = [one for one in self.local if self.local[one] != self.assumed.get(one)]
        return [
            {"newDocumentState": self.local[one]}
            | ({"assumedMasterState": self.assumed[one]} if one in self.assumed else {})
            for one in changed
        ]

    def send(self, rows: list[Any]) -> list[Document]:
        """Post rows and return the documents that came back; nothing is changed here."""
        path = f"/api/v1/sync/rxdb/{self.kind}/push"
        answer = self.client.post(path, data=json.dumps(rows), content_type="application/json")
        assert answer.status_code == 200, answer.json
        documents: list[Document] = answer.json
        return documents

    def push(self) -> list[Document]:
        """Push what changed and take over what came back, as the default conflict handler does."""
        rows = self.rows()
        came = self.send(rows)
        self.assumed |= {row["newDocumentState"]["id"]: row["newDocumentState"] for row in rows}
        for document in came:
            self.assumed[document["id"]] = self.local[document["id"]] = document
        return came

    def page(self, limit: int = 100, **query: Any) -> tuple[list[Document], str]:
        """Return one page after the checkpoint and the next checkpoint; nothing is changed here."""
        asked = {"cp": self.checkpoint, "limit": limit, **query}
        answer = self.client.get(f"/api/v1/sync/rxdb/{self.kind}/pull", query_string=asked)
        assert answer.status_code == 200, answer.json
        return answer.json["documents"], answer.json["checkpoint"]["c"]

    def pull(self, limit: int = 100) -> list[Document]:
        """Pull to the end and take over what has no change of its own here."""
        came: list[Document] = []
        is_full = True
        while is_full:
            page, checkpoint = self.page(limit)
            self.checkpoint = checkpoint if page else self.checkpoint
            is_full = len(page) == limit
            came += page
        for document in came:
            record = document["id"]
            if self.local.get(record) == self.assumed.get(record):
                self.assumed[record] = self.local[record] = document
        return came


def shelf_of(app: Flask, persona: Persona, kind: str) -> Shelf:
    """Return the shelf of a persona's app."""
    return Shelf(client_with(app, persona.token), kind)
