"""Patterns of texts, and attributes inside of others, beside what they plainly mean."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.algebra.attributes import found_in, heads_of
from tocsin.algebra.guards import Attribute, Call, Guard, Literal
from tocsin.algebra.operations import MISSING, Surroundings
from tocsin.algebra.patterns import Primitive
from tocsin.algebra.text_patterns import BadPattern, check_regex, is_in_network, is_like, like_text, matches, network_of
from tocsin.algebra.types import Scope, value_faults
from tocsin.algebra.values import evaluate

SIGNS = st.text("ab%_", max_size=8)


@given(SIGNS, st.text("ab", max_size=8))
def test_wildcards_are_those_of_file_names(pattern: str, text: str) -> None:
    assert is_like(text, pattern) is fnmatchcase(text, pattern.replace("%", "*").replace("_", "?"))


@given(st.text(max_size=8))
def test_a_text_is_like_itself_written_as_a_pattern(text: str) -> None:
    if text.isprintable():
        assert is_like(text, like_text(text))
        assert not is_like(f"{text}x", like_text(text))


def test_a_regular_expression_takes_time_in_proportion_to_the_text() -> None:
    assert not matches("a" * 50_000 + "b", "^(a|a)*(a*)*$")


@pytest.mark.parametrize("pattern", ["(", "(?=a)", r"(a)\1", "a{2000}", "[z-a]"])
def test_what_is_no_regular_expression_is_refused(pattern: str) -> None:
    with pytest.raises(BadPattern):
        check_regex(pattern)
    guard: Guard = Call("matches", (Literal("a"), Literal(pattern)))
    (fault,) = value_faults(guard, Scope({}))
    assert fault.message.startswith("this is no regular expression: ")
    assert evaluate(guard, {}, Surroundings()) is False


def test_a_pattern_stands_in_quotes() -> None:
    (fault,) = value_faults(Call("matches", (Literal("a"), Call("lower", (Literal("b"),)))), Scope({}))
    assert fault.message == "matches takes a regular expression, written in quotes"


@pytest.mark.parametrize("text", ["10.0.0.0/33", "x", "10.0.0", ""])
def test_what_is_no_network_is_refused(text: str) -> None:
    with pytest.raises(BadPattern):
        network_of(text)


def test_addresses() -> None:
    assert is_in_network(" 10.1.2.3 ", "10.0.0.0/8")
    assert is_in_network("10.1.2.3", "10.1.2.3")
    assert is_in_network("10.1.2.3", "10.255.0.0/8")
    assert not is_in_network("10.1.2.3", "::/0")
    assert not is_in_network("10.1.2", "10.0.0.0/8")


def test_half_a_surrogate_pair_is_no_character() -> None:
    assert not matches("\ud800", "^[a-z]$")


def test_the_keys_of_a_path() -> None:
    assert heads_of("a.b[0].c") == ("a.b[0].c", "a.b[0]", "a.b", "a")
    assert heads_of("a") == ("a",)


DATA = st.recursive(
    st.integers(0, 3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(("a", "b", "a.b")), inner, max_size=2),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(("a", "b", "a.b", "a[0]")), DATA), st.lists(st.sampled_from("ab0"), max_size=4))
def test_a_path_leads_where_its_parts_lead(data: dict[str, object], rest: list[str]) -> None:
    name = "a" + "".join(f"[{step}]" if step == "0" else f".{step}" for step in rest)
    assert _plainly(data, name) == found_in(data, name)


def _plainly(value: object, path: str) -> object:
    """All ways to cut a path in two, the later cut first."""
    if isinstance(value, dict):
        if path in value:
            return value[path]
        for cut in reversed(range(1, len(path))):
            head, tail = path[:cut], path[cut:]
            if head in value and tail[0] in ".[":
                found = _plainly(value[head], tail.removeprefix("."))
                if found is not MISSING:
                    return found
    if isinstance(value, list) and path.startswith("[0]") and value:
        tail = path[3:].removeprefix(".")
        return _plainly(value[0], tail) if tail else value[0]
    return MISSING


def test_a_pattern_of_a_declared_number_is_told() -> None:
    assert value_faults(Call("like", (Literal(5), Literal("a"))), Scope({}))
    assert not value_faults(Call("like", (Attribute("x", "a"), Literal("a"))), Scope({"x": Primitive("a")}))
