"""The automaton of a rule of the core language (001 section 5.1) as text and as a graph."""

from __future__ import annotations

from tocsin.algebra.automata import TIME_EVENT, Alarm, State, build
from tocsin.algebra.patterns import (
    Automaton,
    Complement,
    Described,
    EventSet,
    Everything,
    Intersection,
    Parallel,
    Pattern,
    Union,
)
from tocsin.algebra.rules import Program, Rule
from tocsin.draw.graph import Graph, Sketch
from tocsin.errors import RuleError, UsageError
from tocsin.explain.words import guard_text
from tocsin.languages.core_filters import render_filter
from tocsin.time.calendar import render_instant
from tocsin.time.spans import human_period


def core_rules(program: Program) -> list[Rule]:
    """The rules that are automata."""
    return [rule for rule in program.rules if isinstance(rule.pattern, Automaton)]


def required_core_rules(program: Program) -> list[Rule]:
    """The rules that are automata; there must be one."""
    found = core_rules(program)
    if not found:
        raise UsageError(
            "no rule here is an automaton: only those of the core language are; --plan shows the searches of the others"
        )
    return found


# -- as text ---------------------------------------------------------------------------------------------------------


def automaton_text(rule: Rule) -> list[str]:
    """The states of a rule's automaton, as lines."""
    pattern = rule.pattern
    assert isinstance(pattern, Automaton)
    parts = _machines(pattern.pattern)
    count = sum(len(states) for _, states in parts)
    lines = [f"automaton of {rule.name}: {count} states, run '{pattern.shown_run}'"]
    for name, states in parts:
        if name:
            lines.append(f"  {name}, a detector of its own")
        for number, state in enumerate(states):
            lines += [f"  {line}" for line in _state_text(number, state)]
    if len(parts) > 1:
        lines.append("  an occurrence of either pairs with the first of the other that is complete after it")
    if rule.condition is not None:
        lines.append(f"  detected if {guard_text(rule.condition, {})}")
    return lines


def _state_text(number: int, state: State) -> list[str]:
    name = f"state {number}{', the start' if number == 0 else ''}"
    lines = [": ".join((name, "; ".join(_facts(state)))) if _facts(state) else name]
    return lines + [
        f"  {'strongly' if edge.strong else 'weakly'} on {set_text(edge.accepts)} -> state {edge.target}"
        for edge in state.edges
    ]


def _facts(state: State) -> list[str]:
    """What a state does besides leading on."""
    facts = []
    if state.accepting:
        facts.append("complete: generates the composite")
    facts += [f"generates {_alarm(alarm)}" for alarm in state.alarms]
    if state.edges:
        facts.append(f"looks at {', '.join(dict.fromkeys(map(set_text, _parts(state.domain))))}")
    return facts


def _parts(domain: list[EventSet]) -> list[EventSet]:
    """What a domain consists of, in the order it is written."""
    return [each for events in domain for each in (events.sets if isinstance(events, Union) else (events,))]


def _alarm(alarm: Alarm) -> str:
    when = f"at {render_instant(alarm.when)}" if isinstance(alarm.when, int) else f"{human_period(alarm.when)} later"
    return f"{_type(alarm.type)} {when}"


def set_text(events: EventSet) -> str:
    """A set of events; what is looked at elsewhere under a name is the same without it."""
    match events:
        case Described(type=kind, guard=guard, name=name):
            given = "" if name is None else f"{name}:"
            return f"{given}{_type(kind)}" + ("" if guard is None else f"({_filter(events)})")
        case Everything():
            return "any event"
        case Union(sets=sets):
            return ", ".join(map(set_text, sets))
        case Intersection(sets=(Union() as all_of, Complement(set=inner))):
            return f"{{{set_text(all_of)}}} but {set_text(inner)}"
        case Intersection(sets=(all_of, Complement(set=inner))):
            return f"{set_text(all_of)} but {set_text(inner)}"
        case Intersection(sets=sets):
            return " & ".join(f"{{{set_text(each)}}}" if isinstance(each, Union) else set_text(each) for each in sets)
        case Complement(set=inner):
            return f"all but {set_text(inner)}"
    raise AssertionError(f"no words for {type(events).__name__}")


def _filter(events: Described) -> str:
    assert events.guard is not None
    try:
        return render_filter(events.guard)
    except RuleError:
        return guard_text(events.guard, {})


def _type(kind: str) -> str:
    """An event type; a time event is called as in the rule."""
    return kind.removeprefix(TIME_EVENT).split(" ", 1)[1] if kind.startswith(TIME_EVENT) else kind


def _machines(pattern: Pattern) -> list[tuple[str, list[State]]]:
    """The automata of an expression: one, or one for each side of `||`."""
    if not isinstance(pattern, Parallel):
        return [("", build(pattern))]
    sides = [*_sides(pattern.left), *_sides(pattern.right)]
    return [(f"detector {number}", build(side)) for number, side in enumerate(sides, 1)]


def _sides(pattern: Pattern) -> list[Pattern]:
    return [*_sides(pattern.left), *_sides(pattern.right)] if isinstance(pattern, Parallel) else [pattern]


# -- as a graph ------------------------------------------------------------------------------------------------------


def automaton_graph(rule: Rule) -> Graph:
    """The states of a rule's automaton and the transitions between them."""
    pattern = rule.pattern
    assert isinstance(pattern, Automaton)
    sketch = Sketch(f"Automaton of {rule.name}")
    made = sketch.node("rule", "r", "rule", rule.name, (f"run '{pattern.shown_run}'",), [rule.name])
    parts = _machines(pattern.pattern)
    target = made
    if len(parts) > 1:
        lines = ("the first of the other that is complete after it",)
        target = sketch.node("pairs", "p", "pair", "pairs", lines, [rule.name])
        sketch.edge(target, made, label=_condition(rule))
    for number, (_, states) in enumerate(parts):
        ids = [_state_node(sketch, (number, place), state, rule.name) for place, state in enumerate(states)]
        for state, source in zip(states, ids, strict=True):
            for edge in state.edges:
                sketch.edge(source, ids[edge.target], "strong" if edge.strong else "weak", set_text(edge.accepts))
            if state.accepting:
                sketch.edge(source, target, "flow", "" if len(parts) > 1 else _condition(rule))
    sketch.notes.append(
        "An event that a state looks at and no arrow takes ends the attempt; all others pass by unseen."
    )
    return sketch.finished()


def _condition(rule: Rule) -> str:
    return "" if rule.condition is None else guard_text(rule.condition, {})


def _state_node(sketch: Sketch, what: tuple[int, int], state: State, rule: str) -> str:
    _, place = what
    title = "start" if place == 0 else f"state {place}"
    kind = "complete" if state.accepting else "timed" if state.alarms else "state"
    return sketch.node(what, "q", kind, title, tuple(_facts(state)), [rule])
