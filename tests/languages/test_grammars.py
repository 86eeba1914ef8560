"""The grammars that the pages show are those of the parsers: what they allow is read, and is the same when written."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.languages.building import refusal
from tests.languages.grammars import PAGES, Sentences, grammar
from tocsin.algebra.patterns import Automaton
from tocsin.errors import Source
from tocsin.languages import core, eps, gem, global_, languages, parse, pretty, python_, sel
from tocsin.languages.guards import parse_guard_text, render_guard

NAMES = ["a", "b", "door", "x1", "_q", "größe"]
STRINGS = ["'com.example.a'", '"two words"', "'it\\'s'"]
GUARDS = ["x.v > 3", "x.k == y.k && @y - @x < [10*sec]", "not (?z or $x != 's') and abs(x.v - 1) <= 2.5"]
SPANS = ["5 min", "1 h", "90 s", "2 days"]
WORDS: dict[str, list[str]] = {
    "name": NAMES,
    "string": STRINGS,
    "number": ["1", "2.5", "30"],
    "variable": ["x", "y", "w2"],
    "type": [*NAMES, "'com.example.a'"],
    "attribute": ["k", "user", "'user-id'"],
    "count": ["1", "3", "12"],
    "guard": GUARDS,
    "unit": ["sec", "min", "hours", "days"],
    "span": SPANS,
    "newline": ["\n"],
    "end of the line": ["\n"],
}
CALENDAR = ["2026/11/15 20:00:00", "2026/11/15", "2026-11-15T20:00:00Z"]
POINTS = ["10:30", "01:30 Fri 13/-/-", "29/Feb/96", "Mon"]
PERIODS = ["5*sec", "1*day+12*hour", "hour"]
OWN: dict[str, dict[str, list[str]]] = {
    "sel": {"time": [*CALENDAR, "-12.5", "10", "10:30 15/5/95"]},
    "pretty": {"time": ["'2026-11-15T20:00:00Z'", "'2026-11-15'"], "point": POINTS, "span": [*SPANS, "'1h'"]},
    # A set must be defined before it is used, so none is; and definitions have a test of their own.
    "core": {"instant": CALENDAR, "set name": ["a"], "label": ["T", "T1", "'time out'"], "guard": ["v > 3", "this.k = 'p' AND v < 2"]},
    "global": {"instant": CALENDAR, "span": ["0/0/2 0:01:05", "5 min"], "site": ["berlin", "'site 1'"], "type": NAMES},
    "gem": {"time point": POINTS, "period": PERIODS},
    "eps": {"instant": CALENDAR, "span": ["0/0/2 0:01:05", "0/1/0", "5 min"]},
    "python": {"span": ["'5 min'", "90", "'2 days'"], "time": ["'2026-11-15'", "'2026-11-15T20:00:00Z'"], "guard": ['"now > [10:30]"', '"true"']},
}  # fmt: skip
OWN["gem"]["expression"] = ["a ; b", "x:a when x.v > 1", "{a ; b} ! c"]
OF_SCRIPTS = {"script": "attribute", "expression": ""}
"""What a block defines itself under a name that is another elsewhere."""
COUNT = 120

Detectors = list[tuple[str, Automaton]]
"""Core expressions: those with a name, and the last one, which has none."""


def _detectors(source: Source) -> Detectors:
    """A core expression, after what it has in it that is a detector of its own: `||` inside others."""
    definitions, detector = core.parse_rules(source)
    return [*((each.name, each.pattern) for each in definitions), ("", detector)]


def _core_text(detectors: Detectors) -> str:
    return "\n".join(f"{name} = {core.render(each)}" if name else core.render(each) for name, each in detectors)


Read = tuple[str, str, Callable[[Source], Any], Callable[[Any], str]]
READERS: list[Read] = [
    ("sel", "expression", sel.parse, sel.render),
    ("pretty", "expression", pretty.parse, pretty.render),
    ("core", "expression", _detectors, _core_text),
    ("global", "expression", global_.parse, global_.render),
    ("gem", "expression", gem.parse, gem.render),
    ("eps", "expression", eps.parse, eps.render),
    ("python", "expression", python_.parse, python_.render),
    ("gem", "script", gem.parse_script, gem.render_script),
]


def sentences(language: str, start: str, seed: int = 1) -> list[str]:
    page = f"{language}.md"
    leaves = {name: texts for name, texts in (WORDS | OWN[language]).items() if name not in (start, OF_SCRIPTS[start])}
    made = Sentences(grammar(page, start), leaves, f"{language}/{start}/{seed}")
    return [made.sentence(start) for _ in range(COUNT)]


@pytest.mark.parametrize(("language", "start", "read", "write"), READERS, ids=[" ".join(each[:2]) for each in READERS])
def test_what_the_grammar_allows_is_read(
    language: str, start: str, read: Callable[[Source], Any], write: Callable[[Any], str]
) -> None:
    texts = sentences(language, start)
    assert len({*texts}) > COUNT // 4
    good = 0
    for text in texts:
        error = refusal(read, text)
        good += error is None
        if error is not None:
            assert error.faults[0].message.startswith(TOLD.get(language, ())), f"{text}\n{error}"
        else:
            value = read(Source(text))
            assert read(Source(write(value))) == value
    assert good > COUNT // 3


TOLD = {
    "sel": ("a run of at least",),
    "pretty": (
        "a run of at least",
        "'without' needs two steps",
        "'any' compares one attribute",  # 'with the same' behind 'any 3 a' is about those three
        "one attribute is different",
        "only single events are counted like this",
        "what has different values",
        "unknown unit of time",
    ),
    "core": (
        "only an event that an atom accepts can have a name",
        "the time event",
        "what comes at least",
    ),
    "python": ("only single events are counted like this",),
}
"""What the pages tell in words beside the grammar, as the messages begin."""


GUARD_LEAVES = {
    "list": ["(1, 'a')", "cidr('10.0.0.0/8', '::/0')", "x.tags", "x.user.groups"],
    "string": ["'10.0.0.0/8'"],  # a network and a regular expression, too
    "value": [
        "x.v",
        "@x",
        "|@y",
        "$x",
        "?z",
        "now",
        "self",
        "5 min",
        "'text'",
        "-2.5e3",
        "[10:30]",
        "[5*sec]",
        "true",
        "null",
    ],
}


def test_guards_that_the_grammar_allows_are_read() -> None:
    rules = {name: rule for name, rule in grammar("guards.md", "guard").items() if name not in GUARD_LEAVES}
    made = Sentences(rules, GUARD_LEAVES, "guard")
    for text in [made.sentence("guard", 8) for _ in range(COUNT)]:
        assert refusal(parse_guard_text, text) is None, text
        guard = parse_guard_text(Source(text))
        assert parse_guard_text(Source(render_guard(guard))) == guard


def test_what_the_grammar_does_not_allow_is_refused() -> None:
    """A grammar that allowed everything would pass above: one sign too many is refused in nearly every sentence."""
    for language, start, read, _ in READERS:
        refused = [text for text in sentences(language, start)[:20] if refusal(read, text + " )")]
        assert len(refused) == 20


@pytest.mark.parametrize("language", languages())
def test_the_commands_shown_are_right(language: str) -> None:
    page = (PAGES / f"{language}.md").read_text(encoding="utf-8")
    shown = re.findall(rf"""tocsin detect -e (?:'(.*?)'|"(.*?)") --lang {language}""", page)
    assert shown
    for one, other in shown:
        parse(one or other, language)


def test_the_pretty_message_shown_is_the_one_given() -> None:
    page = (PAGES / "pretty.md").read_text(encoding="utf-8")
    assert f"```\n{refusal(pretty.parse, 'login & logout')}\n```" in page
