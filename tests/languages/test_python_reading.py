"""Python as a text: the calls that build patterns are read, everything else is refused at its place. Nothing is run."""

from __future__ import annotations

from pathlib import Path

import pytest

import tocsin as tc
from tests.languages.building import refusal
from tocsin.algebra.patterns import Pattern
from tocsin.languages import python_


def read(text: str) -> Pattern:
    return tc.parse(text, "python")


@pytest.mark.parametrize(
    ("text", "same", "language"),
    [
        ("tc.event('a')", "a", "gem"),
        ("import tocsin as tc\na, b = tc.event('a'), tc.event('b')\na.then(b)", "a -> b", "sel"),
        ("x = tc.event('a', 'x')\nx.where(x.v > 3)", "x:a if x.v > 3", "sel"),
        ("x = tc.event('a', 'x')\nx.where(3 < x.v)", "x:a if x.v > 3", "sel"),
        ("x = tc.event('a', 'x')\nx.where(-1 < x.v)", "x:a if x.v > -1", "sel"),
        ("x = tc.event('a', 'x')\nx.where(x['v'] == None)", "x:a if x.v == null", "sel"),
        ("(tc.event('a')\n  # between brackets a line may end\n  .then(tc.event('b')))", "a -> b", "sel"),
        ("a = tc.event('a')\na.then(tc.event('b').never()).within('5 min')", "a -> !b in 5 minutes", "sel"),
        ("tc.event('a') & tc.event('b') | tc.event('c')", "a & b | c", "gem"),
    ],
)
def test_what_builds_a_pattern_is_read(text: str, same: str, language: str) -> None:
    assert read(text) == tc.parse(same, language)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "there is nothing to detect"),
        ("a = tc.event('a')", (1, 1), "the last line is the pattern itself"),
        ("a", (1, 1), "nothing is called 'a' here"),
        ("door = tc.event('door')\ndor", (2, 1), "did you mean 'door'?"),
        ("tc.event('a').thn(tc.event('b'))", (1, 1), "did you mean 'then'?"),
        ("tc.evnt('a')", (1, 1), "tc.evnt builds no pattern"),
        ("a = tc.event('a')\na.then(\n  a.name)", (2, 1), "not from a Term"),
        ("a = tc.event('a')\na.v", (2, 1), "this is a guard and no pattern"),
        ("a = tc.event('a')\na.then", (2, 1), "'then' is called with what it needs"),
        ("a = tc.event('a')\na.then()", (2, 1), "what follows is missing"),
        ("a = tc.event('a')\na.where(a.v > 1 and a.v < 3)", (2, 9), "join with &, | and ~"),
        ("a = tc.event('a')\na.where(not a.v)", (2, 9), "join with &, | and ~"),
        ("a = tc.event('a')\na.where(1 < a.v < 3)", (2, 9), "one comparison at a time"),
        ("a = tc.event('a')\na.where(a.v > 2 ** 70)", (2, 15), "this builds no pattern"),
        ("a = tc.event('a')\na.where(a.v > 1 + 1)", (2, 15), "nothing is computed here"),
        ("a = tc.event('ä')\na.where(a.ä > '…' + 5 * 'x')", (2, 21), "nothing is computed here"),
        ("tc.event('a').within('5 parsecs')", (1, 1), "unknown unit of time 'parsecs'"),
        ("tc.event('a').within(None)", (1, 1), "a span of time is a text"),
        ("tc.event('a').between(True, 5)", (1, 1), "a time is a text or a number of seconds"),
        ("tc.event('a').repeated('3')", (1, 1), "how often is a number from 1 on"),
        ("tc.event('a').repeated(0)", (1, 1), "how often is a number from 1 on"),
        ("tc.event('a').times(2, same=5)", (1, 1), "an attribute is a text"),
        ("tc.event('a').named('')", (1, 1), "the name is empty"),
        ("tc.event(5)", (1, 1), "an event's type is a text"),
        ("tc.at(5)", (1, 1), "a time is a text"),
        ("tc.guard(5)", (1, 1), "a guard is a text"),
        ("tc.event('a').times()", (1, 1), "missing 1 required positional argument"),
        ("tc.event('a', colour='red')", (1, 1), "colour"),
        ("tc.event('a').select(x=1)", (1, 1), "'select', beside the expression"),
        ("tc.event(*['a'])", (1, 10), "this builds no pattern"),
        ("tc.event(**x)", (1, 12), "arguments are written one by one"),
        ("tc.event('a').then(", (1, 19), "this is not Python: '(' was never closed"),
        ("a = b = tc.event('a')\na", (1, 1), "only names are given here"),
        ("a, b = tc.event('a')\na", (1, 1), "only names are given here"),
        ("a, b = tc.event('a'), 1, 2\na", (1, 1), "as many names as values"),
        ("tc = tc.event('a')\ntc", (1, 1), "'tc' is taken"),
        ("import os\nos", (1, 1), "only names are given here"),
        ("def f(): pass\nf()", (1, 1), "only names are given here"),
        ("x = 5\nx", (2, 1), "this is a value and no pattern"),
        ("\0", (1, 1), "this is not Python"),
    ],
)
def test_what_does_not_is_refused_at_its_place(text: str, place: tuple[int, int], message: str) -> None:
    error = refusal(python_.parse, text)
    assert error is not None
    assert message in str(error)
    fault = error.faults[0]
    assert fault.place is not None
    assert (fault.place.line, fault.place.column) == place


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "open('/etc/passwd')",
        "tc.load('x.gem')",
        "tc.event('a').__class__",
        "tc.event('a').__class__.__mro__[1].__subclasses__()",
        "tc.event('a').pattern",
        "tc.event('a')._with(1)",
        "x = tc.event('a')\nx.then.__globals__",
        "x = tc.event('a')\nx.v.guard",
        "x = tc.event('a')\nx.v._binary('+', 1)",
        "(lambda: tc.event('a'))()",
        "[tc.event('a') for _ in (1,)][0]",
        "f'{tc.event(1)}'",
        "(x := tc.event('a'))",
        "tc.event('a') if True else tc.event('b')",
        "exec('1')",
        "abs(5)",
    ],
)
def test_no_way_leads_elsewhere(text: str) -> None:
    assert refusal(python_.parse, text) is not None


