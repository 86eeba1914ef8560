"""Plans as values: what each pass promises, the codec, and engines that are built from a plan and ask for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, replace
from functools import cache

import pytest

from tests.engine.comparing import expected
from tests.engine.kinds import KINDS
from tests.engine.strategies import Example
from tocsin import planner
from tocsin.algebra.links import Links
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import Primitive, Within
from tocsin.algebra.rules import Context, Program, Rule
from tocsin.algebra.scripts import declared_by, enabled_by
from tocsin.engine.engine import Engine, engine_of
from tocsin.errors import RuleError
from tocsin.events import Event
from tocsin.plan.codec import from_json, to_json
from tocsin.plan.programs import Place, Plan, Settings, settings_of
from tocsin.planner.passes import PASSES
from tocsin.rules.budgets import Budget, Budgets
from tocsin.rules.programs import rules_program
from tocsin.time.spans import Period

EACH = 25


@cache
def examples(count: int = EACH) -> tuple[Example, ...]:
    """Random programs of every kind, with their logs."""
    return tuple(kind.numbered(5, number) for kind in KINDS.values() for number in range(count))


def storable(count: int = EACH) -> Iterator[tuple[Example, Plan]]:
    """Those whose plans JSON can hold: it has no infinite numbers."""
    for example in examples(count):
        plan = planned(example)
        if not any(word in repr(example.program) for word in ("=inf", "=-inf", "=nan")):
            yield example, plan


def planned(example: Example) -> Plan:
    """The plan of an example; of one with 2g stamps, under them."""
    return _planned(example.program, example.granularity)


@cache
def _planned(program: Program, granularity: int | None) -> Plan:
    return planner.plan(program, Settings(granularity))


# -- the codec -------------------------------------------------------------------------------------------------------


def test_a_plan_is_read_back_as_it_was() -> None:
    tried = 0
    for _, plan in storable():
        tried += 1
        text = to_json(plan)
        assert from_json(text) == plan
        assert to_json(from_json(text)) == text
    assert tried > 4 * EACH


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "this is not JSON"),
        ('{"tocsin": 9, "plan": {}}', "stored by another version"),
        ('{"tocsin": 1, "rule": {}}', "there is no plan stored here"),
        ('{"tocsin": 1, "plan": {"is": "plan.Leaf"}}', "is not a plan"),
        ('{"tocsin": 1, "plan": {"is": "plan.Plan"}}', "Plan has no 'program'"),
    ],
)
def test_what_is_no_plan_is_refused(text: str, said: str) -> None:
    with pytest.raises(RuleError, match=said):
        from_json(text)


# -- engines that are built from one ---------------------------------------------------------------------------------


def nobody(program: Program, settings: Settings) -> Plan:
    raise AssertionError("the engine asks the planner for something that its plan has")


def test_an_engine_is_built_from_a_plan_that_was_stored_and_asks_for_nothing() -> None:
    tried = 0
    for example, made in storable():
        plan = from_json(to_json(made))
        if plan.has_interplay or example.order.policy != "best-effort" or example.ignore_late:
            continue
        engine = engine_of(plan, Notes(), planner=nobody)
        should, notes = expected(example)
        found = []
        for each in example.log:
            if isinstance(each, Event):
                own = {"id": each.id, "source": each.source, "start": each.start, "arrival": each.arrival}
                found += list(engine.push(each.type, each.end, each.data, **own))  # type: ignore[arg-type]
            else:
                found += engine.advance(each.arrival)
        if not any("were cut" in text for text in notes.warnings):
            engine.finish(example.until)
            tried += 1
            assert list(map(repr, found + engine.drain())) == list(map(repr, should)), example
    assert tried > EACH // 2


def test_an_engine_asks_for_the_plan_of_rules_that_come_later_alone() -> None:
    asked: list[Program] = []

    def asking(program: Program, settings: Settings) -> Plan:
        asked.append(program)
        return planner.plan(program, settings)

    one, two = Rule("one", Primitive("a"), "python"), Rule("two", Primitive("b"), "python")
    engine = Engine(rules_program([one]), None, Notes(), planner=asking)
    engine.push("a", 1)
    assert len(asked) == 1
    engine.change(rules_program([one, two]))
    assert [each.rules for each in asked[1:]] == [(one, two), (two,)]
    assert len(engine.push("b", 2)) == 1


# -- the laws of the passes ------------------------------------------------------------------------------------------


def test_a_plan_is_frozen_and_made_by_passes_alone() -> None:
    for example in examples(5):
        made = Plan(example.program, Settings(example.granularity))
        for each in PASSES:
            made = each(made)
            assert each(made) == made, f"{each.__name__} goes on from what it made"
        assert made == planned(example) == planned(example)
        with pytest.raises(FrozenInstanceError):
            made.has_timers = True  # type: ignore[misc]
    assert all(each.__doc__ and "Law:" in each.__doc__ for each in PASSES)


def test_a_rule_has_a_reason_if_and_only_if_it_runs_apart() -> None:
    places = set()
    for example in examples():
        for each in planned(example).rules:
            assert bool(each.reason) is each.is_apart
            places.add(each.place)
    assert places == set(Place)


def test_the_place_of_a_rule_does_not_depend_on_the_others() -> None:
    for example in examples():
        whole = planned(example)
        for each in whole.rules:
            alone = replace(whole.settings, around=whole.relations)
            assert planner.plan(rules_program([each.rule]), alone).rules == (each,)


def test_more_rules_never_have_less_to_do_with_each_other() -> None:
    for example in examples():
        rules = list(example.program.rules)
        some, all_ = (planner.plan(rules_program(each)).relations for each in (rules[:-1], rules))
        assert all_.has_links or not some.has_links


def test_the_order_has_every_rule_once_after_those_that_feed_it() -> None:
    for example in examples():
        plan = planned(example)
        rules = {each.rule.name: each.rule for each in plan.rules}
        links = Links(rules, declared_by(example.program))
        assert sorted(plan.order) == sorted(rules)
        for name, feeders in plan.feeders:
            assert set(feeders) == set(links.feeders[name])
            for feeder in feeders:
                is_circle = name in links.feeding(feeder)
                assert is_circle or plan.order.index(feeder) < plan.order.index(name)


def test_each_rule_that_begins_in_the_network_is_in_one_family_once() -> None:
    for example in examples():
        plan = planned(example)
        native = {each.rule.name for each in plan.rules if not each.is_apart}
        members = [rule.name for each in plan.families for _, rules in each.family.members for rule in rules]
        assert sorted(members) == sorted(native.intersection(enabled_by(example.program)))


def test_what_has_a_budget_is_alone() -> None:
    rules = [Rule(name, Primitive("a"), "python") for name in ("one", "two", "three")]
    budgets = Budgets(rules={"two": Budget(rows=5)})
    found = planner.plan(rules_program(rules), settings_of(budgets=budgets)).families
    assert [[rule.name for _, some in each.family.members for rule in some] for each in found] == [
        ["two"],
        ["one", "three"],
    ]


def test_every_leaf_of_a_branch_starts_a_search() -> None:
    for example in examples():
        for family in planned(example).families:
            for each in family.branches:
                assert [search.anchor for search in each.arrivals] == [leaf for leaf, _ in each.branch.leaves]
                assert len(each.moments) <= len(each.branch.waits)


def test_why_a_rule_runs_apart_is_told_in_one_place() -> None:
    """By the settings, by the other rules, and by what it is."""
    rule = Rule("r", Within(Primitive("a"), Period(microseconds=5)), "python", context=Context.CUMULATIVE)
    program = rules_program([rule])
    assert [each.reason for each in planner.plan(program).rules] == ["its context is 'cumulative'"]
    assert "2g stamps" in planner.plan(program, Settings(1_000)).rules[0].reason
    paired = replace(rule, pattern=Primitive("a"), context=Context.CHRONICLE)
    limited = planner.plan(rules_program([paired]), Settings(has_total=True))
    assert limited.rules[0].reason == "what it remembers keeps to no budget"
    watched = planner.plan(rules_program([paired]), Settings(plain=("r",)))
    assert (watched.rules[0].reason, watched.rules[0].place) == ("it is watched", Place.PLAIN)
