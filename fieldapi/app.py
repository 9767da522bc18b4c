"""Puts the house together: one Flask app over one installation. The only place that wires doors.

Called by `serving`, `wsgi` and the tests.
"""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlsplit

from flask import Flask, redirect
from flask.json.provider import DefaultJSONProvider
from werkzeug import Response
from werkzeug.middleware.proxy_fix import ProxyFix

from fieldapi import console, limits, logs, phone
from fieldapi.access import public
from fieldapi.api import BLUEPRINTS, auth, bodies, crowding, docs, errors, headers, spec, watch
from fieldapi.api.house import EXTENSION
from fieldapi.clock import format_instant
from fieldapi.house import House, open_house
from fieldapi.problems import Problem
from fieldapi.settings import Settings

HOME = "/console/"
LOOPBACK = ("localhost", "127.0.0.1")


class JsonProvider(DefaultJSONProvider):
    """Writes answers: members in their order, text as it is, instants in our form, no NaN."""

    sort_keys = False
    ensure_ascii = False
    compact = True

    @staticmethod
    def default(value: object) -> str:
        """Write an instant; refuse everything else that is not JSON."""
        if isinstance(value, datetime):
            return format_instant(value)
        raise TypeError(f"{type(value).__name__} has no place in an answer")

    def dumps(self, obj: object, **kwargs: object) -> str:
        """Write `obj`. Raises `ValueError` for NaN and infinities."""
        return super().dumps(obj, **{**kwargs, "allow_nan": False})


def create_app(settings: Settings | None = None) -> Flask:
    """Return the app of one installation, its settings read from the environment by default.

    Contacts neither database nor photo store; `house.require_safe` does, before serving.
    Raises `SettingsError`, and `RuntimeError` for a route that does not say who may come in.
    """
    settings = settings or Settings.from_env()
    logs.configure(settings.log_level, settings.log_folder)
    return app_of(open_house(settings))


def app_of(parts: House) -> Flask:
    """Return the app over parts that are open already."""
    app = Flask("fieldapi", static_folder=None)
    app.json = JsonProvider(app)
    app.extensions[EXTENSION] = parts
    _configure(app, parts.settings)
    _install_hooks(app, parts.settings)
    _register(app)
    app.extensions[auth.SESSION_DOOR] = console.install(app, parts.settings)
    phone.install(app)
    auth.require_declared(app)
    return app


def _configure(app: Flask, settings: Settings) -> None:
    app.config.update(
        SECRET_KEY=settings.secret_key,
        TESTING=settings.is_testing,
        MAX_CONTENT_LENGTH=limits.JSON_BYTES,
        MAX_FORM_MEMORY_SIZE=limits.FORM_BYTES,
        MAX_FORM_PARTS=limits.FORM_PARTS,
        TRUSTED_HOSTS=[str(urlsplit(settings.public_url).hostname), *LOOPBACK],
    )
    if settings.trusted_proxies:
        count = settings.trusted_proxies
        # Not the host: links are made from the public URL alone.
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=count, x_proto=count, x_host=0)  # type: ignore[method-assign]


def _install_hooks(app: Flask, settings: Settings) -> None:
    """Before a view: id, room, door, body. After it, in reverse: headers, then the log line."""
    app.extensions[watch.MEASURES] = measures = watch.Measures()
    watch.install(app, measures)
    headers.install(app, settings)
    app.before_request(bodies.require_plain_address)
    app.before_request(crowding.require_room)
    app.before_request(bodies.inspect_form)
    app.before_request(auth.admit)
    app.before_request(bodies.inspect)
    errors.install(app, _failure_page)


def _register(app: Flask) -> None:
    app.extensions[docs.SPEC] = api = spec.document(app)
    for blp in BLUEPRINTS:
        api.register_blueprint(blp)
    app.add_url_rule("/", "home", home)


def _failure_page(problem: Problem, instance: str) -> str:
    return console.error_page(problem, instance) or phone.error_page(problem, instance)


@public
def home() -> Response:
    """Send whoever typed the bare address to where people can read something."""
    return redirect(HOME)
