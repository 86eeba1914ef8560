"""The network of an engine as a graph: what is kept of which events, the searches and nodes, and the rules they end in.

What is one node here is one thing there: a chain, a step, a node that remembers is told from others as the engine
does it (`engine/build/searches.py`), by its own tables. So what is drawn as shared is shared.
"""

from __future__ import annotations

from collections.abc import Iterable

from tocsin.algebra.detectors import types_seen
from tocsin.algebra.guards import Binary, Guard
from tocsin.algebra.links import mentioned
from tocsin.algebra.patterns import AnyEvent, At, AtInstant, Automaton, Every, Pattern, Primitive, Timing, walk
from tocsin.algebra.rules import Disable, Enable, Rule, Trigger
from tocsin.draw.graph import Graph, Sketch
from tocsin.engine.build.family_searches import Trail
from tocsin.engine.detectors.shared import common_part
from tocsin.engine.network.agenda import Waiting
from tocsin.engine.network.firings import Firing
from tocsin.explain.blueprint import OWN, PLAIN, Built
from tocsin.explain.chains import chain_of, chain_title
from tocsin.explain.rule_summary import rule_lines
from tocsin.explain.stateful import NodeSketch
from tocsin.explain.words import (
    Names,
    all_of,
    bounds_text,
    checks_text,
    conditions,
    found_text,
    guard_text,
    key_text,
    leaf_type,
    names_in,
    numbered,
    pattern_type,
    repeating_text,
    waiting_text,
)
from tocsin.plan.programs import Family
from tocsin.plan.searches import Absent, Check, Due, Leaf, Step
from tocsin.planner.families import hole_of
from tocsin.planner.placement import Placement


def network_graph(built: Built, shards: dict[str, Placement], title: str) -> Graph:
    """The shared graph of all rules, as events that come in order go through it."""
    drawing = NetworkSketch(built, shards, title)
    for firing, node in built.builder.roots.items():
        drawing.remembering(firing, NodeSketch(drawing.sketch, drawing.source).output(node, drawing.names_of(firing)))
    for trail in built.builder.trails:
        if is_for_events_in_order(trail):
            drawing.trail(trail)
    drawing.plain_rules()
    drawing.links()
    return drawing.sketch.finished()


def is_for_events_in_order(trail: Trail) -> bool:
    """Whether a search is of use to arrivals that are not late, or to moments that were waited for.

    One that asks of the arrival itself whether something waited for is past is for very late arrivals.
    """
    is_past = any(isinstance(check, Due) for check in trail.plan.checks)
    return trail.plan.anchor is None or (trail.plan.in_order and not is_past)


