"""Acts that no short story does, each by its form from the first page to the last, no script run.

The others are done so by the stories of `tests/integration/cases/test_stories.py`.
"""

from __future__ import annotations

from collections import Counter

from tests.support.desk import Browser, Page, at_counter
from tests.support.paper_forms import PaperForm, forms_of
from tests.support.pound_house import PoundHouse

NEWCOMER = {"party": "new", "new.name": "Sasi Kurup"}
ORDER = {"order_no": "12/2026"}


def form_of(browser: Browser, case: str, act: str) -> PaperForm:
    path = f"/console/cases/{case}/acts/{act}"
    return forms_of(browser.get(path).html).to(path)


def done(
    browser: Browser, case: str, act: str, /, *, noted: str = "", **typed: str | list[str]
) -> Page:
    """Fill in a form, look at its check, do it; returns the case, on which it has to stand."""
    form = form_of(browser, case, act)
    sent = form.filled(typed, press=("step", "look"))
    checked = Page(browser.client.post(form.action, data=sent))
    assert checked.status == 200, checked.text
    known = [one for one in forms_of(checked.html) if one.action == f"{form.action}/done"]
    last = known[-1] if noted else known[0]
    reason = {"reason": noted or "It was so."} if "reason" in last.names else {}
    answer = browser.client.post(last.action, data=last.filled(reason))
    assert answer.status_code == 303, Page(answer).text
    page = browser.get(f"/console/cases/{case}/acts")
    assert f'id="act-{sent["id"][0]}"' in page.html
    return page


def offered(browser: Browser, case: str, act: str, name: str) -> list[str]:
    return sorted(form_of(browser, case, act).offered(name) - {""})


def test_heads_on_the_way_are_told_of_by_forms(pound: PoundHouse) -> None:
    case = pound.seize({"cow": 4, "calf": 1})
    keeper = at_counter(pound)

    done(keeper, case, "dispatch_to_pound", pound=pound.pound_id)
    done(keeper, case, "escaped", **{"pick.cow": "1"}, cause="The rope broke")
    done(keeper, case, "correct_custody", **{"pick.calf": "2"})
    [gone] = offered(keeper, case, "correct_custody", "restore")
    done(keeper, case, "correct_custody", restore=[gone])
    done(keeper, case, "born")
    done(keeper, case, "release_at_spot", **{"pick.cow": "1"}, noted="By word of the police")

    heads = Counter((one["kind"], one["became"]) for one in pound.case(case)["custody"])
    assert heads == {("calf", None): 4, ("cow", None): 3, ("cow", "released_at_spot"): 1}


def test_orders_and_the_end_of_a_case_are_told_by_forms(pound: PoundHouse) -> None:
    case = pound.seize({"cow": 2})
    pound.take_in(case, {"cow": 2})
    secretary = at_counter(pound, "decider")

    done(secretary, case, "identify", **NEWCOMER, **{"pick.cow": "1"})
    done(secretary, case, "assess")
    done(secretary, case, "add_receipt_line", line="feeding", paise="5")
    done(secretary, case, "transfer", **ORDER, **{"pick.cow": "1"}, to="Goshala")
    done(secretary, case, "forfeit_cattle", **ORDER)
    reopened = done(secretary, case, "reopen", **ORDER, by="The Secretary")
    closed = done(secretary, case, "close")

    left = offered(secretary, case, "identify", "custody")
    assert {one["id"] for one in pound.case(case)["custody"]} == {*left}
    owners = [one["owner"] for one in pound.case(case)["custody"]]
    assert (owners.count(None), "Closed" in closed.text, "Case open" in reopened.text) == (1, 1, 1)


def test_head_that_was_lost_is_known_again_by_a_form(pound: PoundHouse) -> None:
    lost, found = pound.seize({"cow": 1}), pound.seize({"cow": 1})
    keeper = at_counter(pound)
    done(keeper, lost, "escaped")

    [head] = offered(keeper, found, "recognise", "previous")
    page = done(keeper, found, "recognise", previous=[head])

    assert pound.case(found)["custody"][0]["previous"] == head
    assert "Known again from another case" in page.text
    assert offered(keeper, found, "recognise", "previous") == []


def test_what_was_done_on_paper_is_noted_for_its_own_hour(pound: PoundHouse) -> None:
    case = pound.seize({"cow": 1})
    client = at_counter(pound, "decider").client
    form = form_of(Browser(client), case, "stay")
    checked = client.post(form.action, data=form.filled(ORDER, by="The Magistrate"))
    noting = forms_of(checked.text).to(f"{form.action}/done", nth=1)

    early = client.post(noting.action, data=noting.filled(happened_at="2030-01-01T10:00"))
    kept = client.post(noting.action, data=noting.filled(happened_at="2026-12-01T10:31"))

    assert (early.status_code, "2030-01-01T10:00" in early.text) == (422, True)
    assert kept.status_code == 303, Page(kept).text
    assert pound.case(case)["history"][-1]["happened_at"] == "2026-12-01T05:01:00.000Z"


def test_act_that_has_nothing_to_be_done_with_comes_back_with_what_was_typed(
    pound: PoundHouse,
) -> None:
    case = pound.seize({"cow": 1})
    client = at_counter(pound, "decider").client
    form = form_of(Browser(client), case, "return_payment")
    checked = client.post(form.action, data=form.filled(NEWCOMER, receipt_signed="1"))
    noting = forms_of(checked.text).to(f"{form.action}/done")

    bare = client.post(noting.action, data={**noting.filled(reason="x"), "reason": [""]})
    refused = Page(client.post(noting.action, data=noting.filled(reason="On paper")))

    assert (bare.status_code, refused.status) == (409, 409)
    assert "It cannot be done now" in refused.text
    assert "On paper" in refused.html
    assert pound.case(case)["history"] == []
