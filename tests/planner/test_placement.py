"""Where rules run: which have a key, by which attribute, and why the others have none."""

from __future__ import annotations

import pickle

import pytest

import tocsin as tc
from tocsin.algebra.guards import Attribute, Binary, SourceOf
from tocsin.algebra.patterns import Absence, Every, Named, Never, Precedence, Primitive, Sequence, Times, Where, Within
from tocsin.algebra.rules import Context, Enable, Rule, Trigger
from tocsin.plan.searches import SOURCE
from tocsin.planner.placement import ANYWHERE, KEY, KEYED, WHOLE, placements
from tocsin.rules.programs import rules_program
from tocsin.time.spans import SECOND, Period

A, B, C = (Named(name, Primitive(name)) for name in "abc")


def same(*names: str, attribute: str = "k") -> Binary:
    one, other = names
    return Binary("==", Attribute(one, attribute), Attribute(other, attribute))


def placed(*rules: Rule) -> list[tuple[str, dict[str, str], list[str]]]:
    found = placements(rules_program(rules))
    return [(each.kind, dict(each.key), [rule.name for rule in each.program.rules]) for each in found]


def test_a_chain_of_equalities_is_a_key() -> None:
    rule = Rule("r", Where(Sequence((A, B, C)), Binary("&&", same("a", "b"), same("b", "c"))))
    assert placed(rule) == [(KEYED, {"a": "k", "b": "k", "c": "k"}, ["r"])]


def test_one_event_without_the_key_is_enough_to_have_none() -> None:
    (found,) = placements(rules_program([Rule("r", Where(Sequence((A, B, C)), same("a", "b")))]))
    assert (found.kind, dict(found.reasons)) == (WHOLE, {"r": "no attribute is equal in all its events"})


def test_attributes_may_have_different_names() -> None:
    equal = Binary("==", Attribute("a", "host"), Attribute("b", "machine"))
    assert placed(Rule("r", Where(Sequence((A, B)), equal))) == [(KEYED, {"a": "host", "b": "machine"}, ["r"])]


def test_the_source_may_be_the_key() -> None:
    equal = Binary("==", SourceOf("a"), SourceOf("b"))
    assert placed(Rule("r", Where(Sequence((A, B)), equal))) == [(KEYED, {"a": SOURCE, "b": SOURCE}, ["r"])]


def test_what_must_be_absent_needs_the_key_too() -> None:
    free = Absence(A, B, C, same("a", "b"))
    assert [kind for kind, _, _ in placed(Rule("r", free))] == [WHOLE]
    window = Period.of(microseconds=5 * SECOND)
    never = Within(Sequence((A, Never(Where(B, same("a", "b")))), Precedence.GAP), window)
    assert placed(Rule("r", never, language="sel")) == [(KEYED, {"a": "k", "b": "k"}, ["r"])]


def test_a_repetition_of_one_value_is_keyed_by_it() -> None:
    assert placed(Rule("r", Times(3, A, "user", True))) == [(KEYED, {"a": "user"}, ["r"])]
    assert [kind for kind, _, _ in placed(Rule("r", Times(3, A, "user", False)))] == [WHOLE]


def test_an_alternative_must_have_the_same_key() -> None:
    one = tc.parse("(x:a ; y:b) || (x2:a ; z:c)")
    by_k = Binary("||", same("x", "y"), same("x2", "z"))
    by_both = Binary("||", same("x", "y"), same("x2", "z", attribute="v"))
    assert placed(Rule("r", one, condition=by_k)) == [(KEYED, {"a": "k", "b": "k", "c": "k"}, ["r"])]
    (found,) = placements(rules_program([Rule("r", one, condition=by_both)]))
    assert dict(found.reasons) == {"r": "a.v is the key in one place, a.k in another"}


