"""At the desk: Bina signs in to the console with her password, looks at the report, accepts it with
a reason; the phone's next pull brings both. Over HTTP, page by page, as her browser does it.
"""

from __future__ import annotations

from fieldapi.demo.browser import Browser, Page
from fieldapi.demo.field import Report
from fieldapi.demo.phone import Crew
from fieldapi.demo.server import Server
from fieldapi.demo.setting import SIGN_IN, Village
from fieldapi.demo.telling import Teller, require

REASON = "Photos, count and place agree."
_HERD = ("2 buffaloes", "3 cows")
_JPEG = b"\xff\xd8\xff"


def review(tell: Teller, server: Server, crew: Crew, *, village: Village, report: Report) -> None:
    """Sign in, look, decide; then see the decision on the phone."""
    browser = Browser(server.url)
    with tell.step("sign in", "signing Bina in") as done:
        entry = browser.open("/console/").form("/console/sign-in")
        listed = browser.submit(entry, name=SIGN_IN, password=village.password)
        _require_listed(browser, listed, report)
        done(f"Bina signed in: {report.reference} is in her list, with its thumbnail")
    with tell.step("look", "opening the case page") as done:
        case = browser.open(case_path(report))
        _require_case(browser, case, report)
        done(f"she opened it: {', '.join(_HERD)}, the owner, both photos")
    with tell.step("decide", "accepting the report") as done:
        form = case.form(f"{case_path(report)}/decision")
        require("accepted" in form.choices, f"the page offers only {', '.join(form.choices)}")
        shown = browser.submit(form, outcome="accepted", reason=REASON)
        require(REASON in shown.text, "the decision is not shown once more before it counts")
        after = browser.submit(shown.form(f"{case_path(report)}/decision"), sure="1")
        require(REASON in after.text, "the case page does not show the reason")
        done("she accepted it, with a written reason", outcome="accepted")
    with tell.step("told", "pulling the decision to the phone") as done:
        crew.phone.sync()
        _require_told(crew, report)
        done(f"Asha's phone shows it: accepted, “{REASON}”", reason=REASON)


def case_path(report: Report) -> str:
    """Return where the console shows a report."""
    return f"/console/cases/{report.id}"


def _require_listed(browser: Browser, listed: Page, report: Report) -> None:
    require(case_path(report) in listed.links, "Bina's list does not lead to the report")
    require(report.reference in listed.text, "Bina's list does not name the reference")
    _require_picture(browser, listed, f"/console/photos/{report.shots[0].id}/thumbnail")


def _require_case(browser: Browser, case: Page, report: Report) -> None:
    for said in (report.reference, *_HERD, "Ramesh Solanki"):
        require(said in case.text, f"the case page does not say {said}")
    for shot in report.shots:
        _require_picture(browser, case, f"/console/photos/{shot.id}/thumbnail")
    _require_picture(browser, case, f"/console/photos/{report.shots[0].id}/preview")


def _require_picture(browser: Browser, page: Page, path: str) -> None:
    require(path in page.pictures, f"the page {page.path} does not show {path}")
    require(browser.picture(path).startswith(_JPEG), f"{path} is no JPEG")


def _require_told(crew: Crew, report: Report) -> None:
    shown = crew.phone.screen("seizure", report.id).shown
    told = shown.get("review")
    reason = told.get("reason") if isinstance(told, dict) else None
    state = shown.get("state")
    require(state == "accepted", f"the phone shows the report as {state}")
    require(reason == REASON, f"the phone shows another reason: {reason}")
