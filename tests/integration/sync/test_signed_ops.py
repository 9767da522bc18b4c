"""Signed ops over HTTP: who signed is believed, who carried them does not matter."""

from __future__ import annotations

import base64
import json
import time

import pytest
from flask import Flask
from sqlalchemy import select

from fieldapi import ledger
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.models import OpPayload, OpRow
from fieldapi.services import keys as phone_keys
from fieldapi.services.keys import BadSignature
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.phones import phone_of
from tests.support.signing import SigningPhone, new_key, sign, signing_phone

pytestmark = pytest.mark.database


@pytest.fixture
def asha(app: Flask, house: House, village: Village) -> SigningPhone:
    return signing_phone(app, house.database, village["asha"])


def is_sound(house: House, authority_id: str) -> bool:
    with house.database.read() as session:
        return ledger.verify(session, authority_id, house.keys).faults == ()


@pytest.mark.parametrize("alg", ["ES256", "EdDSA"])
def test_signed_report_is_applied_and_trusted(
    app: Flask, house: House, village: Village, alg: str
) -> None:
    asha = signing_phone(app, house.database, village["asha"], alg=alg)
    seizure = new_id()

    results = asha.push(
        asha.phone.pen.seizure(seizure),
        asha.phone.pen.op("seizure", seizure, set={"owner.name": "Ramesh"}),
    )

    assert [one["status"] for one in results] == ["applied"] * 2, results
    asha.phone.pull()
    assert asha.phone.shown("seizure", seizure)["trust"] == "signed"
    assert is_sound(house, village.rjk)


def test_payload_and_signature_are_kept_as_they_came(
    house: House, village: Village, asha: SigningPhone
) -> None:
    seizure = new_id()
    facts, personal = (
        json.dumps(op, indent=1).encode()
        for op in (
            asha.phone.pen.seizure(seizure),
            asha.phone.pen.op("seizure", seizure, set={"owner.name": "Ramesh"}),
        )
    )
    sent = [asha.seal(facts), asha.seal(personal)]

    asha.phone.push(*sent)

    with house.database.read() as session:
        row = session.scalars(select(OpRow).where(OpRow.payload == facts)).one()
        beside = session.scalars(select(OpPayload).where(OpPayload.payload == personal)).one()
        assert (row.is_signed, row.by) == (True, asha.persona.person_id)
        kept = ((row.signature, row.payload), (beside.signature, beside.payload))
        for (signature, payload), token in zip(kept, sent, strict=True):
            jws = phone_keys.rejoin(signature or "", payload or b"")
            assert f"{jws.head.decode()}." in token["jws"]
            phone_keys.verify(json.dumps(asha.key.as_dict(private=False)), jws)


def test_one_unsigned_op_makes_a_record_unsigned_and_a_decision_does_not(
    app: Flask, house: House, village: Village, asha: SigningPhone, as_person: AsPerson
) -> None:
    seizure = new_id()
    create = asha.phone.pen.seizure(seizure)
    asha.push(create)
    body = {"op": new_id(), "ground": "straying", "reason": "as photographed"}
    url = f"/api/v1/seizures/{seizure}"
    etag = as_person("bina").get(url).headers["ETag"]
    as_person("bina").patch(url, json=body, headers={"If-Match": etag})
    decided = as_person("bina").get(url).json

    asha.phone.push(asha.phone.pen.op("seizure", seizure, set={"survey_no": "17/2"}))

    assert (decided["ground"], decided["trust"]) == ("straying", "signed")
    assert as_person("bina").get(url).json["trust"] == "unsigned"


def test_a_bad_signature_is_kept_and_not_applied(
    app: Flask, house: House, village: Village, asha: SigningPhone
) -> None:
    op = asha.phone.pen.seizure(new_id())
    head, payload, signature = asha.seal(op)["jws"].split(".")
    other = sign(op, new_key(), {"alg": "ES256", "kid": asha.persona.device_id})
    changed = json.dumps({**op, "set": {"ground": "straying"}}).encode()
    forged = base64.urlsafe_b64encode(changed).rstrip(b"=").decode()
    bare = base64.urlsafe_b64encode(b'{"alg":"none","kid":"x"}').rstrip(b"=").decode()

    results = asha.phone.push(
        {"jws": f"{head}.{forged}.{signature}"},
        {"jws": other},
        {"jws": f"{bare}.{payload}."},
        {"jws": f"{head}.{payload}"},
        {"jws": 7},
        {**asha.seal(op), "more": 1},
        asha.seal(op, typ="JWT"),
        asha.seal(op),
    )

    assert [(one["status"], one.get("code")) for one in results] == [
        *[("quarantined", "bad-signature")] * 7,
        ("applied", None),
    ]
    assert results[1]["op"] == op["op"]
    assert len(results[1]["key"]) == 64
    assert is_sound(house, village.rjk)


