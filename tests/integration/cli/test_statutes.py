"""`fieldapi statutes check` with stories that somebody brings along."""

from pathlib import Path

from tests.support.commands import Run

STORY = """
[[cases]]
id = "mine"
version = "gujarat-1993"
steps = [
  { at = 2027-03-01T10:00:00, act = "seizure", animals = { cow = 1 } },
  { at = 2027-03-01T11:00:00, act = "impound" },
  { at = 2027-03-08T23:59:00, act = "order_sale", expect = { allowed = "no" } },
]
"""


def test_check_plays_a_story_that_follows(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(STORY, encoding="utf-8")
    found = run("statutes", "check", "--cases", str(tmp_path / "mine.toml"), "--json")
    assert (found.code, found.json["faults"]) == (0, [])


def test_check_says_what_does_not_follow(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(STORY.replace('"no"', '"yes"'), encoding="utf-8")
    found = run("statutes", "check", "--cases", str(tmp_path / "mine.toml"), "--json")
    assert found.code == 1
    assert found.json["faults"] == ["mine [3] order_sale: allowed: expected yes, got no"]


def test_check_names_a_file_or_a_statute_that_cannot_be_used(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("cases = [", encoding="utf-8")
    (tmp_path / "far.toml").write_text(STORY.replace("gujarat-1993", "mars"), encoding="utf-8")
    for name in ("bad.toml", "far.toml"):
        assert run("statutes", "check", "--cases", str(tmp_path / name)).code == 1
