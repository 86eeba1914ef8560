"""The table of guard functions: one record is enough for a function to work everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tocsin as tc
from tocsin.algebra import functions
from tocsin.algebra.functions import FUNCTIONS, STRING, Function
from tocsin.algebra.guards import Attribute, Call, Literal
from tocsin.languages.fluent_guards import guard_code
from tocsin.languages.fluent_terms import Term

GUARDS = Path(__file__).parents[2] / "docs/languages/guards.md"


@pytest.mark.parametrize("name", [name for name, each in FUNCTIONS.items() if each.method])
def test_what_python_calls_a_method_is_one(name: str) -> None:
    assert callable(getattr(Term, FUNCTIONS[name].method))


@pytest.mark.parametrize("name", [name for name, each in FUNCTIONS.items() if each.method])
def test_what_is_a_method_is_written_as_one(name: str) -> None:
    others = [Literal("10.0.0.0/8")] * (FUNCTIONS[name].least - 1)
    written = guard_code(Call(name, (Attribute("x", "v"), *others)), {"x": "x"})
    assert written.startswith(f"x.v.{FUNCTIONS[name].method}(")


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_function_is_on_the_page(name: str) -> None:
    text = re.sub(r"^```.*?^```$", "", GUARDS.read_text(), flags=re.DOTALL | re.MULTILINE)
    told = re.findall(r"`([^`\n]+)`", text)
    assert any(re.search(rf"\b{name}\b", code) for code in told), f"docs/languages/guards.md does not tell of '{name}'"


def test_a_record_is_all_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is added to the table is parsed, checked, run, rendered and refused where another engine has no word."""
    reverse = Function(lambda around, one: one[::-1], takes=(STRING,), gives=STRING)
    monkeypatch.setitem(functions.FUNCTIONS, "reverse", reverse)
    monkeypatch.setattr("tocsin.languages.guards._CALLABLE", ("reverse",))  # worked out when it was imported
    rule = tc.rule("r", "x:a", condition="reverse(x.host) == '1r'")
    found = tc.detect([rule], [{"type": "a", "time": 1, "host": "r1"}, {"type": "a", "time": 2, "host": "r2"}])
    assert [one.events for one in found] == [("1",)]
    with pytest.raises(tc.RuleError, match="reverse takes a string, and this is a number"):
        tc.detect([tc.rule("r", "x:a", condition="reverse(1) == 'x'")], [])
    with pytest.raises(tc.RuleError, match="reverse"):
        tc.translate([rule], "flink-sql")
