"""The official papers: each kind turns the data that its act stored into a sheet.

Called by the api and the console. A new paper is one function here and one line in `KINDS`. Must
never import services, queries or SQL, nor change what the data says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from fieldapi.documents import letters, orders
from fieldapi.documents.arithmetic import arithmetic
from fieldapi.documents.parts import Body, Data, case_of, party, person
from fieldapi.documents.sheets import Sheet, Table, Tongue, day, moment, rupees
from fieldapi.domain.act_labels import ACCOUNTS, CHOICES, LINES
from fieldapi.domain.field_labels import VALUES
from fieldapi.domain.words import sentence

_DESCRIBED = ("colour", "sex", "age_class", "horns", "marks", "condition")

ORIGINAL, DUPLICATE = sentence("ORIGINAL"), sentence("DUPLICATE")
SPECIMEN, VOID = sentence("SPECIMEN"), sentence("VOID")


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper as it is stored. `prints`: how often it was printed before. `link`: for the QR."""

    data: Data
    prints: int = 0
    is_void: bool = False
    link: str = ""
    kind_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def language(self) -> str:
        """The language beside English: the first of the authority's that is another."""
        named = [one for one in self.data["authority"]["languages"] if one != "en"]
        return str(named[0]) if named else "en"

    @property
    def mark(self) -> str:
        """ORIGINAL until it was printed, then DUPLICATE; VOID once its number is."""
        if self.is_void:
            return VOID
        return DUPLICATE if self.prints else ORIGINAL


@dataclass(frozen=True, slots=True)
class _Kind:
    title: str
    body: Callable[[Paper, Tongue], Body]
    signatures: tuple[str, ...]


def sheet_of(paper: Paper) -> Sheet:
    """Return the sheet of a paper."""
    data, tongue = paper.data, Tongue(paper.language)
    kind = KINDS[data["kind"]]
    facts, tables, notes = kind.body(paper, tongue)
    mark, other = tongue.pair(paper.mark)
    return Sheet(
        language=paper.language,
        title=tongue.pair(kind.title),
        authority=str(data["authority"]["name"]),
        mark=f"{mark} / {other}" if other else mark,
        serial=str(data.get("serial") or ""),
        subtitle=_under(data),
        facts=[(tongue.both(label), value) for label, value in facts if value],
        tables=tables,
        notes=[text for note in notes for text in tongue.pair(note) if text],
        signatures=[tongue.both(one) for one in kind.signatures],
        link=paper.link,
        footer=[moment(data.get("issued_at"))],
    )


def _under(data: Data) -> str:
    """Return the Act and where in it the paper rests; what names its own source is no section."""
    section, name = str(data.get("section") or ""), str(data["statute"]["name"])
    if not section.strip("-"):
        return name
    return f"{name}, s. {section}" if section[0].isdigit() else f"{name}, {section}"


def _kind_name(paper: Paper, code: str) -> str:
    return paper.kind_names.get(code, code)


def _heads(paper: Paper, tongue: Tongue, *, has_owner: bool = True) -> Table:
    """Return the heads one by one, as Form A asks: number and description of each."""
    columns = [tongue.both(one) for one in (sentence("No."), sentence("Kind"), sentence("Marks"))]
    if has_owner:
        columns.append(tongue.both(sentence("Owner")))
    rows = []
    for n, head in enumerate(paper.data["heads"], 1):
        said = [_described(name, str(head[name]), tongue) for name in _DESCRIBED if head.get(name)]
        said += [str(one) for one in head.get("ear_tags") or []]
        row = [str(n), _kind_name(paper, head["kind"]), ", ".join(filter(None, said))]
        rows.append([*row, person(head.get("owner"))] if has_owner else row)
    return Table(columns, rows, numeric=(0,))