def test_a_key_may_be_asked_for() -> None:
    both = Binary("&&", same("a", "b"), same("a", "b", attribute="v"))
    program = rules_program([Rule("r", Where(Sequence((A, B)), both)), Rule("single", C)])
    assert [dict(each.key) for each in placements(program, "v")] == [{"a": "v", "b": "v"}, {}]
    (_, found) = placements(program, "w")
    assert (found.kind, dict(found.reasons)) == (WHOLE, {"r": "its events are not known to be equal in 'w'"})


def test_one_type_cannot_have_two_keys() -> None:
    equal = Binary("==", Attribute("x", "src"), Attribute("y", "dst"))
    flow = Primitive("flow")
    (found,) = placements(rules_program([Rule("r", Where(Sequence((Named("x", flow), Named("y", flow))), equal))]))
    assert dict(found.reasons) == {"r": "events of type flow are compared by different attributes"}


def test_single_events_may_be_anywhere() -> None:
    assert placed(Rule("r", A), Rule("s", B)) == [(ANYWHERE, {}, ["r", "s"])]


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (Rule("r", Sequence((A, Every(Period.of(microseconds=SECOND))))), "it has time events"),
        (Rule("r", Where(Sequence((A, B)), same("a", "b")), context=Context.RECENT), "in the context 'recent'"),
    ],
)
def test_why_a_rule_has_no_key(rule: Rule, reason: str) -> None:
    (found,) = placements(rules_program([rule]))
    assert found.kind == WHOLE
    assert found.reasons[0][1].startswith(reason)


def test_rules_of_the_same_key_share_shards() -> None:
    ab = Rule("ab", Where(Sequence((A, B)), same("a", "b")))
    bc = Rule("bc", Where(Sequence((B, C)), same("b", "c")))
    other = Rule("other", Where(Sequence((B, C)), same("b", "c", attribute="v")))
    assert placed(ab, bc, other) == [
        (KEYED, {"a": "k", "b": "k", "c": "k"}, ["ab", "bc"]),
        (KEYED, {"b": "v", "c": "v"}, ["other"]),
    ]


def test_rules_without_a_key_share_a_shard_with_those_of_the_same_types() -> None:
    found = placed(Rule("ab", Sequence((A, B))), Rule("c", Sequence((C, C))), Rule("bb", Sequence((B, B))))
    assert found == [(WHOLE, {}, ["ab", "bb"]), (WHOLE, {}, ["c"])]


def test_linked_rules_stay_together() -> None:
    first = Rule("first", A, actions=(Trigger("t"),))
    second = Rule("second", Named("t", Primitive("t")))
    third = Rule("third", B, actions=(Enable("second"),))
    by_name = Rule("by_name", Named("x", Primitive("second")))
    (found,) = placements(rules_program([first, second, third, by_name]))
    assert found.kind == WHOLE
    assert {rule.name for rule in found.program.rules} == {"first", "second", "third", "by_name"}
    assert "linked" in found.reasons[0][1]


def test_the_key_can_be_told_of_every_detection() -> None:
    plain = Rule("plain", Where(Sequence((A, B)), same("a", "b")))
    chosen = Rule("chosen", Where(Sequence((A, B)), same("a", "b")), select=(("v", Attribute("a", "v")),))
    (found,) = placements(rules_program([plain, chosen]))
    assert dict(found.key_names) == {"plain": "a.k", "chosen": KEY}
    assert dict(found.program.rules[1].select).keys() == {"v", KEY}


def test_a_placement_can_be_sent_to_a_worker() -> None:
    """Compiled classes need help with that."""
    rule = Rule("r", Where(Sequence((A, B)), same("a", "b")), window=Period.of(months=1, microseconds=5 * SECOND))
    (found,) = placements(rules_program([rule]))
    assert pickle.loads(pickle.dumps(found)) == found


def used_up(expression: str, context: str = "chronicle") -> list[tuple[str, dict[str, str], list[str]]]:
    return placed(tc.rule("r", expression, language="gem", context=context))


