"""`tocsin translate` to Flink SQL and Esper EPL, and from Sigma files: what a user types."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.foreign.constructs import Construct
from tests.rules.test_sigma import SPECIFICATION, happened
from tocsin.algebra.rules import Program
from tocsin.cli import main
from tocsin.foreign import esper_epl, flink_sql
from tocsin.rules.documents import read_document
from tocsin.rules.loader import load_file
from tocsin.runtime.options import Options
from tocsin.session import Session


def test_a_rule_becomes_a_query_and_a_statement(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rule = Construct("rule", "core", "[x:a];[b(k = x.k)]", window="5 min").rule()
    given = ["translate", "-e", "[x:a];[b(k = x.k)]", "--lang", "core", "--window", "5 min", "--to"]
    assert main([*given, "flink-sql"]) == 0
    assert capsys.readouterr().out == flink_sql.translate(rule)
    assert main([*given, "esper-epl", "--output", str(tmp_path / "rules.epl")]) == 0
    assert (tmp_path / "rules.epl").read_text(encoding="utf-8") == esper_epl.translate(rule)


def test_what_cannot_be_said_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", "-e", "a ; b", "--lang", "eps", "--to", "flink-sql"]) == 1
    assert "<expression>:1:1: the context 'generic' cannot be translated" in capsys.readouterr().err


def test_a_sigma_file_in_eps_detects_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", str(SPECIFICATION), "--to", "eps"]) == 0
    translated = read_document(capsys.readouterr().out, "translated.yaml")
    events = happened(
        *((t * 50.0, {"EventID": 4625, "User": "eve"}) for t in range(10)), (900.0, {"EventID": 528, "User": "eve"})
    )

    def found(program: Program) -> list[tuple[str, tuple[str, ...]]]:
        return [(one.rule, one.events) for one in Session(program, Options()).detections(events)]

    assert len(found(translated)) == 1
    assert found(translated) == found(load_file(SPECIFICATION))
