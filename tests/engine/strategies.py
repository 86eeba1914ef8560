"""Random examples for the engine: rules, a log, and the way they are run. Few types, instants and values; many matches.

Everything is drawn from a `random.Random`, so that an example is made again from its number (`tests/fuzz/engine.py`)
and Hypothesis can draw, and shrink, the same examples (`EXAMPLES`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

from hypothesis import strategies as st

from tests.engine.guarding import KINDS
from tests.engine.shaping import GUARD, SHAPES, Shaping
from tests.engine.worlds import World
from tocsin.algebra.checks import program_faults
from tocsin.algebra.guards import Attribute, Binary, End, Guard, Literal, Now, conjuncts
from tocsin.algebra.names import repeated, visible
from tocsin.algebra.patterns import Both, Named, Pattern, Precedence, Primitive, Repeat, Sequence, Where, rebuild
from tocsin.algebra.rules import (
    BEST_EFFORT,
    SEARCHED,
    Action,
    Command,
    Context,
    Declaration,
    Define,
    Disable,
    Enable,
    Forward,
    Notify,
    Program,
    Raise,
    Remove,
    Rule,
    Statement,
    Stop,
    Trigger,
)
from tocsin.algebra.rules import Order as Policy
from tocsin.events import Arrival
from tocsin.time.periods import Period

POLICIES = ("best-effort", "delay", "guaranteed", "probabilistic")
BATCHES = (1, 2, 3, 7, 4096)

OPERATORS = (
    *(name for name in SHAPES if name not in ("absence plain", "accumulate")),
    *(GUARD + kind for kind in KINDS if kind != "always"),
)
"""What examples are made to contain, in turn."""

WINDOWS = (
    *("within", "within never", "never before", "never between", "run", "between", "both never", "window inside"),
    *("between never", "hanging window", "never of never", "absence inside", "instant inside", "run of several"),
)
"""What consuming contexts, which use up at every node, do not have: a window, a negation, a run has no operands."""

WAITING = ("every", "timing", "time event")
"""What often fires only when time goes on after the log."""

MOST_EVENTS = 9


@dataclass(frozen=True)
class Example:
    """Rules, arrivals, and how they are run."""

    program: Program
    log: tuple[Arrival, ...]
    order: Policy = BEST_EFFORT
    until: int | None = None
    ignore_late: bool = False
    batch: int = 4096
    granularity: int | None = None
    """Of the 2g stamps, where there are any."""
    operator: str = field(default="", compare=False)


def example(
    random: Random, operator: str | None = None, context: Context | None = None, policy: str | None = None
) -> Example:
    """An example that contains an operator, mostly in one context, under one policy."""
    operator = operator or random.choice(OPERATORS)
    context = context or random.choice(SEARCHED)
    policy = policy or random.choice(POLICIES)
    return completed(Drawing(World(random), operator, context), policy)


def completed(drawing: Drawing, policy: str) -> Example:
    """An example with the rules of a drawing."""
    world, random, operator = drawing.world, drawing.random, drawing.operator
    program = drawing.program()
    while not is_sound(program):
        program = drawing.program()
    scale = world.scale
    until = scale.at(random.randint(0, 14)) if random.random() < (0.6 if operator in WAITING else 0.3) else None
    order = policy_of(random, policy, scale.unit)
    # What rules trigger comes on top of what arrives.
    log = tuple(world.log(5 if any(rule.actions for rule in program.rules) else MOST_EVENTS))
    ignore_late, batch = random.random() < 0.12, random.choice(BATCHES)
    return Example(program, log, order, until, ignore_late, batch, operator=operator)


def policy_of(random: Random, policy: str, unit: int) -> Policy:
    """A policy with what it needs, in units of time."""
    if policy == "delay":
        return Policy(policy, delay=Period.of(microseconds=random.randint(0, 3) * unit))
    if policy == "probabilistic":
        return Policy(policy, probability=random.choice((0.3, 0.5, 0.9)))
    return Policy(policy)


def is_sound(program: Program) -> bool:
    """Whether a program could be loaded. (The engine repeats guarded events too, which no language writes.)"""
    return all(fault.message.startswith("TimesEq and TimesDf count") for fault in program_faults(program))


EXAMPLES = st.builds(example, st.randoms(use_true_random=False))
"""The same examples for Hypothesis."""


class Drawing:
    """The rules of one example in the making."""

    def __init__(self, world: World, operator: str, context: Context) -> None:
        self.world, self.random = world, world.random
        self.operator, self.context = operator, context
        self.contexts = SEARCHED if context in SEARCHED else tuple(Context)
        """What other rules of the example are in, beside those in the context itself."""

    def program(self) -> Program:
        """One rule, several that are alike or not, or rules that act on each other."""
        chance = self.random.random()
        if chance < 0.4:
            return _enabled([self.rule("r1", self.pattern(self.operator))])
        if chance < 0.5:
            return _enabled(self._several())
        return _enabled(self._alike()) if chance < 0.75 else self._interplay()

    # -- rules ---------------------------------------------------------------------------------------------------

    def pattern(self, operator: str | None = None, types: tuple[str, ...] = ()) -> Pattern:
        """A pattern that contains an operator."""
        random = self.random
        depth = random.choice((1, 1, 2, 2, 3, 3, 4))
        shaping = Shaping(self.world, types, most_leaves=random.choice((2, 3, 4, 5)))
        return shaping.containing(operator or random.choice(OPERATORS), depth)

    def rule(self, name: str, pattern: Pattern, *, context: Context | None = None) -> Rule:
        """A rule on a pattern, perhaps with a window, a condition and data of its own."""
        random = self.random
        window = self.world.scale.period(random, 6) if random.random() < 0.25 else None
        guard = Shaping(self.world).guard_on(visible(pattern), repeated(pattern)) if random.random() < 0.1 else None
        chosen = context or self.context
        if context is None and name != "r1" and random.random() < 0.3:
            chosen = random.choice(self.contexts)
        select = self._select(pattern) if random.random() < 0.15 else ()
        return Rule(name, pattern, "python", condition=guard, context=chosen, window=window, select=select)

    def _select(self, pattern: Pattern) -> tuple[tuple[str, Guard], ...]:
        known = Shaping(self.world).over(visible(pattern), repeated(pattern))
        made: dict[str, Guard] = {"now": Now()}
        made |= {f"{name}.end": End(name) for name in known.wholes}
        if known.events:
            made["k"] = Attribute(known.events[-1], "k")
        return tuple(made.items())

    def _several(self) -> list[Rule]:
        count = self.random.randint(2, 4)
        rules = [self.rule("r1", self.pattern(self.operator))]
        rules += [self.rule(f"r{n}", self.pattern()) for n in range(2, count + 1)]
        if self.random.random() < 0.15:
            rules.append(self._fallen_back(f"r{count + 1}"))
        return rules

    def _fallen_back(self, name: str) -> Rule:
        """A rule that keeps the detector of the plain meaning, among the others."""
        a, b = (Named(f"y{n}", Primitive(self.random.choice(self.world.types))) for n in (1, 2))
        if self.random.random() < 0.5:
            return self.rule(name, Sequence((a, b)), context=Context.CHRONICLE)
        return self.rule(name, Sequence((a, Repeat(b, 1, 2)), Precedence.GAP), context=Context.UNRESTRICTED)

    def _alike(self) -> list[Rule]:
        """Rules that are equal, differ in one thing, or begin alike."""
        random = self.random
        first = self.rule("r1", self.pattern(self.operator))
        rules = [first]
        for number in range(2, random.randint(2, 4) + 1):
            other = replace(random.choice(rules), name=f"r{number}")
            match random.choice(("equal", "constant", "prefix", "window", "context", "guard", "condition")):
                case "constant":
                    other = replace(other, pattern=self._changed(other.pattern))
                case "prefix":
                    other = replace(other, pattern=self.longer(other.pattern))
                case "window":
                    other = replace(other, window=self.world.scale.period(random, 6))
                case "context":
                    other = replace(other, context=random.choice(self.contexts))
                case "guard":
                    other = replace(other, pattern=Shaping(self.world).guarded(other.pattern))
                case "condition":
                    guard = Shaping(self.world).guard_on(visible(other.pattern), repeated(other.pattern))
                    other = replace(other, condition=guard)
            rules.append(other)
        return rules

    def _changed(self, pattern: Pattern) -> Pattern:
        """The pattern with other constants in its guards."""

        def change(part: Pattern) -> Pattern:
            part = rebuild(part, change)
            return replace(part, guard=self._other(part.guard)) if isinstance(part, Where) else part

        return change(pattern)

    def _other(self, guard: Guard) -> Guard:
        if isinstance(guard, Literal):
            return Literal(self.world.literal("k"))  # type: ignore[arg-type]  # a plain value
        if isinstance(guard, Binary):
            return replace(guard, left=self._other(guard.left), right=self._other(guard.right))
        return guard

    def longer(self, pattern: Pattern) -> Pattern:
        """The pattern with one more part at its end."""
        extra = Named("z1", Primitive(self.random.choice(self.world.types)))
        guard: Guard | None = None
        if isinstance(pattern, Where) and isinstance(pattern.pattern, Both | Sequence):
            pattern, guard = pattern.pattern, pattern.guard
        if isinstance(pattern, Both | Sequence) and "z1" not in visible(pattern):
            pattern = replace(pattern, parts=(*pattern.parts, extra))
            if guard is not None and self.random.random() < 0.3:
                guard = next(conjuncts(guard))
        return pattern if guard is None else Where(pattern, guard)

    # -- rules that act on each other ------------------------------------------------------------------------------

    def _interplay(self) -> Program:
        """Rules that use each other by name, trigger events, and enable or disable each other."""
        random = self.random
        count = random.randint(2, 4)
        names = [f"r{n}" for n in range(1, count + 1)]
        strict = random.random() < 0.25
        long = (("k", "long"), ("v", "long"), ("w", "long"))
        declared = [Declaration("out", long[:1]), Declaration("m", long), Declaration("n", long)]
        if strict:
            declared += [Declaration(kind, long) for kind in self.world.types]
        rules = []
        for place, name in enumerate(names):
            seen = [*self.world.types, *self.world.types, *random.sample(("m", "n"), 1), *names[:place]]
            types = tuple(random.sample(seen, min(len(seen), 4)))
            rule = self.rule(name, self.pattern(self.operator if place == 0 else None, types))
            actions = self._actions(rule, names) if strict or random.random() < 0.6 else ()
            select = self._select(rule.pattern) if random.random() < 0.5 else rule.select
            rules.append(replace(rule, actions=actions, select=select, strict=strict, hidden=random.random() < 0.05))
        statements: list[Statement] = [*declared, *map(Define, rules)]
        off = random.sample(names[1:], 1) if random.random() < 0.2 else []
        statements += [Command(Enable(name)) for name in names if name not in off]
        return Program((*statements, *self._more_statements(names)))

    def _actions(self, rule: Rule, names: list[str]) -> tuple[Action, ...]:
        random = self.random
        known = Shaping(self.world).over(visible(rule.pattern), repeated(rule.pattern)).events
        value: Guard = Attribute(random.choice(known), "k") if known else Literal(1)
        made: list[Action] = []
        for _ in range(random.choice((1, 1, 2, 3))):
            match random.choice(("notify", "notify", "trigger", "trigger", "enable", "disable", "forward")):
                case "notify":
                    made.append(Notify("out", (value,)))
                case "trigger":
                    made.append(Trigger(random.choice(("m", "n")), (value, Literal(random.randint(0, 1)), value)))
                case "enable":
                    made.append(Enable(random.choice((None, *names))))
                case "disable":
                    made.append(Disable(random.choice((None, *names))))
                case "forward" if known:
                    made.append(Forward(random.choice(known)))
        return (*made, Notify("out", (value,)))

    def _more_statements(self, names: list[str]) -> list[Statement]:
        random = self.random
        made: list[Statement] = []
        if random.random() < 0.15:
            made.append(Raise("m", arguments=(Literal(1), Literal(0), Literal(1))))
        if random.random() < 0.05:
            made.append(Remove(random.choice(names), rule=True))
        if random.random() < 0.03:
            made += [Stop()]
        return made


def _enabled(rules: list[Rule]) -> Program:
    return Program((*map(Define, rules), *(Command(Enable(rule.name)) for rule in rules)))
