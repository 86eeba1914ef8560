"""Warnings: rules that are legal and probably not what their author meant."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

from tocsin.algebra.ends import bounded_by
from tocsin.algebra.guards import (
    COMPARISONS,
    Binary,
    Duration,
    Guard,
    Literal,
    Not,
    Now,
    Point,
    Self,
    conjuncts,
    variables_of,
)
from tocsin.algebra.guards import walk as guard_parts
from tocsin.algebra.links import mentions, sees_any
from tocsin.algebra.names import bound
from tocsin.algebra.patterns import (
    Absence,
    After,
    Aggregate,
    Alternation,
    AnyEvent,
    At,
    AtInstant,
    Atom,
    Automaton,
    Between,
    Complement,
    Concatenation,
    Described,
    Either,
    EventSet,
    Every,
    Instant,
    Intersection,
    Iteration,
    Named,
    Pattern,
    Primitive,
    Streak,
    Timing,
    Union,
    Where,
    Widened,
    Within,
    children,
    walk,
)
from tocsin.algebra.rules import (
    ALL_RULES,
    Command,
    Declaration,
    Define,
    Disable,
    Enable,
    Program,
    Rule,
    Trigger,
    shown_name,
)
from tocsin.algebra.values import Surroundings, evaluate
from tocsin.errors import Fault, placed
from tocsin.time.calendar import TimePoint, render_time_point
from tocsin.time.spans import Period, render_period

WARNING = "warning"
_NO_WINDOW = "give it a window"
_OPEN_INSTANT = (
    "a window around {E} speaks of its instant alone: write one on it, as in {E} in 5 minutes, or give the rule one"
)
UNBOUNDED = (_NO_WINDOW, _OPEN_INSTANT)
"""The hints on a rule whose memory nothing bounds."""


def program_doubts(program: Program) -> list[Fault]:
    """Every warning, placed where the text is known."""
    found: list[Fault] = []
    for statement in program.statements:
        if isinstance(statement, Define):
            found += rule_doubts(statement.rule)
            if statement.rule.strict and not is_ever_enabled(statement.rule.name, program):
                message = f"rule '{statement.rule.name}' is never enabled, so it never fires"
                found.append(
                    Fault(message, statement.rule.span, hint=f"enable {statement.rule.name}", severity=WARNING)
                )
        if isinstance(statement, Declaration) and not any(uses(rule, statement.name) for rule in program.rules):
            message = f"event '{statement.name}' is declared and never used"
            found.append(Fault(message, statement.span, severity=WARNING))
    return [placed(fault) for fault in found]


def rule_doubts(rule: Rule) -> Iterator[Fault]:
    """What is doubtful about one rule by itself."""
    if not is_bounded(rule):
        message = f"rule '{shown_name(rule.name)}' remembers events for ever: nothing bounds its state"
        has_instant = any(isinstance(part, Within | Between) and _reaches_back(part) for part in walk(rule.pattern))
        yield Fault(message, rule.span, hint=_OPEN_INSTANT if has_instant else _NO_WINDOW, severity=WARNING)
    for part in walk(rule.pattern):
        if isinstance(part, Absence) and part.guard is not None:
            yield from _unprotected(part, part.guard)
    for guard in guards_of(rule):
        reason = contradiction(guard)
        if reason is not None:
            yield Fault(f"this guard can never hold: {reason}", guard.span, severity=WARNING)
    if any(isinstance(part, Primitive) and part.type == rule.name for part in walk(rule.pattern)) and not rule.strict:
        message = f"rule '{rule.name}' waits for an event of its own name, and does not see what it makes itself"
        yield Fault(message, rule.span, severity=WARNING)


def _unprotected(absence: Absence, guard: Guard) -> Iterator[Fault]:
    """A comparison that needs the absent event: it selects what cancels, and is then false for the whole."""
    absent = set(bound(absence.without))
    for part in conjuncts(guard):
        if isinstance(part, Binary) and part.operator in COMPARISONS and (names := absent & variables_of(part)):
            name = min(names)
            message = f"this guard can never hold: it decides with '{name}' absent, and then this part is false"
            hint = f"to say only which '{name}' count, write ... || !?{name}, in Python where= instead of when="
            yield Fault(message, part.span, hint=hint, severity=WARNING)


def is_bounded(rule: Rule) -> bool:
    """Whether a rule's memory follows a window. One event by itself needs none, also while it is waited for."""
    return rule.window is not None or _keeps_nothing(rule.pattern)


