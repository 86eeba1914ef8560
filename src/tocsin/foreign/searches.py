"""Chains of searched patterns: sequences with and without absences, runs, counts, both in any order, either."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import permutations

from tocsin.algebra.guards import Attribute, Binary, Guard, Literal, SourceOf, conjuncts, variables_of
from tocsin.algebra.patterns import (
    Absence,
    AnyEvent,
    Both,
    Either,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
)
from tocsin.algebra.rules import Rule
from tocsin.errors import Span
from tocsin.foreign.chains import Chain, Kind, Limit, Silence, Step, milliseconds, refusal

MOST_IN_ANY_ORDER = 3
"""Parts of `a & b & ...`: each order of them is a chain."""

_HINTS = {
    "Between": ("a fixed window, 'at [t1, t2]'", "test the time in what reads the rows"),
    "Concurrent": ("'||', the same time", "ask for the same time in a guard"),
    "Accumulate": ("'a * b', all the events before another", "count them: 'a*n'"),
    "After": ("something later than an event", "an absence has a form: 'a -> !b in 5 sec'"),
    "At": ("a time point", "schedule the query"),
    "AtInstant": ("a time point", "schedule the query"),
    "Every": ("a period", "schedule the query"),
    "Instant": ("'{E}', a composite as one instant", "leave the braces out"),
    "Detector": ("a core expression inside another pattern", "make it a rule of its own"),
}


@dataclass
class _Found:
    """A part under construction: its steps, guards that are not placed yet, and what must not follow."""

    steps: list[Step] = field(default_factory=list)
    tests: list[Guard] = field(default_factory=list)
    silent: tuple[Kind, ...] = ()
    silent_span: Span | None = None


def chains(rule: Rule) -> tuple[Chain, ...]:
    """The chains of a rule that is searched for."""
    return tuple(_alternatives(rule.guarded, (), ()))


def _alternatives(pattern: Pattern, tests: tuple[Guard, ...], limits: tuple[int, ...]) -> Iterable[Chain]:
    """What is around the whole: guards and windows, then what gives several chains, then the one chain."""
    match pattern:
        case Where(pattern=inner, guard=guard):
            yield from _alternatives(inner, (*tests, *conjuncts(guard)), limits)
        case Within(pattern=inner, period=period):
            yield from _alternatives(inner, tests, (*limits, milliseconds(period, pattern)))
        case Named(pattern=inner) if leaf_of(pattern) is None:
            yield from _alternatives(inner, tests, limits)
        case Either(parts=parts):
            made = [list(_alternatives(part, tests, limits)) for part in parts]
            types = [tuple(_types(chain) for chain in each) for each in made]
            for number, each in enumerate(types):
                if any(one in other for one in each for other in types[:number]):
                    raise refusal("'or' of two patterns over the same types", pattern, "write a rule for each")
            yield from (chain for each in made for chain in each)
        case Both(parts=parts):
            yield from (_finished(found, tests, limits, pattern) for found in _in_any_order(pattern, parts))
        case _:
            yield _finished(_part(pattern), tests, limits, pattern)


def _types(chain: Chain) -> tuple[str | None, ...]:
    return tuple(step.takes[0].type for step in chain.steps)


def _finished(found: _Found, tests: tuple[Guard, ...], limits: tuple[int, ...], pattern: Pattern) -> Chain:
    steps = _placed(found.steps, (*found.tests, *tests))
    if not found.silent:
        return Chain(tuple(steps), tuple(Limit(0, each) for each in limits))
    if not limits:
        raise refusal("'!' at the end without a window", pattern, "give it one: 'a -> !b in 5 sec'")
    if len(steps) > 1 or len(limits) > 1:
        raise refusal("'!' at the end of more than one event", found.silent_span, "the form is 'a -> !b in 5 sec'")
    silence = Silence(limits[0], found.silent, closed=True, span=found.silent_span)
    return Chain(tuple(steps), silence=silence)


def _placed(steps: list[Step], tests: Iterable[Guard]) -> list[Step]:
    """Each guard at the step that is the last of those it names. What fails it may still end the chain."""
    made = list(steps)
    places = {step.variable: place for place, step in enumerate(steps) if step.variable is not None}
    for test in tests:
        names = variables_of(test)
        if unknown := sorted(names - places.keys()):
            what = f"a guard on '{unknown[0]}', which stands for no single event of the chain,"
            raise refusal(what, test, "guards can name the events of a sequence")
        place = max((places[name] for name in names), default=len(steps) - 1)
        takes = tuple(replace(kind, tests=(*kind.tests, test)) for kind in made[place].takes)
        made[place] = replace(made[place], takes=takes)
    return made


# -- parts --------------------------------------------------------------------------------------------------------


def leaf_of(pattern: Pattern) -> Step | None:
    """A single event with its own tests, or None."""
    match pattern:
        case Primitive(site=site):
            at_site = () if site is None else (_at_site("", site),)
            return Step((Kind(pattern.type, "", at_site, pattern.span),), first=False, span=pattern.span)
        case Named(name=name, pattern=inner):
            found = leaf_of(inner)
            if found is None or found.variable is not None:
                return None
            (kind,) = found.takes
            named = tuple(_renamed(test, name) for test in kind.tests)
            return replace(found, variable=name, takes=(replace(kind, own=name, tests=named),))
        case Where(pattern=inner, guard=guard):
            found = leaf_of(inner)
            if found is None or not variables_of(guard) <= {found.variable}:
                return None
            takes = tuple(replace(kind, tests=(*kind.tests, *conjuncts(guard))) for kind in found.takes)
            return replace(found, takes=takes)
    return None


def _at_site(name: str, site: str) -> Guard:
    return Binary("==", SourceOf(name), Literal(site))


def _renamed(test: Guard, name: str) -> Guard:
    """002's `type@site` asks for the source of an event that has no name yet."""
    match test:
        case Binary(left=SourceOf(variable=""), right=Literal(value=str(site))):
            return _at_site(name, site)
    return test


