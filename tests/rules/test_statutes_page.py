"""The page on statutes says what the files say."""

from tests.support import tree
from tools.statutes_page import renewed

PAGE = "docs/statutes.md"


def test_page_of_the_statutes_is_current() -> None:
    page = tree.text(PAGE)
    assert renewed(page) == page, "run: python -m tools.statutes_page"
