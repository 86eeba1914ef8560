"""Random automata of the core language: every operator, in every run, with filters, domains and time events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from tests.engine.comparing import Cell, fired
from tests.engine.guarding import Guarding
from tests.engine.strategies import Drawing, Example, completed
from tests.engine.worlds import TYPES, World
from tocsin.algebra.functions import AGGREGATES
from tocsin.algebra.guards import Attribute, Binary, Call, Guard, variables_of
from tocsin.algebra.links import mentioned
from tocsin.algebra.names import bound, members
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import (
    THIS,
    Alternation,
    Atom,
    Automaton,
    Complement,
    Concatenation,
    Described,
    EventSet,
    Intersection,
    Iteration,
    Parallel,
    Pattern,
    Run,
    Timing,
    Union,
    Widened,
    children,
)
from tocsin.algebra.rules import Context, Rule
from tocsin.engine.engine import Engine
from tocsin.events import Detection
from tocsin.time.periods import Period

NETWORK = "every, in the network"
"""The runs of automata that are chains: the network has them, not the plain meaning inside the engine."""


def automata_example(random: Random, operator: str, column: str, policy: str) -> Example:
    """An example with an automaton that contains an operator, in one run, under one policy."""
    run = Run.EVERY if column == NETWORK else Run(column)
    world = World(random)
    made = completed(AutomataDrawing(world, operator, run, in_network=column == NETWORK), policy)
    if column == NETWORK or random.random() < 0.9:
        return made
    # Automata look at exact times, whatever is stamped; rules beside them, or on top of them, do not.
    return replace(made, granularity=2 * world.scale.unit)


SKIPS = "skips"
"""What a match ends of other attempts: one column, for all operators."""


def skipping_example(random: Random, run: str, column: str, policy: str) -> Example:
    """An example with an automaton that skips after a match, whatever it is made of."""
    operator = random.choice([each for each in AUTOMATA if each != "parallel"])
    return completed(AutomataDrawing(World(random), operator, Run(run), in_network=False), policy)


def skipping_met(example: Example, detected: list[Detection]) -> set[Cell]:
    """The runs of the automata that skip and fired."""
    automata = [rule.pattern for rule in fired(example, detected) if isinstance(rule.pattern, Automaton)]
    return {(each.run.value, SKIPS, example.order.policy) for each in automata if each.run.skips}


class AutomataDrawing(Drawing):
    """The rules of one example: automata mostly, beside and on top of rules of other languages."""

    def __init__(self, world: World, operator: str, run: Run, *, in_network: bool) -> None:
        super().__init__(world, operator, Context.UNRESTRICTED)
        self.run, self.in_network = run, in_network

    def pattern(self, operator: str | None = None, types: tuple[str, ...] = ()) -> Pattern:
        """An automaton that contains an operator; without one, sometimes a pattern of another language."""
        random = self.random
        if operator is None and random.random() < 0.25:
            return super().pattern(None, types)
        automating = Automating(self.world, types, only_chains=self.in_network and operator is not None)
        made = automating.containing(operator or random.choice(tuple(AUTOMATA)), random.choice((1, 1, 2, 2, 3)))
        run = self.run if operator is not None or random.random() < 0.7 else random.choice(list(Run))
        names = sorted(bound(made))
        return Automaton(made, run, random.choice(names) if run.has_step and names else "")

    def rule(self, name: str, pattern: Pattern, *, context: Context | None = None) -> Rule:
        """A rule; automata have no context."""
        made = super().rule(name, pattern, context=context)
        return replace(made, language="core", context=None) if isinstance(pattern, Automaton) else made

    def _select(self, pattern: Pattern) -> tuple[tuple[str, Guard], ...]:
        """Also what aggregates make of all that a name was bound to."""
        made = super()._select(pattern)
        if isinstance(pattern, Automaton):
            cells = [Attribute(name, "k") for name in bound(pattern)]
            made += tuple((f"{f}({cell.variable})", Call(f, (cell,))) for cell in cells for f in AGGREGATES)
        return made

    def longer(self, pattern: Pattern) -> Pattern:
        """The pattern with one more part at its end."""
        if not isinstance(pattern, Automaton):
            return super().longer(pattern)
        extra = Atom(Described(self.random.choice(self.world.types)))
        return replace(pattern, pattern=Concatenation((pattern.pattern, extra), self.random.random() < 0.5))


@dataclass
class Automating:
    """Draws core expressions of a world. `only_chains`: those with one way on from each state."""

    world: World
    types: tuple[str, ...] = ()
    only_chains: bool = False
    atoms: int = 0
    most_atoms: int = 4
    names: list[str] = field(default_factory=list)
    timers: list[str] = field(default_factory=list)
    """The time events that are made where it is drawing."""

    def __post_init__(self) -> None:
        self.random = self.world.random
        self.types = self.types or self.world.types

    def containing(self, operator: str, depth: int) -> Pattern:
        """An expression that has an operator where every occurrence needs it."""
        if operator == "parallel" or depth <= 1 or self.random.random() < 0.5:
            return AUTOMATA[operator](self, depth)
        inner, other = self.containing(operator, depth - 1), self.part(depth - 1)
        parts = (inner, other) if self.random.random() < 0.5 else (other, inner)
        made: Pattern = Concatenation(parts, self.random.random() < 0.4)
        return Widened(made, self.some()) if self.random.random() < 0.15 else made

    def part(self, depth: int) -> Pattern:
        """An expression no deeper than `depth`."""
        if depth <= 0 or self.atoms >= self.most_atoms:
            return self.atom()
        return AUTOMATA[self.random.choice(IN_CHAINS if self.only_chains else INSIDE)](self, depth)

    # -- atoms and sets ------------------------------------------------------------------------------------------

    def atom(self, accepts: EventSet | None = None, *, has_domain: bool = False) -> Atom:
        """An event of a type mostly, perhaps in a domain."""
        self.atoms += 1
        accepts = accepts or self.described()
        if not has_domain and self.random.random() < 0.75:
            return Atom(accepts)
        return Atom(accepts, Union((_unnamed(accepts), self.some())))

    def described(self, *, filtered: bool = False, of_others: bool = False) -> Described:
        """Events of a type, perhaps with a filter and a name."""
        random = self.random
        guard = self.filter(of_others) if filtered or of_others or random.random() < 0.2 else None
        name = None
        if self.names and not self.only_chains and random.random() < 0.15:
            name = random.choice(self.names)  # bound several times
        elif random.random() < 0.5:
            name = f"x{len(self.names) + 1}"
            self.names.append(name)
        return Described(random.choice(self.types), guard, name)

    def filter(self, of_others: bool = False) -> Guard:
        """A filter on an event, and on another of the expression."""
        random, others = self.random, self.names
        if not others or not (of_others or random.random() < 0.5):
            return Guarding(self.world).over([THIS], [], []).guard()
        if random.random() < 0.2:
            aggregate = Call(random.choice(AGGREGATES), (Attribute(random.choice(others), "k"),))
            return Binary(random.choice(("==", "<=", ">=")), Attribute(THIS, "k"), aggregate)
        guarding = Guarding(self.world).over([THIS, random.choice(others)], [], [])
        return guarding.guard(random.choice(("key", "key", "order", "unequal", "source")))

    def some(self) -> EventSet:
        """Events that are only looked at: of a type, with a filter, or the time event that is counted to."""
        kind = self.random.choice((*self.types, *self.timers * 3))
        has_filter = kind not in self.timers and self.random.random() < 0.2
        return Described(kind, self.filter() if has_filter else None)


def _unnamed(events: EventSet) -> EventSet:
    """The same events; a domain gives no names."""
    if isinstance(events, Described):
        return replace(events, name=None)
    if isinstance(events, Union | Intersection):
        return replace(events, sets=tuple(map(_unnamed, events.sets)))
    return events


# -- operators, by name --------------------------------------------------------------------------------------------


def _union(a: Automating, depth: int) -> Pattern:
    return a.atom(Union((a.described(), a.described())))


def _complement(a: Automating, depth: int) -> Pattern:
    a.atoms += 1
    events = Complement(a.some())
    return Atom(events, Union((a.some(), a.some()))) if a.random.random() < 0.6 else Atom(events)


def _intersection(a: Automating, depth: int) -> Pattern:
    kind = a.described()
    other = replace(kind, guard=a.filter(), name=None) if a.random.random() < 0.6 else Complement(a.some())
    return a.atom(Intersection((kind, other)))


def _filter_on_another(a: Automating, depth: int) -> Pattern:
    first = replace(a.described(), name="y")
    a.names.append("y")
    a.atoms += 1
    return Concatenation((Atom(first), a.atom(a.described(of_others=True))), a.random.random() < 0.5)


def _concatenation(a: Automating, depth: int, *, strong: bool) -> Pattern:
    count = a.random.choice((2, 2, 3))
    return Concatenation(tuple(a.part(a.random.randint(0, depth - 1)) for _ in range(count)), strong)


def _alternation(a: Automating, depth: int) -> Pattern:
    return Alternation(tuple(a.part(depth - 1) for _ in range(a.random.choice((2, 2, 3)))))


def _iteration(a: Automating, depth: int) -> Pattern:
    return _looped(a, Iteration(a.part(depth - 1)))


def _quantifier(a: Automating, depth: int) -> Pattern:
    least = a.random.choice((0, 0, 1, 1, 2))
    most = a.random.choice((None, max(least, 1), least + 1, least + 2))
    return _looped(a, Iteration(a.part(depth - 1), least, most if (least, most) != (0, None) else 1))


def _looped(a: Automating, made: Pattern) -> Pattern:
    if a.random.random() < 0.7:
        made = Concatenation((a.atom(), made), a.random.random() < 0.3)
    return Concatenation((made, a.atom()), a.random.random() < 0.3) if a.random.random() < 0.3 else made


def _timing(a: Automating, depth: int, *, waits: bool = False, at_instant: bool = False) -> Pattern:
    """(C1, C2){T = t}: C2 before the time event, the time event without C2, or anything."""
    first, timer = a.part(a.random.randint(0, depth - 1)), f"T{len(a.timers) + 1}"
    outside, a.timers = a.timers, [*a.timers, timer]
    if waits:
        second: Pattern = a.atom(Described(timer), has_domain=a.random.random() < 0.7)
    else:
        second = a.part(depth - 1) if a.random.random() < 0.5 else a.atom(has_domain=True)
    a.timers = outside
    scale = a.world.scale
    when = (
        scale.at(a.random.randint(0, 8)) if at_instant else Period.of(microseconds=a.random.randint(1, 4) * scale.unit)
    )
    return Timing(first, second, timer, when)


def _parallel(a: Automating, depth: int) -> Pattern:
    sides = [a.part(max(depth - 1, 0)) for _ in range(2)]
    a.random.shuffle(sides)
    return Parallel(_parallel(a, depth - 1) if depth > 2 else sides[0], sides[1])


AUTOMATA: dict[str, Callable[[Automating, int], Pattern]] = {
    "atom": lambda a, depth: a.atom(),
    "union": _union,
    "complement": _complement,
    "intersection": _intersection,
    "domain": lambda a, depth: a.atom(has_domain=True),
    "filter": lambda a, depth: a.atom(a.described(filtered=True)),
    "filter on another": _filter_on_another,
    "strong": lambda a, depth: _concatenation(a, depth, strong=True),
    "weak": lambda a, depth: _concatenation(a, depth, strong=False),
    "alternation": _alternation,
    "iteration": _iteration,
    "quantifier": _quantifier,
    "timing": _timing,
    "timing at an instant": lambda a, depth: _timing(a, depth, at_instant=True),
    "time event": lambda a, depth: _timing(a, depth, waits=True, at_instant=a.random.random() < 0.2),
    "parallel": _parallel,
    "widened": lambda a, depth: Widened(a.part(depth - 1), a.some()),
}
IN_CHAINS = ("atom", "domain", "filter", "strong", "weak", "widened", "timing", "time event")
INSIDE = (*IN_CHAINS, "union", "complement", "intersection", "alternation", "iteration", "quantifier")


# -- what was put to the test ----------------------------------------------------------------------------------------


def automata_met(example: Example, detected: list[Detection]) -> set[Cell]:
    """The operators of the automata that fired, by their run; those in the network also under that."""
    engine = Engine(example.program, example.granularity, Notes())
    found: set[Cell] = set()
    for rule in fired(example, detected):
        if not isinstance(rule.pattern, Automaton):
            continue
        columns = [rule.pattern.run.value, *([NETWORK] if engine._is_native(rule) else [])]
        longest = max(len(one.events) for one in detected if one.rule == rule.name)
        for operator in automaton_operators(rule, longest):
            found |= {(operator, column, example.order.policy) for column in columns}
    return found


def automaton_operators(rule: Rule, longest: int) -> set[str]:
    """The operators without which an automaton does not fire; its iterations if they were gone through.

    They were if more events were found than there are without them, where each atom stands for one.
    """
    assert isinstance(rule.pattern, Automaton)
    found = {operator for part in _needed(rule.pattern.pattern) for operator in _operators(part)}
    gone_through = mentioned(rule) <= set(TYPES) and longest > _atoms(rule.pattern.pattern)
    return found if gone_through else found - {"iteration", "quantifier"}


def _needed(pattern: Pattern) -> Iterator[Pattern]:
    """The parts that every occurrence has: of alternatives and iterations none."""
    yield pattern
    for child in () if isinstance(pattern, Alternation | Iteration) else children(pattern):
        yield from _needed(child)


def _atoms(pattern: Pattern) -> int:
    """How many events there are at most without iterations."""
    match pattern:
        case Atom():
            return 1
        case Iteration(pattern=inner, least=least):
            return least * _atoms(inner)
        case Alternation(parts=parts):
            return max(map(_atoms, parts))
    return sum(map(_atoms, children(pattern)))


def _operators(part: Pattern) -> Iterator[str]:
    match part:
        case Atom(accepts=accepts, domain=domain):
            yield "atom"
            yield from _set_operators(accepts)
            if domain is not None:
                yield "domain"
        case Concatenation(strong=strong):
            yield "strong" if strong else "weak"
        case Timing(when=when, timer=timer, second=second):
            yield "timing" if isinstance(when, Period) else "timing at an instant"
            atoms = [each for each in _needed(second) if isinstance(each, Atom)]
            if any(each.accepts == Described(timer) for each in atoms):
                yield "time event"
        case Iteration(least=least, most=most) if (least, most) != (0, None):
            yield "quantifier"
        case Alternation() | Iteration() | Parallel() | Widened():
            yield type(part).__name__.lower()


def _set_operators(events: EventSet) -> Iterator[str]:
    if isinstance(events, Union | Intersection | Complement):
        yield type(events).__name__.lower()
    for member in members(events):
        if member.guard is not None:
            yield "filter"
            if variables_of(member.guard) - {THIS}:
                yield "filter on another"
