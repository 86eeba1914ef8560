"""Plans in words: leaves, guards, keys, points and bounds in time, with registers called by the types they hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from tocsin.algebra.guards import Binary, Guard, Reference, renamed
from tocsin.algebra.patterns import After, AnyEvent, Between, Pattern, Primitive, Within
from tocsin.engine.network.agenda import Waiting
from tocsin.errors import RuleError
from tocsin.languages.guard_text import render_guard
from tocsin.plan.searches import (
    SOLE,
    TYPE,
    Absent,
    Before,
    Branch,
    Check,
    Consecutive,
    Due,
    Edge,
    Extreme,
    Holds,
    Hole,
    InARow,
    Leaf,
    Measured,
    Moment,
    Point,
    RunLeaf,
    SearchPlan,
    Shifted,
    Stamped,
    Step,
    StillInARow,
    tree_registers,
)
from tocsin.planner.equalities import shown
from tocsin.time.instants import render_instant
from tocsin.time.periods import Period
from tocsin.time.spans import human_period

Names = Mapping[int, str]
"""What the event in each register is called."""

_MARK = "\u01c0"  # a letter, so that it may stand in a name, and one that nobody writes there
_MARKED = re.compile(f"{_MARK}(\\d+){_MARK}")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'")


def leaf_type(leaf: Leaf) -> str:
    """What the events of a leaf are, in a word or two."""
    return pattern_type(leaf.pattern)


def pattern_type(pattern: Pattern) -> str:
    """The type of a leaf's events; for one that time triggers, how it is written."""
    if isinstance(pattern, Primitive):
        return pattern.type if pattern.site is None else f"{pattern.type}@{pattern.site}"
    return "any event" if isinstance(pattern, AnyEvent) else str(pattern)


def names_in(plan: SearchPlan, branch: Branch) -> dict[int, str]:
    """What the events of a plan are called: by their types, numbered where one comes again."""
    types = {plan.numbers[one]: leaf_type(leaf) for leaf, registers in branch.leaves for one in registers}
    return numbered(dict(sorted(types.items())))


def numbered(types: Mapping[int, str], around: Names | None = None) -> dict[int, str]:
    """Names for registers: `a`, then `a#2`, `a#3`; the names `around` are taken."""
    found: dict[int, str] = dict(around or {})
    for register, kind in types.items():
        taken = sum(name == kind or name.startswith(f"{kind}#") for name in found.values())
        found[register] = kind if taken == 0 else f"{kind}#{taken + 1}"
    return found


# -- guards ------------------------------------------------------------------------------------------------------


def guard_text(guard: Guard, names: Mapping[str, str], constants: Iterable[object] = ()) -> str:
    """A guard with its variables called as `names` says; where a family has its constants, all of them stand."""
    calls = [*names.values(), "{" + ", ".join(map(_constant, constants)) + "}"]
    marks = {name: f"{_MARK}{place}{_MARK}" for place, name in enumerate(names)}
    marked = _filled(renamed(guard, marks), Reference(f"{_MARK}{len(calls) - 1}{_MARK}"))
    try:
        text = render_guard(marked)
    except RuleError:
        return repr(guard)
    return _MARKED.sub(lambda found: calls[int(found[1])], text)


