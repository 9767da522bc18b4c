"""Phones that sign: enrolled with a key they proved to hold, they send ops as another library
signs them.
"""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from typing import Any

from flask import Flask
from joserfc import jws
from joserfc.jwk import ECKey, OKPKey

from fieldapi.services import enrolments
from fieldapi.services.devices import NewDevice
from fieldapi.services.enrolments import Redemption
from fieldapi.unit import Database
from tests.support.personas import Persona, issue, persona_of
from tests.support.phones import TestPhone, phone_of

Key = ECKey | OKPKey


@dataclass(slots=True)
class SigningPhone:
    """A phone and its key. `seal` signs an op as this device, `push` sends signed ones."""

    __test__ = False

    phone: TestPhone
    persona: Persona
    key: Key
    alg: str

    def seal(self, op: object, **header: str) -> dict[str, str]:
        """Return an op as it goes over the wire."""
        return {
            "jws": sign(op, self.key, {"alg": self.alg, "kid": self.persona.device_id} | header)
        }

    def push(self, *ops: object) -> list[dict[str, Any]]:
        """Sign ops, send them and return their results."""
        return self.phone.push(*(self.seal(op) for op in ops))


def sign(op: object, key: Key, header: dict[str, str]) -> str:
    """Return the compact JWS of an op; bytes are signed as they are."""
    payload = op if isinstance(op, bytes) else json.dumps(op).encode()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return jws.serialize_compact(header, payload, key, algorithms=["ES256", "EdDSA"])


def new_key(alg: str = "ES256") -> Key:
    """Return a fresh key for an algorithm."""
    return ECKey.generate_key("P-256") if alg == "ES256" else OKPKey.generate_key("Ed25519")


def signing_phone(
    app: Flask,
    database: Database,
    persona: Persona,
    *,
    alg: str = "ES256",
    is_confirmed: bool = True,
) -> SigningPhone:
    """Enrol one more phone for a persona, with a key."""
    made, key = enrol_with_key(database, persona, alg=alg, is_confirmed=is_confirmed)
    return SigningPhone(phone_of(app, made), made, key, alg)


def enrol_with_key(
    database: Database, persona: Persona, *, alg: str = "ES256", is_confirmed: bool = True
) -> tuple[Persona, Key]:
    """Enrol one more phone that proves to hold a key."""
    code = issue(database, persona.authority_id, persona.person_id, is_confirmed=is_confirmed)
    key = new_key(alg)
    phone = NewDevice(
        public_key=json.loads(json.dumps(key.as_dict(private=False))),
        proof=sign({"code": code}, key, {"alg": alg}),
    )
    asked = Redemption(code, phone, {"code": code}, id=None, address="127.0.0.1")
    return persona_of(persona.name, enrolments.redeem(database, asked)), key
