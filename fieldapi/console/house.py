"""Hands the console's views the installation that the running app was made for."""

from __future__ import annotations

from flask import current_app

from fieldapi.house import House

_EXTENSION = "fieldapi"


def house() -> House:
    """Return the parts of the installation behind the current request."""
    found: House = current_app.extensions[_EXTENSION]
    return found