def _keeps_nothing(pattern: Pattern) -> bool:
    match pattern:
        case Primitive() | AnyEvent() | At() | AtInstant() | Every() | Atom():
            return True
        case Within() | Between():
            return not _reaches_back(bounded_by(pattern))
        case Aggregate():
            return True
        case Streak(count=count, period=period, once=once):
            return period is not None or (count == 1 and not once)
        case Named(pattern=inner) | Where(pattern=inner) | Instant(pattern=inner) | After(pattern=inner):
            return _keeps_nothing(inner)
        case Either(parts=parts) | Alternation(parts=parts):
            return all(_keeps_nothing(part) for part in parts)
        case Automaton(pattern=inner) | Widened(pattern=inner):
            return _keeps_nothing(inner)
        case Timing(first=first, second=second, timer=timer, when=Period()):
            return _keeps_nothing(first) and _is_over_with(second, timer)
    return False


def _reaches_back(pattern: Pattern) -> bool:
    """Whether an {E} inside may begin at any time before its instant, of which alone a window around it speaks."""
    if isinstance(pattern, Instant):
        return not _keeps_nothing(pattern.pattern)
    inner = bounded_by(pattern) if isinstance(pattern, Within | Between) else pattern
    return any(map(_reaches_back, [inner] if inner is not pattern else children(pattern)))


def _is_over_with(second: Pattern, timer: str) -> bool:
    """Whether a run in the second part of a timing has ended when the time is over: every state looks at the timer."""
    match second:
        case Atom():
            return True
        case Alternation(parts=parts):
            return all(_is_over_with(part, timer) for part in parts)
        case Concatenation(parts=(*before, last)):
            return not any(_takes(part, timer) for part in before) and _is_over_with(last, timer)
        case Timing(first=first, second=inner, timer=own):
            return own != timer and not _takes(first, timer) and _is_over_with(inner, timer)
        case Iteration(pattern=inner):
            return not _takes(inner, timer)
        case Widened(pattern=inner):
            return _is_over_with(inner, timer)
    return False


def _takes(part: Pattern, timer: str) -> bool:
    """Whether an atom inside may go on with the time event, and not only look at it."""
    return any(isinstance(each, Atom) and _may_hold(each.accepts, timer) for each in walk(part))


def _may_hold(events: EventSet, timer: str) -> bool:
    match events:
        case Described(type=kind):
            return kind == timer
        case Union(sets=sets) | Intersection(sets=sets):
            return any(_may_hold(each, timer) for each in sets)
    return isinstance(events, Complement)


def is_ever_enabled(name: str, program: Program) -> bool:
    """Whether any command or any other rule's action enables a rule."""
    is_defined = False
    for statement in program.statements:
        if isinstance(statement, Define):
            is_defined = is_defined or statement.rule.name == name
            others = statement.rule.name != name
            if others and any(isinstance(a, Enable) and a.rule == name for a in statement.rule.actions):
                return True
        match statement:
            case Command(action=Enable(rule=enabled)) if enabled == name or (enabled == ALL_RULES and is_defined):
                return True
    return False


def uses(rule: Rule, name: str) -> bool:
    """Whether a rule refers to an event class; `*` refers to all, and so does all but some."""
    return mentions(rule, name) or sees_any(rule)


def feeds(one: Rule, other: Rule) -> bool:
    """Whether a rule makes what another sees, or switches it. Composites are seen by those that name them."""
    if mentions(other, one.name):
        return True
    return any(
        (isinstance(action, Trigger) and uses(other, action.type))
        or (isinstance(action, Enable | Disable) and action.rule == other.name)
        for action in one.actions
    )


def guards_of(rule: Rule) -> Iterator[Guard]:
    """Every guard of a rule."""
    if rule.condition is not None:
        yield rule.condition
    for part in walk(rule.pattern):
        if isinstance(part, Where | Absence | Aggregate) and part.guard is not None:
            yield part.guard


