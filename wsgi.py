"""The entry for a WSGI server that someone runs by themselves: `gunicorn wsgi:app`.

`fieldapi serve` needs none of this. Not with `--preload`: threads and pools do not outlive a fork.
"""

import os

from fieldapi.api.house import EXTENSION
from fieldapi.app import create_app
from fieldapi.house import require_safe
from fieldapi.pending import runner_of

os.umask(0o077)
app = create_app()
require_safe(app.extensions[EXTENSION])
runner_of(app.extensions[EXTENSION]).start()
