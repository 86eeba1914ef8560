"""The report: well-formed, whole in itself, harmless whatever the data are, and the same in every run.

`TOCSIN_RENEW=1 make test ARGS=tests/backtest` writes the golden files anew.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.backtest.histories import made, rules, written
from tests.backtest.test_embedded import asked
from tocsin.backtest.document import Document, Heading, Table
from tocsin.backtest.findings import Cost, Costs, Findings
from tocsin.backtest.histories import history_of
from tocsin.backtest.html import html_page
from tocsin.backtest.markdown import escaped, markdown_page
from tocsin.backtest.report_files import write_report
from tocsin.backtest.sections import report_of
from tocsin.backtest.workflow import backtest
from tocsin.errors import UsageError

GOLDEN = Path(__file__).parents[1] / "golden" / "backtest"
EVIL = '</td></style></title><script>alert("x")</script><img src=x onerror=alert(1)>'
BAD_LETTERS = "a\x00b\x1b[31mc\u2028|`*_[l](http://x)\n# d\n- e"
COSTS = Costs(200, True, (Cost("pair", 0.25, 120, 17), Cost("big", 0.75, None, None)))


@pytest.fixture
def findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Findings:
    """A backtest of two versions, in which everything occurs that a report can tell."""
    monkeypatch.chdir(tmp_path)
    new, old = rules(tmp_path)
    written(tmp_path / "history", made(150))
    found = backtest(asked(new, old), history_of(["history"]), "local")
    return replace(found, costs=COSTS)


def test_the_page_is_as_it_was(findings: Findings, tmp_path: Path) -> None:
    files = write_report(findings, str(tmp_path / "report"))
    for path in (path for path in files if path.suffix != ".json"):
        kept = GOLDEN / path.name
        if os.environ.get("TOCSIN_RENEW"):
            GOLDEN.mkdir(parents=True, exist_ok=True)
            kept.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        assert path.read_text(encoding="utf-8") == kept.read_text(encoding="utf-8"), path.name
    assert {path.name for path in GOLDEN.iterdir()} == {path.name for path in files if path.suffix != ".json"}


def test_the_page_is_well_formed_and_whole_in_itself(findings: Findings) -> None:
    page = html_page(report_of(findings))
    root = ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>\n"))
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "base", "form", "use", "image"}
    assert len([element for element in root.iter() if element.tag.endswith("}svg")]) > 8
    ids = [element.get("id") for element in root.iter() if element.get("id") is not None]
    assert len(ids) == len(set(ids))
    for element in root.iter():
        for name, value in element.attrib.items():
            assert name not in ("src", "srcset", "style", "action", "data"), element.tag
            assert not name.startswith("on")
            if name.endswith("href"):
                assert value.removeprefix("#") in ids
    assert "url(" not in page
    assert "@import" not in page
    assert set(re.findall(r"https?://[^\s\"<]+", page)) == {"http://www.w3.org/2000/svg"}


def test_both_pages_say_the_same(findings: Findings) -> None:
    document = report_of(findings)
    page, text = html_page(document), markdown_page(document)
    for block in document.blocks:
        if isinstance(block, Heading):
            assert f"# {escaped(block.text)}\n" in text
    assert text.count("![") == page.count("<figure>") == len(document.pictures)
    assert re.findall(r"\((\S+)\.svg\)", text) == [picture.name for picture in document.pictures]
    assert all(re.fullmatch(r"[a-z0-9-]+", picture.name) for picture in document.pictures)
    for part in ("Detections", "By hour of the day", "Old rules and new rules", "Cost per rule", "The history"):
        assert part in text
    assert "Never fired: never." in text


class Texts(HTMLParser):
    """What a browser's reader makes of a page: the elements that it sees."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.append(tag)


