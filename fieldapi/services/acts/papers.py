"""Mints the papers of an act: their numbers, and all that they say, in the act's transaction.

Called by `performing`. What a paper looks like is `fieldapi.documents`; what it says never changes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from sqlalchemy import select

from fieldapi import law
from fieldapi.clock import format_instant
from fieldapi.ids import new_id, server_op_id
from fieldapi.law.profile import StatuteProfile
from fieldapi.models import Act, Animal, Authority, Custody, Document, Party, Person, Pound, Seizure
from fieldapi.models.bulk import among
from fieldapi.services import serials
from fieldapi.services.acts.hashes import enter_paper
from fieldapi.services.acts.kinds import ActKind, Scene
from fieldapi.services.acts.storing import answer_of, line_of
from sync.wire import JSON

Part = tuple[Scene, law.Judgement]
# Papers about money that say nothing when no money moved.
_ONLY_WITH_MONEY = frozenset({"money_receipt"})
_DESCRIBED = ("colour", "sex", "age_class", "horns", "marks", "condition", "milch", "ear_tags")


def mint_for(
    kind: ActKind,
    parts: Sequence[Part],
    acts: Sequence[Act],
    *,
    more: Mapping[str, JSON] | None = None,
) -> list[Document]:
    """Mint the papers of an act; of several cases, one paper with a part for each. `more`: what
    the papers say beside the act.
    """
    if not kind.papers:
        return []
    paid = any(judgement.moves for _, judgement in parts)
    first = acts[0]
    minted: list[Document] = []
    serial: str | None = None
    for paper in kind.papers:
        if paper.kind in _ONLY_WITH_MONEY and not paid:
            continue
        if paper.book is not None:
            serial = serials.mint(parts[0][0].unit, first, paper.book).text
        data = {**_data(paper.kind, parts, acts, serial), **(more or {})}
        minted.append(_store(parts[0][0], first, paper.kind, (serial, data)))
    return minted


def _store(
    scene: Scene, act: Act, kind: str, what: tuple[str | None, Mapping[str, JSON]]
) -> Document:
    serial, data = what
    row = Document(
        authority_id=act.authority_id,
        id=server_op_id(b"paper", f"{act.id}/{kind}") if kind else new_id(),
        act_id=act.id,
        seizure_id=scene.file.id,
        pound_id=act.pound_id,
        kind=kind,
        serial=serial,
        data=json.dumps(data, ensure_ascii=False, sort_keys=True),
        issued_at=scene.unit.now,
        printed_at=None,
        voided_at=None,
    )
    scene.unit.session.add(row)
    enter_paper(scene.unit, row, act)
    return row


def _data(
    kind: str, parts: Sequence[Part], acts: Sequence[Act], serial: str | None
) -> dict[str, JSON]:
    scene, judgement = parts[0]
    act = acts[0]
    said = answer_of(judgement)
    return {
        **_more(kind, scene, judgement),
        "kind": kind,
        "serial": serial,
        "issued_at": format_instant(scene.unit.now),
        "happened_at": format_instant(act.happened_at),
        "authority": authority_of(
            scene.unit.session.get_one(Authority, scene.file.authority_id), scene.case.profile
        ),
        "pound": _pound(scene),
        "statute": {"name": scene.case.profile.name, "version": scene.case.profile.version},
        "seizure": _seizure(scene),
        "party": party_of(scene, judgement.done.party),
        "by": _person(scene, act.person_id),
        "act": {"id": act.id, "act": act.act, "data": json.loads(act.data)},
        "section": said["section"],
        "heads": [head for one, judged in parts for head in _heads(one, judged)],
        "lines": [line_of(line) for _, judged in parts for line in judged.lines],
        "parts": [_part(one, judged) for one, judged in parts],
        "paid_paise": sum(_paid(judged) for _, judged in parts),
        "custody_before": _totals(scene),
    }


def _more(kind: str, scene: Scene, judgement: law.Judgement) -> dict[str, JSON]:
    """Return what only one kind of paper says: the account (a) to (f), the lots of a sale."""
    after = scene.case.after(judgement.done)
    if kind == "account" and judgement.done.party is not None:
        return {"account": _account(scene, after, judgement.done.party)}
    if kind == "sale_record":
        return _sale(scene, law.state(after, scene.unit.now))
    return {}


def _account(scene: Scene, case: law.Case, party: str) -> dict[str, JSON]:
    found = law.owner_account(case, party, scene.unit.now)
    since, until = found.impounded_at, found.until
    return {
        "seized": found.seized,
        "since": format_instant(since) if since else None,
        "until": format_instant(until),
        "charges_paise": found.charges_paise,
        "charges": [{"line": name, "paise": paise} for name, paise in found.charges],
        "sold": found.sold,
        "proceeds_paise": found.proceeds_paise,
        "disposed": [{"line": name, "paise": paise} for name, paise in found.went_to],
    }


def _sale(scene: Scene, now: law.CaseState) -> dict[str, JSON]:
    """Return the sale that was settled last, with its lots and buyers."""
    held = now.done("hold_auction")
    if not held:
        return {}
    last = held[-1]
    sold = [one for one in now.done("knock_down", "other_disposal") if one.at >= last.at]
    lots: list[JSON] = []
    for one in sold:
        buyer, price = one.data.get("buyer"), one.data.get("price_paise")
        lots += [
            {
                "kind": scene.custody[head].kind,
                "buyer": party_of(scene, buyer if isinstance(buyer, str) else None),
                "paise": now.heads[head].price_paise if price else 0,
                "declared": bool(one.data.get("declaration")),
            }
            for head in one.heads
            if head in scene.custody
        ]
    data = last.data
    auction = {
        "at": format_instant(last.at),
        "place": data.get("place"),
        "conditions": data.get("conditions"),
    }
    return {"lots": lots, "auction": auction}


def _part(scene: Scene, judgement: law.Judgement) -> dict[str, JSON]:
    return {
        "reference": _seizure(scene)["reference"],
        "lines": [line_of(line) for line in judgement.lines],
        "moves": [
            {"line": one.line, "paise": one.paise, "from": one.source, "to": one.target}
            for one in judgement.moves
        ],
    }


def _paid(judgement: law.Judgement) -> int:
    return sum(move.paise for move in judgement.moves if move.source == "payer")


def _totals(scene: Scene) -> dict[str, JSON]:
    return dict(Counter(head.kind for head in scene.case.heads))


def authority_of(row: Authority, profile: StatuteProfile) -> dict[str, JSON]:
    """Return an authority as a paper names it, with the languages to say it in."""
    languages: list[JSON] = [*row.languages.split()]
    # The statute's own languages stand in where the authority named none of its own.
    if row.languages.strip() in {"", "en"}:
        languages = [*profile.languages]
    return {"code": row.code, "name": row.name, "languages": languages}


def _pound(scene: Scene) -> dict[str, JSON] | None:
    if scene.file.pound_id is None:
        return None
    row = scene.unit.session.get(Pound, (scene.file.authority_id, scene.file.pound_id))
    return None if row is None else {"id": row.id, "name": row.name}


def _seizure(scene: Scene) -> dict[str, JSON]:
    row = scene.unit.session.get_one(Seizure, (scene.file.authority_id, scene.file.id))
    fields = row.fields
    seizer = fields.get("seizer") or {}
    return {
        "id": row.id,
        "reference": row.reference or row.minted_reference,
        "seized_at": format_instant(row.seized_at) if row.seized_at else None,
        "place": fields.get("place_text"),
        "survey_no": fields.get("survey_no"),
        "ground": row.ground,
        "capacity": row.capacity,
        "damage": fields.get("damage.text"),
        "seizer": {
            "name": seizer.get("name") or _person(scene, row.author_id)["name"],
            "residence": seizer.get("residence"),
            "signed": seizer.get("signed"),
        },
    }


def _person(scene: Scene, person_id: str | None) -> dict[str, JSON]:
    key = (scene.file.authority_id, person_id)
    row = scene.unit.session.get(Person, key) if person_id else None
    return {"name": None if row is None else row.name}


def party_of(scene: Scene, party_id: str | None) -> dict[str, JSON] | None:
    """Return a party as a paper names them."""
    if party_id is None:
        return None
    row = scene.unit.session.get(Party, (scene.file.authority_id, party_id))
    if row is None:
        return None
    return {"id": row.id, "name": row.name, "parent": row.parent, "residence": row.residence}


def _heads(scene: Scene, judgement: law.Judgement) -> list[dict[str, JSON]]:
    """Return each head of the act with what the report says of its lot, and whose it is."""
    wanted = [scene.custody[one] for one in judgement.done.heads if one in scene.custody]
    lots = {row.animal_id for row in wanted if row.animal_id}
    session = scene.unit.session
    found = (
        session.scalars(
            select(Animal).where(
                Animal.authority_id == scene.file.authority_id, among(session, Animal.id, lots)
            )
        )
        if lots
        else ()
    )
    said = {row.id: row.fields for row in found}
    one_by_one = _one_by_one(scene, judgement, said)
    return [
        {
            "id": row.id,
            "n": row.n,
            "kind": row.kind,
            "owner": party_of(scene, row.owner_id),
            **{
                name: value
                for name, value in said.get(row.animal_id or "", {}).items()
                if name in _DESCRIBED
            },
            **one_by_one.get(row.id, {}),
        }
        for row in sorted(wanted, key=lambda row: row.n)
    ]


def _one_by_one(
    scene: Scene, judgement: law.Judgement, said: Mapping[str, Mapping[str, JSON]]
) -> dict[str, dict[str, JSON]]:
    """Return what is said of each head by itself. Of a lot of which only a part is concerned, it is
    not known which animals these are: their paper describes the lot.
    """
    lots: dict[str, list[Custody]] = {}
    for row in sorted(scene.custody.values(), key=lambda row: row.n):
        lots.setdefault(row.animal_id or "", []).append(row)
    found: dict[str, dict[str, JSON]] = {}
    for lot, rows in lots.items():
        known = _individuals(said.get(lot, {}))
        if known and {row.id for row in rows} <= set(judgement.done.heads):
            found |= {row.id: known.get(number, {}) for number, row in enumerate(rows, 1)}
    return found


def _individuals(lot: Mapping[str, JSON]) -> dict[JSON, dict[str, JSON]]:
    """Return the animals of a lot by number, each as papers describe one."""
    listed = lot.get("individuals")
    found: dict[JSON, dict[str, JSON]] = {}
    for one in listed if isinstance(listed, list) else []:
        if isinstance(one, dict):
            said = {name: one[name] for name in ("marks", "condition") if one.get(name)}
            tag = one.get("ear_tag")
            found[one["number"]] = said if tag is None else {**said, "ear_tags": [tag]}
    return found
