"""`tocsin test` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run
from tests.testing.building import PAIR
from tocsin.testing.coverage import Coverage

GOOD = "  - {name: good, given: [1 a, 2 b], expect: [[1, 2]]}\n"
BAD = "  - {name: bad, given: [1 a, 2 b], expect: none}\n"
OPEN = "  - {name: open, given: [1 a, 2 b]}\n"


def wrote(folder: Path, cases: str, name: str = "pair.test.yaml") -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(PAIR + "cases:\n" + cases)
    return path


def test_all_is_well(tocsin: Run, tmp_path: Path) -> None:
    wrote(tmp_path, GOOD)
    wrote(tmp_path, GOOD, "deep/other_test.yml")
    wrote(tmp_path, BAD, ".hidden/other_test.yml")
    done = tocsin("test")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[:4] == [
        "pair.test.yaml",
        "  ✓ good  pair  (replay local)",
        "deep/other_test.yml",
        "  ✓ good  pair  (replay local)",
    ]
    assert "rules: 2 of 2 fired in some case" in lines
    assert lines[-1].startswith("2 cases, 2 passed, 0 failed in ")


def test_a_failure(tocsin: Run, tmp_path: Path) -> None:
    wrote(tmp_path, GOOD + BAD)
    done = tocsin("test", "--keep", "kept")
    assert done.code == 1
    assert "✗ pair.test.yaml:5: bad\n" in done.out
    assert "unexpected" in done.out
    assert "2 cases, 1 passed, 1 failed in " in done.out
    kept = (tmp_path / "kept" / "pair-bad.jsonl").read_text().splitlines()
    assert [json.loads(line)["type"] for line in kept] == ["a", "b"]
    assert tocsin("test", "-k", "GOOD").code == 0


def test_nothing_to_test(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text(PAIR)
    done = tocsin("test")
    assert done.code == 2
    assert "no tests found" in done.err
    wrote(tmp_path, GOOD)
    assert tocsin("test", "-k", "nonesuch").code == 2
    assert tocsin("test", "nowhere").code == 1


def test_a_file_that_cannot_be_read_does_not_stop_the_others(tocsin: Run, tmp_path: Path) -> None:
    wrote(tmp_path, GOOD)
    wrote(tmp_path, "  - {nme: x}\n", "bad.test.yaml")
    done = tocsin("test", "--junit", "report.xml")
    assert done.code == 1
    assert done.err.startswith("bad.test.yaml:4:6: there is no setting 'nme'\n")
    assert "1 case, 1 passed, 0 failed, 1 file that cannot be read in " in done.out
    report = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert (report.attrib["tests"], report.attrib["errors"], report.attrib["failures"]) == ("3", "1", "0")


def test_a_rules_file_stands_for_the_tests_beside_it(tocsin: Run, tmp_path: Path) -> None:
    wrote(tmp_path, GOOD)
    (tmp_path / "pair.gem").write_text("event a\n")
    assert "1 case, 1 passed" in tocsin("test", "pair.gem").out
    (tmp_path / "lonely.gem").write_text("event a\n")
    done = tocsin("test", "lonely.gem")
    assert (done.code, done.err) == (
        1,
        "tocsin: 'lonely.gem' is no test file, and there is no 'lonely.test.yaml' beside it\n",
    )


def test_a_test_file_is_not_taken_for_rules(tocsin: Run, tmp_path: Path) -> None:
    wrote(tmp_path, GOOD)
    done = tocsin("check", "pair.test.yaml")
    assert done.code == 1
    assert done.err.startswith("pair.test.yaml:3:1: this is a test file, not a rules file\n")


def test_runtimes_and_orders(tocsin: Run, tmp_path: Path) -> None:
    wrote(tmp_path, "  - {name: late, given: [1 a, 2 b], within_delay: 5, expect: 1}\n")
    assert "(local, 7 orders)" in tocsin("test", "--runtimes", "local", "--permutations", 7).out
    assert tocsin("test", "--runtimes", "lcal").code == 1
    assert tocsin("test", "--permutations", -1).code == 1


def test_coverage(tocsin: Run, tmp_path: Path) -> None:
    text = 'rules: [{name: r, language: eps, expression: "a || b"}, {name: s, language: eps, expression: c}]\ncases: [{name: x, given: [1 a], expect: 1}]'
    (tmp_path / "r.test.yaml").write_text(text)
    out = tocsin("test", "--coverage").out
    assert [line.split() for line in out.splitlines() if line.startswith(("r ", "s ", "  |"))] == [
        ["r", "r.test.yaml", "1", "1", "1"],
        ["|", "a", "r.test.yaml:1", "1"],
        ["|", "b", "r.test.yaml:1", "never"],
        ["s", "r.test.yaml", "1", "never", "0"],
    ]
    assert "rules: 1 of 2 fired in some case\nnever fired: s\n" in out


def test_update(tocsin: Run, tmp_path: Path) -> None:
    path = wrote(tmp_path, OPEN + "# a comment\n" + BAD)
    done = tocsin("test", "--update")  # nobody is there to agree to the second
    assert "1 case updated" in done.err
    text = path.read_text()
    assert "open, given: [1 a, 2 b], expect: [{rule: pair, events: [1, 2], time: 2.0}]}\n# a comment\n" in text
    assert BAD in text
    done = tocsin("test", "--update", "--yes")
    assert "1 case updated" in done.err
    assert tocsin("test").code == 0
    assert tocsin("test", "--yes").code == 1


@pytest.mark.parametrize("answer", ["y", "n"])
def test_update_asks(tocsin: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    path = wrote(tmp_path, BAD)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda asked: answer)
    out = tocsin("test", "--update").out
    assert "  - {rule: pair, events: [1, 2], time: 2.0}\n" in out
    assert (BAD in path.read_text()) == (answer == "n")


def test_coverage_is_computed_only_where_it_is_asked_for(
    tocsin: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Coverage, case: object) -> None:
        raise AssertionError("nobody asked")

    monkeypatch.setattr(Coverage, "add", refuse)
    (tmp_path / "r.test.yaml").write_text(
        "rules: [{name: r, language: eps, expression: a}, {name: s, language: eps, expression: z}]\n"
        "cases: [{name: one, given: [1 a], expect: 1}]\n"
    )
    assert "rules: 1 of 2 fired in some case\nnever fired: s\n" in tocsin("test").out
