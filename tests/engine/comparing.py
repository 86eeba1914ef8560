"""An example run twice, by the plain meaning and by the engine, and which operators it has put to the test."""

from __future__ import annotations

import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time

from tests.engine.shaping import GUARD
from tests.engine.strategies import Example
from tocsin.algebra import interpreter as interpreting
from tocsin.algebra.aggregates import refers_back
from tocsin.algebra.ends import back_is_fluid, bounded_by, floats, front_is_fluid, is_open
from tocsin.algebra.functions import AGGREGATES, RELATIONS
from tocsin.algebra.guards import (
    ARITHMETIC,
    Attribute,
    Binary,
    Call,
    End,
    Guard,
    Literal,
    Not,
    Now,
    Occurred,
    Reference,
    SourceOf,
    Start,
    conjuncts,
    variables_of,
)
from tocsin.algebra.guards import walk as walk_guard
from tocsin.algebra.names import bound, members
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import (
    THIS,
    Absence,
    Accumulate,
    After,
    Aggregate,
    AnyEvent,
    At,
    AtInstant,
    Atom,
    Between,
    Both,
    Complement,
    Concurrent,
    Either,
    EventSet,
    Every,
    Instant,
    Intersection,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Times,
    Union,
    Where,
    Widened,
    Within,
    children,
    walk,
)
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import SEARCHED, Context, Rule
from tocsin.engine.detectors.vicinity import vicinity
from tocsin.engine.engine import Engine
from tocsin.events import Detection
from tocsin.planner.alternatives import is_single
from tocsin.runtime.logs import detections

MOST_TRIGGERS = 3


class NotDone(BaseException):
    """It takes too long. No guard that fails is to be taken for it, so it is no `Exception`."""


class TooLong(Exception):
    """The plain meaning, which goes through all combinations, takes too long for an example."""


SECONDS = 20
"""An example that takes longer, and ten times as long as the meaning, never ends."""

Cell = tuple[str, str, str]
"""An operator, a context, a policy."""

CellsOf = Callable[[Example, list[Detection]], set[Cell]]
"""Which cells an example has met that gave some detections."""


@contextmanager
def _limits(seconds: int) -> Iterator[None]:
    """Chains of rules that trigger each other are cut early; what never ends is an error.

    The seconds are CPU time: what else the machine does makes no difference.
    """

    def stop(*_: object) -> None:
        raise NotDone(f"not done after {seconds} s")

    usual, interpreting.MOST_TRIGGERS = interpreting.MOST_TRIGGERS, MOST_TRIGGERS
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        interpreting.MOST_TRIGGERS = usual


def _options(example: Example, notes: Notes) -> dict[str, object]:
    taken = ("order", "until", "ignore_late", "granularity")
    return {"notes": notes, **{name: getattr(example, name) for name in taken}}


def expected(example: Example) -> tuple[list[Detection], Notes]:
    """What the plain meaning gives."""
    notes = Notes()
    options = _options(example, notes)
    try:
        with _limits(60):
            return list(replay(example.program, example.log, **options)), notes  # type: ignore[arg-type]  # its options
    except NotDone as error:
        raise TooLong from error


def given_by_engine(example: Example, seconds: float = 0) -> tuple[list[Detection], Notes]:
    """What the engine gives. `seconds` is what the meaning took."""
    notes = Notes()
    options = _options(example, notes)
    with _limits(max(SECONDS, int(seconds * 10))):
        found = detections(example.program, example.log, batch=example.batch, **options)  # type: ignore[arg-type]  # its options
        return list(found), notes


def difference(example: Example, cells: Counter[Cell] | None = None, cells_of: CellsOf | None = None) -> str:
    """How the engine differs from the meaning; nothing where it does not. Counts the cells that were met.

    `cells_of` tells which: where not told, those of the rules that run in the network.
    """
    begun = process_time()
    should, their_notes = expected(example)
    try:
        found, notes = given_by_engine(example, process_time() - begun)
    except (Exception, NotDone) as error:  # noqa: BLE001 - whatever it is, it is a difference
        where = traceback.extract_tb(error.__traceback__)[-1]
        return f"the engine fails: {type(error).__name__}: {error} ({where.filename}:{where.lineno})"
    # As texts: 1, 1.0 and true are equal, and NaN is not.
    if (one := list(map(repr, should))) != (other := list(map(repr, found))):
        return _told(one, other)
    # Where chains of timers are cut, the meaning may have had moments left of which nothing would have come.
    for each in (their_notes, notes):
        each.warnings = [warning for warning in each.warnings if "restart each other" not in warning]
    for part in ("warnings", "refused", "ignored"):
        if getattr(their_notes, part) != getattr(notes, part):
            return f"the meaning notes {part} {getattr(their_notes, part)}, the engine {getattr(notes, part)}"
    if not _counts_as_it_should(example, their_notes.incomparable, notes.incomparable):
        return f"the meaning cannot compare {their_notes.incomparable}, the engine {notes.incomparable}"
    if cells is not None:
        cells.update((cells_of or met)(example, found))
    return ""