def _described(name: str, said: str, tongue: Tongue) -> str:
    """Return what was said of a head as people read it; nothing for what is not known.

    >>> gu = Tongue("gu")
    >>> _described("sex", "female", gu), _described("sex", "unknown", gu)
    ('Female / માદા', '')
    """
    label = VALUES.get(name, {}).get(said)
    if said == "unknown":
        return ""
    return tongue.both(label) if label else said


def _line_name(line: str, tongue: Tongue) -> str:
    return tongue.both(LINES[line]) if line in LINES else line


def _charged(one: Data, tongue: Tongue) -> str:
    """Return the name of a line; what is paid on account now was not paid before."""
    is_now = one["line"] == "paid_on_account" and one["paise"] > 0
    return tongue.both(sentence("Paid on account")) if is_now else _line_name(one["line"], tongue)


def _account_name(account: str, tongue: Tongue) -> str:
    """Return where money went: who holds it, or that it is held here."""
    kind, _, what = account.partition(".")
    if kind == "held":
        return tongue.both(sentence("Held"))
    code = what or kind
    return tongue.both(ACCOUNTS[code]) if code in ACCOUNTS else code.replace("_", " ")


def _how(one: Data, tongue: Tongue) -> str:
    """Return the arithmetic of a line; in both languages where it has words."""
    line, how = str(one["line"]), str(one["how"])
    english, other = (arithmetic(line, how, said) for said in ("en", tongue.language))
    return english if english == other else f"{english} / {other}"


def _money(paper: Paper, tongue: Tongue, total: int | None = None) -> Table:
    """Return what was charged, line by line with its arithmetic, and the sum."""
    lines = paper.data["lines"]
    columns = [
        tongue.both(one)
        for one in (sentence("For"), sentence("How"), sentence("Section"), sentence("Amount"))
    ]
    rows = [
        [
            _charged(one, tongue),
            _how(one, tongue),
            str(one["section"] or ""),
            rupees(one["paise"]),
        ]
        for one in lines
    ]
    amount = sum(one["paise"] for one in lines) if total is None else total
    rows.append([tongue.both(sentence("Total")), "", "", rupees(amount)])
    return Table(columns, rows, numeric=(3,), is_last_row_sum=True)


def _moves(paper: Paper, tongue: Tongue) -> Table:
    """Return the money that moved, by what it was for and where it went."""
    moves = [move for part in paper.data["parts"] for move in part["moves"]]
    columns = [tongue.both(one) for one in (sentence("For"), sentence("To"), sentence("Amount"))]
    rows = [
        [_line_name(one["line"], tongue), _account_name(one["to"], tongue), rupees(one["paise"])]
        for one in moves
    ]
    return Table(columns, rows, numeric=(2,))


def _register(paper: Paper, tongue: Tongue) -> Body:
    data = paper.data
    seizer = data["seizure"]["seizer"]
    signed = sentence("Signature on the phone") if seizer.get("signed") else ""
    facts = [
        *case_of(data),
        (sentence("Brought to the pound on"), moment(data["happened_at"])),
        (sentence("Seizer"), person(seizer)),
        (sentence("Signed by the seizer"), tongue.both(signed) if signed else ""),
        (sentence("Entered by"), person(data.get("by"))),
    ]
    return facts, [_heads(paper, tongue)], ()


def _copy(paper: Paper, tongue: Tongue) -> Body:
    facts, tables, _ = _register(paper, tongue)
    return facts, tables, (sentence("A true copy of the entry in the pound register."),)


def _receipt(paper: Paper, tongue: Tongue) -> Body:
    data = paper.data
    facts = [
        *case_of(data),
        *party(data, sentence("Received from")),
        (sentence("Received"), rupees(data["paid_paise"])),
        (sentence("Received by"), person(data.get("by"))),
    ]
    tables = [_money(paper, tongue)] if data["lines"] else []
    if data["heads"]:
        tables.append(_heads(paper, tongue, has_owner=False))
    return facts, tables, (sentence("Nothing may be taken beyond what stands in this receipt."),)


