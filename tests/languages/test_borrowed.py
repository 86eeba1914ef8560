"""Words of other engines: each fault tells how what they mean is said here, and what it tells can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tocsin.errors import RuleError
from tocsin.languages import languages, parse
from tocsin.languages.borrowed import BORROWED
from tocsin.rules.loader import load_expression, load_file

EXAMPLES = [(language, text) for each in BORROWED for language, text in each.examples.items()]


@pytest.mark.parametrize(("language", "text"), EXAMPLES)
def test_what_is_advised_can_be_read(language: str, text: str) -> None:
    assert parse(text, language)


def test_every_language_is_known_to_the_advice() -> None:
    assert {language for language, _ in EXAMPLES} == set(languages())


@pytest.mark.parametrize(
    ("language", "text", "column", "advice"),
    [
        ("pretty", "a until b", 3, "'until': what ends a loop is what must not come within it, as in a followed by c"),
        ("pretty", "a next b", 3, "'next': right after it is with no other event between them"),
        ("pretty", "every a", 7, "'every': every match counts here, with no word for it"),
        ("pretty", "every a -> b", 7, "'every': every match counts here"),
        ("pretty", "a+", 2, "'+': one or more is a repetition, as in a 1 to 5 times"),
        ("pretty", "a? followed by b", 2, "'?': what may be left out is written as two alternatives"),
        ("pretty", "a PARTITION BY user", 3, "'PARTITION': a rule for each value is its 'partition: user'"),
        ("pretty", "PATTERN (A B+ C)", 9, "'PATTERN': the expression is the pattern"),
        ("pretty", "measures a.x as y", 10, "'measures': what a detection says is the rule's 'select:'"),
        ("pretty", "a{3}", 2, "'{': so many is a repetition, as in a 2 to 5 times"),
        ("pretty", "a followedBy b", 3, "'followedBy': one event after another, as in a followed by b"),
        (
            "sel",
            "a+ -> b",
            2,
            "'+': one or more is a repetition, as in a*[1,5]; a time after an event is written e delta",
        ),
        ("sel", "a until b", 3, "as in a -> !b -> c"),
        ("gem", "a next b", 3, "as in {a ; b} ! *"),
        ("gem", "a -> b", 3, "'->': one event after another, as in a ; b"),
        ("gem", "a+", 3, "gem cannot say it, words can: a 1 to 5 times; a time after an event is written e + [5*sec]"),
        ("core", "every [a]", 1, "'every': every match counts here"),
        ("eps", "a until b", 3, "eps cannot say it, words can: a followed by c without b"),
        ("eps", "a within 5 min", 3, "'within': how long a match may last is the rule's 'window:'"),
        ("global", "a partition by user", 3, "'partition': a rule for each value is its 'partition: user'"),
        ("python", "tc.event('a').until(tc.event('b'))", 1, "'until': what ends a loop"),
    ],
)
def test_a_word_of_another_engine_is_told_how_it_is_said_here(
    language: str, text: str, column: int, advice: str
) -> None:
    for read in (lambda: load_expression(text, language), lambda: parse(text, language)):
        with pytest.raises(RuleError) as refused:
            read()
        (fault,) = refused.value.faults
        assert fault.place is None or fault.place.column == column
        assert advice in fault.hint


@pytest.mark.parametrize(
    ("language", "text", "hint"),
    [
        ("gem", "a + 5", "a time stands in brackets, as [5*sec]"),  # not a loop: only the brackets are missing
        ("pretty", "a & b", "in words, both of two events is written 'and'"),
        ("core", "[a] b", ""),
    ],
)
def test_other_mistakes_keep_their_own_hint(language: str, text: str, hint: str) -> None:
    with pytest.raises(RuleError) as refused:
        load_expression(text, language)
    assert refused.value.faults[0].hint == hint


def test_names_of_events_are_not_taken_for_words_of_others() -> None:
    for text in ("next followed by until", "pattern 3 times", "select followed by measures"):
        load_expression(text, "pretty")


def test_in_a_script_too(tmp_path: Path) -> None:
    script = tmp_path / "r.gem"
    script.write_text("event a\nevent b\nrule r { a until b ==> notify r }\n")
    with pytest.raises(RuleError) as refused:
        load_file(script)
    fault = refused.value.faults[0]
    assert fault.place is not None
    assert (fault.place.line, fault.place.column) == (3, 12)
    assert "as in {a ; c} ! b" in fault.hint


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("partition_by", "partition: user"),
        ("measures", "select: {total: sum(x.value)}"),
        ("windwo", "did you mean 'window'?"),
    ],
)
def test_keys_of_other_engines_in_a_rules_file(tmp_path: Path, key: str, hint: str) -> None:
    rules = tmp_path / "r.yaml"
    rules.write_text(f"rules:\n- name: r\n  language: eps\n  expression: a ; b\n  {key}: x\n")
    with pytest.raises(RuleError) as refused:
        load_file(rules)
    (fault,) = refused.value.faults
    assert fault.place is not None
    assert (fault.place.line, fault.place.column, fault.hint) == (5, 3, hint)
