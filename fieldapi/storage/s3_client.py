"""Reads where an S3 is and who we are to it, and connects: path style, no checksum extras, bounded
waits and retries. Used by `s3.py` alone; the only module that loads boto3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal
from urllib.parse import parse_qs, unquote, urlsplit

import boto3.session
import structlog
from botocore.config import Config
from botocore.exceptions import ClientError

_PARAMETERS = frozenset({"endpoint", "region", "create", "checksums", "timeout"})
_OURS_ALREADY = frozenset({"BucketAlreadyOwnedByYou", "BucketAlreadyExists"})
Checksums = Literal["when_required", "when_supported"]
_CHECKSUMS: Mapping[str, Checksums] = MappingProxyType(
    {"when_required": "when_required", "when_supported": "when_supported"}
)
_CONNECT_S, _READ_S, _LONGEST_READ_S = 3, 15, 300
_TRIES = 2  # what fails twice waits for the job, which has all day


@dataclass(frozen=True, slots=True)
class Credentials:
    """Who we are to the store."""

    key_id: str
    secret: str = field(repr=False)
    token: str | None = field(default=None, repr=False)
    ca_bundle: str | None = None

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Credentials:
        """Read `AWS_ACCESS_KEY_ID` and its companions. Raises `ValueError` for one missing.

        `AWS_CA_BUNDLE`: a file of certificates to trust instead of the system's, for a store with
        one of its own.
        """
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            if not environ.get(name):
                raise ValueError(f"s3 storage needs {name} in the environment")
        return cls(
            environ["AWS_ACCESS_KEY_ID"],
            environ["AWS_SECRET_ACCESS_KEY"],
            environ.get("AWS_SESSION_TOKEN") or None,
            environ.get("AWS_CA_BUNDLE") or None,
        )


@dataclass(frozen=True, slots=True)
class Place:
    """Where the objects are: `prefix` is empty or ends in a slash, `endpoint` None means AWS.

    `checksums`: `when_required`, which every S3-compatible understands, or `when_supported`, with
    which the client sends and checks CRCs of its own. `timeout_s`: how long an answer may take.
    """

    bucket: str
    prefix: str = ""
    endpoint: str | None = None
    region: str = "us-east-1"
    may_create: bool = False
    checksums: Checksums = "when_required"
    timeout_s: int = _READ_S

    @classmethod
    def from_url(cls, url: str) -> Place:
        """Read `s3://bucket/prefix?endpoint=…&region=…&create=yes&checksums=…&timeout=…`.

        Raises `ValueError`.
        """
        parts = urlsplit(url)
        query = parse_qs(parts.query, strict_parsing=bool(parts.query))
        if unknown := set(query) - _PARAMETERS:
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
            checksums=_checksums(query.get("checksums", ["when_required"])[0]),
            timeout_s=_timeout(query.get("timeout", [str(_READ_S)])[0]),
        )


def _checksums(text: str) -> Checksums:
    found = _CHECKSUMS.get(text)
    if found is None:
        raise ValueError(f"in an s3: URL, checksums are {' or '.join(_CHECKSUMS)}")
    return found


def _timeout(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= _LONGEST_READ_S):
        raise ValueError(f"in an s3: URL, the timeout is 1 to {_LONGEST_READ_S} seconds")
    return int(text)


def _config(place: Place) -> Config:
    return Config(
        signature_version="s3v4",
        s3={"addressing_style": "path"},
        request_checksum_calculation=place.checksums,
        response_checksum_validation=place.checksums,
        connect_timeout=min(_CONNECT_S, place.timeout_s),
        read_timeout=place.timeout_s,
        retries={"mode": "standard", "total_max_attempts": _TRIES},
        max_pool_connections=32,
    )


def connect(place: Place, credentials: Credentials) -> Any:  # noqa: ANN401 - boto3 makes its types
    """Return a boto3 client for the place; makes the bucket only where the URL says so."""
    session = boto3.session.Session(
        aws_access_key_id=credentials.key_id,
        aws_secret_access_key=credentials.secret,
        aws_session_token=credentials.token,
        region_name=place.region,
    )
    client = session.client(
        "s3", endpoint_url=place.endpoint, config=_config(place), verify=credentials.ca_bundle
    )
    client.meta.events.register("before-send.s3", _name_request)
    if place.may_create:
        _create_bucket(client, place.bucket)
    return client


def _name_request(request: Any, **_event: object) -> None:  # noqa: ANN401 - boto3's own type
    """Tell the store for which of our requests it is asked: its log can be read beside ours.

    After the signature, which therefore does not cover it: a proxy may take it away.
    """
    known = structlog.contextvars.get_contextvars().get("request_id")
    if known is not None:
        request.headers["X-Request-Id"] = str(known)


def _create_bucket(client: Any, bucket: str) -> None:  # noqa: ANN401 - as above
    try:
        client.create_bucket(Bucket=bucket)
    except ClientError as exc:
        if exc.response["Error"]["Code"] not in _OURS_ALREADY:
            raise
