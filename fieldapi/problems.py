"""The closed catalogue of problems (RFC 9457). Every layer raises them; `api/errors.py` alone
turns them into HTTP. Clients branch on the slug, so a slug never changes its meaning.

Imports nothing of the project.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

FieldErrors = Mapping[str, list[str]]


class Problem(Exception):
    """Something the caller can be told, with a stable `slug`.

    `detail`: about this case, safe to show. `errors`: messages by field path.
    `extensions`: further members of the document, `snake_case`, JSON values.
    """

    slug: ClassVar[str] = "internal"
    title: ClassVar[str] = "The server could not do this"
    status: ClassVar[int] = 500

    def __init__(
        self, detail: str = "", *, errors: FieldErrors | None = None, **extensions: object
    ) -> None:
        """Keep what the problem document will say."""
        super().__init__(detail or self.title)
        self.detail = detail
        self.errors = dict(errors or {})
        self.extensions = extensions

    @property
    def type(self) -> str:
        """Return the `type` member, e.g. `urn:fieldapi:problem:not-found`."""
        return f"urn:fieldapi:problem:{self.slug}"

    def document(self, instance: str) -> dict[str, object]:
        """Return the problem document; `instance` is the request id."""
        body: dict[str, object] = {
            "type": self.type,
            "title": self.title,
            "status": self.status,
            "detail": self.detail or self.title,
            "instance": instance,
        }
        if self.errors:
            body["errors"] = self.errors
        return {**body, **self.extensions}


class Internal(Problem):
    """A fault of ours; the log has the rest under the request id."""


class InvalidJson(Problem):
    """The body is not the strict JSON this API takes."""

    slug, title, status = "invalid-json", "The body is not valid JSON", 400


class BadRequest(Problem):
    """The request itself (header, query, envelope) cannot be understood."""

    slug, title, status = "bad-request", "The request cannot be understood", 400


class NotAuthenticated(Problem):
    """No token, or one that nobody holds any more."""

    slug, title, status = "not-authenticated", "Sign in first", 401


class NotAllowed(Problem):
    """The caller may see this but not do this."""

    slug, title, status = "not-allowed", "You may not do this", 403


class NotFound(Problem):
    """Unknown id, or one the caller may not know of: the two look alike on purpose."""

    slug, title, status = "not-found", "There is nothing here for you", 404


class MethodNotAllowed(Problem):
    """The address is known, the verb is not."""

    slug, title, status = "method-not-allowed", "This address does not take that method", 405


class Conflict(Problem):
    """The present state forbids it; `current` says what the state is."""

    slug, title, status = "conflict", "The record has moved on", 409


class IdReuse(Problem):
    """This id already names other content; `current` is what it names."""

    slug, title, status = "id-reuse", "This id is already used for something else", 409


class ActNotAllowed(Problem):
    """The law forbids this act now: `rule`, `reason`, `source`; `not_before` where time helps."""

    slug, title, status = "act-not-allowed", "The law does not allow this act now", 409


class ActNeedsReason(Problem):
    """The act is doubtful: `rule`, `reason`, `source` say why; it needs a written `reason`."""

    slug, title, status = "act-needs-reason", "This act needs a written reason", 409


class OffsetMismatch(Problem):
    """The upload stands at another offset; the header `Upload-Offset` says which."""

    slug, title, status = "upload-offset-mismatch", "The upload stands at another offset", 409


class EpochChanged(Problem):
    """The server was restored: pull from the start and offer again what you hold."""

    slug, title, status = "epoch-changed", "The server was restored from a backup", 409


class UploadGone(Problem):
    """The upload expired; create it again."""

    slug, title, status = "upload-gone", "This upload has expired", 410


class PreconditionFailed(Problem):
    """`If-Match` names another version; `current` is the present one."""

    slug, title, status = "precondition-failed", "You saw an older version", 412


class UnsupportedTusVersion(Problem):
    """The client speaks another version of the upload protocol."""

    slug, title, status = "tus-version", "This server speaks tus 1.0.0", 412


class TooLarge(Problem):
    """More bytes than `GET /api/v1/limits` allows."""

    slug, title, status = "too-large", "Too much at once", 413


class UnsupportedMedia(Problem):
    """A content type or coding this address does not take."""

    slug, title, status = "unsupported-media-type", "This content type is not taken here", 415


class RangeNotSatisfiable(Problem):
    """The `Range` lies outside the file."""

    slug, title, status = "range-not-satisfiable", "That range lies outside the file", 416


class InvalidBody(Problem):
    """Valid JSON with wrong values; `errors` says where."""

    slug, title, status = "invalid-body", "Some values cannot be taken", 422


class PhotoHashMismatch(Problem):
    """The bytes are not the ones the photo announced; nothing was replaced."""

    slug, title, status = "photo-hash-mismatch", "These are not the bytes that were announced", 422


class DigestMissing(Problem):
    """`Repr-Digest: sha-256=:…:` (RFC 9530) is needed with photo bytes."""

    slug, title, status = "digest-missing", "The header Repr-Digest with sha-256 is needed", 400


class ChecksumMismatch(Problem):
    """A tus chunk did not fit its `Upload-Checksum`; none of it was kept."""

    slug, title, status = "checksum-mismatch", "The chunk does not fit its checksum", 460


class UpgradeRequired(Problem):
    """The protocol or schema is one this server no longer speaks; `min` and `max` say which."""

    slug, title, status = "upgrade-required", "Update the app", 426


class PreconditionRequired(Problem):
    """`If-Match` is needed to change a record."""

    slug, title, status = "precondition-required", "Say which version you saw (If-Match)", 428


class TooManyRequests(Problem):
    """Slow down; `Retry-After` says for how long."""

    slug, title, status = "too-many-requests", "Too many tries", 429


class QuotaReached(Problem):
    """This device has sent its share for today; `Retry-After` says when it may go on."""

    slug, title, status = "quota-reached", "Enough photos from this device for today", 429


class Unavailable(Problem):
    """A part this needs is down; nothing was lost, try again."""

    slug, title, status = "unavailable", "Not available at this moment", 503


class InsufficientStorage(Problem):
    """The server keeps its last free space for what it already promised."""

    slug, title, status = "insufficient-storage", "The server is out of space for photos", 507


class CodeRefused(Problem):
    """The enrolment code is unknown, used, burnt or too old: one answer for all four."""

    slug, title, status = "code-refused", "This enrolment code cannot be used", 422


class EvidenceKept(Problem):
    """Announced or complete evidence is not deleted."""

    slug, title, status = "evidence-kept", "Announced evidence cannot be deleted", 403


class ReasonNeeded(Problem):
    """This decision needs a written reason."""

    slug, title, status = "reason-needed", "A written reason is needed", 422


def catalogue() -> list[type[Problem]]:
    """Return every problem, by status then slug: for the docs and the OpenAPI document."""
    return sorted(Problem.__subclasses__(), key=lambda p: (p.status, p.slug))