def _deposit(paper: Paper, tongue: Tongue) -> Body:
    facts, tables, _ = _receipt(paper, tongue)
    note = sentence("Deposited, not paid: it is held until the law says to whom it goes.")
    return facts, tables, (note,)


def _notice(paper: Paper, tongue: Tongue) -> Body:
    """Return notice (a) number and description, (b) place of seizure, (c) where impounded. No
    owner is named: it hangs in public.
    """
    data = paper.data
    said = data["act"]["data"]
    place = data["seizure"].get("place") or data["seizure"].get("survey_no") or ""
    facts = [
        (sentence("(a) Number of cattle"), str(len(data["heads"]))),
        (sentence("(b) Place of seizure"), str(place)),
        (sentence("(c) Place where impounded"), str((data.get("pound") or {}).get("name") or "")),
        (sentence("Seized on"), moment(data["seizure"].get("seized_at"))),
        (sentence("Dated"), day(data["happened_at"])),
        (sentence("Proclaimed in"), _proclaimed(said, tongue)),
    ]
    note = sentence("Whoever owns these cattle may claim them at the pound on payment of the dues.")
    return facts, [_heads(paper, tongue, has_owner=False)], (note,)


def _proclaimed(said: Data, tongue: Tongue) -> str:
    places = [str(one) for one in said.get("proclamation") or []]
    names = CHOICES["proclamation"]
    return ", ".join(tongue.both(names[one]) if one in names else one for one in places)


def _account(paper: Paper, tongue: Tongue) -> Body:
    """Return the account (a) to (f) of Kerala s. 15(3)."""
    data = paper.data
    account = data.get("account") or {}
    charges = account.get("charges_paise", 0)
    facts = [
        *case_of(data),
        *party(data, sentence("Owner")),
        (sentence("(a) Cattle seized"), str(account.get("seized", len(data["heads"])))),
        (sentence("(b) Time impounded"), _span(account)),
        (sentence("(c) Fines and charges"), _with_parts(account, charges, tongue)),
        (sentence("(d) Cattle sold"), str(account.get("sold", ""))),
        (sentence("(e) Proceeds of the sale"), rupees(account.get("proceeds_paise", 0))),
        (sentence("(f) How the proceeds were disposed of"), _disposed(account, tongue)),
    ]
    return facts, [_money(paper, tongue)] if data["lines"] else [], ()


def _with_parts(account: Data, total: int, tongue: Tongue) -> str:
    """Return the charges and, where the act kept them, what they are made of."""
    parts = [
        f"{_line_name(one['line'], tongue)} {rupees(one['paise'])}"
        for one in account.get("charges", [])
    ]
    return f"{rupees(total)} ({'; '.join(parts)})" if len(parts) > 1 else rupees(total)


def _span(account: Data) -> str:
    return " – ".join(moment(account.get(end)) for end in ("since", "until") if account.get(end))


def _disposed(account: Data, tongue: Tongue) -> str:
    return "; ".join(
        f"{_disposed_name(one['line'], tongue)} {rupees(one['paise'])}"
        for one in account.get("disposed", [])
    )


def _disposed_name(account: str, tongue: Tongue) -> str:
    """Return where a part of the proceeds went; what is held is named by what it is."""
    held = account.removeprefix("held.")
    is_held = held != account and held in LINES
    return tongue.both(LINES[held]) if is_held else _account_name(account, tongue)