def test_a_pair_that_uses_up_must_ask_for_the_key_itself() -> None:
    key = {"a": "k", "b": "k", "c": "k"}
    assert used_up("(x:a ; y:b when x.k == y.k) ; z:c when y.k == z.k") == [(KEYED, key, ["r"])]
    assert used_up("x:a & (y:b & z:c when y.k == z.k) when x.k == z.k", "continuous") == [(KEYED, key, ["r"])]
    # Here a and b are paired whatever their keys are, and used up.
    assert [kind for kind, _, _ in used_up("(x:a ; y:b) ; z:c when x.k == y.k && y.k == z.k")] == [WHOLE]
    assert [kind for kind, _, _ in used_up("x:a ; y:b ; z:c when x.k == y.k && y.k == z.k")] == [WHOLE]
    assert [kind for kind, _, _ in used_up("(x:a ; y:b when x.v == y.v) ; z:c when x.k == z.k && y.k == z.k")] == [
        WHOLE
    ]
    # A newer one replaces an older one of any key.
    assert [kind for kind, _, _ in used_up("x:a ; y:b when x.k == y.k", "recent")] == [WHOLE]


@pytest.mark.parametrize(
    ("expression", "key"),
    [
        ("[x:a] ; [b(k = x.k)] [c(k = x.k)]", {"a": "k", "b": "k", "c": "k"}),
        ("[x:a] ; [y:b(m = x.k)] ; [c(k = y.m)]", {"a": "k", "b": "m", "c": "k"}),
        ("[x:a] ; [b(k = x.k) in {b(k = x.k), d(k = x.k)}]", {"a": "k", "b": "k", "d": "k"}),
        ("[x:a in {a, d}] ; [b(k = x.k)]", {"a": "k", "b": "k"}),
        ("[x:a]", {}),
        ("[x:a] ; [b(k = x.k) in {b(k = x.k), d}]", None),
        ("[x:a] ; [b(k = x.k)] ; [c]", None),
        ("[x:a] ; [b(k = x.k) in *]", None),
        ("[x:a] ; ([b(k = x.k)] | [c(k = x.k)])", None),
        ("[x:a] ; [b(k = x.k)]*", None),
    ],
)
def test_an_automaton_that_asks_for_the_key_in_every_state(expression: str, key: dict[str, str] | None) -> None:
    ((kind, found, _),) = placed(tc.rule("r", expression, language="core"))
    assert (kind, found) == ((WHOLE, {}) if key is None else (KEYED if key else ANYWHERE, key))


def test_an_automaton_wants_the_types_it_looks_at() -> None:
    (one,) = placements(rules_program([tc.rule("r", "[x:a] ; [b in {b, c}]", language="core")]))
    (other,) = placements(rules_program([tc.rule("r", "[x:a] ; [!b in *]", language="core")]))
    assert (one.types, other.types) == ({"a", "b", "c"}, None)


def test_a_pair_that_can_never_occur_has_no_key() -> None:
    never = tc.rule("never", "(x:a ; y:b) when !?x", language="gem", context="chronicle")
    (placement,) = placements(rules_program([never]))
    assert placement.reasons == (("never", "a part of it can never occur"),)


@pytest.mark.parametrize(
    ("text", "language", "context", "run"),
    [
        ("a followed by b", "pretty", None, None),
        ("a ; b", "eps", "recent", None),
        ("[a] [b]*", "core", None, "again"),
        ("a", "pretty", None, None),
    ],
)
def test_a_partition_is_the_key(text: str, language: str, context: str | None, run: str | None) -> None:
    rule = tc.rule("r", text, language=language, context=context, run=run, partition=["user", "host"])
    types = ["a"] if text == "a" else ["a", "b"]
    assert placed(rule) == [(KEYED, dict.fromkeys(types, "user"), ["r"])]


def test_a_partition_of_any_event_has_no_shards() -> None:
    assert [kind for kind, _, _ in placed(tc.rule("r", "[a] [b in *]", language="core", partition="user"))] == [WHOLE]
