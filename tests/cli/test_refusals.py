"""What is said when something is refused or missed: where it stands, and what would go."""

from __future__ import annotations

from pathlib import Path

import pytest

from tocsin.cli import main


def _rules(folder: Path, language: str, expression: str, more: str = "") -> str:
    path = folder / "rules.yaml"
    path.write_text(f"rules:\n- name: r\n  language: {language}\n  expression: {expression!r}\n{more}")
    return str(path)


def test_a_fault_of_a_notification_is_shown_where_it_stands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = _rules(tmp_path, "pretty", "a as x followed by b", '  notify: "value {z.v}"\n')
    assert main(["check", rules]) == 1
    assert f"{rules}:5:18: in the notification: there is no event variable 'z' here" in capsys.readouterr().err


@pytest.mark.parametrize("target", ["pretty", "gem", "sel", "eps", "python"])
def test_a_filter_without_a_name_has_its_nearest_form(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["translate", _rules(tmp_path, "core", "[badge(v > 3)]"), "--to", target]) == 1
    told = capsys.readouterr().err
    assert "no way" not in told
    assert f"nearest in {target}:" in told
    assert main(["translate", _rules(tmp_path, "core", "[x:badge(v > 3)]"), "--to", target]) == 0


def test_no_weak_order_is_proposed_around_a_negation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = tmp_path / "events.jsonl"
    events.write_text('{"type": "a", "time": 1}\n{"type": "b", "time": 1}\n{"type": "x", "time": 9}\n')
    for expression, proposes in (("a ; NOT x ; b", False), ("a ; b", True)):
        assert main(["detect", _rules(tmp_path, "global", expression), "--events", str(events)]) == 0
        assert ("';=' takes them, too" in capsys.readouterr().err) is proposes
