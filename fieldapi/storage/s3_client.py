"""Reads where an S3 is and who we are to it, and connects: path style, no checksum extras, bounded
waits and retries. Used by `s3.py` alone; the only module that loads boto3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import boto3.session
from botocore.config import Config
from botocore.exceptions import ClientError

_OURS_ALREADY = frozenset({"BucketAlreadyOwnedByYou", "BucketAlreadyExists"})
_CONFIG = Config(
    signature_version="s3v4",
    s3={"addressing_style": "path"},
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
    connect_timeout=5,
    read_timeout=30,
    retries={"mode": "standard", "total_max_attempts": 3},
    max_pool_connections=32,
)


@dataclass(frozen=True, slots=True)
class Credentials:
    """Who we are to the store."""

    key_id: str
    secret: str = field(repr=False)
    token: str | None = field(default=None, repr=False)

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Credentials:
        """Read `AWS_ACCESS_KEY_ID` and its companions. Raises `ValueError` for one missing."""
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            if not environ.get(name):
                raise ValueError(f"s3 storage needs {name} in the environment")
        return cls(
            environ["AWS_ACCESS_KEY_ID"],
            environ["AWS_SECRET_ACCESS_KEY"],
            environ.get("AWS_SESSION_TOKEN") or None,
        )


@dataclass(frozen=True, slots=True)
class Place:
    """Where the objects are: `prefix` is empty or ends in a slash, `endpoint` None means AWS."""

    bucket: str
    prefix: str = ""
    endpoint: str | None = None
    region: str = "us-east-1"
    may_create: bool = False

    @classmethod
    def from_url(cls, url: str) -> Place:
        """Read `s3://bucket/prefix?endpoint=…&region=…&create=yes`. Raises `ValueError`."""
        parts = urlsplit(url)
        query = parse_qs(parts.query, strict_parsing=bool(parts.query))
        if unknown := set(query) - {"endpoint", "region", "create"}:
            raise ValueError(f"an s3: URL has no {', '.join(sorted(unknown))}")
        if not parts.netloc or "@" in parts.netloc or ":" in parts.netloc:
            raise ValueError("an s3: URL names a bucket, no key and no port: s3://bucket/prefix")
        path = unquote(parts.path).strip("/")
        return cls(
            bucket=parts.netloc,
            prefix=f"{path}/" if path else "",
            endpoint=query.get("endpoint", [None])[0],
            region=query.get("region", ["us-east-1"])[0],
            may_create=query.get("create") == ["yes"],
        )


def connect(place: Place, credentials: Credentials) -> Any:  # noqa: ANN401 - boto3 makes its types
    """Return a boto3 client for the place; makes the bucket only where the URL says so."""
    session = boto3.session.Session(
        aws_access_key_id=credentials.key_id,
        aws_secret_access_key=credentials.secret,
        aws_session_token=credentials.token,
        region_name=place.region,
    )
    client = session.client("s3", endpoint_url=place.endpoint, config=_CONFIG)
    if place.may_create:
        _create_bucket(client, place.bucket)
    return client


def _create_bucket(client: Any, bucket: str) -> None:  # noqa: ANN401 - as above
    try:
        client.create_bucket(Bucket=bucket)
    except ClientError as exc:
        if exc.response["Error"]["Code"] not in _OURS_ALREADY:
            raise
