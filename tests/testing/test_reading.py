"""Test files: what they can say, and that every fault is shown where it was typed."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.testing.building import PAIR, case_of, file_of, refusal
from tocsin.algebra.rules import Context
from tocsin.errors import TextError
from tocsin.testing.files import FileReader

GOOD = """\
rules: r.gem
order: delay:5 s
cases:
  - name: one
    given: |
      1 a s1 x=2
    window: 5 min
    context: recent
    within_delay: 3 s
    expect: [[1]]
  - name: two
    rules: [{name: q, language: eps, expression: a}]
    given: ["1 a"]
    order: guaranteed
    expect: {q: 1}
"""


def test_options_of_the_file_and_of_the_case(tmp_path: Path) -> None:
    (tmp_path / "r.gem").write_text("event a(long x)\nevent b\nrule r { a ==> notify b }\nenable r\n")
    with pytest.raises(TextError, match="no attribute 'x', which is declared"):
        file_of(tmp_path, GOOD.replace("x=2", "y=2"))
    one, two = file_of(tmp_path, GOOD).cases
    assert one.options.order.policy == "delay"
    assert one.options.context == Context.RECENT
    assert one.delay == 3_000_000
    assert one.rules_files == (str(tmp_path / "r.gem"),)
    assert two.options.order.policy == "guaranteed"
    assert [rule.name for rule in two.program.rules] == ["q"]
    assert (one.place.line, two.place.line) == (4, 11)


def test_the_rules_of_the_same_name_are_those_beside_it(tmp_path: Path) -> None:
    (tmp_path / "net.yaml").write_text(PAIR)
    (tmp_path / "net.eps").write_text("request other { event: c }\n")
    for name in ("net.test.yaml", "net_test.yml"):
        (case,) = file_of(tmp_path, "cases: [{name: x, given: [], expect: none}]", name).cases
        assert {rule.name for rule in case.program.rules} == {"pair", "other"}


def test_the_order_is_declared_where_only_the_delay_is(tmp_path: Path) -> None:
    order = case_of(tmp_path, "within_delay: 90\nexpect: none").options.order
    assert order.delay is not None
    assert (order.policy, order.delay.length()) == ("delay", 90_000_000)
    assert case_of(tmp_path, "within_delay: 90\norder: best-effort\nexpect: none").options.order.policy == "best-effort"


def test_rules_that_must_be_refused(tmp_path: Path) -> None:
    rules = 'rules: [{name: r, language: eps, expression: "x:a", condition: "z.v > 1"}]\n'
    assert "variable 'z'" in str(case_of(tmp_path, "error: variable 'z'", rules).refusal)


HEAD = 'rules: [{name: r, language: eps, expression: "x:a ; y:b"}]\ncases:\n'


@pytest.mark.parametrize(
    ("text", "place", "message", "more"),
    [
        ("", "1:1", "the file is empty", "expected rules:"),
        ("- a", "1:1", "a test file is a mapping", "rules:"),
        ("cases: [", "1:9", "not YAML", ""),
        ("rules: x.gem", "1:1", "'cases' must be a list", "- name:"),
        ("cases: 3", "1:8", "'cases' must be a list", ""),
        ("cases: [{name: x}]", "1:1", "no rules are named", "rules: FILE"),
        ("rules: no.gem\ncases: [{name: x}]", "1:8", "cannot read", ""),
        ("rules: {a: b}\ncases: [{name: x}]", "1:8", "'rules' are files", "FILE"),
        ("case: []", "1:1", "no setting 'case'", "did you mean 'cases'?"),
        ("cases: []\ncases: []", "2:1", "'cases' is given twice", ""),
        (HEAD + "  - 3", "3:5", "a case is a mapping", "name:"),
        (HEAD + "  - given: []", "3:5", "a case has a name", "name:"),
        (HEAD + "  - {name: x, expect: none}\n  - {name: x, expect: none}", "4:12", "a case 'x' already", ""),
        (HEAD + "  - name: x\n    givn: []", "4:5", "no setting 'givn'", "did you mean 'given'?"),
        (HEAD + "  - name: x\n    given: |\n      1 a\n      2 b c d", "6:13", "'d' is no attribute", "^"),
        (HEAD + "  - name: x\n    given:\n      - {type: a}", "5:9", "no time", ""),
        (HEAD + "  - name: x\n    given:\n      - q: a b", "5:12", "begins with its time", ""),
        (HEAD + "  - name: x\n    order: sometimes", "4:12", "is not an order", "guaranteed"),
        (HEAD + "  - name: x\n    within_delay: -3", "4:19", "late by some time", ""),
        (HEAD + "  - name: x\n    late: maybe", "4:11", "use accept or ignore", ""),
        (HEAD + "  - name: x\n    runtimes: [lcal]", "4:15", "no runtime 'lcal'", "did you mean 'local'?"),
        (HEAD + "  - name: x\n    only: s", "4:11", "no rule 's'", ""),
        (HEAD + "  - name: x\n    expect: maybe", "4:13", "nothing that can be expected", "a number"),
        (HEAD + "  - name: x\n    expect: -1", "4:13", "there cannot be", ""),
        (HEAD + "  - name: x\n    expect: [7]", "4:14", "7 is no detection", "a list of ids"),
        (HEAD + "  - name: x\n    expect: [{tme: 7}]", "4:15", "no 'tme'", "did you mean 'time'?"),
        (HEAD + "  - name: x\n    expect: [{time: soon}]", "4:21", "soon", "2026-11-15T20:00:00Z"),
        (HEAD + "  - name: x\n    expect: [{rule: s}]", "4:21", "no rule 's'", "expected r"),
        (HEAD + "  - name: x\n    expect: {s: none}", "4:14", "no rule 's'", "expected r"),
        (HEAD + "  - name: x\n    expect: {r: [{rule: q}]}", "4:25", "no rule 'q'", ""),
        (HEAD + "  - name: x\n    run: once", "3:11", "no rule here is written in it", ""),
        (HEAD + "  - name: x\n    within_delay: 1 s\n    given: [5 a, 1 b]", "5:12", "comes 4 s late", "later"),
        ('rules: [{name: r, language: eps, expression: "a ;"}]\ncases: [{name: x}]', "1:50", "", "^"),
    ],
)  # fmt: skip
def test_faults(tmp_path: Path, text: str, place: str, message: str, more: str) -> None:
    said = refusal(tmp_path, text)
    assert said.startswith(f"made.test.yaml:{place}: ")
    assert message in said.split("\n")[0]
    assert more in said


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    said = refusal(tmp_path, HEAD + "  - {name: x, expect: maybe}\n  - {name: y, order: odd}\n  - {nam: z}")
    assert [line.split(":")[1] for line in said.split("\n") if line.startswith("made")] == ["3", "4", "5"]


def test_a_part_may_be_written_once_and_used_again(tmp_path: Path) -> None:
    text = "  - {name: x, given: &g [1 a, 2 b], expect: [[1, 2]]}\n  - {name: y, given: *g, expect: 1}"
    one, two = file_of(tmp_path, HEAD + text).cases
    assert len(one.given) == len(two.given) == 2
    assert "contains itself" in refusal(tmp_path, "cases: &c\n  - *c")


@given(st.text(), st.integers(0, 400), st.integers(0, 30))
def test_any_text_is_read_or_refused(noise: str, begin: int, removed: int) -> None:
    text = HEAD + "  - name: x\n    given: |\n      1 a s1 x=2\n    expect: [{rule: r, time: 2}]\n"
    with suppress(TextError):
        FileReader(text[:begin] + noise + text[begin + removed :], Path("made.test.yaml")).file()
