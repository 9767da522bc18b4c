"""Logs as JSON lines that carry ids and durations, never a name, a number, a place or a token.

An event is a constant; everything beside it has to be a field of the list below. Whatever other
libraries log is reduced to its template, and an exception to its class and the lines it passed.
Imports nothing of the project but `clock`.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import traceback
from collections.abc import MutableMapping
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

import structlog
from structlog.typing import Processor

from fieldapi.clock import format_instant, system_clock

IST = timezone(timedelta(hours=5, minutes=30), "IST")
FIELDS = frozenset(
    {
        "actor",
        "at",
        "at_ist",
        "authority_id",
        "count",
        "device_id",
        "dropped",
        "duration_ms",
        "error",
        "event",
        "job",
        "level",
        "logger",
        "method",
        "op",
        "part",
        "person_id",
        "photo_id",
        "pid",
        "port",
        "request_id",
        "route",
        "seizure_id",
        "seq",
        "size",
        "sqlstate",
        "status",
        "subject",
        "trace",
        "tries",
        "upload_id",
        "version",
        "workers",
    }
)
# India asks for 180 days (CERT-In) and for a year (DPDP Rules); some days more for both.
LOG_DAYS = 400
_FILE = re.compile(r"fieldapi-(\d{4}-\d{2}-\d{2})\.jsonl", re.ASCII)
# What gunicorn says of a request that it cannot read: who sent it, and the line or header itself,
# which may hold a code or a token. What kind of fault it was stays.
_UNREADABLE = re.compile(r"Invalid request from ip=.*?: ([A-Za-z ]*).*", re.DOTALL)
_MAX_TEXT = 200
_MAX_FRAMES = 40
_MAX_CAUSES = 10
_ROOT = Path(__file__).parent.parent
_PACKAGES = f"{Path('site-packages')}/"

Event = MutableMapping[str, Any]
ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None]


def configure(level: str, folder: Path | None = None) -> None:
    """Send every log line of this process to standard error, as JSON; into a file of the day in
    `folder`, too. May be called again.
    """
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *_shared(), _to_formatter()],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handlers: list[logging.Handler] = [_ErrorStream()]
    if folder is not None:
        handlers.append(_DayFile(folder))
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[_template_only, *_shared()],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            explain_exception,
            keep_allowed,
            structlog.processors.JSONRenderer(),
        ],
        use_get_message=False,
    )
    root = logging.getLogger()
    for old in [each for each in root.handlers if isinstance(each, _ErrorStream | _DayFile)]:
        root.removeHandler(old)
    for handler in handlers:
        handler.setFormatter(formatter)
        root.addHandler(handler)
    root.setLevel(level.upper())
    for name in ("alembic", "boto3", "botocore", "PIL", "urllib3", "werkzeug"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # It writes what it does into its sentences; what a job comes to is told by `jobs`.
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)


def keep_allowed(_logger: object, _name: str, event: Event) -> Event:
    """Drop every field that is not on the list, and say which; cut texts that run on."""
    kept = {name: _plain(value) for name, value in event.items() if name in FIELDS}
    dropped = sorted(name for name in event if name not in FIELDS)
    return {**kept, "dropped": dropped} if dropped else kept


def explain_exception(_logger: object, _name: str, event: Event) -> Event:
    """Replace an exception by its classes and the lines it passed; its message may hold data."""
    found = event.pop("exc_info", None)
    if found is True:
        found = sys.exc_info()
    error = found[1] if isinstance(found, tuple) else found
    if isinstance(error, BaseException):
        event["error"] = " < ".join(_names(error))
        event["trace"] = frames(error)
        origin = getattr(error, "orig", error)
        state = getattr(origin, "sqlstate", None) or getattr(origin, "sqlite_errorname", None)
        if state:
            event["sqlstate"] = str(state)
    return event


def frames(error: BaseException) -> list[str]:
    """Return `file:line function` of each frame, outermost first, without values or messages."""
    found = traceback.extract_tb(error.__traceback__)[-_MAX_FRAMES:]
    return [f"{_short(each.filename)}:{each.lineno} {each.name}" for each in found]


def _names(error: BaseException) -> list[str]:
    names: list[str] = []
    each: BaseException | None = error
    while each is not None and len(names) < _MAX_CAUSES:
        names.append(f"{type(each).__module__}.{type(each).__qualname__}")
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)
    return names


def _short(filename: str) -> str:
    if _PACKAGES in filename:
        return filename.rpartition(_PACKAGES)[2]
    path = Path(filename)
    return str(path.relative_to(_ROOT)) if path.is_relative_to(_ROOT) else path.name


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list):
        return [str(each)[:_MAX_TEXT] for each in value]
    return str(value)[:_MAX_TEXT]


def _shared() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        _add_times,
    ]


def _to_formatter() -> Processor:
    wrap: Processor = structlog.stdlib.ProcessorFormatter.wrap_for_formatter
    return wrap


def _add_times(_logger: object, _name: str, event: Event) -> Event:
    """Both clocks that an incident report in India asks for.

    A record of another library is put into words once for each place it goes to: it has its time.
    """
    record = event.get("_record")
    now = system_clock() if record is None else datetime.fromtimestamp(record.created, UTC)
    event["at"] = format_instant(now)
    event["at_ist"] = now.astimezone(IST).isoformat(timespec="milliseconds")
    return event


def _template_only(_logger: object, _name: str, event: Event) -> Event:
    """Keep the template of another library's message: its values may be anybody's data."""
    record = event.get("_record")
    if record is not None:
        event["event"] = _UNREADABLE.sub(r"Invalid request: \1", str(record.msg))
        event["exc_info"] = record.exc_info
    return event


def log_day(path: Path) -> date | None:
    """Return the day of a file of the log; None for any other file."""
    found = _FILE.fullmatch(path.name)
    return None if found is None else date.fromisoformat(found[1])


class _DayFile(logging.Handler):
    """Appends to the file of the day (UTC), each line by one write: processes may share it.

    A full disk never fails what is logged: standard error still has the line.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        line = f"{self.format(record)}\n".encode(errors="replace")
        name = f"fieldapi-{system_clock().date().isoformat()}.jsonl"
        with suppress(OSError):
            handle = os.open(self._folder / name, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o640)
            try:
                os.write(handle, line)
            finally:
                os.close(handle)


class _ErrorStream(logging.StreamHandler[TextIO]):
    """Writes to standard error as it is now, not as it was when logging was set up."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:
        """Return standard error."""
        return sys.stderr

    @stream.setter
    def stream(self, value: TextIO) -> None:
        """Ignore it: there is only one place to write to."""
