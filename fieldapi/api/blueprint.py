"""Makes the blueprints of the API: strict bodies, problem documents, access in the documentation.

blp = blueprint("seizures", "/api/v1/seizures", "Seizures reported from the field")

@blp.post("")
@needs("seizure.create")
@blp.arguments(NewSeizureSchema)
@blp.response(201, SeizureSchema)
def create(body): ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import flask_smorest

from fieldapi.access import Access, access_of
from fieldapi.api.strict import StrictParser

Doc = dict[str, Any]
View = TypeVar("View", bound=Callable[..., object])


class Blueprint(flask_smorest.Blueprint):
    """A blueprint whose bodies are strict and whose documentation says who may come in."""

    ARGUMENTS_PARSER = StrictParser()

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._prepare_doc_cbks.append(_document_access)

    def arguments(self, schema: object, **options: object) -> Callable[[View], View]:
        """Read a body or a query by `schema`, made once: not anew with every request."""
        made = schema() if isinstance(schema, type) else schema
        decorate: Callable[[View], View] = super().arguments(made, **options)
        return decorate

    def _store_endpoint_docs(
        self, endpoint: str, obj: object, *where: object, **options: object
    ) -> None:
        super()._store_endpoint_docs(endpoint, obj, *where, **options)
        for method, doc in self._docs[endpoint].items():
            if method != "parameters":
                view = getattr(obj, method) if isinstance(obj, type) else obj
                doc["access"] = access_of(view)


def blueprint(name: str, prefix: str, description: str) -> Blueprint:
    """Return the blueprint of one noun, e.g. `seizures` at `/api/v1/seizures`."""
    return Blueprint(name, __name__, url_prefix=prefix or None, description=description)


def _document_access(doc: Doc, doc_info: Doc, *, method: str, **_: object) -> Doc:
    access: Access = doc_info["access"]
    doc["security"] = [{"bearer": []}] if access.door == "token" else []
    responses = doc.setdefault("responses", {})
    for name, status in _failures(access, method).items():
        responses.setdefault(status, name)
    if access.action is not None:
        doc["x-action"] = access.action
    return doc


def _failures(access: Access, method: str) -> dict[str, int]:
    names: dict[str, int] = {}
    if access.door == "token":
        names["UNAUTHORIZED"] = 401
    if access.action is not None:
        names["FORBIDDEN"] = 403
    if method in {"post", "put", "patch"}:
        names |= {"BAD_REQUEST": 400, "REQUEST_ENTITY_TOO_LARGE": 413}
        names |= {"UNSUPPORTED_MEDIA_TYPE": 415}
    return names