def _counts_as_it_should(example: Example, should: Counter[str], found: Counter[str]) -> bool:
    """Whether the engine counts what it cannot compare as the meaning does, or less where it asks less.

    In the network it asks at other times, too: there no two counts can be told from each other.
    """
    if should == found:
        return True
    engine = Engine(example.program, example.granularity, Notes())
    if any(map(engine._is_native, example.program.rules)):
        return True
    return found <= should and any(_asks_less(rule, example.granularity) for rule in example.program.rules)


def _asks_less(rule: Rule, granularity: int | None) -> bool:
    """Whether what a rule is asked is told by an index, by types alone, or by what lies around an arrival."""
    looks_around = rule.context in SEARCHED and vicinity(rule.guarded, granularity) is not None
    return looks_around or _names_others(rule) or _has_sets_of_sets(rule)


def _sets(rule: Rule) -> list[EventSet]:
    """The sets of events of an automaton."""
    atoms = [part for part in walk(rule.pattern) if isinstance(part, Atom)]
    sets = [each for atom in atoms for each in (atom.accepts, atom.domain) if each is not None]
    return sets + [part.domain for part in walk(rule.pattern) if isinstance(part, Widened)]


def _has_sets_of_sets(rule: Rule) -> bool:
    """Whether an automaton looks at a complement or an intersection: what a type alone is never in is not asked."""
    return any(map(_is_of_sets, _sets(rule)))


def _is_of_sets(events: EventSet) -> bool:
    return isinstance(events, Complement | Intersection) or (
        isinstance(events, Union) and any(map(_is_of_sets, events.sets))
    )


def _names_others(rule: Rule) -> bool:
    """Whether a filter of an automaton speaks of an earlier event, or a guard in a consuming context of two events."""
    wheres = [part.guard for part in walk(rule.pattern) if isinstance(part, Where)]
    wheres += [part.guard for part in walk(rule.pattern) if isinstance(part, Absence) and part.guard is not None]
    if rule.context not in SEARCHED and any(len(variables_of(guard)) > 1 for guard in wheres):
        return True
    # Partners between which something surely cancels are not tried, whatever the guard asks of them.
    if rule.context not in SEARCHED and any(isinstance(p, Absence) and p.guard is not None for p in walk(rule.pattern)):
        return True
    guards = [member.guard for each in _sets(rule) for member in members(each) if member.guard is not None]
    return any(variables_of(guard) - {THIS} for guard in guards)


def _told(should: list[str], found: list[str]) -> str:
    missing, more = Counter(should) - Counter(found), Counter(found) - Counter(should)
    if not missing and not more:
        return "the same detections in another order:\n  " + "\n  ".join([*should, "engine:", *found])
    lines = [f"only the meaning: {each}" for each in missing.elements()]
    return "\n  ".join(["", *lines, *(f"only the engine:  {each}" for each in more.elements())]).strip()


# -- what was put to the test ----------------------------------------------------------------------------------------


def met(example: Example, detected: list[Detection]) -> set[Cell]:
    """The cells of the rules that fired and run in the network."""
    engine = Engine(example.program, example.granularity, Notes())
    return _cells_of(example, [rule for rule in fired(example, detected) if engine._is_native(rule)])


def met_anywhere(example: Example, detected: list[Detection]) -> set[Cell]:
    """The cells of the rules that fired, wherever the engine runs them."""
    return _cells_of(example, fired(example, detected))


def fired(example: Example, detected: list[Detection]) -> list[Rule]:
    """The rules that fired."""
    names = {detection.rule for detection in detected}
    return [rule for rule in example.program.rules if rule.name in names]


def _cells_of(example: Example, rules: list[Rule]) -> set[Cell]:
    return {
        (operator, rule.context.value, example.order.policy)
        for rule in rules
        if isinstance(rule.context, Context)
        for operator in operators_of(rule)
    }


def operators_of(rule: Rule) -> set[str]:
    """The operators and kinds of guards without which a rule does not fire."""
    found = set(_kinds_of(rule.condition)) if rule.condition is not None else set()
    for part in _needed(rule.pattern):
        found |= {*_operators(part), *_nested(part)}
    return found


def _needed(pattern: Pattern) -> Iterator[Pattern]:
    """The parts that every occurrence has: of alternatives, what must be absent and what is gathered none."""
    yield pattern
    if isinstance(pattern, Absence):
        inside: tuple[Pattern, ...] = (pattern.first, pattern.last)
    elif isinstance(pattern, Accumulate):
        inside = (pattern.last,)
    else:
        inside = () if isinstance(pattern, Either | Never) else children(pattern)
    for child in inside:
        yield from _needed(child)


_PLAIN: dict[type[Pattern], str] = {
    AnyEvent: "any",
    At: "at",
    AtInstant: "at instant",
    Every: "every",
    Both: "both",
    Either: "either",
    Concurrent: "concurrent",
    Accumulate: "accumulate",
    Instant: "instant",
    Repeat: "run",
}