def _sale(paper: Paper, tongue: Tongue) -> Body:
    data = paper.data
    columns = [
        tongue.both(one)
        for one in (sentence("Lot"), sentence("Kind"), sentence("Buyer"), sentence("Price"))
    ]
    lots = data.get("lots") or []
    rows = [
        [str(n), _kind_name(paper, lot["kind"]), person(lot.get("buyer")), rupees(lot["paise"])]
        for n, lot in enumerate(lots, 1)
    ]
    held = data.get("auction") or {}
    facts = [
        *case_of(data),
        (sentence("Sale held on"), moment(held.get("at"))),
        (sentence("Place of the sale"), str(held.get("place") or "")),
        (sentence("Conditions"), str(held.get("conditions") or "")),
    ]
    note = sentence(
        "Each buyer declared that the Act does not forbid them to buy, and that they buy for"
        " nobody else."
    )
    tables = [Table(columns, rows, numeric=(0, 3)), _moves(paper, tongue)]
    is_declared = all(one.get("declared", True) for one in lots if one.get("buyer"))
    return facts, tables, (note,) if is_declared else ()


def _declaration(paper: Paper, tongue: Tongue) -> Body:
    facts = [*case_of(paper.data), *party(paper.data, sentence("Declared by"))]
    note = sentence("I declare that the cattle described here belong to me.")
    return facts, [_heads(paper, tongue, has_owner=False)], (note,)


def _report(paper: Paper, tongue: Tongue) -> Body:
    facts = [
        *case_of(paper.data),
        (sentence("Reported on"), moment(paper.data["happened_at"])),
        (sentence("Reported by"), person(paper.data.get("by"))),
    ]
    note = sentence("Nobody has claimed the cattle described here within the time of the Act.")
    return facts, [_heads(paper, tongue)], (note,)


def _voucher(paper: Paper, tongue: Tongue) -> Body:
    data = paper.data
    facts = [*case_of(data), *party(data, sentence("Paid to"))]
    return facts, [_moves(paper, tongue)], ()


def _order(paper: Paper, tongue: Tongue) -> Body:
    return orders.removal(paper.data, tongue)


def _summons(paper: Paper, tongue: Tongue) -> Body:
    return letters.summons(paper.data, tongue)


def _forwarding(paper: Paper, tongue: Tongue) -> Body:
    return letters.forwarding(paper.data, tongue)


def _decision(paper: Paper, tongue: Tongue) -> Body:
    return letters.decision(paper.data, tongue)


_KEEPER, _PAYER = sentence("Pound keeper"), sentence("Payer or agent")
_SEIZER, _OFFICER = sentence("Seizer"), sentence("Officer")
_OWNER = sentence("Owner or agent")
KINDS: Mapping[str, _Kind] = MappingProxyType(
    {
        "register_entry": _Kind(sentence("Pound register entry"), _register, (_SEIZER, _KEEPER)),
        "register_copy": _Kind(sentence("Attested copy of the register entry"), _copy, (_KEEPER,)),
        "money_receipt": _Kind(sentence("Receipt"), _receipt, (_PAYER, _KEEPER)),
        "deposit_receipt": _Kind(sentence("Receipt of a deposit"), _deposit, (_PAYER, _KEEPER)),
        "notice": _Kind(sentence("Notice of unclaimed cattle"), _notice, (_OFFICER,)),
        "account": _Kind(sentence("Account to the owner"), _account, (_OWNER, _OFFICER)),
        "sale_record": _Kind(sentence("Record of the sale"), _sale, (_OFFICER,)),
        "declaration": _Kind(sentence("Declaration of ownership"), _declaration, (_OWNER, _KEEPER)),
        "unclaimed_report": _Kind(sentence("Report of unclaimed cattle"), _report, (_KEEPER,)),
        "payment_voucher": _Kind(sentence("Voucher of a payment"), _voucher, (_OWNER, _OFFICER)),
        "refund_entry": _Kind(sentence("Register of refunds"), _voucher, (_OWNER, _KEEPER)),
        "summons": _Kind(sentence("Summons"), _summons, (_OFFICER,)),
        "forwarding": _Kind(sentence("Complaint sent for decision"), _forwarding, (_OFFICER,)),
        "complaint_order": _Kind(sentence("Order on a complaint"), _decision, (_OFFICER,)),
        "removal_order": _Kind(sentence("Order to remove cattle"), _order, (_OFFICER,)),
    }
)