# -- guards that can never hold ------------------------------------------------------------------------------------


def contradiction(guard: Guard) -> str | None:
    """Why no event could satisfy the guard, or None if that cannot be told."""
    if not variables_of(guard) and not _needs_clock(guard):
        return None if evaluate(guard, {}, Surroundings()) is True else "it is always false"
    if isinstance(guard, Binary) and guard.operator == "||":
        left, right = contradiction(guard.left), contradiction(guard.right)
        return left if left is not None and right is not None else None
    return _conflict(list(conjuncts(guard)))


def _needs_clock(guard: Guard) -> bool:
    return any(isinstance(part, Now | Self) for part in guard_parts(guard))


_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


class Constant(NamedTuple):
    """A literal, as what it can be compared with, its place among those, and its text."""

    kind: object
    value: object
    text: str


def _conflict(parts: list[Guard]) -> str | None:
    """Two bounds on one term that leave nothing between them."""
    bounds: dict[Guard, list[tuple[str, Constant]]] = {}
    for part in parts:
        if isinstance(part, Not) or not isinstance(part, Binary) or part.operator not in COMPARISONS:
            inner = contradiction(part) if isinstance(part, Binary) and part.operator == "||" else None
            if inner is not None:
                return inner
            continue
        term, operator, value = part.left, part.operator, part.right
        if _constant(term) is not None:
            term, operator, value = part.right, _FLIPPED[part.operator], part.left
        constant = _constant(value)
        if constant is not None and _constant(term) is None:
            bounds.setdefault(term, []).append((operator, constant))
    for constraints in bounds.values():
        for (operator, one), (other_operator, other) in permutations(_tightest(constraints), 2):
            if one.kind == other.kind and _excludes(operator, one.value, other_operator, other.value):
                return f"{operator} {one.text} and {other_operator} {other.text} exclude each other"
    return None


def _tightest(constraints: list[tuple[str, Constant]]) -> list[tuple[str, Constant]]:
    """Of any number of bounds on one term a few, as they are written: if any exclude each other, some of these do."""
    kept: dict[tuple[str, object], tuple[str, Constant]] = {}
    equal = {(constant.kind, constant.value) for operator, constant in constraints if operator == "=="}
    for operator, constant in constraints:
        if operator == "==" or (operator == "!=" and (constant.kind, constant.value) in equal):
            kept.setdefault((operator, constant), (operator, constant))
        elif operator != "!=":
            key = (operator, constant.kind)
            tightest = kept.get(key)
            if tightest is None or _is_tighter(operator, constant.value, tightest[1].value):
                kept[key] = (operator, constant)
    return list(kept.values())


def _is_tighter(operator: str, value: object, than: object) -> bool:
    return value > than if operator in (">", ">=") else value < than  # type: ignore[no-any-return,operator]  # of one kind


def _constant(guard: Guard) -> Constant | None:
    """A literal as a constant, so that only like is compared with like."""
    match guard:
        case Literal(value=bool() | None):
            return None
        case Literal(value=str(text)):
            return Constant("text", text, repr(text))
        case Literal(value=number):
            return Constant("number", number, str(number))
        case Duration(period=period):
            return Constant("period", period.length(), f"[{render_period(period)}]")
        case Point(point=point):
            written = _written(point)
            fields, values = tuple(name for name, _ in written), tuple(value for _, value in written)
            return Constant(fields, values, f"[{render_time_point(point)}]")
    return None


def _written(point: TimePoint) -> list[tuple[str, int]]:
    names = ("year", "month", "day", "weekday", "hour", "minute", "second", "millisecond")
    return [(name, value) for name in names if (value := getattr(point, name)) is not None]


def _excludes(operator: str, value: object, other_operator: str, other: object) -> bool:
    """Whether nothing is both `operator value` and `other_operator other`; every pair is asked both ways round."""
    below, above = value < other, value > other  # type: ignore[operator]  # of one kind
    match operator, other_operator:
        case ("==", "=="):
            return bool(below or above)
        case ("==", "!="):
            return not (below or above)
        case ("==" | ">" | ">=", "<") | (">", "<=" | "=="):
            return not below
        case ("==" | ">=", "<=") | (">=", "=="):
            return bool(above)
    return False
