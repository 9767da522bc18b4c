"""The key of a phone is kept only when the phone proves to hold it."""

from __future__ import annotations

import base64
import json

import pytest
from flask.testing import FlaskClient
from joserfc import jws
from joserfc.jwk import ECKey, OKPKey, RSAKey
from werkzeug.test import TestResponse

from fieldapi.unit import Database
from tests.support.personas import Village, issue

Key = ECKey | OKPKey


@pytest.fixture
def code(database: Database, village: Village) -> str:
    return issue(database, village.rjk, village["asha"].person_id)


def keys() -> dict[str, Key]:
    return {
        "ES256": ECKey.generate_key("P-256"),
        "Ed25519": OKPKey.generate_key("Ed25519"),
        "EdDSA": OKPKey.generate_key("Ed25519"),
    }


def proof_of(key: Key, alg: str, code: str) -> str:
    """A proof as another library writes it."""
    return jws.serialize_compact({"alg": alg}, json.dumps({"code": code}), key, algorithms=[alg])


def redeem(client: FlaskClient, code: str, **more: object) -> TestResponse:
    return client.post("/api/v1/devices", json={"code": code, "device": {}, **more})


@pytest.mark.filterwarnings("ignore:EdDSA is deprecated")
@pytest.mark.parametrize("alg", ["ES256", "Ed25519", "EdDSA"])
def test_proven_key_is_kept(client: FlaskClient, code: str, alg: str) -> None:
    key = keys()[alg]
    answer = redeem(client, code, public_key=key.as_dict(False), proof=proof_of(key, alg, code))
    assert answer.status_code == 201
    assert answer.get_json()["device"]["has_key"] is True


def test_unproven_key_is_not_kept(client: FlaskClient, code: str) -> None:
    key = keys()["ES256"].as_dict(False)
    assert redeem(client, code, public_key=key).get_json()["device"]["has_key"] is False


def test_proof_by_another_key_is_refused(client: FlaskClient, code: str) -> None:
    mine, other = (ECKey.generate_key("P-256") for _ in range(2))
    answer = redeem(
        client, code, public_key=mine.as_dict(False), proof=proof_of(other, "ES256", code)
    )
    assert answer.get_json()["errors"].keys() == {"proof"}


def test_proof_over_another_code_is_refused(client: FlaskClient, code: str) -> None:
    key = keys()["ES256"]
    proof = proof_of(key, "ES256", "00000000000")
    answer = redeem(client, code, public_key=key.as_dict(False), proof=proof)
    assert answer.get_json()["errors"].keys() == {"proof"}


def test_unsigned_proof_is_refused(client: FlaskClient, code: str) -> None:
    key = keys()["ES256"].as_dict(False)
    parts = (json.dumps({"alg": "none"}), json.dumps({"code": code}))
    bare = [base64.urlsafe_b64encode(part.encode()).rstrip(b"=").decode() for part in parts]
    answer = redeem(client, code, public_key=key, proof=f"{bare[0]}.{bare[1]}.")
    assert answer.get_json()["errors"].keys() == {"proof"}


def test_private_key_is_sent_back(client: FlaskClient, code: str) -> None:
    key = keys()["ES256"].as_dict(True)
    answer = redeem(client, code, public_key=key).get_json()
    assert "never leave the phone" in answer["errors"]["public_key"][0]
    assert str(key["d"]) not in json.dumps(answer)


@pytest.mark.parametrize(
    "key",
    [
        "text",
        [],
        {},
        {"kty": "EC"},
        {"kty": ["EC"], "crv": "P-256"},
        {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"},
        {"kty": "EC", "crv": "P-256", "x": 1, "y": None},
        {"kty": "EC", "crv": "P-256", "x": "A" * 43, "y": "A" * 43},
        {"kty": "EC", "crv": "P-384", "x": "A" * 64, "y": "A" * 64},
        {"kty": "OKP", "crv": "Ed25519", "x": "AA"},
        {"kty": "OKP", "crv": "X25519", "x": "A" * 43},
        RSAKey.generate_key(2048).as_dict(False),
        {"kty": "oct", "k": "AAAA"},
    ],
)
def test_any_other_key_is_refused(client: FlaskClient, code: str, key: object) -> None:
    answer = redeem(client, code, public_key=key)
    assert answer.status_code == 422
    assert answer.get_json()["errors"].keys() == {"public_key"}
