"""Expressions that YAML takes for something of its own: the fault shows the line as it should be."""

from __future__ import annotations

import pytest

from tocsin.errors import RuleError
from tocsin.rules.documents import read_document


def hint(value: str, key: str = "expression") -> str:
    others = "" if key == "expression" else "  expression: a\n"
    text = f"rules:\n- name: r\n  language: sel\n{others}  {key}: {value}\n  window: 5 min\n"
    with pytest.raises(RuleError) as refused:
        read_document(text, "rules.yaml")
    return refused.value.faults[0].hint


@pytest.mark.parametrize(
    "value",
    [
        "!x -> y",
        "! b -> c in 5 s",
        "[a];[b]",
        "[a] [b]",
        "{a ; b} ! c",
        "{a}",
        "*",
        "&a b",
        "@x",
        "a: b",
        "[a",
        '"a" -> b',
    ],
)
def test_the_line_is_shown_as_it_should_be(value: str) -> None:
    assert hint(value) == f"quote it: expression: '{value}'"


def test_quotes_inside_are_doubled() -> None:
    assert hint("!x -> y if y.k == 'a'") == "quote it: expression: '!x -> y if y.k == ''a'''"


def test_other_settings_too() -> None:
    assert hint("!(a.v > 3)", "condition") == "quote it: condition: '!(a.v > 3)'"


def test_rules_in_braces() -> None:
    with pytest.raises(RuleError) as refused:
        read_document("rules: [{name: r, language: core, expression: [a];[b], window: 5 min}]", "rules.yaml")
    assert refused.value.faults[0].hint == "quote it: expression: '[a];[b]'"


def test_a_tag_of_yaml_itself_is_no_mistake() -> None:
    assert read_document("rules: [{name: r, language: eps, expression: !!str a}]", "rules.yaml").rules[0].name == "r"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- name: r\n  language: core\n  expression:\n    [a];[b]\n", "quote it: expression: '[a];[b]'"),
        ("\t- name: r\n", "YAML is indented with blanks, not with tabs"),
        (
            "- name: r\n  language: eps\n  expression: a\n  select: {m: 1, n: *x, o: 2}\n",
            "quote it: n: '*x'",
        ),
        ("- name: r\n   language: eps\n", ""),
    ],
)
def test_what_is_shown_is_what_was_misread(text: str, said: str) -> None:
    with pytest.raises(RuleError) as refused:
        read_document(f"rules:\n{text}", "rules.yaml")
    assert refused.value.faults[0].hint == said
