"""The tables, one noun per file. Rows are facts; what may be done with them is `services`."""

from fieldapi.models.aid import Aid
from fieldapi.models.animal import Animal
from fieldapi.models.authority import Authority, ClosedDay, Place, Pound, WriterKey
from fieldapi.models.base import Base
from fieldapi.models.bookkeeping import Attempt, JobFailure
from fieldapi.models.device import Device, DevicePerson, Enrolment
from fieldapi.models.erasure import Erasure, OpErasure
from fieldapi.models.intake import Intake
from fieldapi.models.ledger import LedgerEntry, LedgerHead
from fieldapi.models.op import OpPayload, OpRow, ParkedOp, RequestKey
from fieldapi.models.person import ConsoleSession, Membership, Person, SignIn
from fieldapi.models.photo import AsideBytes, Original, Photo, PhotoView, Upload
from fieldapi.models.record import RecordRow
from fieldapi.models.review import Flag, Review
from fieldapi.models.seizure import Seizure

RECORDS: dict[str, type[RecordRow]] = {
    row.KIND: row for row in (Seizure, Animal, Photo, Aid, Intake)
}

__all__ = [
    "RECORDS",
    "Aid",
    "Animal",
    "AsideBytes",
    "Attempt",
    "Authority",
    "Base",
    "ClosedDay",
    "ConsoleSession",
    "Device",
    "DevicePerson",
    "Enrolment",
    "Erasure",
    "Flag",
    "Intake",
    "JobFailure",
    "LedgerEntry",
    "LedgerHead",
    "Membership",
    "OpErasure",
    "OpPayload",
    "OpRow",
    "Original",
    "ParkedOp",
    "Person",
    "Photo",
    "PhotoView",
    "Place",
    "Pound",
    "RecordRow",
    "RequestKey",
    "Review",
    "Seizure",
    "SignIn",
    "Upload",
    "WriterKey",
]