def test_rules_in_python_stand_in_rules_files(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(
        "rules:\n- name: flap\n  language: python\n  expression: |\n"
        "    down, up = tc.event('link_down', 'd'), tc.event('link_up', 'u')\n"
        "    down.then(up).where(down.link == up.link).within('1 min')\n"
        "  notify: '{d.link} is flapping'\n"
    )
    log = [{"type": kind, "time": place, "data": {"link": 7}} for place, kind in enumerate(("link_down", "link_up"))]
    assert [one.notification for one in tc.detect(tc.load(path), log)] == ["7 is flapping"]


def test_a_fault_in_a_rules_file_is_shown_where_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(
        "rules:\n- name: flap\n  language: python\n  expression: |\n"
        "    down = tc.event('link_down')\n"
        "    down.then(upp)\n"
    )
    with pytest.raises(tc.RuleError) as caught:
        tc.load(path)
    place = caught.value.faults[0].place
    assert place is not None
    assert (place.line, place.column) == (6, 15)


def test_what_is_found_wrong_only_later_is_shown_where_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    lines = [
        "a, b = tc.event('a'), tc.event('b')",
        "c = tc.event('c')",
        "a.then(b).where((a.k == b.k) &",
        "  (c.v > 1))",
    ]
    text = "rules:\n- name: r\n  language: python\n  expression: |\n" + "".join(f"    {line}\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(tc.RuleError) as error:
        tc.detect(tc.load(path), [])
    assert f"{path}:8:8: there is no event variable 'c' here" in str(error.value)
    assert "(c.v > 1))\n" in str(error.value)
