"""`tocsin explain --engine spark`: where each rule would run, and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tocsin.cli import main

RULES = """\
rules:
- {name: pair, language: eps, expression: "x:a ; y:b", condition: "x.host == y.host"}
- {name: hot, language: eps, expression: "t:temp", condition: "t.v > 30"}
- {name: loose, language: eps, expression: "x:a ; z:c"}
- {name: old, language: eps, expression: "x:a ; y:b", condition: "x.host == y.host", context: chronicle}
- {name: tick, language: eps, expression: "every(0/0/0 0:05:00)"}
"""


def test_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rules.yaml").write_text(RULES)
    assert main(["explain", str(tmp_path / "rules.yaml"), "--engine", "spark"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1. many shards, by a.host, b.host",
        "   sent there: events of type a, b",
        "   rule pair: by a.host, b.host",
        "2. many shards, events anywhere",
        "   sent there: events of type temp",
        "   rule hot: about single events: they may be anywhere",
        "3. one shard",
        "   sent there: events of type a, b, c",
        "   rule loose: no attribute is equal in all its events",
        "   rule old: no attribute is equal in all its events",
        "4. one shard",
        "   sent there: all events",
        "   rule tick: it has time events, which have no attributes",
    ]


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rules.yaml").write_text(RULES)
    assert main(["explain", str(tmp_path / "rules.yaml"), "--engine", "spark", "--json"]) == 0
    (pair, *_) = json.loads(capsys.readouterr().out)
    assert (pair["kind"], pair["key"]) == ("keyed", {"a": "host", "b": "host"})


def test_bad_rules_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "-e", "a ;", "--lang", "eps", "--engine", "spark"]) == 1
    assert "<expression>:1:" in capsys.readouterr().err