class NetworkSketch:
    """The network in the making. `with_stores`: also the event types and chains that the searches read."""

    def __init__(self, built: Built, shards: dict[str, Placement], title: str, *, with_stores: bool = True) -> None:
        self.built, self.shards, self.with_stores = built, shards, with_stores
        self.builder = built.builder
        self.families = self.builder.families()
        self.sketch = Sketch(title)
        for running in built.rules.values():  # so that they are numbered as they are written
            self.rule(running.rule)

    def names_of(self, firing: Firing) -> list[str]:
        """The rules of a firing."""
        return [rule.name for rule in firing.rules]

    # -- where events come in --------------------------------------------------------------------------------------

    def source(self, pattern: Pattern, rules: Iterable[str], owner: object = None) -> str:
        """The node of an event type, or of a clock, which is a rule's own."""
        if isinstance(pattern, At | AtInstant | Every):
            return self.sketch.node(("clock", owner, pattern), "t", "clock", pattern_type(pattern), (), rules)
        kind = Primitive(pattern.type) if isinstance(pattern, Primitive) else pattern
        return self.sketch.node(("type", kind), "t", "type", pattern_type(kind), (), rules)

    def chain(self, step: Step, firing: Firing, *, is_absent: bool = False) -> str:
        """The node of the chain that a step walks: the rows of a leaf by a key."""
        leaf, what = step.leaf, chain_of(step, firing, self.builder, is_absent=is_absent)
        source = self.source(leaf.pattern, self.names_of(firing), firing)
        made = self.sketch.node(what, "c", "chain", chain_title(step), (), self.names_of(firing))
        self.sketch.edge(source, made, "keep", all_of(self._own(leaf, firing)))
        return made

    def _own(self, leaf: Leaf, firing: Firing) -> list[str]:
        site = leaf.pattern.site if isinstance(leaf.pattern, Primitive) else None
        return [*([f"source == '{site}'"] if site is not None else []), *conditions(leaf, self.constants(firing))]

    def constants(self, firing: Firing) -> list[object]:
        """In what the rules of a family differ."""
        family = self.families[firing]
        return [constant for constant, _ in family.members] if len(family.members) > 1 else []

    # -- searches --------------------------------------------------------------------------------------------------

    def trail(self, trail: Trail) -> None:
        """One plan: from what starts it, step by step, to its rules or to a moment that is waited for."""
        firing, plan, names = trail.firing, trail.plan, names_in(trail.plan, trail.branch)
        rules, constants = self.names_of(firing), self.constants(trail.firing)
        own = [] if plan.anchor is None else self._own(plan.anchor, firing)
        at = self._start(trail, rules)
        label = [*own, *checks_text(plan.checks, names, constants)]
        at, label = self._absences(at, label, plan.checks, trail.names[0], names, firing)
        for step, name in zip(plan.steps, trail.names[1:], strict=True):
            made = self._step(step, name, names, firing, ascending=plan.ascending)
            self.sketch.edge(at, made, label=all_of(label))
            at, label = made, checks_text(step.checks, names, constants)
            at, label = self._absences(at, label, step.checks, (name, step.checks), names, firing)
        if trail.waits is not None:
            self.sketch.edge(at, self._wait(trail.waits, rules), label=all_of(label))
        else:
            self._end(at, all_of(label), firing)

    def _start(self, trail: Trail, rules: list[str]) -> str:
        if trail.wakes is not None:
            return self._wait(trail.wakes, rules)
        assert trail.plan.anchor is not None
        if self.with_stores:
            return self.source(trail.plan.anchor.pattern, rules, trail.firing)
        late = "" if trail.plan.in_order else " late"
        title = f"{leaf_type(trail.plan.anchor)} arrives{late}"
        return self.sketch.node(trail.names[0], "a", "type", title, (), rules)

    def _step(self, step: Step, name: object, names: Names, firing: Firing, *, ascending: bool) -> str:
        lines = [*key_text(step, names), *bounds_text(step, names), *repeating_text(step)]
        if ascending:
            lines.append("oldest first")
        made = self.sketch.node(
            name, "s", "step", f"find {found_text(step, names)}", tuple(lines), self.names_of(firing)
        )
        if self.with_stores:
            self.sketch.edge(self.chain(step, firing), made, "read")
        return made

    def _absences(
        self, at: str, label: list[str], checks: tuple[Check, ...], name: object, names: Names, firing: Firing
    ) -> tuple[str, list[str]]:
        """What must be absent, as nodes after what it is tested for; and what has still to be said on the next edge."""
        for place, check in enumerate(checks):
            if not isinstance(check, Absent):
                continue
            for search, steps in enumerate(check.searches):
                made = self._absence(steps, (name, place, search), names, firing)
                self.sketch.edge(at, made, label=all_of(label))
                at, label = made, []
        return at, label

    def _absence(self, steps: tuple[Step, ...], what: object, names: Names, firing: Firing) -> str:
        types = {register: leaf_type(step.leaf) for step in steps for register in step.registers}
        known = numbered(types, names)
        lines: list[str] = []
        for step in steps:
            lines += [*key_text(step, known), *bounds_text(step, known), *self._own(step.leaf, firing)]
            lines += checks_text(step.checks, known, self.constants(firing))
        made = self.sketch.node(
            what, "x", "absence", f"no {' with '.join(types.values())}", tuple(lines), self.names_of(firing)
        )
        for step in steps if self.with_stores else ():
            self.sketch.edge(self.chain(step, firing, is_absent=True), made, "read")
        return made

    def _wait(self, waiting: Waiting, rules: list[str]) -> str:
        return self.sketch.node(waiting, "w", "wait", f"wait {waiting_text(waiting)}", (), rules)

    # -- rules -----------------------------------------------------------------------------------------------------

    def _end(self, at: str, label: str, firing: Firing) -> None:
        """Where a search ends: the rules, or first what tells those of a family apart."""
        family = self.families[firing]
        if len(family.members) == 1:
            for rule in firing.rules:
                self.sketch.edge(at, self.rule(rule), label=label)
            return
        made = self._family(family, firing)
        self.sketch.edge(at, made, label=label)
        guard = hole_of(family.rule)
        turned = "-" if isinstance(guard.right, Binary) and guard.right.operator == "-" else ""
        for constant, rules in family.members:
            for rule in rules:
                self.sketch.edge(made, self.rule(rule), label=f"{guard.operator} {turned}{constant}")

    def _family(self, family: Family, firing: Firing) -> str:
        how = "by one look" if hole_of(family.rule).operator == "==" else "by bisection"
        title = "which of " + ", ".join(map(str, self.constants(firing)))
        return self.sketch.node(("family", firing), "f", "family", title, (how,), self.names_of(firing))

    def rule(self, rule: Rule) -> str:
        """The node of a rule."""
        lines = rule_lines(self.built.rules[rule.name], self.shards.get(rule.name))
        return self.sketch.node(("rule", rule.name), "r", "rule", rule.name, lines, [rule.name])

    def remembering(self, firing: Firing, node: str) -> None:
        """The rules that a node which remembers ends in."""
        for rule in firing.rules:
            condition = "" if rule.condition is None else guard_text(rule.condition, {})
            self.sketch.edge(node, self.rule(rule), label=condition)

    def plain_rules(self) -> None:
        """Rules that run beside the network: those that look for the same remember it together."""
        for name, running in self.built.rules.items():
            if running.how not in (OWN, PLAIN):
                continue
            rule = running.rule
            what: object = name
            condition: Guard | None = None
            if not self.built.plan.relations.has_links:  # those that look for the same have one memory
                what = part = common_part(rule)
                condition = rule.condition if part.condition is None else None
            kind, title = ("plain", "plain meaning") if running.how == PLAIN else ("own", "own memory")
            detector = self.sketch.node(("plain", what), "m", kind, title, (running.reason,), [name])
            label = "" if condition is None else guard_text(condition, {})
            self.sketch.edge(detector, self.rule(running.rule), label=label)
            for pattern in _leaves(running.rule):
                self.sketch.edge(self.source(pattern, [name], name), detector)

    def links(self) -> None:
        """What rules make for others: the detections that are used by name, triggered events, switches."""
        rules = {name: running.rule for name, running in self.built.rules.items()}
        for name, rule in rules.items():
            made = {name, *(action.type for action in rule.actions if isinstance(action, Trigger))}
            for kind in sorted(made):
                used = self.sketch.ids.get(("type", Primitive(kind)))
                if used is not None and any(kind in mentioned(other) for other in rules.values()):
                    self.sketch.edge(self.rule(rule), used, "make", "" if kind == name else "triggers")
            for action in rule.actions:
                if isinstance(action, Enable | Disable) and action.rule in rules:
                    word = "enables" if isinstance(action, Enable) else "disables"
                    self.sketch.edge(self.rule(rule), self.rule(rules[action.rule]), "make", word)


def _leaves(rule: Rule) -> list[Pattern]:
    """The leaves of a rule's pattern, each once."""
    if isinstance(rule.pattern, Automaton):
        types = types_seen(rule.pattern)
        timers = {part.timer for part in walk(rule.pattern) if isinstance(part, Timing)}
        return [AnyEvent()] if types is None else [Primitive(kind) for kind in sorted(types - timers)]
    leaves = (part for part in walk(rule.pattern) if isinstance(part, Primitive | AnyEvent | At | AtInstant | Every))
    return list(dict.fromkeys(leaves))
