"""The one blueprint of the console, and how its views say who may open them.

A view declares its door with `fieldapi.access` (`session`, `public`), like every view of the app.
"""

from __future__ import annotations

from flask import Blueprint

blp = Blueprint("console", __name__, url_prefix="/console")
