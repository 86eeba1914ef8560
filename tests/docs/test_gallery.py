"""The gallery says what is so: its page is made from its files, and what a notation cannot say it refuses to write.

What each notation detects is tested with all cases: `tests/conformance`, and on Spark `tests/spark`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.cases import Case
from tests.conformance.gallery import NOTATIONS, Need, needs, python_rule
from tests.conformance.runtimes import program_of
from tests.docs.gallery_page import PAGE, page
from tocsin.algebra.patterns import Automaton, Pattern
from tocsin.algebra.rule_warnings import program_doubts
from tocsin.errors import RuleError
from tocsin.languages import languages, parse, render

NEEDS = needs()


def test_there_are_twenty_needs_each_in_at_least_three_notations() -> None:
    assert len(NEEDS) >= 20
    assert [need.name for need in NEEDS if len(need.notations) < 3] == []
    assert set(NOTATIONS) == {*languages(), "python"}


@pytest.mark.parametrize("need", NEEDS, ids=lambda need: need.name)
def test_every_notation_says_it_or_why_not(need: Need) -> None:
    assert sorted([*need.notations, *need.cannot]) == sorted(NOTATIONS)
    known = {"need", "story", "events", "expect", "notations", "cannot", "differ"}
    assert need.fields.keys() <= known
    for each in need.differences:
        assert each.keys() == {"says", "events", "expect"}
        assert sorted(" ".join(each["expect"]).split()) == sorted(need.notations)
        assert len(each["expect"]) > 1


@pytest.mark.parametrize(
    ("need", "language"),
    [(need, each) for need in NEEDS for each in need.cannot],
    ids=lambda each: getattr(each, "name", each),
)
def test_what_a_notation_cannot_say_it_does_not_write(need: Need, language: str) -> None:
    """None of the other notations' patterns has a text in it."""
    for pattern in patterns(need):
        with pytest.raises(RuleError):
            render(pattern, language)


def patterns(need: Need) -> list[Pattern]:
    """What the notations of a need stand for, but for scripts."""
    found = []
    for language, written in need.notations.items():
        if "code" in written:
            found.append(python_rule(written["code"]).pattern)
        elif "expression" in written:
            found.append(parse(written["expression"], language))
    return found


@pytest.mark.parametrize("need", NEEDS, ids=lambda need: need.name)
def test_every_notation_is_written_and_read_again(need: Need) -> None:
    for language, written in need.notations.items():
        if "expression" in written:
            pattern = parse(written["expression"], language)
            assert parse(render(pattern, language), language) == pattern
            assert isinstance(pattern, Automaton) == (language == "core")


@pytest.mark.parametrize("need", NEEDS, ids=lambda need: need.name)
def test_nothing_is_doubtful_about_the_rules(need: Need, tmp_path: Path) -> None:
    """Their memory is bounded, above all: a pipeline takes no rule that remembers for ever."""
    for fields in need.cases():
        assert program_doubts(program_of(Case("gallery", fields), tmp_path)) == [], fields["name"]


def test_the_events_that_must_not_be_detected_are_there() -> None:
    """A rule that fires for everything would not pass: every need has events that belong to no detection."""
    for need in NEEDS:
        case = Case("gallery", need.fields)
        used = {str(each) for one in case.expected for each in one["events"]}
        assert {event["id"] for event in case.events} - used, need.name


def test_the_page_is_made_from_the_files() -> None:
    """If not: `python tests/docs/gallery_page.py`."""
    assert PAGE.read_text(encoding="utf-8") == page(NEEDS)
