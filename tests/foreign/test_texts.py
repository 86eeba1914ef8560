"""What is written for each construct, to the letter, and what is refused with which words. No engine is needed here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.foreign.constructs import CONSTRUCTS, Construct
from tocsin.algebra.rules import Rule
from tocsin.errors import RuleError
from tocsin.foreign import esper_epl, flink_sql
from tocsin.foreign.programs import written
from tocsin.rules.loader import load_expression
from tocsin.rules.programs import rules_program
from tocsin.rules.sigma import read_sigma

FOLDER = Path(__file__).parent


def all_texts(constructs: list[Construct], translate: Callable[[Rule], str]) -> str:
    return "\n".join(translate(each.rule()) for each in constructs)


def test_what_is_written_for_flink() -> None:
    """`python -m tests.foreign.test_texts` writes both files anew: look at what changed."""
    made = all_texts([each for each in CONSTRUCTS if each.flink], flink_sql.translate)
    assert made == (FOLDER / "flink.sql").read_text(encoding="utf-8")


def test_what_is_written_for_esper() -> None:
    made = all_texts([each for each in CONSTRUCTS if each.esper], esper_epl.translate)
    assert made == (FOLDER / "esper.epl").read_text(encoding="utf-8")


@pytest.mark.parametrize("construct", [each for each in CONSTRUCTS if not each.flink], ids=lambda each: each.name)
def test_what_flink_cannot_say_is_refused(construct: Construct) -> None:
    with pytest.raises(RuleError, match="in Flink SQL, cannot be translated"):
        flink_sql.translate(construct.rule())


@pytest.mark.parametrize("construct", [each for each in CONSTRUCTS if not each.esper], ids=lambda each: each.name)
def test_what_esper_cannot_say_is_refused(construct: Construct) -> None:
    with pytest.raises(RuleError, match="in EPL, cannot be translated"):
        esper_epl.translate(construct.rule())


REFUSED = [
    Construct("context", "eps", "a ; b", context="chronicle"),
    Construct("context", "gem", "a ; b", context=None),
    Construct("months", "sel", "a -> b in 2 months"),
    Construct("inside", "sel", "a -> (b in 3 sec) in 5 sec"),
    Construct("before", "sel", "!b -> a in 5 sec"),
    Construct("later", "gem", "a + [5*sec]"),
    Construct("any", "gem", "a ; *"),
    Construct("lengths", "sel", "a*[2,3] in 5 sec"),
    Construct("right", "eps", "a ; (b ; c)"),
    Construct("or", "eps", "a ; (b || c)"),
    Construct("four", "eps", "a & b & c & d"),
    Construct("twice", "eps", "x:a & y:a"),
    Construct("same", "eps", "x:a || y:a"),
    Construct("own-column", "eps", "x:a", "x.id == 'e1'"),
    Construct("division", "eps", "x:a", "x.n / 2 > 1"),
    Construct("null", "eps", "x:a", "x.n == null"),
    Construct("length", "eps", "x:a", "len(x.s) > 1"),
    Construct("time", "eps", "x:a ; y:b", "@y - @x < [5*sec]"),
    Construct("cancelling", "gem", "{x:a ; y:b} ! z:c when z.n == 1"),
    Construct("complement", "core", "[a];[!b in {b, c}]"),
    Construct("star", "core", "[a] [b]*"),
    Construct("choice", "core", "[a] ([b] | [c])"),
    Construct("parallel", "core", "[a] || [b]"),
    Construct("once", "core", "[a] [b]", run="once"),
    Construct("again", "core", "[a];[b in {b, c}]", run="again"),
    Construct("again-window", "core", "[a];[b]", run="again", window="5 sec"),
]
"""What neither engine can say."""


@pytest.mark.parametrize("translate", [flink_sql.translate, esper_epl.translate], ids=["flink", "esper"])
@pytest.mark.parametrize("construct", REFUSED, ids=lambda each: f"{each.name}-{each.language}")
def test_what_neither_can_say_is_refused_with_its_place(construct: Construct, translate: Callable[[Rule], str]) -> None:
    with pytest.raises(RuleError, match="cannot be translated") as caught:
        translate(construct.rule())
    (fault,) = caught.value.faults
    assert fault.place is not None
    assert fault.hint


def test_a_refusal_names_the_construct_and_the_nearest_form() -> None:
    with pytest.raises(RuleError) as caught:
        flink_sql.translate(Construct("sequence", "sel", "x:a -> y:b in 5 sec").rule())
    assert str(caught.value).splitlines() == [
        "<expression>:1:10: every combination, in Flink SQL, cannot be translated",
        "  x:a -> y:b in 5 sec",
        "           ^",
        "  it finds one match a row: say 'the first', as '[a];[b]' of the core language or 'a -> !b -> b'",
    ]


def test_tables_columns_and_properties_have_the_names_one_gives_them() -> None:
    rule = Construct("own", "eps", "x:a", "$x == 'p' && x.order > 1").rule()
    columns = flink_sql.Columns("log", "key", "kind", "host", "at")
    text = flink_sql.translate(rule, columns)
    assert "FROM `log`" in text
    assert "ORDER BY `at`" in text
    assert "x1 AS x1.`kind` = 'a' AND x1.`host` = 'p' AND x1.`order` > 1" in text
    text = esper_epl.translate(rule, esper_epl.Properties("key", "host", "at"))
    assert "select x1.key as x1_id" in text
    assert "x1=`a`(host = 'p' and `order` > 1)" in text


def test_a_variable_called_gap_is_no_gap() -> None:
    text = flink_sql.translate(Construct("own", "core", "[a];[gap:b];[c]").rule())
    assert "PATTERN (a1 gap2* e2 gap3* c3)" in text


def test_a_program_is_its_rules_or_all_that_is_refused() -> None:
    one, other = Construct("one", "core", "[a];[b]").rule(), Construct("other", "eps", "c", context=None).rule()
    text = written(rules_program([one, other]), flink_sql.translate)
    assert text == f"{flink_sql.translate(one)}\n{flink_sql.translate(other)}"
    wrong = [Construct(name, "eps", "x:a", "x.n / 2 > 1").rule() for name in ("p", "q")]
    with pytest.raises(RuleError) as caught:
        written(rules_program(wrong), flink_sql.translate)
    assert len(caught.value.faults) == 2


def test_a_rule_used_by_its_name_is_refused() -> None:
    program = load_expression("pair ; c", "eps") + load_expression("a ; b", "eps", name="pair")
    with pytest.raises(RuleError, match="'pair', a rule used by its name, cannot be translated"):
        written(program, esper_epl.translate)


def test_a_sigma_rule_over_single_events_is_a_query() -> None:
    sigma = "title: Whoami\nlogsource: {category: process}\ndetection: {s: {Image|endswith: who}, condition: s}\n"
    text = written(read_sigma(sigma, "sigma.yml"), flink_sql.translate)
    assert "e1 AS e1.`type` = 'process' AND ENDSWITH(LOWER(e1.`Image`), 'who')" in text


if __name__ == "__main__":
    (FOLDER / "flink.sql").write_text(all_texts([c for c in CONSTRUCTS if c.flink], flink_sql.translate), "utf-8")
    (FOLDER / "esper.epl").write_text(all_texts([c for c in CONSTRUCTS if c.esper], esper_epl.translate), "utf-8")