def test_op_signed_by_an_unknown_device_is_held(
    app: Flask, village: Village, asha: SigningPhone
) -> None:
    seizure = new_id()
    lost = sign(asha.phone.pen.seizure(seizure), new_key(), {"alg": "ES256", "kid": new_id()})

    results = asha.phone.push({"jws": lost})

    assert (results[0]["status"], results[0]["code"]) == ("held", "unknown-device")
    assert phone_of(app, village["bina"]).pull() == []


def test_op_of_another_phone_is_taken_from_whoever_brings_it(
    app: Flask, house: House, village: Village, asha: SigningPhone
) -> None:
    seizure = new_id()
    sealed = asha.seal(asha.phone.pen.seizure(seizure))

    results = phone_of(app, village["ravi"]).push(sealed)

    assert results[0]["status"] == "applied"
    asha.phone.pull()
    assert asha.phone.shown("seizure", seizure)["trust"] == "signed"
    with house.database.read() as session:
        row = session.scalars(select(OpRow).where(OpRow.record_id == seizure)).one()
    assert (row.by, row.via) == (
        asha.persona.person_id,
        f"device/{village['ravi'].device_id}",
    )
    assert asha.phone.push(sealed)[0]["replayed"] is True


def test_unsigned_op_of_another_phone_is_held(
    app: Flask, village: Village, asha: SigningPhone
) -> None:
    results = phone_of(app, village["ravi"]).push(asha.phone.pen.seizure(new_id()))

    assert (results[0]["status"], results[0]["code"]) == ("held", "not-yours")


def test_signature_does_not_cover_for_another_actor(
    app: Flask, village: Village, asha: SigningPhone
) -> None:
    ravi = phone_of(app, village["ravi"])

    results = asha.push(ravi.pen.seizure(new_id()))

    assert (results[0]["status"], results[0]["code"]) == ("held", "not-yours")


@pytest.mark.parametrize("verdict, code", [("revoke", "access-ended"), ("reject", "access-ended")])
def test_ops_signed_by_a_device_that_was_turned_out_are_held(
    app: Flask, house: House, village: Village, as_person: AsPerson, verdict: str, code: str
) -> None:
    lost = signing_phone(app, house.database, village["asha"], is_confirmed=verdict == "revoke")
    sealed = lost.seal(lost.phone.pen.seizure(new_id()))
    as_person("admin").post(f"/api/v1/devices/{lost.persona.device_id}/{verdict}", json={})

    results = phone_of(app, village["ravi"]).push(sealed)

    assert (results[0]["status"], results[0]["code"]) == ("held", code)


def test_signed_op_of_a_pending_device_waits_for_its_confirmation(
    app: Flask, house: House, village: Village, as_person: AsPerson
) -> None:
    new = signing_phone(app, house.database, village["asha"], is_confirmed=False)
    seizure = new_id()
    ravi = phone_of(app, village["ravi"])
    held = ravi.push(new.seal(new.phone.pen.seizure(seizure)))
    assert (held[0]["status"], held[0]["code"]) == ("held", "device-pending")

    as_person("admin").post(f"/api/v1/devices/{new.persona.device_id}/confirm", json={})

    new.phone.pull()
    assert new.phone.shown("seizure", seizure)["trust"] == "signed"


def test_same_payload_signed_again_is_a_resend_and_another_one_is_not(
    asha: SigningPhone,
) -> None:
    op = asha.phone.pen.seizure(new_id())

    first, again, other = (
        asha.phone.push(sealed)[0]
        for sealed in (
            asha.seal(json.dumps(op).encode()),
            asha.seal(json.dumps(op).encode()),
            asha.seal(json.dumps(op, indent=1).encode()),
        )
    )

    assert (first["replayed"], again["replayed"]) == (False, True)
    assert (other["status"], other["code"]) == ("quarantined", "id-reuse")


def test_two_thousand_signatures_are_checked_in_a_second(asha: SigningPhone) -> None:
    token = asha.seal(asha.phone.pen.seizure(new_id()))["jws"]
    jwk = phone_keys.public_jwk(json.loads(json.dumps(asha.key.as_dict(private=False))))

    began = time.process_time()
    for _ in range(400):
        phone_keys.verify(jwk, phone_keys.read_jws(token))
    took = time.process_time() - began

    assert took < 400 / 2000
    with pytest.raises(BadSignature):
        phone_keys.verify(jwk, phone_keys.read_jws(token[:-10] + "A" * 10))
