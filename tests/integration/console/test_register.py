"""The pound at the counter, by forms alone: received, quoted, released; nothing twice."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import parse_qsl

from sqlalchemy import event, func, select

from fieldapi.ids import new_id
from fieldapi.models import Act, Seizure
from fieldapi.services import people
from fieldapi.services.authorise import operator
from fieldapi.services.people import Grant
from fieldapi.unit import Database
from tests.support.desk import PASSWORD, Browser, Page, at_counter, at_desk
from tests.support.personas import Village
from tests.support.pound_house import PoundHouse

NEWCOMER = {"party": "new", "new.name": "Sasi Kurup", "new.residence": "Chathannur"}
SIGNED = {"declaration": "1", "register_signature": "1"}
HERD = {"buffalo": 2}
DONE = "/console/cases/{}/acts/release/done"


def brought(pound: PoundHouse) -> str:
    """Two buffaloes that stand in the pound since this morning."""
    case = pound.seize(HERD)
    pound.take_in(case, HERD)
    return case


def check(browser: Browser, case: str, act: str, **typed: str) -> Page:
    path = f"/console/cases/{case}/acts/{act}"
    return browser.send(browser.get(path), path, **typed)


def do(browser: Browser, checked: Page, case: str, act: str, **typed: str) -> Page:
    return browser.send(checked, f"/console/cases/{case}/acts/{act}/done", **typed)


def claimed(browser: Browser, case: str) -> str:
    """Enter somebody new as the owner; returns their id."""
    done = do(browser, check(browser, case, "identify", **NEWCOMER), case, "identify")
    assert done.status == 303, done.text
    page = browser.get(done.answer.headers["Location"])
    return page.html.partition("acts/release?party=")[2][:36]


def paying(browser: Browser, case: str, rupees: str) -> Page:
    owner = claimed(browser, case)
    return check(browser, case, "release", party=owner, paid_paise=rupees, **SIGNED)


def test_fee_table_is_heads_by_days_by_scale(pound: PoundHouse) -> None:
    case = brought(pound)
    pound.clock.now += timedelta(days=2)
    pound.notify(
        "fee_schedule",
        effective_from="2026-12-02",
        data={"rates": [{"kind": "buffalo", "paise": 1}]},
    )
    keeper = at_counter(pound)

    page = keeper.get(f"/console/cases/{case}/acts")

    assert "2 × ₹150.00" in page.text
    assert "2 × 3 days × ₹55.50" in page.text
    assert "₹633.00" in page.text
    assert "SAMPLE fines, in force from 1 Dec 2026" in page.text
    assert "After it:" in page.text
    assert "Payment was offered" in page.text
    assert "Account to the owner" not in page.text


def test_cattle_are_released_against_what_is_due_and_a_receipt(pound: PoundHouse) -> None:
    case = brought(pound)
    pound.clock.now += timedelta(days=2)
    keeper = at_counter(pound)
    before = keeper.get(f"/console/pound/{pound.pound_id}").text
    assert ("In the pound 2" in before, "After it:" in before) == (True, True)

    paid = paying(keeper, case, "633")
    short = check(
        keeper, case, "release", party=paid.forms[DONE.format(case)]["party"], paid_paise="600"
    )
    done = do(keeper, paid, case, "release")

    page = keeper.get(done.answer.headers["Location"])
    assert "It cannot be done now" in short.text
    assert "REC/2026-27/A/0001" in page.text
    assert "size=80mm" in page.html
    printed = keeper.get(re.findall(r'href="([^"]+size=80mm)"', page.html)[0]).text
    assert "2 × 3 days × ₹55.50 / 2 × 3" in printed
    home = keeper.get(f"/console/pound/{pound.pound_id}").text
    assert "In the pound 0" in home
    assert "Released today 2" in home
    acts = keeper.get(f"/console/cases/{case}/acts").text
    assert "Sasi Kurup Done" in acts.partition("Done so far")[2]
    assert "Payment was offered" not in acts
    story = keeper.get(f"/console/cases/{case}").text.partition("What happened")[2]
    assert "Keeper released the cattle against payment." in story
    assert "Keeper took the cattle into the pound." in story


def test_all_that_somebody_owes_is_settled_by_one_receipt(pound: PoundHouse) -> None:
    first, second = brought(pound), brought(pound)
    pound.clock.now += timedelta(days=2)
    keeper = at_counter(pound)
    owner = claimed(keeper, first)
    asked: list[str] = []
    event.listen(pound.database.engine, "before_cursor_execute", lambda *a: asked.append(a[2]))
    keeper.get(f"/console/parties/{owner}")
    for_one = len(asked)
    taken = check(keeper, second, "identify", party=owner)
    assert do(keeper, taken, second, "identify").status == 303

    asked.clear()
    owed = keeper.get(f"/console/parties/{owner}")
    assert len(asked) <= for_one + 2  # two cases, not twice as many
    link = owed.html.partition(f"acts/release?party={owner}")[0].rpartition('href="')[2]
    form = keeper.get(f"{link}acts/release?party={owner}&all=1")
    chosen = re.findall(r'name="custody" value="([^"]+)" checked', form.html)
    path = f"{link}acts/release"
    typed = {**form.forms[path], "custody": chosen, "party": owner, "paid_paise": "1266"}
    checked = Page(keeper.client.post(path, data={**typed, **SIGNED}))
    done = keeper.send(checked, f"{path}/done")

    assert "One receipt for 2 cases" in owed.text
    assert "₹1,266.00" in owed.text
    assert 'value="1266"' in form.html
    assert (len(chosen), done.status) == (4, 303), checked.text
    heads = [head for one in (first, second) for head in pound.case(one)["custody"]]
    assert {one["became"] for one in heads} == {"released_paid"}
    assert "Nothing is owed" in keeper.get(f"/console/parties/{owner}").text
    assert keeper.get(f"/console/parties/{new_id()}").status == 404


def test_what_was_collected_for_others_is_handed_on_case_by_case(pound: PoundHouse) -> None:
    cases = [brought(pound), brought(pound)]
    pound.clock.now += timedelta(days=2)
    keeper = at_counter(pound)
    for case in cases:
        assert do(keeper, paying(keeper, case, "633"), case, "release").status == 303
    path = f"/console/pound/{pound.pound_id}/remittances"

    page = keeper.get(path)
    marked = re.findall(r'name="remit" value="([^"]+)" checked', page.html)
    sent = [
        keeper.client.post(path, data={**page.forms[path], "remit": marked}).status_code
        for _ in range(2)
    ]

    assert "₹600.00" in page.text
    assert (len(marked), sent) == (2, [303, 303])
    after = keeper.get(path).text
    assert "Recorded as remitted: 2 cases." in after
    assert "Nothing is to be handed on" in after
    day = keeper.get(f"/console/pound/{pound.pound_id}/books/daily-statement.html").text
    assert ("Money handed on" in day, "remittance" in day) == (True, False)
    report = keeper.get(f"/console/cases/{cases[0]}").html
    assert "released the cattle against payment" in report
    assert "panel verdict" not in report  # an official act is no verdict on the report
    many = {**page.forms[path], "remit": marked * 26}
    assert keeper.client.post(path, data=many).status_code == 400


def test_form_that_is_sent_twice_is_done_once(pound: PoundHouse, database: Database) -> None:
    case = brought(pound)
    pound.clock.now += timedelta(days=2)
    keeper = at_counter(pound)
    paid = paying(keeper, case, "633")

    first = do(keeper, paid, case, "release")
    again = do(keeper, paid, case, "release")

    assert first.answer.headers["Location"] == again.answer.headers["Location"]
    with database.read() as session:
        acts = session.scalar(select(func.count()).select_from(Act).where(Act.act == "release"))
    assert acts == 1


def test_what_is_against_a_rule_is_only_written_down_with_a_reason(pound: PoundHouse) -> None:
    case = brought(pound)
    keeper = at_counter(pound)
    early = check(keeper, case, "report_unclaimed")
    action = f"/console/cases/{case}/acts/report_unclaimed/done"
    assert "From 9 Dec 2026, 12:00 AM." in early.text

    bare = do(keeper, early, case, "report_unclaimed", mode="perform")
    noted = do(keeper, early, case, "report_unclaimed", mode="record", reason="Done on paper")

    assert bare.status == 409
    assert action in bare.forms
    assert "against a rule" in keeper.get(f"/console/cases/{case}/acts").text
    assert noted.status == 303


def test_refused_act_speaks_the_language_of_the_reader(pound: PoundHouse) -> None:
    case = brought(pound)
    keeper = at_counter(pound)
    keeper.send(keeper.get(f"/console/cases/{case}"), "/console/language", language="gu")

    early = check(keeper, case, "report_unclaimed")
    nobody = check(keeper, case, "claim", party=new_id())

    assert "ડબ્બામાં પૂર્યા પછીના સાત દિવસ પૂરા થયા નથી." in early.text
    assert nobody.status == 422
    assert "રજિસ્ટરમાં એવી કોઈ વ્યક્તિ નથી." in nobody.text


def test_mistyped_sum_comes_back_beside_its_field(pound: PoundHouse) -> None:
    case = brought(pound)
    keeper = at_counter(pound)

    page = check(keeper, case, "release", paid_paise="a lot", **NEWCOMER)

    assert page.status == 422
    assert "Error: Release against payment" in page.html
    assert 'id="paid_paise-fault"' in page.html
    assert 'value="a lot"' in page.html
    assert "Sasi Kurup" in page.html


def test_somebody_is_found_in_the_register_of_people(pound: PoundHouse) -> None:
    case = brought(pound)
    pound.party("Omana Amma", residence="Karamcode")
    keeper = at_counter(pound)

    page = check(keeper, case, "identify", step="find", q="karam")
    nobody = check(keeper, case, "identify", step="find", q="karam" * 20_000)

    assert "Omana Amma, Karamcode" in page.text
    assert (nobody.status, "Omana Amma" in nobody.text) == (200, False)


def test_somebody_new_is_named_once_and_stays_named(pound: PoundHouse) -> None:
    case = brought(pound)
    keeper = at_counter(pound)

    checked = check(keeper, case, "claim", **NEWCOMER)
    changed = keeper.send(checked, f"/console/cases/{case}/acts/claim", step="change")

    assert "Who claims the cattle: Sasi Kurup" in checked.text
    assert re.search(
        r'<option value="[^"]+" selected>Sasi Kurup, Chathannur</option>', changed.html
    )


def test_buyer_may_be_somebody_new(pound: PoundHouse) -> None:
    case = brought(pound)
    secretary = at_counter(pound, "decider")
    buyer = {"buyer": "new", "new.name": "Kuttappan"}

    none = check(secretary, case, "knock_down", price_paise="9000")
    early = check(secretary, case, "knock_down", price_paise="9000", **buyer, paid_by_is="police")

    assert "Say who bought it." in none.text
    assert (early.status, "Buyer: Kuttappan" in early.text) == (200, True)


def test_only_what_can_follow_is_offered_and_only_own_time_limits_are_over(
    pound: PoundHouse,
) -> None:
    case = brought(pound)
    pound.clock.now += timedelta(days=11)
    secretary = at_counter(pound, "decider")

    acts = secretary.get(f"/console/cases/{case}/acts")
    home = secretary.get(f"/console/pound/{pound.pound_id}")

    assert "acts/order_sale" in acts.html
    assert "Account to the owner" not in acts.text
    assert "Pay the balance to the owner" not in acts.text
    assert "A complaint of illegal seizure is out of time." not in acts.text + home.text


def test_unknown_act_has_no_form(pound: PoundHouse) -> None:
    case = brought(pound)

    assert at_counter(pound).get(f"/console/cases/{case}/acts/hang").status == 404


def test_another_count_is_asked_about_and_both_are_kept(pound: PoundHouse) -> None:
    case = pound.seize({"cow": 3})
    keeper = at_counter(pound)
    path = f"/console/pound/{pound.pound_id}/receive/{case}"
    form = keeper.get(path)
    came = {"count.cow": "2", "received_at": "2026-12-01T11:00"}

    early = keeper.send(form, path, **{**came, "received_at": "2026-11-30T10:30"})
    asked = keeper.send(form, path, **came)
    kept = keeper.send(asked, path, **came, step="both")

    assert "The cattle cannot have come before they were seized." in early.text
    assert "Cows: the report says 3, you counted 2." in asked.text
    again = keeper.send(asked, path, **came, step="both")
    assert (kept.status, again.status) == (303, 303)
    assert "counted in already" in keeper.get(again.answer.headers["Location"]).text
    assert [one["n"] for one in pound.case(case)["animals"] if one["state"] == "impounded"] == [2]
    assert "On the way" in keeper.get(f"/console/cases/{case}/acts").text


def test_arrival_without_a_count_is_not_taken(pound: PoundHouse) -> None:
    case = pound.seize({"cow": 3})
    keeper = at_counter(pound)
    path = f"/console/pound/{pound.pound_id}/receive/{case}"

    page = keeper.send(keeper.get(path), path, received_at="2026-12-01T10:30")

    assert page.status == 422
    assert "Write how many heads came, kind by kind." in page.text


def test_paper_is_a_duplicate_once_it_was_printed(pound: PoundHouse) -> None:
    case = brought(pound)
    pound.clock.now += timedelta(days=2)
    keeper = at_counter(pound)
    done = pound.act(case, "report_unclaimed", mode="check")
    assert done.status_code == 200
    entry = pound.case(case)["history"][0]["documents"][0]["id"]

    first = keeper.get(f"/console/papers/{entry}.html?size=80mm")
    path = f"/console/papers/{entry}/printed"
    keeper.send(keeper.get(f"/console/papers/{entry}"), path)
    second = keeper.get(f"/console/papers/{entry}.html")

    assert "ORIGINAL" in first.text
    assert "DUPLICATE" in second.text
    assert "sandbox" in first.answer.headers["Content-Security-Policy"]


def test_void_paper_needs_a_reason(pound: PoundHouse) -> None:
    case = brought(pound)
    keeper = at_counter(pound)
    entry = pound.case(case)["history"][0]["documents"][0]["id"]
    page, path = keeper.get(f"/console/papers/{entry}"), f"/console/papers/{entry}/void"

    bare, given = keeper.send(page, path, reason=" "), keeper.send(page, path, reason="Misprint")

    assert (bare.status, given.status) == (422, 303)
    assert "VOID" in keeper.get(f"/console/papers/{entry}").text


def test_books_are_there_to_print_and_as_a_table(pound: PoundHouse) -> None:
    brought(pound)
    keeper = at_counter(pound)
    books = f"/console/pound/{pound.pound_id}/books"

    for name in ("register", "daily-statement", "fee-list", "refunds"):
        page = keeper.get(f"{books}/{name}.html")
        table = keeper.send(keeper.get(books), f"{books}/{name}.csv")
        assert "1 Dec 2026" in page.text or name == "fee-list"
        assert table.answer.mimetype == "text/csv"
    diary = keeper.get(f"{books}/diary.html")
    assert (diary.status, "To the pound" in diary.text, "Sign out" in diary.text) == (404, 1, 1)
    ever = {"since": "1800-01-01", "until": "2100-12-31"}
    assert keeper.send(keeper.get(books), f"{books}/register.csv", **ever).status == 200


def test_books_say_of_which_days_they_are_and_take_no_others(pound: PoundHouse) -> None:
    keeper, books = at_counter(pound), f"/console/pound/{pound.pound_id}/books"
    span = "since=2026-11-01&until=2026-11-20"

    shown = keeper.get(f"{books}?{span}")
    assert "Daily statement Of the last day alone: 20 Nov 2026" in shown.text
    for name, days in (("daily-statement", "2026-11-20"), ("register", "2026-11-01_2026-11-20")):
        table = keeper.send(shown, f"{books}/{name}.csv").answer
        assert f'"{name}_{days}.csv"' in table.headers["Content-Disposition"]
    for wrong, said in (
        ("since=x&until=y", "Write the day as year-month-day"),
        ("since=0001-01-01&until=9999-12-31", "Write the day as year-month-day"),
        ("since=2026-11-20&until=2026-11-01", "The first day is after the last one."),
    ):
        pages = [keeper.get(f"{books}{path}?{wrong}") for path in ("", "/daily-statement.html")]
        typed = dict(parse_qsl(wrong))
        pages.append(keeper.send(shown, f"{books}/daily-statement.csv", **typed))
        assert [(page.status, said in page.text) for page in pages] == [(400, True)] * 3


def test_book_is_not_taken_out_by_a_browser_left_open(pound: PoundHouse) -> None:
    case, keeper = brought(pound), at_counter(pound)
    page = f"/console/pound/{pound.pound_id}/books"
    book, shown = f"{page}/register.csv", keeper.get(page)
    pound.clock.move(seconds=5 * 60)

    here = {"Referer": f"http://localhost{page}"}
    asked = Page(keeper.client.post(book, data=shown.forms[book], headers=here))
    wrong = keeper.send(asked, book, proof_password="not this one")
    given = keeper.send(wrong, book, proof_password=PASSWORD)

    reference = pound.case(case)["reference"]
    assert (asked.status, wrong.status, reference in wrong.html) == (401, 401, False)
    assert f'href="{page}"' in wrong.html  # back to where the form stood
    assert reference in given.html
    assert keeper.get(book).status == 405


def test_slip_becomes_a_report_from_paper(pound: PoundHouse, database: Database) -> None:
    boss = operator(pound.authority_id)
    keeper_id = pound.people["keeper"].person_id
    database.transact(lambda unit: people.grant(unit, boss, Grant("reporter"), person_id=keeper_id))
    keeper, path = at_counter(pound), "/console/slips/new"
    said = {"capacity": "person_in_charge", "ground": "straying", "place_kind": "public_road"}
    form = keeper.get(f"{path}?pound={pound.pound_id}")

    empty = keeper.send(form, path, **said)
    lots = {"kind.0": "cow", "count.0": "2", "owner.name": "Sasi", "pound_id": pound.pound_id}
    stored = keeper.send(form, path, **said, **lots, seized_at="2026-11-30T17:05")

    assert empty.status == 422
    assert "Write day and time" in empty.text
    assert stored.status == 303, stored.text
    with database.read() as session:
        row = session.scalars(select(Seizure)).one()
    assert row.fields["origin"] == "paper"
    assert "Count in" in keeper.get(f"/console/pound/{pound.pound_id}").text


def test_pound_of_others_is_not_there(pound: PoundHouse, village: Village) -> None:
    case = brought(pound)
    keeper = at_counter(pound)
    other = village.pound_id

    for path in (f"/pound/{other}", f"/pound/{other}/books", f"/cases/{new_id()}/acts"):
        assert keeper.get(f"/console{path}").status == 404
    mohan = at_desk(pound.app, pound.database, village["mohan"])
    for path in (f"/cases/{case}/acts", f"/cases/{case}/acts/release", f"/pound/{pound.pound_id}"):
        assert mohan.get(f"/console{path}").status == 404


def test_full_pound_takes_no_more_queries(pound: PoundHouse, database: Database) -> None:
    brought(pound)
    keeper, path = at_counter(pound), f"/console/pound/{pound.pound_id}"
    asked: list[str] = []
    event.listen(database.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    keeper.get(path)
    one = len(asked)
    for _ in range(4):
        brought(pound)
    asked.clear()
    keeper.get(path)

    assert len(asked) <= one <= 24
