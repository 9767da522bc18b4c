"""What tests do with photos: draw one, announce it, hand it in at once or in pieces."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache

from fieldapi.imaging.specimen import Specimen, draw
from sync.wire import JSON
from tests.support.house import Answer, Client
from tests.support.reports import photo_body, seizure_body

UPLOADS = "/api/v1/uploads"
TUS = {"Tus-Resumable": "1.0.0"}
MEDIA = "application/offset+octet-stream"
TAKEN = datetime(2026, 11, 30, 5, 10, tzinfo=UTC)


@cache
def jpeg(seed: int = 1, lat: float | None = 22.30391, lon: float | None = 70.80216) -> bytes:
    """Return a small photo, taken where and when the reports of tests are made."""
    return draw(Specimen(seed, TAKEN, lat=lat, lon=lon, size=(320, 240)))


def sha256(content: bytes) -> str:
    """Return the hash by which a photo is announced."""
    return hashlib.sha256(content).hexdigest()


def report(client: Client, *contents: bytes, **photo: JSON) -> list[str]:
    """Report a seizure that announces photos with these contents; return their ids."""
    photos = [photo_body(content, **photo) for content in contents]
    answer = client.post("/api/v1/seizures", json=seizure_body(photos=[*photos]))
    assert answer.status_code == 201, answer.json
    return [str(one["id"]) for one in photos]


def put(client: Client, photo_id: str, content: bytes, *, says: bytes | None = None) -> Answer:
    """Hand in a photo at once; its digest is that of `says`, if that is given."""
    digest = b64encode(hashlib.sha256(content if says is None else says).digest()).decode()
    return client.put(
        f"/api/v1/photos/{photo_id}/content",
        data=content,
        content_type="image/jpeg",
        headers={"Repr-Digest": f"sha-256=:{digest}:"},
    )


def read(client: Client, photo_id: str, part: str = "") -> Answer:
    """Ask for a photo, or for a part of it: `/content`, `/preview`, `/thumbnail`."""
    return client.get(f"/api/v1/photos/{photo_id}{part}")


def metadata(photo_id: str, digest: str) -> str:
    """Return the `Upload-Metadata` of a photo."""
    pairs = (("photo", photo_id), ("sha256", digest))
    return ",".join(f"{name} {b64encode(text.encode()).decode()}" for name, text in pairs)


def begin(
    client: Client, photo_id: str, content: bytes, *, length: int | None = None, body: bytes = b""
) -> Answer:
    """Begin an upload; `body` brings first bytes."""
    headers = {
        **TUS,
        "Upload-Length": str(len(content) if length is None else length),
        "Upload-Metadata": metadata(photo_id, sha256(content)),
    }
    media = MEDIA if body else None
    return client.post(UPLOADS, headers=headers, data=body, content_type=media)


def add(
    client: Client, place: str, offset: int, piece: bytes, headers: Mapping[str, str] | None = None
) -> Answer:
    """Add a piece of an upload."""
    told = {**TUS, "Upload-Offset": str(offset), **(headers or {})}
    return client.patch(place, data=piece, headers=told, content_type=MEDIA)


def stands_at(client: Client, place: str) -> int:
    """Return where an upload stands."""
    answer = client.open(place, method="HEAD", headers=TUS)
    assert answer.status_code == 200, answer.status
    return int(answer.headers["Upload-Offset"])
