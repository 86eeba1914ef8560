"""docs/semantics.md is true: every fenced `tocsin` block is run by the command, and must detect what it says.

A block is YAML, with the fields of a conformance case and no name:

    expr, lang          one rule; or `script` (GEM), `request` (an EPS document), `rules` (a list, as in a rules file)
    events              [id, type, time, {data}, {source, arrival}], in order of arrival; the last two may be left out
    condition, context, window, order, late, time-model, until, amend, amend-for    the options of `tocsin detect`
    expect              the detections in order: lists of ids of events, or mappings of any fields of a detection
    says                a part of what stands on standard error
    error               a part of the message, where the rules or the events are refused
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conformance.cases import Case, mismatch
from tocsin.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "semantics.md"
FENCE = re.compile(r"^```tocsin\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = ("condition", "context", "window", "order", "late", "time-model", "until", "amend-for")
FILES = {"script": "rules.gem", "request": "rules.eps", "rules": "rules.yaml"}
FIELDS = {"expr", "lang", "events", "amend", "expect", "says", "error", *OPTIONS, *FILES}


def examples(text: str) -> list[tuple[int, dict[str, Any]]]:
    """Every block of a page, with the line it begins on."""
    return [(text.count("\n", 0, found.start()) + 1, yaml.safe_load(found[1])) for found in FENCE.finditer(text)]


EXAMPLES = examples(PAGE.read_text(encoding="utf-8"))


def command(fields: dict[str, Any], folder: Path) -> list[str]:
    """The command line that runs an example, with its files written."""
    events = folder / "events.jsonl"
    events.write_text("".join(json.dumps(each) + "\n" for each in Case("page", fields).events), encoding="utf-8")
    words = ["detect", "--events", str(events)]
    if "expr" in fields:
        words += ["-e", str(fields["expr"]), "--lang", str(fields["lang"])]
    for kind, name in FILES.items():
        if kind in fields:
            path = folder / name
            text = yaml.safe_dump({"rules": fields[kind]}) if kind == "rules" else str(fields[kind])
            path.write_text(text, encoding="utf-8")
            words.append(str(path))
    words += ["--amend"] if fields.get("amend") else []
    return words + [word for key in OPTIONS if key in fields for word in (f"--{key}", str(fields[key]))]


def check(fields: dict[str, Any], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Runs an example; everything it says must be so."""
    assert fields.keys() <= FIELDS
    assert "expect" in fields or "error" in fields
    code = main(command(fields, folder))
    output = capsys.readouterr()
    assert fields.get("says", "") in output.err
    if "error" in fields:
        assert code == 1
        assert str(fields["error"]) in output.err
        return
    assert code == 0, output.err
    found = [json.loads(line) for line in output.out.splitlines()]
    wanted = fields["expect"]
    assert mismatch(Case("page", fields), found) is None
    # ... and in the order in which they are listed.
    for one, each in zip(found, wanted, strict=True):
        assert mismatch(Case("page", {"expect": [each]}), [one]) is None


@pytest.mark.parametrize("fields", [fields for _, fields in EXAMPLES], ids=[f"line-{line}" for line, _ in EXAMPLES])
def test_example(fields: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(fields, tmp_path, capsys)


def test_every_block_is_found() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(EXAMPLES) == text.count("```tocsin") > 50


@pytest.mark.parametrize(
    "wrong",
    [
        {"expect": []},
        {"expect": [["2"], ["1"]]},
        {"expect": [["1"], ["2"], ["3"]]},
        {"expect": [{"events": ["1"], "time": 7}, ["2"]]},
        {"error": "unexpected"},
        {"expect": [["1"], ["2"]], "says": "refused"},
        {"expect": [["1"], ["2"]], "contxt": "recent"},
    ],
)
def test_a_wrong_example_is_noticed(wrong: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right: dict[str, Any] = {"expr": "a", "lang": "eps", "events": [[1, "a", 1], [2, "a", 2]]}
    check(right | {"expect": [["1"], ["2"]]}, tmp_path, capsys)
    with pytest.raises(AssertionError):
        check(right | wrong, tmp_path, capsys)