def _leaf(pattern: Pattern, what: str) -> Step:
    found = leaf_of(pattern)
    if found is None:
        raise refusal(f"anything but a single event {what}", pattern, "make it a rule of its own")
    return found


def _part(pattern: Pattern) -> _Found:
    """One chain, from what is not around the whole any more."""
    if (leaf := leaf_of(pattern)) is not None:
        return _Found([leaf])
    match pattern:
        case Where(pattern=inner, guard=guard):
            found = _part(inner)
            found.tests += conjuncts(guard)
            return found
        case Sequence(parts=parts, order=order):
            return _sequence(parts, order)
        case Absence():
            return _absence(pattern)
        case Repeat():
            return _Found(_run(pattern))
        case Times(attribute=str(attribute)):
            return _Found(_count(pattern, attribute))
        case Streak():
            hint = "write 'a*3' of SEL, or 'any 3 a', which lists every choice of three"
            raise refusal("'3 times', so many in a row", pattern, hint)
        case Never():
            raise refusal("'!' with nothing before it", pattern, "the forms are 'a -> !c -> b' and 'a -> !b in 5 sec'")
        case Within():
            raise refusal("a window inside a pattern", pattern, "put it around the whole")
        case Both() | Either():
            raise refusal("'and' or 'or' inside a sequence", pattern, "write a rule for each order or choice")
        case AnyEvent():
            raise refusal("'*', an event of any type", pattern, "name the type")
    what, hint = _HINTS.get(type(pattern).__name__, (f"'{type(pattern).__name__.lower()}'", ""))
    raise refusal(what, pattern, hint)


def _sequence(parts: tuple[Pattern, ...], order: Precedence) -> _Found:
    if order is Precedence.WEAK:
        raise refusal("'followed by or with'", parts[-1], "write 'followed by': then none are at one instant")
    whole = _Found()
    stops: tuple[Kind, ...] = ()
    for place, part in enumerate(parts):
        if isinstance(part, Never):
            if not whole.steps:
                raise refusal("'!' before the first event", part, "only what follows an event can be told not to come")
            stops += _stops(part.pattern, {step.variable for step in whole.steps})
            continue
        found = _part(part)
        if place and len(found.steps) > 1 and order is not Precedence.GAP:
            raise refusal("a sequence on the right of ';'", part, "write '(a ; b) ; c', or '->' of SEL")
        if found.silent:
            if place < len(parts) - 1:
                raise refusal("'!' in brackets", part, "leave the brackets out")
            whole.silent, whole.silent_span = found.silent, found.silent_span
        if whole.steps:
            found.steps[0] = _stopped(found.steps[0], stops)
            stops = ()
        whole.steps += found.steps
        whole.tests += found.tests
    if stops:
        whole.silent, whole.silent_span = stops, parts[-1].span
    return whole


