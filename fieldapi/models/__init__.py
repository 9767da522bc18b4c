"""The tables, one noun per file. Rows are facts; what may be done with them is `services`."""

from fieldapi.models.act import Act
from fieldapi.models.aid import Aid
from fieldapi.models.animal import Animal
from fieldapi.models.authority import Authority, ClosedDay, Place, Pound, WriterKey
from fieldapi.models.base import Base
from fieldapi.models.bookkeeping import Attempt, JobFailure, Scan
from fieldapi.models.bundle import Bundle, BundleWork
from fieldapi.models.case_file import CaseFile, Deadline
from fieldapi.models.complaint import Complaint
from fieldapi.models.custody import Custody, Disposition
from fieldapi.models.device import Device, DevicePerson, DeviceUse, Enrolment
from fieldapi.models.document import Document
from fieldapi.models.duplicate import Duplicate
from fieldapi.models.erasure import Erasure, OpErasure
from fieldapi.models.hold import Hold
from fieldapi.models.intake import Intake
from fieldapi.models.ledger import LedgerEntry, LedgerHead
from fieldapi.models.money import MoneyLine
from fieldapi.models.notification import Notification, StatuteConfirmation
from fieldapi.models.op import OpPayload, OpRow, ParkedOp, RequestKey
from fieldapi.models.party import Party, PriorImpounding
from fieldapi.models.person import (
    ConsoleSession,
    Membership,
    Person,
    RecoveryCode,
    SignIn,
    SignInLink,
)
from fieldapi.models.photo import AsideBytes, Original, Photo, PhotoView, Upload
from fieldapi.models.record import RecordRow
from fieldapi.models.record_view import RecordView
from fieldapi.models.removal_order import Offence, RemovalOrder
from fieldapi.models.review import Assignment, Comment, Flag, Review
from fieldapi.models.saved_view import SavedView
from fieldapi.models.seizure import Seizure
from fieldapi.models.serial import Serial, SerialSeries
from fieldapi.models.urgency import Urgency

RECORDS: dict[str, type[RecordRow]] = {
    row.KIND: row for row in (Seizure, Animal, Photo, Aid, Intake)
}

__all__ = [
    "RECORDS",
    "Act",
    "Aid",
    "Animal",
    "AsideBytes",
    "Assignment",
    "Attempt",
    "Authority",
    "Base",
    "Bundle",
    "BundleWork",
    "CaseFile",
    "ClosedDay",
    "Comment",
    "Complaint",
    "ConsoleSession",
    "Custody",
    "Deadline",
    "Device",
    "DevicePerson",
    "DeviceUse",
    "Disposition",
    "Document",
    "Duplicate",
    "Enrolment",
    "Erasure",
    "Flag",
    "Hold",
    "Intake",
    "JobFailure",
    "LedgerEntry",
    "LedgerHead",
    "Membership",
    "MoneyLine",
    "Notification",
    "Offence",
    "OpErasure",
    "OpPayload",
    "OpRow",
    "Original",
    "ParkedOp",
    "Party",
    "Person",
    "Photo",
    "PhotoView",
    "Place",
    "Pound",
    "PriorImpounding",
    "RecordRow",
    "RecordView",
    "RecoveryCode",
    "RemovalOrder",
    "RequestKey",
    "Review",
    "SavedView",
    "Scan",
    "Seizure",
    "Serial",
    "SerialSeries",
    "SignIn",
    "SignInLink",
    "StatuteConfirmation",
    "Upload",
    "Urgency",
    "WriterKey",
]
