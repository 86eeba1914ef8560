"""Random rules that feed each other by name, where much happens at one instant: composites beside what they are made of.

How the composite is made takes turns with who takes it: a rule in some context, or an automaton. Rules are defined in any
order, and a third takes any event, which must make no difference.
"""

from __future__ import annotations

from random import Random

from tests.engine.automating import AutomataDrawing, Automating
from tests.engine.comparing import Cell, fired
from tests.engine.strategies import Example, completed
from tests.engine.worlds import World
from tocsin.algebra.patterns import (
    AnyEvent,
    Atom,
    Automaton,
    Both,
    Concatenation,
    Described,
    Either,
    EventSet,
    Everything,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Run,
    Sequence,
    Timing,
    Union,
    Within,
)
from tocsin.algebra.rules import SEARCHED, Command, Context, Define, Enable, Program, Rule
from tocsin.events import Detection

CORE = "core"
FEEDERS = ("event", "sequence", "window", "automaton", "time event", "composite")
"""What a composite is made by."""
USERS = (*(context.value for context in Context), CORE)
"""Who takes it."""


def linked_example(random: Random, operator: str, column: str, policy: str) -> Example:
    """An example in which a rule takes what another makes."""
    return completed(LinkedDrawing(World(random), operator, column), policy)


def linked_met(example: Example, detected: list[Detection]) -> set[Cell]:
    """The cell of the rule that takes composites, if it has fired."""
    users = [rule for rule in fired(example, detected) if rule.name == "user"]
    return {(example.operator, rule.context or CORE, example.order.policy) for rule in users}


class LinkedDrawing(AutomataDrawing):
    """The rules of one example: who makes, who takes, and somebody beside them."""

    def __init__(self, world: World, operator: str, column: str) -> None:
        super().__init__(world, operator, Run.EVERY, in_network=False)
        self.column = column

    def program(self) -> Program:
        rules = self._making(self.operator, "made")
        rules.append(self._user("user", "made"))
        if self.random.random() < 0.4:
            rules.append(self._user("other", self.random.choice(("made", "user"))))
        if self.random.random() < 0.4:
            rules.append(self.rule("any", Named("x", AnyEvent()), context=Context.GENERIC))
        self.random.shuffle(rules)
        return Program((*map(Define, rules), *(Command(Enable(rule.name)) for rule in rules)))

    # -- who makes -----------------------------------------------------------------------------------------------------

    def _making(self, operator: str, name: str) -> list[Rule]:
        """A rule that makes composites, after what feeds it."""
        if operator == "composite":
            inner = self._making(self.random.choice(FEEDERS[:-1]), "inner")
            return [*inner, self._user(name, "inner", self.random.choice(USERS))]
        if operator in ("automaton", "time event"):
            shape = self.random.choice(("weak", "strong")) if operator == "automaton" else operator
            automaton = Automaton(Automating(self.world, most_atoms=3).containing(shape, 1))
            return [self.rule(name, automaton)]
        return [self.rule(name, self._simple(operator), context=self._context(operator))]

    def _simple(self, operator: str) -> Pattern:
        first, second = (Named(f"y{n}", Primitive(self._type())) for n in (1, 2))
        if operator == "window":
            quiet = Sequence((first, Never(second)), Precedence.GAP)
            return Within(quiet, self.world.scale.period(self.random))
        return first if operator == "event" else Sequence((first, second), Precedence.ENDS)

    def _context(self, operator: str) -> Context:
        return self.random.choice(SEARCHED if operator == "window" else tuple(Context))

    def _type(self) -> str:
        return self.random.choice(self.world.types)

    # -- who takes -----------------------------------------------------------------------------------------------------

    def _user(self, name: str, feeder: str, column: str | None = None) -> Rule:
        column = column or (self.column if name == "user" else self.random.choice(USERS))
        if column == CORE:
            return self.rule(name, Automaton(self._expression(feeder), self.run))
        context = Context(column)
        return self.rule(name, self._taking(feeder, context), context=context)

    def _taking(self, feeder: str, context: Context) -> Pattern:
        """A pattern with a composite, mostly beside an event that may be part of it."""
        made, event = Named("z1", Primitive(feeder)), Named("z2", Primitive(self._type()))
        parts = [made, event]
        self.random.shuffle(parts)
        shapes = ["alone", "both", "both", "either", "sequence", "pair"]
        shape = self.random.choice([*shapes, "window", "window"] if context in SEARCHED else shapes)
        match shape:
            case "alone":
                return made
            case "either":
                third = Named("z3", Primitive(self._type()))
                return Both((third, Either(tuple(parts))))
            case "sequence":
                return Sequence(tuple(parts), self.random.choice((Precedence.ENDS, Precedence.GAP)))
            case "pair":
                return Sequence((made, Named("z4", Primitive(feeder))), Precedence.ENDS)
            case "window":
                quiet = Sequence((parts[0], Never(parts[1])), Precedence.GAP)
                return Within(quiet, self.world.scale.period(self.random))
        return Both(tuple(parts))

    def _expression(self, feeder: str) -> Pattern:
        """The composite before or after an event, perhaps with a time event in the way, or looked at besides."""
        random = self.random
        atoms = [self._atom(feeder, feeder), self._atom(self._type(), feeder)]
        random.shuffle(atoms)
        if random.random() < 0.3:
            timed = Atom(random.choice((Described(feeder), Described("T"))), Union((Described(feeder), Described("T"))))
            return Timing(atoms[0], timed, "T", self.world.scale.period(random))
        return atoms[0] if random.random() < 0.2 else Concatenation(tuple(atoms), random.random() < 0.3)

    def _atom(self, kind: str, feeder: str) -> Pattern:
        random = self.random
        domain: EventSet | None = None
        if random.random() < 0.3:
            domain = random.choice((Union((Described(kind), Described(feeder))), Everything()))
        return Atom(Described(kind), domain)
