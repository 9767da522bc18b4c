"""The one blueprint of the phone app's pages."""

from __future__ import annotations

from flask import Blueprint

blp = Blueprint("phone", __name__, template_folder="templates")