def _absence(pattern: Absence) -> _Found:
    found = _part(pattern.first)
    last = _leaf(pattern.last, "at the end of an absence")
    stops = _stops(pattern.without, set())
    if pattern.guard is not None:
        if variables_of(pattern.guard) & {kind.own for kind in stops}:
            raise refusal("a guard that names what must not come", pattern.guard, "use SEL: 'a -> !(c if ...) -> b'")
        found.tests += conjuncts(pattern.guard)
    found.steps.append(_stopped(last, stops))
    return found


def _stops(pattern: Pattern, outer: set[str | None]) -> tuple[Kind, ...]:
    """What must not come: single events, or either of several. Its guards may name events before it (004)."""
    if isinstance(pattern, Either):
        return tuple(kind for part in pattern.parts for kind in _stops(part, outer))
    tests: tuple[Guard, ...] = ()
    inner = pattern
    while isinstance(inner, Where):
        tests, inner = (*conjuncts(inner.guard), *tests), inner.pattern
    leaf = _leaf(inner, "that must not come")
    names = {name for test in tests for name in variables_of(test)}
    if names - {leaf.variable} - outer:
        raise refusal("a guard that names what is not there yet", pattern, "name events that come before")
    return tuple(replace(kind, tests=(*kind.tests, *tests)) for kind in leaf.takes)


def _stopped(step: Step, stops: tuple[Kind, ...]) -> Step:
    """A step with what ends the chain before it. Where that is what it takes, only the first can be taken."""
    types = {kind.type for kind in stops if not kind.tests}
    first = step.first or all(kind.type in types for kind in step.takes)
    return replace(step, stops=(*step.stops, *stops), first=first)


def _run(pattern: Repeat) -> list[Step]:
    """`a*n`: each the next one after the one before."""
    if pattern.same:
        raise refusal("runs of each group", pattern, "any 3 of them with one value: 'any 3 a with the same k'")
    if pattern.least != pattern.most:
        raise refusal("'a*[n, m]', runs of several lengths", pattern, "write a rule for each length: 'a*n'")
    leaf = _leaf(pattern.pattern, "in a run")
    takes = leaf.takes
    steps = [replace(leaf, variable=None, first=True) for _ in range(pattern.least)]
    return [replace(steps[0], takes=takes), *steps[1:]]


def _count(pattern: Times, attribute: str) -> list[Step]:
    """TimesEq and TimesDf: each choice of so many, told by when they arrive."""
    leaf = _leaf(pattern.pattern, "that is counted")
    made: list[Step] = []
    for number in range(pattern.count):
        name = f"\0{number}"
        own = Attribute(name, attribute)
        others = [Attribute(f"\0{each}", attribute) for each in range(number)]
        tests: list[Guard] = [Binary("==" if pattern.same else "!=", own, other) for other in others]
        if pattern.same:
            tests = tests[:1]
        kind = Kind(leaf.takes[0].type, name, tuple(tests or [Binary("==", own, own)]), leaf.span)
        made.append(Step((kind,), (), name, first=False, order="arrival", span=leaf.span))
    return made


def _in_any_order(pattern: Both, parts: tuple[Pattern, ...]) -> Iterable[_Found]:
    leaves = [_leaf(part, "in 'and'") for part in parts]
    types = [leaf.takes[0].type for leaf in leaves]
    if len(parts) > MOST_IN_ANY_ORDER:
        raise refusal(f"'and' of more than {MOST_IN_ANY_ORDER} events", pattern, "split it into rules")
    if len(set(types)) < len(types):
        raise refusal("'and' of two events of one type", pattern, "one event may be both: write 'a*2' for two")
    for each in permutations(leaves):
        yield _Found([replace(leaf, order="arrival") for leaf in each])
