"""How long a reviewer waits for the inbox of a large authority, and how much comes over the line.

    ./dev bench console [--reports 100000] [--visits 100] [--json]

Starts its own PostgreSQL and server. One report is made by the API and copied by SQL to
`--reports`, with its lots, its photo and its place in the list. Then one browser asks for the first
page, the next one, and the list narrowed, in turn; the percentiles are over all of them. Bars: 95
of 100 within 300 ms, and 50 rows within 60 kB gzipped. On a busy machine the CPU of server and
database for a visit is the fairer number.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import statistics
import time
from html import unescape
from http.cookiejar import CookieJar
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

import psycopg
from psycopg import sql

from fieldapi.models import Animal, Photo, RecordRow, Seizure
from tests.bench.running import run_on_postgres
from tests.support.desk import PASSWORD, give_password
from tests.support.personas import found_village
from tests.support.reports import seizure_body
from tests.support.serving import Served

_ASKED = ("", "?state=received", "?due=1", "?sort=-received_at", "?view=photos")
_COPIED: tuple[type[RecordRow], ...] = (Seizure, Animal, Photo)
_ID = "'01a20000-0000-7000-8000-' || lpad(to_hex(g), 12, '0')"
_PLACES = """
INSERT INTO urgency (authority_id, seizure_id, due_at, rule, is_ranked)
SELECT authority_id, id,
       CASE WHEN row_number() OVER () % 4 = 0 THEN now() + row_number() OVER () * interval '1 s'
            ELSE timestamptz '8100-01-01' - (received_at - timestamptz '2020-01-01') END,
       CASE WHEN row_number() OVER () % 4 = 0 THEN '24H' END, true
FROM seizure ON CONFLICT (authority_id, seizure_id) DO UPDATE SET is_ranked = true
"""


def main() -> None:
    """Print the numbers of one run."""
    run_on_postgres(__doc__, measure, reports=100_000, visits=100)


def measure(served: Served, ask: argparse.Namespace) -> dict[str, object]:
    """Return the milliseconds of visits to the inbox and the size of its first page."""
    village = found_village(served.database)
    give_password(served.database, village["bina"])
    browser = _Browser(f"http://127.0.0.1:{served.port}")
    browser.report(seizure_body(), village["asha"].token)
    _copy(served, ask.reports)
    browser.sign_in("bina")
    first, _ = browser.get("/console/")
    after = re.search(r'rel="next" href="([^"]+)"', first)
    paths = [f"/console/{one}" for one in _ASKED] + ([unescape(after[1])] if after else [])
    cpu = served.cpu_s()
    took = [browser.get(paths[n % len(paths)])[1] for n in range(ask.visits)]
    cpu_ms = (served.cpu_s() - cpu) * 1000 / len(took)
    return {
        "reports": ask.reports,
        "visits": len(took),
        "cpu_ms_per_visit": round(cpu_ms, 1),
        "p50_ms": round(statistics.median(took), 1),
        "p95_ms": round(statistics.quantiles(took, n=20)[-1], 1),
        "slowest_ms": {one: round(browser.get(one)[1], 1) for one in paths},
        "rows": first.count("data-row"),
        "html_kb_gzipped": round(len(gzip.compress(first.encode())) / 1000, 1),
    }


def _copy(served: Served, wanted: int) -> None:
    """Copy the one report with what hangs on it; each copy is a minute older than the last."""
    with psycopg.connect(served.owner_dsn, autocommit=True) as owner:
        for model in _COPIED:
            owner.execute(_copies(model), {"wanted": wanted})
        owner.execute(_PLACES)
        owner.execute("VACUUM ANALYZE")


def _copies(model: type[RecordRow]) -> sql.Composed:
    table = model.__tablename__  # type: ignore[attr-defined]
    names = [column.name for column in model.__table__.columns]  # type: ignore[attr-defined]
    new = {"id": _ID, "seizure_id": _ID, "received_at": "t.received_at - g * interval '1 min'"}
    if model is not Seizure:
        new["id"] = "substr(t.id, 1, 24) || substr(md5(t.id || g::text), 1, 12)"
    values = sql.SQL(", ").join(
        sql.SQL(new[name]) if name in new else sql.Identifier("t", name) for name in names
    )
    return sql.SQL(
        "INSERT INTO {table} ({names}) SELECT {values}"
        " FROM {table} t, generate_series(1, %(wanted)s) g WHERE t.heads <> ''"
    ).format(
        table=sql.Identifier(table),
        names=sql.SQL(", ").join(map(sql.Identifier, names)),
        values=values,
    )


class _Browser:
    """A browser with its cookies, at one address."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._opener: OpenerDirector = build_opener(HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> tuple[str, float]:
        """Return a page and the milliseconds until its last byte was here."""
        began = time.perf_counter()
        with self._opener.open(f"{self._address}{path}", timeout=60) as answer:
            content: bytes = answer.read()
        return content.decode(), (time.perf_counter() - began) * 1000

    def sign_in(self, name: str) -> None:
        """Sign in by the form."""
        form, _ = self.get("/console/sign-in")
        secret = re.findall(r'name="csrf_token" value="([^"]+)"', form)[-1]
        typed = {"csrf_token": secret, "next": "/console/", "name": name, "password": PASSWORD}
        body = urlencode(typed).encode()
        self._opener.open(Request(f"{self._address}/console/sign-in", body), timeout=60).close()  # noqa: S310 - ours

    def report(self, body: dict[str, object], token: str) -> None:
        """Report a seizure as a phone does."""
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        where = f"{self._address}/api/v1/seizures"
        asked = Request(where, json.dumps(body).encode(), headers)  # noqa: S310 - ours
        self._opener.open(asked, timeout=60).close()


if __name__ == "__main__":
    main()
