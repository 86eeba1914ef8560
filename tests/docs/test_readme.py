"""The README: its rule fires, its mistake is shown, its notations say the same, and every page it names is there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import tocsin as tc
from tocsin.cli import main

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
NOTATIONS = {"words": "pretty", "SEL": "sel", "GEM": "gem", "core": "core"}
LINKS = [
    {"type": "down", "time": 0, "data": {"link": 1}},
    {"type": "down", "time": 10, "data": {"link": 2}},
    {"type": "up", "time": 60, "data": {"link": 2}},
]


def test_a_rule_that_fires_in_one_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (events,) = re.findall(r"<<'END'\n(.*?)END\n", README, re.DOTALL)
    Path("events.jsonl").write_text(events)
    found = re.findall(r"^\$ \.venv/bin/tocsin (.*?(?:\\\n.*?)?)$\n(.*?)```", README, re.DOTALL | re.MULTILINE)
    assert len(found) == 2
    for command, expected in found:
        main(shlex.split(command.replace("\\\n", " ")))
        told = capsys.readouterr()
        assert re.sub(r'"id": "[0-9a-f]+"', '"id": "…"', told.out or told.err).strip() == expected.strip()


@pytest.mark.parametrize("name", [*NOTATIONS, "Python"])
def test_one_need_in_every_notation(name: str) -> None:
    (text,) = re.findall(rf"^\| {name} \| `(.*)` \|$", README, re.MULTILINE)
    if name == "Python":
        down, up = tc.event("down"), tc.event("up")
        rule = tc.rule("rule", eval(text, {"down": down, "up": up}))
    else:
        rule = tc.rule("rule", text.replace("\\|", "|"), language=NOTATIONS[name])
    assert [(one.events, one.time_us) for one in tc.detect([rule], LINKS)] == [(("1",), 120_000_000)]


def test_every_page_is_there() -> None:
    named = re.findall(r"\]\(([^)#:]+)[^):]*\)", README)
    assert len(named) > 30
    assert [page for page in named if not (ROOT / page).exists()] == []
