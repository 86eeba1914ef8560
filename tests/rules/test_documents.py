"""YAML rules files: every setting, and every fault at the file, line and column where it was typed."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amounts import examples
from tocsin.algebra.checks import program_faults
from tocsin.algebra.patterns import Named, Primitive
from tocsin.algebra.rules import Command, Context, Define, Enable, Order, Program, Rule
from tocsin.errors import RuleError, Source
from tocsin.languages.guards import parse_guard_text
from tocsin.rules.documents import KEYS, read_document
from tocsin.time.spans import parse_period


def read(text: str) -> Program:
    return read_document(dedent(text).lstrip("\n"), "r.yaml")


def only_rule(text: str) -> Rule:
    (rule,) = read(text).rules
    return rule


def faults(text: str) -> list[str]:
    """`LINE:COLUMN message` of every fault of a file."""
    with pytest.raises(RuleError) as caught:
        read(text)
    places = [fault.place for fault in caught.value.faults]
    assert all(place is not None and place.file == "r.yaml" for place in places)
    return [f"{p.line}:{p.column} {f.message}" for p, f in zip(places, caught.value.faults, strict=True) if p]


# -- what is read ----------------------------------------------------------------------------------------------------


def test_every_setting() -> None:
    rule = only_rule("""
        rules:
          - name: hot
            language: eps
            expression: x:temp ; y:temp
            condition: y.t > x.t
            context: chronicle
            window: 5 min
            order: "delay:5 sec"
            notify: "{x.room} is hot"
            select:
              rise: y.t - x.t
              room: x.room
            enabled: true
    """)
    guard = lambda text: parse_guard_text(Source(text))  # noqa: E731 - a short name for five lines
    assert (rule.name, rule.language, rule.context, rule.strict) == ("hot", "eps", Context.CHRONICLE, False)
    assert (rule.condition, rule.window) == (guard("y.t > x.t"), parse_period("5 min"))
    assert rule.order == Order("delay", delay=parse_period("5 sec"))
    assert rule.select == (("rise", guard("y.t - x.t")), ("room", guard("x.room")))
    assert rule.notify == "{x.room} is hot"


def test_a_rule_that_is_not_reported_is_there_for_others() -> None:
    program = read(
        "rules: [{name: r, language: eps, expression: a, reported: no}, {name: s, language: eps, expression: r}]"
    )
    assert [rule.hidden for rule in program.rules] == [True, False]


def test_a_rule_needs_three_settings_and_is_enabled() -> None:
    program = read("rules: [{name: r, language: eps, expression: a}]")
    rule = Rule("r", Named("a", Primitive("a")), "eps")
    assert program == Program((Define(rule), Command(Enable("r"))))


@pytest.mark.parametrize(
    ("word", "on"), [("true", True), ("yes", True), ("'on'", True), ("false", False), ("No", False), ("off", False)]
)
def test_a_rule_can_be_defined_and_left_off(word: str, on: bool) -> None:
    program = read(f"rules: [{{name: r, language: eps, expression: a, enabled: {word}}}]")
    assert len(program.statements) == (2 if on else 1)


def test_numbers_and_dates_are_read_as_the_text_they_are() -> None:
    rule = only_rule("rules: [{name: 2026-11-15, language: eps, expression: a, window: 90, notify: 5}]")
    assert (rule.name, rule.window, rule.notify) == ("2026-11-15", parse_period("90 sec"), "5")


def test_no_rules_are_no_fault() -> None:
    assert read("rules: []") == Program()


@pytest.mark.parametrize(
    "style",
    ["a ;\n      b", ">\n      a ;\n      b", "|\n      a ;\n      b", '"a ; b"', "'a ; b'", '"a ;\\\n      b"'],
)
def test_an_expression_in_any_style_of_yaml(style: str) -> None:
    found = only_rule(f"rules:\n  - name: r\n    language: eps\n    expression: {style}\n    window: 1 min\n")
    assert found.pattern == only_rule("rules: [{name: r, language: eps, expression: a ; b}]").pattern


def test_anchors_and_aliases() -> None:
    program = read("""
        rules:
          - {name: r, language: &l eps, expression: &e a ; b}
          - {name: s, language: *l, expression: *e}
    """)
    assert program.rules[0].pattern == program.rules[1].pattern


# -- where faults stand ------------------------------------------------------------------------------------------------

RULE = "rules:\n  - name: r\n    language: eps\n"


@pytest.mark.parametrize(
    ("expression", "place"),
    [
        ("    expression: a ; ) b", "4:21"),
        ("    expression: 'a ; ) b'", "4:22"),
        ('    expression: "a ; ) b"', "4:22"),
        ("    expression: |\n      a ; ) b", "5:11"),
        ("    expression: |\n      a ;\n        ) b", "6:9"),
        ("    expression: |2\n        a ; ) b", "5:13"),
        ("    expression: |\n\n\n      a ; ) b", "7:11"),
        ("    expression: |-\n      a ;\n      b )\n    window: 1 min", "6:9"),
        # What was folded or escaped cannot be followed character by character: the beginning is shown.
        ("    expression: >\n      a ;\n      ) b", "4:17"),
        ("    expression: a ;\n      ) b", "4:17"),
        ("    expression: 'it''s'", "4:17"),
        ('    expression: "a ; \\u0029 b"', "4:17"),
    ],
)
def test_a_fault_inside_an_expression_in_every_style(expression: str, place: str) -> None:
    assert faults(RULE + expression)[0].split()[0] == place


def test_a_fault_in_a_flow_mapping() -> None:
    assert faults('rules: [{name: r, language: eps, expression: "a ; )"}]') == ["1:51 unexpected ')'"]


def test_windows_line_ends_move_nothing() -> None:
    with pytest.raises(RuleError) as caught:
        read_document((RULE + "    expression: |\n      a ;\n      ) b\n").replace("\n", "\r\n"), "r.yaml")
    assert str(caught.value).splitlines()[:3] == ["r.yaml:6:7: unexpected ')'", "        ) b", "        ^"]


def test_a_fault_is_shown_with_the_line_of_the_file() -> None:
    with pytest.raises(RuleError) as caught:
        read(RULE + "    expression: a ; ) b  # a comment")
    assert str(caught.value).splitlines()[:3] == [
        "r.yaml:4:21: unexpected ')'",
        "      expression: a ; ) b  # a comment",
        "                      ^",
    ]


def test_what_is_found_later_knows_its_place_too() -> None:
    program = read(RULE + "    expression: x:a ; y:b\n    condition: x.v > z.v\n    select: {n: w.v}\n")
    found = [f"{f.place.line}:{f.place.column} {f.message}" for f in program_faults(program) if f.place]
    assert found == ["5:22 there is no event variable 'z' here", "6:17 there is no event variable 'w' here"]


# -- every fault -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "1:1 the file is empty"),
        ("# nothing\n", "1:1 the file is empty"),
        ("hello", "1:1 a rules file is a mapping"),
        ("- a", "1:1 a rules file is a mapping"),
        ("{}", "1:1 'rules' must be a list"),
        ("rules:", "1:7 'rules' must be a list"),
        ("rules: 5", "1:8 'rules' must be a list"),
        ("rulez: []", "1:1 there is no setting 'rulez'"),
        ("rules: []\nrules: []", "2:1 'rules' is given twice"),
        ("rules:\n  - a", "2:5 a rule is a mapping"),
        ("rules:\n  - {name: r}", "2:5 this rule has no 'language'"),
        ("rules:\n  - language: eps\n    expression: a", "2:5 this rule has no 'name'"),
        ("rules:\n  - {name: '', language: eps, expression: a}", "2:12 '' is no name for a rule"),
        ("rules:\n  - {name: '*', language: eps, expression: a}", "2:12 '*' is no name for a rule"),
        ("rules:\n  - {name: r, language: esp, expression: a}", "2:25 there is no language 'esp'"),
        ("rules:\n  - {name: r, language: eps, expression: [a]}", "2:42 this must be a text"),
        ("rules:\n  - {name: null, language: eps, expression: a}", "2:12 this must be a text"),
        ("rules:\n  - {[name]: r}", "2:6 this must be a text"),
        ('rules:\n  - {name: "\\ud800", language: eps, expression: a}', "2:12 half of a surrogate pair is no character"),
        (RULE + "    expression: a\n    contxt: recent", "5:5 there is no setting 'contxt'"),
        (RULE + "    expression: a\n    name: s", "5:5 'name' is given twice"),
        (RULE + "    expression: a\n    <<: {window: 5}", "5:5 there is no setting '<<'"),
        (RULE + "    expression: a\n    context: newest", "5:14 'newest' is not a context: use unrestricted, generic, chronicle, recent, continuous or cumulative"),
        (RULE + "    expression: a\n    window: 5 mins ago", "5:13 the window: unexpected 'ago' in '5 mins ago' (expected nothing more)"),
        (RULE + "    expression: a\n    window: 0 sec", "5:13 a window must be longer than nothing: '0 sec'"),
        (RULE + "    expression: a\n    run: every", "5:10 'run' is for automata, and this rule is in eps"),
        (RULE + "    expression: a\n    run: twice", "5:10 'twice' is not a run: use every, again, once, to next, past last, to first or to last"),
        (RULE + "    expression: a\n    enabled: maybe", "5:14 this must be true or false"),
        (RULE + "    expression: a\n    partition: user, host", "5:16 'partition' names attributes, several as a list"),
        (RULE + "    expression: a\n    select: a.v", "5:13 'select' names values"),
        (RULE + "    expression: a\n    select: {v: a.v, v: a.w}", "5:22 'v' is given twice"),
        (RULE + "    expression: a\n    select: {v: a.}", "5:19 unexpected end of the text"),
        (RULE + "    expression: a\n    condition: a.v >", "5:21 unexpected end of the text"),
        (RULE + "    expression: a\n    notify: it is {a.v", "5:19 a single '{' in a notification"),
        (RULE + "    expression: a\n    notify: |\n      now\n      {1 +}", "7:7 in the notification: unexpected end of the text"),
    ],
)  # fmt: skip
def test_every_fault_where_it_stands(text: str, fault: str) -> None:
    assert faults(text) == [fault]


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("rules: [", "1:9", "while parsing a flow node"),
        ("rules:\n\t- a", "2:1", "found character '\\t' that cannot start any token"),
        ("rules: {a: b", "1:13", "expected ',' or '}', but got '<stream end>'"),
        ("rules: 'a", "1:10", "found unexpected end of stream"),
        ("rules: *a", "1:8", "found undefined alias 'a'"),
        ("rules: []\n---\nrules: []", "2:1", "but found another document"),
        ("rules:\n  - name: \x07", "2:11", "special characters are not allowed"),
        ("[" * 500, "1:1", "nested too deeply"),
        ("a: " * 3_000, None, ""),
    ],
)
def test_what_is_not_yaml(text: str, place: str | None, reason: str) -> None:
    (fault,) = faults(text)
    assert "this is not YAML" in fault
    assert reason in fault
    assert place is None or fault.startswith(f"{place} ")


def test_every_rule_with_a_fault_is_told() -> None:
    text = """
        rules:
          - {name: a, language: eps, expression: "a ;"}
          - {name: b, language: eps, expression: "b"}
          - {name: c, language: eps, expression: "; c"}
          - {name: d}
    """
    assert [fault.split()[0] for fault in faults(text)] == ["2:46", "4:43", "5:5"]


def test_a_misspelt_setting_gets_its_nearest_name() -> None:
    with pytest.raises(RuleError) as caught:
        read(RULE + "    expression: a\n    contxt: recent")
    (fault,) = caught.value.faults
    assert fault.hint == "did you mean 'context'?"
    assert all(key in fault.expected for key in KEYS)


# -- any text ----------------------------------------------------------------------------------------------------------

WORDS = "rules:|\n|  |- |name: |r|language: |eps|expression: |a ; b|>|\"|'|{|}|[|]|: |,|&x |*x|#|\t|select: |notify: |window: "
MORE = "5 min|!!python/object:os.system|\r|\x85|\u2028|é|😀|\x00|\ufeff|---|? |condition: |a.v > "
PIECES = st.sampled_from([*WORDS.split("|"), *MORE.split("|"), "|"])


@settings(max_examples=examples(150))
@given(st.one_of(st.text(), st.lists(PIECES, max_size=25).map("".join)))
def test_any_text_is_a_program_or_a_fault_with_a_place(text: str) -> None:
    try:
        read_document(text, "r.yaml")
    except RuleError as error:
        found = error.faults
    else:
        return
    assert found
    assert all(fault.place is not None and fault.place.line >= 1 and fault.place.column >= 1 for fault in found)
