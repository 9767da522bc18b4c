"""An app behind a free loopback port, in a thread of the test's own process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from wsgiref.types import WSGIApplication

from werkzeug.serving import make_server

from tests.support.free_ports import LOOPBACK


@contextmanager
def answering(app: WSGIApplication) -> Iterator[str]:
    """Give the address at which `app` answers until the block ends."""
    server = make_server(LOOPBACK, 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{LOOPBACK}:{server.server_port}"
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()