def _constant(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else f"{value}"


def _filled(guard: Guard, constant: Guard) -> Guard:
    """A guard with its hole filled."""
    if isinstance(guard, Hole):
        return constant
    if isinstance(guard, Binary):
        return replace(guard, left=_filled(guard.left, constant), right=_filled(guard.right, constant))
    return guard


def all_of(conditions: Iterable[str]) -> str:
    """Conditions that must all hold, as one text; a choice among them stands in parentheses."""
    found = list(conditions)
    if len(found) < 2:
        return "".join(found)
    return " && ".join(f"({each})" if _is_choice(each) else each for each in found)


def _is_choice(text: str) -> bool:
    """Whether a condition is `g || h`, outside of parentheses and quotes."""
    bare, depth = _QUOTED.sub("", text), 0
    for place, sign in enumerate(bare):
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0 and bare.startswith("||", place):
            return True
    return False


def conditions(leaf: Leaf, constants: Iterable[object] = ()) -> list[str]:
    """What an event must be to stand for a leaf, besides its type."""
    kinds = {SOLE: leaf_type(leaf)}
    told = [] if leaf.measured is None else [_measured(leaf.measured, kinds)]
    return [*told, *(guard_text(guard, kinds, constants) for guard in leaf.conditions)]


def _measured(measured: Measured, kinds: Mapping[str, str]) -> str:
    """What an aggregate asks of the window that ends with an event."""
    length = human_period(measured.period)
    text = guard_text(measured.guard, kinds)
    text += f" by {', '.join(measured.same)}" if measured.same else ""
    text += f" {'since the last full' if measured.aligned else 'in the last'} {length}"
    text += "" if measured.gap is None else f" with no gap of {human_period(measured.gap)}"
    counted = [guard_text(guard, kinds) for guard in measured.conditions]
    return text + (f", counting those with {all_of(counted)}" if counted else "")


# -- points and bounds in time -----------------------------------------------------------------------------------


def length(microseconds: int) -> str:
    """A distance in time."""
    return human_period(Period(microseconds=microseconds))


def waiting_text(waiting: Waiting) -> str:
    """How long is waited."""
    origin = waiting.origin
    if isinstance(origin, Between):
        return f"until {render_instant(origin.stop)}"
    assert isinstance(origin, After | Within)
    return human_period(origin.period)


def point_text(point: Point, names: Names) -> str:
    """A point in time: the end of an event is called like the event."""
    match point:
        case Edge(register=register, is_start=is_start):
            return f"the start of {names[register]}" if is_start else names[register]
        case Extreme(of=points, is_latest=is_latest):
            return ("the last of " if is_latest else "the first of ") + ", ".join(point_text(p, names) for p in points)
        case Moment(time=time):
            return render_instant(time)
        case Shifted():
            return f"{point_text(point.point, names)} + {human_period(point.period)}"


def key_text(step: Step, names: Names) -> list[str]:
    """The attributes by which the rows of a step are looked up."""
    told = []
    for own, (register, name) in step.key:
        same = own == name
        told.append(f"same {shown(own)} as {names[register]}" if same else _equal(own, names[register], name))
    return told


def _equal(own: str, other: str, name: str) -> str:
    return f"{shown(own)} == {other}.{shown(name)}"


def bounds_text(step: Step, names: Names) -> list[str]:
    """Between which points the events of a step end."""
    told = [f"after {point_text(point, names)}" for point in step.after]
    told += [f"before {point_text(point, names)}" for point in step.before]
    together = [each for each in step.no_sooner if not each[1] and each in step.no_later]
    told += [f"together with {point_text(point, names)}" for point, _ in together]
    told += [_distance(*each, names, "before") for each in step.no_sooner if each not in together]
    told += [_distance(*each, names, "after") for each in step.no_later if each not in together]
    return list(dict.fromkeys(told))


def _distance(point: Point, distance: int, names: Names, side: str) -> str:
    """How far an event may lie on a side of a point: so one bound is told once, however it is known."""
    if distance:
        return f"at most {length(distance)} {side} {point_text(point, names)}"
    if side == "after" and isinstance(point, Shifted):
        return f"at most {human_period(point.period)} after {point_text(point.point, names)}"
    return f"not {side} {point_text(point, names)}"


def repeating_text(step: Step) -> list[str]:
    """In what the events of a repetition are alike or differ, where their key does not tell it; how long a run is."""
    if step.leaf.row is not None:
        return _row_text(step.leaf.row, len(step.registers), step.anchors)
    if step.span is not None:
        return [f"at most {length(step.span)} from first to last"]
    if step.leaf.attribute is None or step.leaf.attribute == TYPE or (step.leaf.same and step.key):
        return []
    return [f"{'the same' if step.leaf.same else 'different'} {shown(step.leaf.attribute)}"]


def _row_text(row: InARow, count: int, anchors: str) -> list[str]:
    """What makes a run."""
    told = [f"{count} in a row" + {"first": ", the run that it completes", "every": ", it among them"}.get(anchors, "")]
    told += [f"the same {', '.join(row.same)}"] if row.same else []
    told += [f"different {row.different}, of each the latest"] if row.different is not None else []
    told += [f"within {human_period(row.period)}"] if row.period is not None else []
    return [*told, *(["where a burst begins"] if row.once else [])]


def check_text(check: Check, names: Names, constants: Iterable[object] = ()) -> str:
    """What must hold when an event has been chosen; nothing for an absence, which is told at length elsewhere."""
    match check:
        case Before(left=left, right=right, or_equal=or_equal, same=same):
            if or_equal and isinstance(right, Shifted):
                return f"{point_text(left, names)} {_distance(right, 0, names, 'after')}"
            word = "together with" if same else "not after" if or_equal else "before"
            return f"{point_text(left, names)} {word} {point_text(right, names)}"
        case Due(point=point, settled=settled):
            return f"{point_text(point, names)} is {'over' if settled else 'past'}"
        case Holds(guard=guard, variables=variables):
            registers = {name: names[_register(name)] for name, _ in variables if _register(name) in names}
            return guard_text(guard, registers, constants)
        case Consecutive(leaf=leaf, registers=registers):
            return f"no {leaf_type(leaf)} has come between {names[registers[0]]} and {names[registers[-1]]}"
        case Stamped(left=left, right=right, order=order):
            sides = [", ".join(names[each] for each in tree_registers(tree)) for tree in (left, right)]
            word = "concurrent with" if order is None else "before"
            return f"{sides[0]} {word} {sides[1]} by {'their' if order is None else 'the'} stamps"
        case StillInARow(registers=registers):
            return f"{names[registers[0]]} to {names[registers[-1]]} still in a row"
        case Absent():
            return ""


def found_text(step: Step, names: Names) -> str:
    """What a step finds."""
    if len(step.registers) == 1:
        return names[step.registers[0]]
    if isinstance(step.leaf, RunLeaf):
        with_it = ", the arrival among them" if step.takes_arrival else ""
        group = f" of one {', '.join(step.leaf.group)}" if step.leaf.group else ""
        return f"{len(step.registers)} {leaf_type(step.leaf)} in a row{group}{with_it}"
    more = "" if step.anchors else "more "  # of a run the arrival is one
    return f"{len(step.registers)} {more}{leaf_type(step.leaf)}"


def _register(name: str) -> int:
    """The register that a variable of a plan's guard stands for."""
    return int(name[1:]) if name.startswith(SOLE) and name[1:].isdigit() else -1


def checks_text(checks: Iterable[Check], names: Names, constants: Iterable[object] = ()) -> list[str]:
    """What must hold, but for absences."""
    told = [check_text(check, names, constants) for check in checks]
    return [text for text in told if text]
