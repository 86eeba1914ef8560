"""What a law may rely on: how time is stamped, in which context a rule runs, which types are made by other rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tocsin.algebra.guards import Guard, Now, walk
from tocsin.algebra.patterns import (
    Absence,
    After,
    AnyEvent,
    At,
    AtInstant,
    Both,
    Either,
    Every,
    Instant,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Sequence,
    Where,
)
from tocsin.algebra.patterns import walk as walk_pattern
from tocsin.algebra.rules import LANGUAGE_CONTEXTS, SEARCHED, Context, Program, Rule

POINT, INTERVAL, GLOBAL = "point", "interval", "2g"
MODELS = (POINT, INTERVAL, GLOBAL)


@dataclass(frozen=True)
class Facts:
    """What is known of a rule and its surroundings before it runs."""

    model: str = POINT
    context: Context = Context.UNRESTRICTED
    composites: frozenset[str] = frozenset()
    """Names of rules: an event of such a type may last."""
    selects: bool = False
    """The rule says itself what its data are, so that a variable more or less changes nothing in them."""
    strict: bool = False
    """In a GEM script, where `*` stands for the declared classes."""

    @property
    def searched(self) -> bool:
        """All combinations are looked at; in the other contexts every operator uses up, and fewer laws hold."""
        return self.context in SEARCHED

    @property
    def plain(self) -> bool:
        """Times are whole instants; under 2g an occurrence has a stamp besides, which most laws would change."""
        return self.model != GLOBAL


def facts_of(rule: Rule, program: Program, model: str) -> Facts:
    """The facts of a rule of a program."""
    names = frozenset(other.name for other in program.rules)
    context = rule.context or LANGUAGE_CONTEXTS[rule.language]
    return Facts(model, context, names, bool(rule.select), rule.strict)


def is_instant(pattern: Pattern, facts: Facts) -> bool:
    """Whether every occurrence of it begins where it ends."""
    match pattern:
        case Primitive(type=kind):
            return facts.model == POINT and kind not in facts.composites
        case AnyEvent():
            return facts.model == POINT
        case At() | AtInstant() | Every() | Instant() | After(instant=True):
            return True
        case Named(pattern=inner) | Where(pattern=inner):
            return is_instant(inner, facts)
        case Either(parts=parts):
            return all(is_instant(part, facts) for part in parts)
    return False


def enders(pattern: Pattern) -> list[str] | None:
    """The variables of which the latest end is the end of `pattern`; None where no variables tell."""
    match pattern:
        case Named(name=name):
            return [name]
        case Where(pattern=inner):
            return enders(inner)
        case Sequence(parts=(*_, last)):
            return enders(last)
        case Both(parts=parts):
            return _all([enders(part) for part in parts])
    return None


def starters(pattern: Pattern) -> list[str] | None:
    """The variables of which the earliest start is the start of `pattern`; None where no variables tell."""
    match pattern:
        case Named(name=name):
            return [name]
        case Where(pattern=inner):
            return starters(inner)
        case Sequence(parts=(first, *_), order=Precedence.GAP):
            return starters(first)
        case Both(parts=parts) | Sequence(parts=parts):
            return _all([starters(part) for part in parts])
    return None


def _all(found: list[list[str] | None]) -> list[str] | None:
    names: list[str] = []
    for each in found:
        if each is None:
            return None
        names += each
    return names


def absences_of_the_used(pattern: Pattern) -> Iterator[Pattern]:
    """Where something must be absent that the same pattern may have used up."""
    absent: dict[Pattern, set[str]] = {}
    inside: list[Pattern] = []
    for part in walk_pattern(pattern):
        if isinstance(part, Absence | Never):
            inner = list(walk_pattern(part.without if isinstance(part, Absence) else part.pattern))
            absent[part] = _types(inner)
            inside += inner
    used = _types([part for part in walk_pattern(pattern) if not any(part is other for other in inside)])
    for part, types in absent.items():
        if types & used or (types and used and ANY in types | used):
            yield part


ANY = "*"


def _types(parts: list[Pattern]) -> set[str]:
    found = {part.type for part in parts if isinstance(part, Primitive)}
    return found | {ANY for part in parts if isinstance(part, AnyEvent)}


def asks_the_clock(guard: Guard) -> bool:
    """Whether what a guard is worth changes while time passes."""
    return any(isinstance(part, Now) for part in walk(guard))
