"""What the operator decides, read once from the environment and checked before anything starts.

Every wrong setting is a named error with a hint. Imports nothing of the project.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

_LEVELS = ("debug", "info", "warning", "error")
_MIN_SECRET_BYTES = 32


class SettingsError(Exception):
    """A setting that would not work or would not be safe; nothing was started."""

    def __init__(self, name: str, message: str, hint: str) -> None:
        """Keep the parts apart, so that `--json` output can show them apart."""
        super().__init__(f"{name}: {message}\n  hint: {hint}")
        self.name, self.message, self.hint = name, message, hint


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole configuration of one process.

    `secret_key`: at least 32 bytes, kept outside the database. `owner_database_url`: the role
    that owns the tables, used by migrations only. `trusted_proxies`: how many proxies in front
    set `X-Forwarded-*`. `is_app_worker_off`: phones give up their copy of the app's files.
    `log_folder`: where log lines are kept for 400 days, beside standard error. `tiles_url`: whence
    the console's map takes its ground, `https://…/{z}/{x}/{y}.png`; None: a blank ground.
    """

    data: Path
    database_url: str = field(repr=False)
    owner_database_url: str = field(repr=False)
    storage_url: str
    public_url: str
    secret_key: bytes = field(repr=False)
    is_testing: bool = False
    clock_file: Path | None = None
    fonts: Path | None = None
    log_level: str = "info"
    trusted_proxies: int = 0
    is_app_worker_off: bool = False
    log_folder: Path | None = None
    tiles_url: str | None = None

    @property
    def is_sqlite(self) -> bool:
        """Say whether the embedded database is used."""
        return self.database_url.startswith("sqlite")

    @property
    def keys(self) -> Path:
        """Return the folder of private keys (mode 0700)."""
        return self.data / "keys"

    @property
    def outside_log(self) -> Path:
        """Return the file that tells a restore what was erased or ended since the backup."""
        return self.data / "outside.log"

    @property
    def spool(self) -> Path:
        """Return the folder of partial uploads."""
        return self.data / "spool"

    @property
    def tiles_origin(self) -> str | None:
        """Return scheme and host of the map's ground, as a policy of pages names them."""
        if self.tiles_url is None:
            return None
        parts = urlsplit(self.tiles_url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def is_https(self) -> bool:
        """Say whether browsers reach this server by https, so that cookies can be locked to it."""
        return self.public_url.startswith("https://")

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Read and check the settings. Raises `SettingsError`; makes the data folder."""
        env = os.environ if environ is None else environ
        is_testing = _flag(env, "FIELDAPI_TESTING")
        data = _data_folder(env)
        database_url = _database_url(env, data)
        return cls(
            data=data,
            database_url=database_url,
            owner_database_url=_owner_url(env, database_url),
            storage_url=_storage_url(env, data),
            public_url=_public_url(env),
            secret_key=_secret_key(env, data),
            is_testing=is_testing,
            clock_file=_clock_file(env, is_testing=is_testing),
            fonts=_folder(env, "FIELDAPI_FONTS"),
            log_level=_log_level(env),
            trusted_proxies=_count(env, "FIELDAPI_TRUSTED_PROXIES"),
            is_app_worker_off=_flag(env, "FIELDAPI_APP_WORKER_OFF"),
            log_folder=_log_folder(env),
            tiles_url=_tiles_url(env),
        )


def _flag(env: Mapping[str, str], name: str) -> bool:
    value = env.get(name, "0")
    if value not in {"0", "1", ""}:
        raise SettingsError(name, f"{value!r} is neither 0 nor 1", f"set {name}=1 or leave it out")
    return value == "1"


def _tiles_url(env: Mapping[str, str]) -> str | None:
    name = "FIELDAPI_TILES_URL"
    url = env.get(name, "")
    if not url:
        return None
    parts = urlsplit(url)
    is_whole = all(hole in parts.path for hole in ("{z}", "{x}", "{y}"))
    is_plain = re.fullmatch(r"[a-z0-9.:-]+", parts.netloc) is not None
    if parts.scheme != "https" or not is_plain or not is_whole:
        raise SettingsError(
            name,
            f"{url!r} is no address of map tiles",
            "write https://host/{z}/{x}/{y}.png, or leave it out for a map without ground",
        )
    return url


def _count(env: Mapping[str, str], name: str) -> int:
    value = env.get(name, "0")
    if not re.fullmatch(r"\d", value):
        raise SettingsError(name, f"{value!r} is not a number from 0 to 9", "0 means no proxy")
    return int(value)


def _data_folder(env: Mapping[str, str]) -> Path:
    data = Path(env.get("FIELDAPI_DATA") or "var").absolute()
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        (data / "keys").mkdir(mode=0o700, exist_ok=True)
    except OSError as exc:
        raise SettingsError(
            "FIELDAPI_DATA",
            f"the folder {data} cannot be made ({exc.strerror})",
            "name a folder that this user may write",
        ) from exc
    return data


def _database_url(env: Mapping[str, str], data: Path) -> str:
    url = env.get("FIELDAPI_DATABASE_URL") or f"sqlite:///{data / 'fieldapi.sqlite3'}"
    if url.startswith("postgresql://"):
        url = url.replace("postgresql://", "postgresql+psycopg://", 1)
    if not url.startswith(("sqlite:///", "postgresql+psycopg://")):
        raise SettingsError(
            "FIELDAPI_DATABASE_URL",
            "only sqlite:/// and postgresql+psycopg:// are known",
            "leave it out for the embedded database",
        )
    if url == "sqlite:///" or ":memory:" in url:
        raise SettingsError(
            "FIELDAPI_DATABASE_URL",
            "a database in memory forgets evidence when the process ends",
            "name a file",
        )
    return url


def _owner_url(env: Mapping[str, str], database_url: str) -> str:
    url = env.get("FIELDAPI_OWNER_DATABASE_URL") or database_url
    if url.startswith("postgresql://"):
        url = url.replace("postgresql://", "postgresql+psycopg://", 1)
    if url.split(":", 1)[0] != database_url.split(":", 1)[0]:
        raise SettingsError(
            "FIELDAPI_OWNER_DATABASE_URL",
            "names another kind of database than FIELDAPI_DATABASE_URL",
            "give the same host and database with the owner's user",
        )
    return url


def _storage_url(env: Mapping[str, str], data: Path) -> str:
    url = env.get("FIELDAPI_STORAGE_URL") or f"file:{data / 'photos'}"
    parts = urlsplit(url)
    if parts.scheme not in {"file", "s3"} or (parts.scheme == "s3" and not parts.netloc):
        raise SettingsError(
            "FIELDAPI_STORAGE_URL",
            "only file:/folder and s3://bucket/prefix?endpoint=… are known",
            "leave it out to keep photos in the data folder",
        )
    return url


def _public_url(env: Mapping[str, str]) -> str:
    url = (env.get("FIELDAPI_PUBLIC_URL") or "http://127.0.0.1:8000").rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query:
        raise SettingsError(
            "FIELDAPI_PUBLIC_URL",
            f"{url!r} is not an address that a phone could open",
            "for example https://cattle.example.gov.in",
        )
    return url


def _secret_key(env: Mapping[str, str], data: Path) -> bytes:
    given = env.get("FIELDAPI_SECRET_KEY")
    if given is None:
        return _kept_secret(data / "keys" / "secret")
    if len(given.encode()) < _MIN_SECRET_BYTES:
        raise SettingsError(
            "FIELDAPI_SECRET_KEY",
            f"shorter than {_MIN_SECRET_BYTES} bytes",
            "leave it out: a random one is made and kept in the data folder",
        )
    return given.encode()


def _kept_secret(path: Path) -> bytes:
    """Return the secret in `path`, made on first use.

    Written aside and linked into place, so that two processes starting together agree.
    """
    if not path.exists():
        aside = path.with_name(f".{secrets.token_hex(8)}")
        aside.touch(mode=0o600)
        aside.write_text(secrets.token_hex(32))
        try:
            path.hardlink_to(aside)
        except FileExistsError:
            return _kept_secret(path)
        finally:
            aside.unlink()
    return bytes.fromhex(path.read_text().strip())


def _clock_file(env: Mapping[str, str], *, is_testing: bool) -> Path | None:
    value = env.get("FIELDAPI_CLOCK_FILE")
    if value and not is_testing:
        raise SettingsError(
            "FIELDAPI_CLOCK_FILE",
            "a false clock would make false evidence",
            "it is for tests, together with FIELDAPI_TESTING=1",
        )
    return Path(value) if value else None


def _folder(env: Mapping[str, str], name: str) -> Path | None:
    value = env.get(name)
    if value and not Path(value).is_dir():
        raise SettingsError(name, f"{value} is not a folder", "name an existing folder")
    return Path(value) if value else None


def _log_folder(env: Mapping[str, str]) -> Path | None:
    """Return the folder of log files, made if it is missing: in a new volume it is."""
    name = "FIELDAPI_LOG_FOLDER"
    if value := env.get(name):
        with suppress(OSError):
            Path(value).mkdir(mode=0o700, exist_ok=True)
    return _folder(env, name)


def _log_level(env: Mapping[str, str]) -> str:
    level = env.get("FIELDAPI_LOG_LEVEL", "info").lower()
    if level not in _LEVELS:
        raise SettingsError("FIELDAPI_LOG_LEVEL", f"{level!r} is unknown", ", ".join(_LEVELS))
    return level
