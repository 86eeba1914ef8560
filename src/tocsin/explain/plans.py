"""The search plans of rules: what starts each, in which order it looks for the other events, and what it tests when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tocsin.algebra.patterns import Primitive
from tocsin.draw.graph import Graph
from tocsin.engine.build.family_searches import Trail
from tocsin.engine.build.searches import Builder
from tocsin.explain.blueprint import SEARCHED, Built
from tocsin.explain.chains import chain_of, chain_title
from tocsin.explain.network import NetworkSketch
from tocsin.explain.rule_summary import how_text, state_text
from tocsin.explain.words import (
    Names,
    all_of,
    bounds_text,
    checks_text,
    conditions,
    found_text,
    key_text,
    leaf_type,
    names_in,
    numbered,
    repeating_text,
    waiting_text,
)
from tocsin.plan.searches import Absent, Check, Step
from tocsin.planner.placement import Placement
from tocsin.rules.costs import cost_of


@dataclass(frozen=True)
class Looking:
    """One step: which event is found, where it is looked for, what is tested then, and for whom else."""

    event: str
    by: tuple[str, ...]
    within: tuple[str, ...]
    own: tuple[str, ...]
    """What an event must be by itself: it is kept apart when it arrives."""
    tests: tuple[str, ...]
    absent: tuple[str, ...]
    chain: str
    """Where it is looked for."""
    chain_also: tuple[str, ...]
    """Other rules that look there."""
    also: tuple[str, ...]
    """Other rules that take the same step."""


@dataclass(frozen=True)
class Search:
    """One plan. `late`: only an arrival that comes late starts it."""

    rules: tuple[str, ...]
    start: str
    late: bool
    oldest_first: bool
    own: tuple[str, ...]
    tests: tuple[str, ...]
    absent: tuple[str, ...]
    steps: tuple[Looking, ...]
    end: str
    also: tuple[str, ...]
    """Other rules whose search is started by the same test."""


def searches(built: Built) -> list[Search]:
    """Every plan of an engine, rule by rule."""
    builder = built.builder
    users: dict[object, dict[str, None]] = {}
    for trail in builder.trails:
        chains = [chain_of(step, trail.firing, builder) for step in trail.plan.steps]
        for name in (*trail.names, *chains):
            users.setdefault(name, {}).update(dict.fromkeys(rule.name for rule in trail.firing.rules))
    families = builder.families()
    found = []
    for trail in builder.trails:
        members = families[trail.firing].members
        constants = [constant for constant, _ in members] if len(members) > 1 else []
        found.append(_search(trail, constants, users, builder))
    return sorted(found, key=lambda each: (list(built.rules).index(each.rules[0]), each.late))


def _search(
    trail: Trail, constants: Sequence[object], users: dict[object, dict[str, None]], builder: Builder
) -> Search:
    plan, names = trail.plan, names_in(trail.plan, trail.branch)
    mine = tuple(rule.name for rule in trail.firing.rules)

    def also(name: object) -> tuple[str, ...]:
        return tuple(each for each in users[name] if each not in mine)

    steps = tuple(
        Looking(
            found_text(step, names),
            tuple(key_text(step, names)),
            (*bounds_text(step, names), *repeating_text(step)),
            tuple(_own(step, constants)),
            tuple(checks_text(step.checks, names, constants)),
            tuple(_absences(step.checks, names, constants)),
            chain_title(step),
            also(chain_of(step, trail.firing, builder)),
            also(name),
        )
        for step, name in zip(plan.steps, trail.names[1:], strict=True)
    )
    own = () if plan.anchor is None else tuple(conditions(plan.anchor, constants))
    return Search(
        mine,
        _start(trail),
        plan.anchor is not None and not plan.in_order,
        plan.ascending,
        own,
        tuple(checks_text(plan.checks, names, constants)),
        tuple(_absences(plan.checks, names, constants)),
        steps,
        _end(trail, mine),
        also(trail.names[0]),
    )


def _start(trail: Trail) -> str:
    if trail.plan.anchor is None:
        assert trail.wakes is not None
        waited = ", ".join(list(names_in(trail.plan, trail.branch).values())[: trail.plan.given])
        return f"{waiting_text(trail.wakes)} have passed since {waited}"
    return f"{leaf_type(trail.plan.anchor)} arrives"


def _end(trail: Trail, mine: tuple[str, ...]) -> str:
    return f"wait {waiting_text(trail.waits)}" if trail.waits is not None else "detect " + ", ".join(mine)


def _own(step: Step, constants: Sequence[object]) -> Iterator[str]:
    if isinstance(step.leaf.pattern, Primitive) and step.leaf.pattern.site is not None:
        yield f"source == '{step.leaf.pattern.site}'"
    yield from conditions(step.leaf, constants)


def _absences(checks: tuple[Check, ...], names: Names, constants: Sequence[object]) -> Iterator[str]:
    for check in checks:
        for steps in check.searches if isinstance(check, Absent) else ():
            types = {register: leaf_type(step.leaf) for step in steps for register in step.registers}
            known = numbered(types, names)
            told = []
            for step in steps:
                told += [*key_text(step, known), *bounds_text(step, known), *_own(step, constants)]
                told += checks_text(step.checks, known, constants)
            yield f"no {' with '.join(types.values())}: {', '.join(told)}"


# -- as text and as a graph ----------------------------------------------------------------------------------------


def plans_text(built: Built) -> list[str]:
    """All plans of an engine as lines."""
    found = searches(built)
    lines: list[str] = []
    for name, running in built.rules.items():
        mine = [each for each in found if each.rules[0] == name]
        if running.how != SEARCHED:
            lines += [f"rule {name}", f"  has no search: it runs {how_text(running)}", ""]
        elif mine:
            lines += [*_told(mine, state_text(cost_of(running.rule))), ""]
        elif any(name in each.rules for each in found):
            first = next(each.rules[0] for each in found if name in each.rules)
            lines += [f"rule {name}", f"  is searched for together with {first}", ""]
        else:
            lines += [f"rule {name}", "  can never occur: no search", ""]
    return lines[:-1]


def _told(found: list[Search], state: str) -> Iterator[str]:
    rules = found[0].rules
    who = f"rule {rules[0]}" if len(rules) == 1 else f"rules {', '.join(rules)}, searched for as one"
    yield f"{who} ({state})"
    for each in found:
        late = " late" if each.late else ""
        yield f"  when {each.start}{late}{_shared(each.also)}"
        yield from (f"       only if {test}" for test in (*each.own, *each.tests))
        yield from (f"       only if there is {absence}" for absence in each.absent)
        for number, step in enumerate(each.steps, 1):
            where = "; ".join((*step.by, *step.within, *(["the oldest first"] if each.oldest_first else [])))
            yield f"    {number}. find {step.event}{f': {where}' if where else ''}{_shared(step.also)}"
            only = f" where {all_of(step.own)}" if step.own else ""
            yield f"       among the events kept as '{step.chain}'{only}{_shared(step.chain_also)}"
            yield from (f"       only if {test}" for test in step.tests)
            yield from (f"       only if there is {absence}" for absence in step.absent)
        yield f"    => {each.end}"


def _shared(also: tuple[str, ...]) -> str:
    return f"  [shared with {', '.join(also)}]" if also else ""


def plans_graph(built: Built, shards: dict[str, Placement], title: str) -> Graph:
    """All plans as a graph: the searches alone, those of late arrivals too."""
    drawing = NetworkSketch(built, shards, title, with_stores=False)
    for trail in built.builder.trails:
        drawing.trail(trail)
    drawn = {rule for node in drawing.sketch.nodes.values() if node.kind != "rule" for rule in node.rules}
    for name, running in built.rules.items():
        if name not in drawn:
            known = drawing.sketch.ids.pop(("rule", name))
            del drawing.sketch.nodes[known]
            if running.how != SEARCHED:
                drawing.sketch.notes.append(f"{name} has no search: it runs {how_text(running)}")
    return drawing.sketch.finished()
