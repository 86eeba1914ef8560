"""Templates of a rules file: one text for many rules, with every fault where it was typed."""

from __future__ import annotations

from textwrap import dedent

import pytest

import tocsin as tc
from tocsin.algebra.rules import Program, Rule
from tocsin.errors import RuleError
from tocsin.rules.documents import Reader, read_document
from tocsin.service.rules_files import documents_of

BRUTE = """\
templates:
- template: brute(type, n = 5, span = 1 minute)
  language: pretty
  expression: ${type} ${n} times with the same ip within ${span}
  notify: "${n} times ${type}"
  severity: high
rules:
- {name: ssh, use: "brute(ssh_failed, 2)"}
- {name: web, use: "brute(span = 30 seconds, type = http_401, n = 3)", severity: low}
"""
PLAIN = """\
rules:
- name: ssh
  language: pretty
  expression: ssh_failed 2 times with the same ip within 1 minute
  notify: "2 times ssh_failed"
  severity: high
- name: web
  language: pretty
  expression: http_401 3 times with the same ip within 30 seconds
  notify: "3 times http_401"
  severity: low
"""


def read(text: str) -> Program:
    return read_document(dedent(text).lstrip("\n"), "r.yaml")


def fault_of(text: str) -> tuple[str, str]:
    """`LINE:COLUMN message` and the hint of the only fault."""
    with pytest.raises(RuleError) as refused:
        read(text)
    (fault,) = refused.value.faults
    assert fault.place is not None
    assert fault.place.file == "r.yaml"
    return f"{fault.place.line}:{fault.place.column} {fault.message}", fault.hint


def said(rules: tuple[Rule, ...]) -> list[object]:
    return [(rule, rule.message, rule.severity, rule.description) for rule in rules]


def test_a_template_is_the_rules_that_it_stands_for() -> None:
    assert said(read(BRUTE).rules) == said(read(PLAIN).rules)
    events = [{"type": "ssh_failed", "time": at, "ip": "10.0.0.7"} for at in (1, 2)]
    events += [{"type": "http_401", "time": at, "ip": "10.0.0.7"} for at in (3, 20, 34, 40)]
    assert [(each.rule, list(each.events)) for each in tc.detect(read(BRUTE), events)] == [
        ("ssh", ["1", "2"]),
        ("web", ["4", "5", "6"]),
    ]


def test_lists_mappings_and_blocks_are_filled_in() -> None:
    (rule,) = read("""
        templates:
        - template: pair(first, second, room)
          language: eps
          expression: |
            x:${first} ;
            y:${second}
          condition: x.room == ${room}
          select: {rise: "y.t - x.t", place: "x.${first}"}
          tags: ["about.${first}", plain]
        rules:
        - name: r
          use: pair(up, "down, out", "a (b")
    """).rules
    (plain,) = read("""
        rules:
        - name: r
          language: eps
          expression: x:up ; y:"down, out"
          condition: x.room == "a (b"
          select: {rise: "y.t - x.t", place: x.up}
          tags: [about.up, plain]
    """).rules
    assert (rule, rule.tags) == (plain, plain.tags)


def test_the_rules_for_a_service_stand_for_themselves() -> None:
    assert Reader(BRUTE, "r.yaml").plain_rules() == Reader(PLAIN, "r.yaml").plain_rules()
    assert list(documents_of(BRUTE, "r.yaml")) == list(documents_of(PLAIN, "r.yaml"))


def test_an_argument_may_be_a_guard_with_an_equals_sign() -> None:
    (rule,) = read("""
        templates:
        - {template: only(test), language: sel, expression: "x:a if ${test}"}
        rules:
        - {name: r, use: only(x.v == 3)}
    """).rules
    (plain,) = read("rules: [{name: r, language: sel, expression: 'x:a if x.v == 3'}]").rules
    assert rule == plain


def test_a_fault_of_the_template_is_shown_once_there() -> None:
    assert fault_of(BRUTE.replace("times with", "tims with")) == (
        "4:28 unexpected 'tims'",
        "did you mean 'times'?; in brute(ssh_failed, 2), line 8",
    )


def test_a_fault_of_an_argument_is_shown_at_the_use() -> None:
    said = "the number of times must be a whole number from 1 on"
    assert fault_of(BRUTE.replace("n = 3)", "n = 0)")) == (f"9:67 {said}", "")
    assert fault_of(BRUTE.replace("n = 5", "n = 0").replace("failed, 2", "failed")) == (
        f"2:29 {said}",
        "in brute(ssh_failed), line 8",
    )


def test_what_is_found_wrong_after_reading_has_its_place_too() -> None:
    text = """
        templates:
        - {template: t(name), language: gem, expression: "x:a ; y:b when ${name}.v > 3"}
        rules:
        - {name: r, use: t(z)}
    """
    with pytest.raises(RuleError) as refused:
        tc.detect(read(text), [])
    (fault,) = refused.value.faults
    assert fault.place is not None
    assert (fault.place.line, fault.place.column, fault.message) == (4, 20, "there is no event variable 'z' here")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("${type} ${n}", "${typ} ${n}", "4:15 the template has no parameter 'typ'"),
        ("n = 5,", "n = 5, more,", "2:32 nothing uses the parameter 'more'"),
        ("n = 5,", "type,", "2:25 'type' comes twice"),
        ("ssh_failed, 2", "", "8:20 nothing is given for 'type'"),
        ("ssh_failed, 2", "a, 2, 1 s, 4", "8:38 brute(type, n = 5, span = 1 minute) takes 3 arguments"),
        ("ssh_failed, 2", "a, type = b", "8:30 'type' is given twice"),
        ("ssh_failed, 2", "a,", "8:29 nothing is given for 'n'"),
        ("brute(ssh", "brut(ssh", "8:20 there is no template 'brut' here"),
        ('"brute(ssh_failed, 2)"', "brute", "8:20 this must be a name with parentheses"),
        ('2)"}', '2)", language: sel}', "8:54 the template says the language already"),
        ("  severity: high\n", "  severity: hig\n", "6:13 "),
        ("templates:\n- template: brute", "templates:\n- tem: brute", "2:3 there is no setting 'tem'"),
    ],
)
def test_what_is_wrong_with_templates_and_their_uses(old: str, new: str, told: str) -> None:
    text = BRUTE.replace(old, new, 1)
    assert text != BRUTE
    with pytest.raises(RuleError) as refused:
        read(text)
    places = [(fault.place, fault.message) for fault in refused.value.faults]
    shown = [f"{place.line}:{place.column} {message}" for place, message in places if place is not None]
    assert any(each.startswith(told) for each in shown), shown