@pytest.mark.parametrize("text", [EVIL, BAD_LETTERS, "]]>&lt;b&gt;<!--", "javascript:alert(1)", "\ud800 half"])
def test_no_text_becomes_markup(text: str, findings: Findings, tmp_path: Path) -> None:
    """Wherever it stands: types, sources, ids, keys, attributes, notifications, reasons, file names, the title."""
    told = _with_text(findings, text)
    page = html_page(report_of(told))
    ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>\n"))
    seen, usual = Texts(), Texts()
    seen.feed(page)
    usual.feed(html_page(report_of(_with_text(findings, "plain"))))
    assert seen.seen == usual.seen
    for path in write_report(told, str(tmp_path / "report")):
        if path.suffix == ".svg":
            ElementTree.parse(path)
    markdown = markdown_page(report_of(told))
    plain = markdown_page(report_of(_with_text(findings, "plain")))
    marked = re.compile(r"(?<!\\)(?:\\\\)*[<`|]|^#+ |^\||^- ", re.MULTILINE)
    assert [each[0][-1] for each in marked.finditer(markdown)] == [each[0][-1] for each in marked.finditer(plain)]
    assert "http://x" not in markdown


def _with_text(findings: Findings, text: str) -> Findings:
    """The findings with a text in every place that data can reach."""
    outcomes = []
    for one in findings.outcomes:
        examples = []
        for example in one.examples:
            events = tuple(
                replace(event, type=text, id=text, source=text, data={text: text}) for event in example.events
            )
            detection = replace(example.detection, type=text, events=(text,), notification=text)
            examples.append(example._replace(detection=detection, events=events, key=text))
        outcomes.append(
            replace(one, top=((text, 3),) if one.top else (), key=one.key and text, examples=tuple(examples))
        )
    census = replace(findings.census, types=((text, 1),), sources=((text, 1),), bad=((text, 1),), refused=((text, 1),))
    made_of = {"outcomes": tuple(outcomes), "census": census, "differences": ()}
    return replace(findings, title=text, rules=(text,), against=(text,), history=text, **made_of)


def test_a_history_without_events(tmp_path: Path) -> None:
    new, old = rules(tmp_path)
    (tmp_path / "empty.jsonl").touch()
    found = backtest(asked(new, old), history_of([str(tmp_path / "empty.jsonl")]), "local")
    text = markdown_page(report_of(found))
    assert "The history holds no events." in text
    assert "Both versions detect the same." in text
    ElementTree.fromstring(html_page(report_of(found)).removeprefix("<!DOCTYPE html>\n"))


def test_many_rules_and_days_stay_readable(findings: Findings) -> None:
    """More rules than stand side by side make several tables, more days than can be drawn make weeks."""
    one = findings.outcomes[0]
    cells = tuple(replace(one.cells[0], day=one.cells[0].day + 3 * n) for n in range(100))
    many = tuple(
        replace(
            one,
            rule=f"rule {n}",
            cells=cells,
            examples=(),
            last=one.cells[0].day * 86_400_000_000 + 300 * 86_400_000_000,
        )
        for n in range(23)
    )
    document = report_of(replace(findings, outcomes=many, differences=()))
    tables = [each for each in document.blocks if isinstance(each, Table) and each.heads[0] == "day"]
    assert [len(table.heads) for table in tables] == [12, 12, 5]
    assert len(tables[0].rows) == 100
    by_day = next(picture for picture in document.pictures if picture.name == "by-day")
    assert "a week" in by_day.caption
    assert "17 others" in by_day.svg


def test_a_report_takes_the_place_of_a_report_and_of_nothing_else(findings: Findings, tmp_path: Path) -> None:
    home = tmp_path / "report"
    write_report(findings, str(home))
    (home / "left-over.svg").touch()
    write_report(findings, str(home))
    assert not (home / "left-over.svg").exists()
    record = json.loads((home / "report.json").read_text(encoding="utf-8"))
    assert {rule: told["count"] for rule, told in record["detections"].items()} == {
        one.rule: one.count for one in findings.outcomes
    }
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").touch()
    for place in (tmp_path / "mine", tmp_path / "new.yaml"):
        with pytest.raises(UsageError):
            write_report(findings, str(place))


def test_a_document_of_nothing() -> None:
    page = html_page(Document("t", [Heading(1, "t"), Table(["a"], [])]))
    ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>\n"))