_SEQUENCES = {Precedence.ENDS: "sequence", Precedence.GLOBAL: "global", Precedence.GAP: "gap", Precedence.WEAK: "weak"}
_ABSENCES = {
    Precedence.ENDS: "absence",
    Precedence.GLOBAL: "absence global",
    Precedence.GAP: "absence by gap",
    Precedence.WEAK: "absence weak",
}


def _operators(part: Pattern) -> Iterator[str]:
    match part:
        case Primitive(site=site):
            yield "type" if site is None else "type at site"
        case Named(pattern=inner) if not isinstance(inner, Primitive | AnyEvent | At | AtInstant | Every):
            yield "name of a composite"
        case Where(guard=guard):
            yield "where"
            yield from _kinds_of(guard)
        case Sequence(parts=(_, *between, _), order=order):
            if any(isinstance(each, Never) for each in between):
                yield "never between"
            yield _SEQUENCES[order]
        case Absence(order=order, guard=guard, without=without):
            yield _ABSENCES[order]
            if guard is not None and bound(without).keys() & {getattr(g, "variable", "") for g in walk_guard(guard)}:
                yield "absence that selects"
            if not isinstance(without, Primitive | Named | Where):
                yield "absence of a composite"
        case Times(attribute=None):
            yield "any of"
        case Aggregate(guard=guard):
            yield "aggregate and the window before" if refers_back(guard) else "aggregate over a window"
        case Streak(once=once, different=different):
            yield "burst" if once else "streak" if different is None else "streak different"
        case Times(same=same, pattern=inner):
            yield "times same" if same else "times different"
            if isinstance(inner, Where):
                yield "times where"
        case After(pattern=inner):
            yield "after"
            if any(isinstance(each, After) for each in walk(inner)):
                yield "after of after"
        case Within(pattern=inner):
            if front_is_fluid(inner):
                yield "never before"
            else:
                yield "within never" if back_is_fluid(inner) else "within"
        case Between():
            yield "between never" if back_is_fluid(bounded_by(part)) else "between"
        case _ if type(part) in _PLAIN:
            yield _PLAIN[type(part)]


def _nested(part: Pattern) -> Iterator[str]:
    """The operators that are one shape inside another."""
    inside = part.parts if isinstance(part, Sequence) and part.order is Precedence.GAP else ()
    inside = (part.pattern,) if isinstance(part, Within) else inside
    if isinstance(part, Repeat) and not is_single(part.pattern):
        yield "run of several"
    if isinstance(part, Both) and any(isinstance(each, Never) for each in part.parts):
        yield "both never"
    if any(isinstance(each, Within) and floats(each) for each in inside):
        yield "hanging window"
    if any(isinstance(each, Within) and is_open(each.pattern) and not floats(each) for each in inside):
        yield "window inside"
    if isinstance(part, Never) and any(isinstance(each, Never) for each in walk(part.pattern)):
        yield "never of never"
    if any(isinstance(each, Absence) and each.order is not Precedence.GAP for each in inside):
        yield "absence inside"
    if isinstance(part, Within) and any(isinstance(each, Instant) for each in walk(part.pattern)):
        yield "instant inside"


def _kinds_of(guard: Guard) -> Iterator[str]:
    """The kinds of a guard, one or more for each of its conjuncts."""
    parts = list(conjuncts(guard))
    if len(parts) > 1:
        yield GUARD + "keys"
    for part in parts:
        yield from (GUARD + kind for kind in _kinds(part))


def _kinds(guard: Guard) -> Iterator[str]:
    inside = list(walk_guard(guard))
    match guard:
        case Binary(operator="||"):
            yield "either"
        case Not():
            yield "not"
        case Binary(operator="==", left=Attribute(), right=Attribute()):
            yield "key"
        case Binary(operator="!=", left=Attribute(), right=Attribute()):
            yield "unequal"
        case Binary(left=SourceOf()):
            yield "source"
        case Binary(left=Reference()):
            yield "reference"
        case Binary(operator=("==" | "!="), left=(Attribute() | Literal()), right=(Attribute() | Literal())):
            yield "constant"
        case Binary(left=Attribute(), right=Literal()):
            yield "order constant"
        case Binary(left=Attribute(), right=Attribute()):
            yield "order"
        case Binary(left=Binary(operator="-", left=(End() | Start()), right=(End() | Start()))):
            yield "difference"
    if any(isinstance(part, Now) for part in inside):
        yield "now"
    elif isinstance(guard, Binary) and any(isinstance(part, End | Start) for part in inside):
        yield "time"
    if any(isinstance(part, Occurred) for part in inside):
        yield "occurred"
    if any(
        isinstance(p, Binary) and p.operator in ARITHMETIC and not isinstance(p.left, Now | End | Start) for p in inside
    ):
        yield "arithmetic"
    for part in inside:
        if isinstance(part, Call):
            yield (
                "aggregate" if part.function in AGGREGATES else "relation" if part.function in RELATIONS else "function"
            )
